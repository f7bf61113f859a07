"""Benchmark summaries of the Overview: questions, whether it accepts submissions, and the best model. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from db.records import BenchmarkRecord, BoardRow
from evaluation.benchmarks import Benchmark, Column
from leaderboard.boards.overview_view import HeadlineScale, describe_system
from leaderboard.boards.provenance.papers import describe_paper
from submissions.intake.openness import has_questions

Registered = Mapping[tuple[str, str], BenchmarkRecord]


class BenchmarkStandings(NamedTuple):
    """The headline score of a benchmark.

    Attributes:
        scale: Chance, human baseline and the best systems.
        counts: Whether this is the current version.
        evaluated: The best rows whose answers were scored here.
        column: The column they are the best in: the headline or, if no such row has it, another one.
    """

    scale: HeadlineScale
    counts: bool
    evaluated: Sequence[BoardRow]
    column: Column


def describe_summary(
    standing: BenchmarkStandings, registered: Registered, versions: Sequence[Benchmark]
) -> dict[str, Any]:
    """Return the summary of a benchmark.

    Args:
        standing: Its headline score.
        registered: Versions registered by an evaluator.
        versions: Versions of all benchmarks, the current one of each first.
    """
    (benchmark, column, human, systems), counts, evaluated, its_column = standing
    best = next((found for row in systems if (found := describe_system(row, column)) is not None), None)
    record = registered.get((benchmark.id, benchmark.version))
    return {
        "id": benchmark.id,
        "title": benchmark.title,
        "summary": benchmark.summary,
        "paper": describe_paper(benchmark.paper),
        "version": benchmark.version,
        "open_version": find_open_version(benchmark, registered, versions),
        "items": record.n_items if record else None,
        "items_of_paper": benchmark.n_items_of_paper,
        "setting": benchmark.settings[0],
        "counts": counts,
        "headline": column.key,
        "headline_title": column.title,
        "chance": benchmark.chance.get(column.key),
        "human": human,
        "best": best,
        "leader": _describe_leader(evaluated, its_column, column) or _describe_leader(systems, column, column),
        "gap": human - best["value"] if human is not None and best is not None else None,
    }


def find_open_version(benchmark: Benchmark, registered: Registered, versions: Sequence[Benchmark]) -> str | None:
    """Return the version that accepts submissions: this one, otherwise the first of the benchmark that does."""
    same = (version for version in versions if version.id == benchmark.id)
    known = ((one, registered.get((one.id, one.version))) for one in (benchmark, *same))
    return next((one.version for one, record in known if has_questions(one, record)), None)


def _describe_leader(rows: Sequence[BoardRow], column: Column, headline: Column) -> dict[str, Any] | None:
    for row in rows:
        system = describe_system(row, column)
        if system is not None:
            standing = row.standings[column.key]
            title = None if column.key == headline.key else column.title
            return system | {"low": standing.low, "high": standing.high, "title": title}
    return None
