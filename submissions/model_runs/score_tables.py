"""Scores of practice answers, whose key is public: of all of them by slice, of a trial by part."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.table import Table
from rich.text import Text

from evaluation.benchmarks import Benchmark
from evaluation.predictions import catalogue_of, read_checked_predictions
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item, Report

_DASH = "–"


def score_practice(file: Path, benchmark: Benchmark, setting: str, *, allow_missing: bool) -> Report:
    """Return the report of a file of practice answers.

    Raises:
        PredictionFileError: The file cannot be scored.
    """
    key = benchmark.make_key("practice")
    catalogue = catalogue_of(benchmark, key, setting)
    with file.open("rb") as stream:
        predictions = read_checked_predictions(stream, catalogue, allow_missing=allow_missing, must_answer=True)
        return benchmark.score(key, predictions, setting=setting)


def build_slice_table(report: Report, benchmark: Benchmark, setting: str) -> Table:
    """Return the default scores of a board, with chance."""
    table = Table(box=None)
    table.add_column("slice")
    for title in ("%", "±", "chance %", "items"):
        table.add_column(title, justify="right", no_wrap=True)
    columns = dict.fromkeys((benchmark.headline_of(setting), *benchmark.columns_of(setting)))
    for column in columns:
        score = report.scores.get(column.slice, {}).get(column.metric)
        if score is None:
            continue
        chance = benchmark.chance.get(column.key)
        cells = (_percent(score.value), _percent(score.std, ""), _percent(chance), f"{score.n:,}")
        table.add_row(Text(column.full_title), *cells)
    return table


def describe_report(report: Report) -> str:
    """Return how many answers are missing, unreadable, or wait for a judge."""
    words = f"{report.expected - report.missing:,} of {report.expected:,} answers, {report.unreadable:,} unreadable"
    reasons = ", ".join(f"{reason} ({n:,})" for reason, n in report.unreadable_reasons.items())
    words += f": {reasons}." if reasons else "."
    if report.awaiting_judge:
        words += f" {len(report.awaiting_judge):,} open answers need a judge and have no score here."
    return words


@dataclass(frozen=True, slots=True)
class PracticeAnswer:
    """One answer to a practice question.

    Attributes:
        item: The item.
        run: Number of the run.
        correct: From 0 to 1; NaN if a judge has yet to score it.
        unreadable: Whether no answer was found in the response, which counts as wrong.
    """

    item: Item
    run: int
    correct: float
    unreadable: bool


def list_practice_answers(report: Report, benchmark: Benchmark) -> Iterator[PracticeAnswer]:
    """Yield the answers in a file, in the benchmark's order, without the missing ones."""
    items = {item.id: item for item in benchmark.content(benchmark.make_key("practice")).items}
    outcomes = report.outcomes
    for row, item_id in enumerate(outcomes.item_ids):
        item = items[item_id]
        for place, run in enumerate(item.runs):
            choice = outcomes.choices[row, place]
            if choice not in (MISSING, ABSENT):
                yield PracticeAnswer(item, run, float(outcomes.correct[row, place]), bool(choice == UNREADABLE))


def build_trial_table(report: Report, benchmark: Benchmark, asked: Collection[tuple[str, int]]) -> Table:
    """Return the share of right answers among the asked questions of each part."""
    parts = {part.id: part.title for part in benchmark.parts}
    counts: dict[str, list[tuple[float, bool]]] = {part: [] for part in ("", *parts)}
    for answer in list_practice_answers(report, benchmark):
        if (answer.item.id, answer.run) in asked and not np.isnan(answer.correct):
            for part in ("", answer.item.part):
                counts[part].append((answer.correct, answer.unreadable))
    table = Table(box=None)
    table.add_column("part")
    for title in ("%", "asked", "unreadable"):
        table.add_column(title, justify="right", no_wrap=True)
    for part, results in counts.items():
        if results:
            share = sum(correct for correct, _ in results) / len(results)
            n_unreadable = sum(is_unreadable for _, is_unreadable in results)
            table.add_row(Text(parts.get(part, "all")), _percent(share), f"{len(results):,}", f"{n_unreadable:,}")
    return table


def _percent(value: float | None, absent: str = _DASH) -> str:
    return absent if value is None else f"{100 * value:.1f}"
