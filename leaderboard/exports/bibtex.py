"""BibTeX export: the benchmark's paper, and the leaderboard as seen."""

import hashlib
from collections.abc import Iterator, Mapping

from leaderboard.boards.provenance.papers import cite_briefly
from leaderboard.exports.tex import escape_tex
from leaderboard.exports.view import ExportView, describe_paper_of, in_utc, iso_date, name_system

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def write_bibtex(view: ExportView) -> bytes:
    """Return BibTeX entries: the benchmark's paper and one for this view."""
    title = f"Earshot leaderboard: {view.title}, setting {view.setting}"
    notes = [f"Revision {view.revision}", *_list_origins(view)]
    version = view.benchmark.version.replace(".", "-")
    narrowed = [hashlib.sha256(view.link.encode()).hexdigest()[:6]] if view.narrowed else []
    key = "-".join(["earshot", view.benchmark.id, version, view.setting, f"r{view.revision}", *narrowed])
    entry = make_entry(key, title, view, ". ".join(notes), view.link)
    return f"{view.benchmark.citation}\n\n{entry}\n".encode()


def _list_origins(view: ExportView) -> Iterator[str]:
    """Yield the signature of a single row, and where papers print reported scores."""
    if len(view.rows) == 1:
        (row,) = view.rows
        yield from (f"Signature {one}" for one in view.signatures)
        yield from (f"{name_system(row)}: reported in {paper}" for paper in [describe_paper_of(row)] if paper)
        return
    tables: dict[str, dict[str, None]] = {}
    for paper in (row["paper"] for row in view.rows if row["paper"]):
        tables.setdefault(cite_briefly(paper["authors"], paper["year"]), {}).update(dict.fromkeys(paper["tables"]))
    yield from (f"Reported scores: {name}, {', '.join(found)}" for name, found in tables.items())


def make_entry(key: str, title: str, view: ExportView, note: str, link: str) -> str:
    """Return a `@misc` entry for a view of this leaderboard.

    Args:
        key: Letters, digits and hyphens.
        title: Plain text; users may have written parts of it.
        view: The view; its date is that of the board's revision.
        note: Plain text.
        link: Address of the view.
    """
    day = in_utc(view.made_at) if view.made_at else None
    fields = {
        "title": f"{{{escape_tex(title)}}}",
        "author": "{Earshot}",
        "year": f"{day:%Y}" if day else None,
        "month": _MONTHS[day.month - 1] if day else None,
        "url": link,
        "urldate": iso_date(day),
        "note": escape_tex(note),
    }
    return _write(key, fields)


def _write(key: str, fields: Mapping[str, str | None]) -> str:
    # Names of months are BibTeX macros, so they have no braces.
    said = {name: value if name == "month" else f"{{{value}}}" for name, value in fields.items() if value is not None}
    return "\n".join([f"@misc{{{key},", ",\n".join(f"  {name} = {value}" for name, value in said.items()), "}"])
