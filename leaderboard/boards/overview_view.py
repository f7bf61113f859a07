"""Contents of the Overview tab, from rows of boards. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from db.records import BoardRow
from db.repositories.boards import BoardKey
from db.repositories.overview import BestRow, Headline, OverviewModel
from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.disclosure_rule import round_share
from leaderboard.boards.normalising import normalise
from submissions.ranking.best_rows import find_lead


class HeadlineScale(NamedTuple):
    """The scale of a score from chance to human, and the best systems on it, best first."""

    benchmark: Benchmark
    column: Column
    human: float | None
    systems: Sequence[BoardRow]


Humans = Mapping[tuple[str, str], float | None]


def list_headlines(versions: Iterable[Benchmark]) -> list[Headline]:
    """Return the headline column of every version in its default setting; a benchmark's first version is current."""
    seen: set[str] = set()
    found = []
    for benchmark in versions:
        key = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0])
        column = benchmark.headline
        found.append(Headline(key, column.slice, column.metric, benchmark.id not in seen))
        seen.add(benchmark.id)
    return found


def scale_columns(benchmark: Benchmark) -> tuple[Column, ...]:
    """Return the columns that have a scale: the headline, then one for each part that the board shows by default."""
    parts = {part.id for part in benchmark.parts}
    ranked = {metric.id for metric in benchmark.metrics if metric.ranked}
    headline = benchmark.headline
    others = (
        column
        for column in benchmark.columns
        if column.shown and column.metric in ranked and column.slice in parts and column.key != headline.key
    )
    return headline, *others


def describe_scale(scale: HeadlineScale) -> dict[str, Any]:
    """Return a column's scale with chance, human baseline and the best systems."""
    benchmark, column, human, systems = scale
    return {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "figure": column.key,
        "title": column.title,
        "chance": benchmark.chance.get(column.key),
        "human": human,
        "systems": [found for row in systems if (found := describe_system(row, column)) is not None],
    }


def describe_system(row: BoardRow, column: Column) -> dict[str, Any] | None:
    """Return a row with its model, source and score; None without a score."""
    standing = row.standings.get(column.key)
    if standing is None or standing.value is None:
        return None
    return {
        "model": {"id": row.model.public_id, "name": row.model.name},
        "source": row.submission.source,
        "submission": row.submission.id,
        "value": standing.value,
    }


def describe_rows(
    models: Iterable[OverviewModel], best: Iterable[BestRow], versions: Sequence[Benchmark], humans: Humans
) -> list[dict[str, Any]]:
    """Return one row per model, with a cell for each benchmark on which it has a score.

    A cell shows the current version. Another version is shown only if the model has no score there.

    Args:
        models: In the order of the rows.
        best: The best rows of these models.
        versions: Versions of all benchmarks, the current one of each first.
        humans: (benchmark, version) → score of the human baseline.
    """
    known = {(one.id, one.version): (at, one) for at, one in enumerate(versions)}
    counting = {headline.key for headline in list_headlines(versions) if headline.counts}
    cells: dict[int, dict[str, dict[str, Any]]] = {}
    for row in sorted(best, key=lambda one: known[one.benchmark, one.version][0]):
        benchmark = known[row.benchmark, row.version][1]
        counts = BoardKey(benchmark.id, benchmark.version, benchmark.settings[0]) in counting
        cell = describe_cell(row, benchmark, humans.get((row.benchmark, row.version)), counts=counts)
        cells.setdefault(row.model_id, {}).setdefault(row.benchmark, cell)
    return [
        {"model": {"id": model.public_id, "name": model.name}, "cells": cells.get(model.id, {})} for model in models
    ]


def describe_cell(row: BestRow, benchmark: Benchmark, human: float | None, *, counts: bool) -> dict[str, Any]:
    """Return a score, normalised if the human baseline is known, with its details."""
    chance = benchmark.chance.get(benchmark.headline.key)
    return {
        "value": row.value,
        # Shown with one decimal: a score over secret answers must not reveal more digits than it has.
        "normalised": round_share(normalise(row.value, chance, human)),
        "above_chance": round_share(row.value - chance) if chance is not None else None,
        "version": row.version,
        "counts": counts,
        "source": row.source,
        "submission": row.submission,
        **{name: getattr(row, name) for name in ("low", "high", "rank", "rank_low", "rank_high")},
    }


def describe_newest(rows: Iterable[BoardRow], versions: Sequence[Benchmark]) -> Iterator[dict[str, Any]]:
    """Yield the newest rows with their leading scores; rows of removed benchmarks are skipped."""
    known = {(one.id, one.version): one for one in versions}
    for row in rows:
        submission = row.submission
        benchmark = known.get((submission.benchmark, submission.version))
        if benchmark is None:
            continue
        lead = find_lead(benchmark, {key for key, one in row.standings.items() if one.value is not None})
        standing = row.standings.get(lead.key)
        yield {
            "submission": submission.id,
            "model": {"id": row.model.public_id, "name": row.model.name},
            "source": submission.source,
            "benchmark": submission.benchmark,
            "title": benchmark.title,
            "version": submission.version,
            "setting": submission.setting,
            "figure": lead.title if lead != benchmark.headline else None,
            "value": standing.value if standing else None,
            "date": submission.created_at,
        }
