"""Citations of papers on the page and in exports: `Liu et al., 2026`, title, tables, and row."""

from collections.abc import Sequence
from typing import Any

from db.paper_records import PrintedRow
from evaluation.benchmarks.introduction import Paper

# How BibTeX ends an incomplete list of authors.
_OTHERS = "others"
_MAX_NAMED = 2


def describe_paper(paper: Paper | None) -> dict[str, Any] | None:
    """Return a benchmark's paper in the API's form."""
    if paper is None:
        return None
    return {"title": paper.title, "authors": paper.authors, "year": paper.year, "url": paper.url}


def describe_printed(printed: PrintedRow | None) -> dict[str, Any] | None:
    """Return where a paper reports a row, in the API's form; None if the row was scored here."""
    if printed is None:
        return None
    return {
        "title": printed.title,
        "authors": printed.authors,
        "year": printed.year,
        "url": printed.url,
        "tables": printed.tables,
        "row": printed.row,
        "data_version": printed.data_version,
    }


def cite_briefly(authors: Sequence[str], year: int | None) -> str:
    """Return authors and year as an in-text citation.

    >>> cite_briefly(["Zihan Liu", "Zhikang Niu", "Qiuyang Xiao"], 2026)
    'Liu et al., 2026'
    >>> cite_briefly(["Ada Lovelace", "Alan Turing"], None)
    'Lovelace and Turing'
    """
    surnames = [name.split()[-1] for name in authors]
    named = f"{surnames[0]} et al." if len(surnames) > _MAX_NAMED else " and ".join(surnames)
    return ", ".join(part for part in (named, str(year or "")) if part)


def list_authors(authors: Sequence[str]) -> str:
    """Return all names.

    >>> list_authors(["Hui Li", "Ming Zhang", "others"])
    'Hui Li, Ming Zhang, et al.'
    """
    return ", ".join("et al." if name == _OTHERS else name for name in authors)


def name_place(tables: Sequence[str], row: str, data_version: str | None = None) -> str:
    """Return where a paper contains a row, and the release of the questions if it differs from the board's.

    >>> name_place(["Table 2", "Table 4"], "Qwen-2.5-Omni")
    'Table 2, Table 4, row “Qwen-2.5-Omni”'
    >>> name_place(["Table 2"], "Human", "0.5")
    'Table 2, row “Human”, benchmark data v0.5'
    """
    release = [f"benchmark data v{data_version}"] if data_version else []
    return ", ".join([*tables, f"row “{row}”", *release])
