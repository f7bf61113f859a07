"""Paired differences: confidence intervals and counts, from item-level outcomes.

See docs/methods.md (Comparisons). Everything here is pure: equal evaluations give equal bytes.
"""

import logging
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.statistics import (
    FEWEST_TELLING,
    Clusters,
    ScoreComparison,
    ScoreFormula,
    adjust_p_values,
    compare_scores,
    has_interval,
    list_item_means,
)
from evaluation.types import ABSENT, Outcomes
from submissions.comparisons.differences import MIN_P, ScoreDifference
from submissions.ranking.rank_ranges import SAME_SCORE, round_end

_LOG = logging.getLogger(__name__)
MAX_RESAMPLED = 300

NOT_OF_ITEMS = "This score is not a mean over items, so it has no confidence interval."
FEW_CLUSTERS = "Too few recordings in this score, or in a large part of it, for a confidence interval."
FEW_TELLING = f"The two files differ on fewer than {FEWEST_TELLING} clips: too few for a confidence interval or a test."
FEW_ITEMS = (
    "The two files agree, or differ, on very few of these items. A confidence interval would reveal single answers."
)
NOT_COVERED = "Not both files cover the items of this score, so it has no confidence interval."
NOT_THE_SAME = "The stored outcomes do not reproduce this score, so it has no confidence interval."
TOO_MANY = f"Confidence intervals are computed for the first {MAX_RESAMPLED} scores only."


class ScoringOutcomes(NamedTuple):
    """An evaluation with its item-level outcomes."""

    submission_id: str
    outcomes: Outcomes


class PairedDifferences:
    """Two evaluations of the same items, under one key."""

    def __init__(
        self,
        benchmark: Benchmark,
        key: AnswerKey,
        first: ScoringOutcomes,
        second: ScoringOutcomes,
        *,
        clusters: Clusters | None = None,
    ) -> None:
        """Take the evaluations, and the items' recordings if the caller has them."""
        self._benchmark = benchmark
        self._key = key
        self._both = first.outcomes, second.outcomes
        self._clusters = clusters or Clusters.of(benchmark.cluster_items(key))
        self._tables: dict[str, tuple[NDArray[np.float64], ...]] = {}
        self._steps = np.array([item.n_steps or 0 for item in benchmark.content(key).items], np.int64)
        self._alike, self._otherwise = _compare_choices(*self._both, self._steps)

    def add_to(self, plain: Sequence[ScoreDifference]) -> list[ScoreDifference]:
        """Return differences with intervals and p-values, and with counts of items for default columns."""
        columns = {column.key: column for column in self._benchmark.columns}
        formulas: dict[str, ScoreFormula] = {}
        notes: dict[str, str] = {}
        # Default columns come first, in case there are too many.
        for one in sorted(plain, key=lambda one: not columns[one.figure].shown):
            if is_error_share(columns[one.figure].metric):
                continue  # based on its own sample, not on items
            found = self._find_formula(one.figure) if len(formulas) < MAX_RESAMPLED else TOO_MANY
            if isinstance(found, str):
                notes[one.figure] = found
            else:
                formulas[one.figure] = found
        resampled = dict(zip(formulas, self.compare(list(formulas.values())), strict=True))
        merged = [
            self._merge(one, columns[one.figure], formulas[one.figure], resampled[one.figure])
            if one.figure in resampled
            else replace(one, note=notes.get(one.figure, one.note))
            for one in plain
        ]
        if any(note == FEW_ITEMS and columns[name].shown for name, note in notes.items()):
            # A withheld column could be derived from the counts of the columns it is a part of.
            merged = [replace(one, wins=None, losses=None, ties=None) for one in merged]
        return _adjust(merged)

    def _find_formula(self, column: str) -> ScoreFormula | str:
        """Return how a score follows from items, or why this pair has no interval for it."""
        formula = find_paired_formula(self._benchmark, self._key, column, self._clusters)
        return formula if isinstance(formula, str) else self.find_refusal(formula) or formula

    def find_refusal(self, formula: ScoreFormula) -> str | None:
        """Return why this pair must not have an interval for a score, or None.

        Every paired interval that Earshot shows passes this check: one over few secret answers would reveal them.
        """
        for mean in list_item_means(formula):
            weighs = mean.weights > 0
            if any(np.isnan(table[weighs]).any() for table in self._score(mean.score)):
                return NOT_COVERED
            if self._benchmark.answers_are_secret and self._is_thin(weighs):
                return FEW_ITEMS
        return None

    def compare(self, formulas: Sequence[ScoreFormula]) -> list[ScoreComparison]:
        """Return the paired differences of scores that `find_refusal` allows, first evaluation minus second."""
        names = {mean.score for formula in formulas for mean in list_item_means(formula)}
        first, second = ({name: self._score(name)[index] for name in sorted(names)} for index in (0, 1))
        return compare_scores(formulas, self._clusters, first, second)

    def _score(self, score: str) -> tuple[NDArray[np.float64], ...]:
        if score not in self._tables:
            tables = (self._benchmark.score_items(self._key, one, score) for one in self._both)
            self._tables[score] = tuple(tables)
        return self._tables[score]

    def _is_thin(self, weighs: NDArray[np.bool_]) -> bool:
        """Return whether what the scores leave open depends on few items, in any run of both files.

        Together with the two scores, the number of items that both have right reveals how many of the answers on which
        the files agree are correct; and the items decided differently are among those on which they differ. A few items
        in either group would amount to a query about single answers.
        """
        least = min(self._benchmark.min_public_items, int(weighs.sum()))
        counts = np.concatenate([group[weighs].sum(axis=0) for group in (self._alike, self._otherwise)])
        return bool(((counts > 0) & (counts < least)).any())

    def _merge(
        self, one: ScoreDifference, column: Column, formula: ScoreFormula, found: ScoreComparison
    ) -> ScoreDifference:
        if abs((found.difference or 0.0) - one.difference) > SAME_SCORE:
            _LOG.error("%s differs by %s, and its outcomes by %s", one.figure, one.difference, found.difference)
            return replace(one, note=NOT_THE_SAME)
        merged = replace(one, n_items=found.n_items, n_clusters=found.n_clusters)
        if found.low is None or found.high is None:
            merged = replace(merged, note=FEW_TELLING)
        else:
            low, high = round_end(found.low, math.floor), round_end(found.high, math.ceil)
            merged = replace(merged, low=low, high=high, p_value=_round_p(found.p_value))
        return self._count(merged, column, formula, found)

    def _count(
        self, one: ScoreDifference, column: Column, formula: ScoreFormula, found: ScoreComparison
    ) -> ScoreDifference:
        """Add wins, losses and ties if every item has one score and every file one answer to it."""
        means = list(list_item_means(formula))
        weighs = np.any([mean.weights > 0 for mean in means], axis=0)
        is_kept_back = self._benchmark.answers_are_secret and not column.shown
        if is_kept_back or len({mean.score for mean in means}) > 1 or self._steps[weighs].any():
            return one
        metric = next(metric for metric in self._benchmark.metrics if metric.id == column.metric)
        better, worse = (found.wins, found.losses) if metric.higher_is_better else (found.losses, found.wins)
        return replace(one, wins=better, losses=worse, ties=found.ties)


