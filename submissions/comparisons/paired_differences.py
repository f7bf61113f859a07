"""Paired differences: two evaluations of the same items. See docs/methods.md (Comparisons)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.statistics import Clusters, ScoreComparison, ScoreFormula, compare_scores, list_item_means
from evaluation.types import ABSENT, Outcomes
from submissions.comparisons.differences import ScoreDifference
from submissions.comparisons.item_differences import (
    FEW_ITEMS,
    FEW_TELLING,
    NOT_COVERED,
    ItemDifferences,
    ScoringOutcomes,
    find_tested_formula,
)


class PairedDifferences(ItemDifferences):
    """Two evaluations of the same items, under one key."""

    few_telling = FEW_TELLING

    def __init__(
        self,
        benchmark: Benchmark,
        key: AnswerKey,
        first: ScoringOutcomes,
        second: ScoringOutcomes,
    ) -> None:
        super().__init__(benchmark)
        self._key = key
        self._both = first.outcomes, second.outcomes
        self._clusters = Clusters.of(benchmark.cluster_items(key))
        self._formulas: dict[str, ScoreFormula | str] = {}
        self._tables: dict[str, tuple[NDArray[np.float64], ...]] = {}
        self._steps = np.array([item.n_steps or 0 for item in benchmark.content(key).items], np.int64)
        self._alike, self._otherwise = _compare_choices(*self._both, self._steps)

    def find_refusal(self, figure: str) -> str | None:
        """Return why this pair must not have an interval for a score: one over few secret answers would reveal them."""
        formula = self._find_formula(figure)
        if isinstance(formula, str):
            return formula
        for mean in list_item_means(formula):
            weighs = mean.weights > 0
            if any(np.isnan(table[weighs]).any() for table in self._score(mean.score)):
                return NOT_COVERED
            if self._benchmark.answers_are_secret and self._is_thin(weighs):
                return FEW_ITEMS
        return None

    def compare_figures(self, figures: Sequence[str]) -> list[ScoreComparison]:
        """Return the paired differences of scores."""
        found = (self._find_formula(figure) for figure in figures)
        formulas = [formula for formula in found if not isinstance(formula, str)]
        names = {mean.score for formula in formulas for mean in list_item_means(formula)}
        first, second = ({name: self._score(name)[index] for name in sorted(names)} for index in (0, 1))
        return compare_scores(formulas, self._clusters, first, second)

    def count_items(self, one: ScoreDifference, column: Column, found: ScoreComparison) -> ScoreDifference:
        """Add wins, losses and ties if every item has one score and every file one answer to it."""
        formula = self._find_formula(one.figure)
        means = [] if isinstance(formula, str) else list(list_item_means(formula))
        weighs = np.any([mean.weights > 0 for mean in means], axis=0)
        is_kept_back = self._benchmark.answers_are_secret and not column.shown
        if is_kept_back or len({mean.score for mean in means}) > 1 or self._steps[weighs].any():
            return one
        metric = next(metric for metric in self._benchmark.metrics if metric.id == column.metric)
        better, worse = (found.wins, found.losses) if metric.higher_is_better else (found.losses, found.wins)
        return replace(one, wins=better, losses=worse, ties=found.ties)

    def _find_formula(self, figure: str) -> ScoreFormula | str:
        if figure not in self._formulas:
            self._formulas[figure] = find_tested_formula(self._benchmark, self._key, figure, self._clusters)
        return self._formulas[figure]

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
