"""Exported view: rows and columns of a board as a visitor sees it, and facts that all formats state."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, urlencode

from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.practice_comparison import is_practice_gap
from leaderboard.boards.provenance.papers import cite_briefly, list_authors, name_place
from submissions.ranking.row_sources import BASELINE_SOURCES

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ExportView:
    """A board, or one row of it.

    Attributes:
        benchmark: Benchmark version of the board.
        setting: Setting of the board.
        columns: Exported columns.
        rows: Rows as returned by `board_pages.describe_row`, in the order of the view.
        revision: Revision of the board.
        made_at: When the revision was computed; None if there is none yet.
        link: Address of the view.
        origin: `https://host` of this installation; empty if unknown.
        narrowed: Description of the filters that exclude rows.
    """

    benchmark: Benchmark
    setting: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    revision: int
    made_at: datetime | None
    link: str
    origin: str
    narrowed: tuple[str, ...] = ()

    @property
    def pinned(self) -> list[Row]:
        """Human and random baselines, and reference systems."""
        return [row for row in self.rows if _is_pinned(row)]

    @property
    def systems(self) -> list[Row]:
        """All other rows."""
        return [row for row in self.rows if not _is_pinned(row)]

    @property
    def signatures(self) -> list[str]:
        """Distinct signatures of the rows."""
        return list(dict.fromkeys(row["signature"] for row in self.rows if row["signature"]))

    @property
    def title(self) -> str:
        """Benchmark and version."""
        return f"{self.benchmark.title} {self.benchmark.version}"


def _is_pinned(row: Row) -> bool:
    return row["reference"] or row["source"] in BASELINE_SOURCES


def link_to_board(origin: str, benchmark: Benchmark, words: Mapping[str, str | None]) -> str:
    """Return the address of a board with its parameters."""
    return _link(origin, {"tab": benchmark.id, **words})


def link_to_row(origin: str, row: Row) -> str:
    """Return the permanent address of a row, which shows the scores under this signature even after a re-evaluation."""
    words = {"tab": "model", "model": row["model"]["id"], "row": row["submission"], "signature": row["signature"]}
    return _link(origin, words)


def name_system(row: Row) -> str:
    """Return the name of a row's model, followed by the submitted name if it differs."""
    name, sent_as = str(row["model"]["name"]), str(row["model"]["sent_as"])
    return name if sent_as == name else f"{name} (as {sent_as})"


def list_scores(view: ExportView, row: Row) -> Iterator[tuple[Column, Mapping[str, Any]]]:
    """Yield the columns for which a row has a score, with the scores."""
    for column in view.columns:
        score = row["scores"].get(column.key)
        if score is not None and score["value"] is not None:
            yield column, score


def list_results(view: ExportView, row: Row) -> Iterator[tuple[Column, Mapping[str, Any]]]:
    """Yield the scores of a row that are results of the test questions: all but the practice gap."""
    return ((column, score) for column, score in list_scores(view, row) if not is_practice_gap(column.metric))


def is_printed(row: Row) -> bool:
    """Tell whether a row's scores are reported; human and random baselines may be either reported or scored here."""
    return row["source"] == "reported" or row["signature"] is None


def describe_origin(row: Row, column: Column | None = None) -> str:
    """Return the origin of a score: scored here, or reported where its note says."""
    source = str(row["source"])
    if not is_printed(row):
        return "reference system, not ranked" if row["reference"] else source
    notes = row["score_notes"]
    note = notes.get(column.key) if column else next(iter(notes.values()), None)
    paper = row["paper"]
    said = [cite_briefly(paper["authors"], paper["year"]) if paper else None, note.rstrip(".") if note else None]
    where = ", ".join(part for part in said if part)
    return f"{source}, not scored here: {where}" if where else f"{source}, not scored here"


def describe_paper_of(row: Row) -> str | None:
    """Return the reference of the paper that reports a row; None if it was scored here."""
    paper = row["paper"]
    if paper is None:
        return None
    said = [f"{list_authors(paper['authors'])}: {paper['title']}", str(paper["year"] or ""), paper["url"]]
    return ", ".join([*filter(None, said), name_place(paper["tables"], paper["row"], paper["data_version"])])


def percentage(fraction: float | None, decimals: int = 2) -> str | None:
    """Return a fraction as a percentage with the number of decimals of exports; see `count_decimals`."""
    return None if fraction is None else f"{100 * fraction:.{decimals}f}"


def count_decimals(benchmark: Benchmark, *, is_scored_here: bool) -> int:
    """Return the decimals of a percentage: one if scores are rounded to protect secret answers, otherwise two."""
    return 1 if benchmark.answers_are_secret and is_scored_here else 2


def iso_date(moment: datetime | None) -> str | None:
    """Return a day as `2026-11-21`."""
    return None if moment is None else f"{in_utc(moment):%Y-%m-%d}"


def in_utc(moment: datetime) -> datetime:
    """Return a time in UTC; times from the database have no time zone."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _link(origin: str, words: Mapping[str, str | None]) -> str:
    said = {name: value for name, value in words.items() if value}
    return f"{origin}/?{urlencode(said, quote_via=quote, safe='/:,')}"