def find_paired_formula(benchmark: Benchmark, key: AnswerKey, column: str, clusters: Clusters) -> ScoreFormula | str:
    """Return how a score follows from items, or why no pair of evaluations has an interval for it.

    Args:
        benchmark: Benchmark of the score.
        key: The answer key.
        column: `<slice>|<metric>`.
        clusters: The recordings of the items.
    """
    formula = benchmark.find_formula(key, *column.split("|", 1))
    if formula is None:
        return NOT_OF_ITEMS
    return formula if has_interval(formula, clusters) else FEW_CLUSTERS


def _compare_choices(
    first: Outcomes, second: Outcomes, steps: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return on which items × runs two files have the same readable answer, and on which different ones."""
    n_runs = min(first.choices.shape[1], second.choices.shape[1])
    one, other = first.choices[:, :n_runs], second.choices[:, :n_runs]
    is_there = (one != ABSENT) & (other != ABSENT)
    same = (one == other) & ~_judge_steps_otherwise(first, second, steps)[:, None]
    is_read = (one >= 0) | (other >= 0)
    return is_there & same & is_read, is_there & ~same & is_read


def _judge_steps_otherwise(first: Outcomes, second: Outcomes, steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the items in which two files judge a step differently."""
    found = np.zeros(len(steps), np.bool_)
    if first.step_verdicts is not None and second.step_verdicts is not None:
        item_of = np.repeat(np.arange(len(steps)), steps)
        found[item_of[first.step_verdicts != second.step_verdicts]] = True
    return found


def _round_p(p_value: float | None) -> float | None:
    """Return a p-value rounded up, so that it is below 5 % only if the interval excludes 0."""
    if p_value is None:
        return None
    return min(1.0, round(max(1, math.ceil(round(p_value / MIN_P, 6))) * MIN_P, 4))


def _adjust(merged: Sequence[ScoreDifference]) -> list[ScoreDifference]:
    tested = [one for one in merged if one.p_value is not None]
    adjusted = adjust_p_values([one.p_value for one in tested if one.p_value is not None])
    by_score = {one.figure: value for one, value in zip(tested, adjusted, strict=True)}
    return [replace(one, p_adjusted=by_score.get(one.figure)) for one in merged]
