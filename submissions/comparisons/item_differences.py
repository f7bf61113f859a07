"""Differences of two evaluations with confidence intervals and p-values, from item-level outcomes.

See docs/methods.md (Comparisons). Everything here is pure: equal evaluations give equal bytes.
"""

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Column
from evaluation.benchmarks.error_shares import is_error_share
from evaluation.statistics import (
    FEWEST_TELLING,
    Clusters,
    ScoreComparison,
    ScoreFormula,
    adjust_p_values,
    has_interval,
)
from evaluation.types import Outcomes
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


class ItemDifferences(ABC):
    """Two evaluations whose scores are compared by their items."""

    few_telling: str
    """Why a difference has no interval if too few clusters contain its variance."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark

    @abstractmethod
    def find_refusal(self, figure: str) -> str | None:
        """Return why this pair has no interval for a score (`<slice>|<metric>`), or None.

        Every interval of a difference that Earshot shows passes this check.
        """

    @abstractmethod
    def compare_figures(self, figures: Sequence[str]) -> list[ScoreComparison]:
        """Return the differences of scores that `find_refusal` allows, first evaluation minus second."""

    def count_items(self, one: ScoreDifference, column: Column, found: ScoreComparison) -> ScoreDifference:  # noqa: ARG002 - for pairs
        """Return a difference with counts of items that one of both won; without them by default."""
        return one

    def add_to(self, plain: Sequence[ScoreDifference]) -> list[ScoreDifference]:
        """Return differences with intervals and p-values, and with counts of items for default columns."""
        columns = {column.key: column for column in self._benchmark.columns}
        figures: list[str] = []
        notes: dict[str, str] = {}
        # Default columns come first, in case there are too many.
        for one in sorted(plain, key=lambda one: not columns[one.figure].shown):
            if is_error_share(columns[one.figure].metric):
                continue  # based on its own sample, not on items
            refusal = self.find_refusal(one.figure) if len(figures) < MAX_RESAMPLED else TOO_MANY
            if refusal is not None:
                notes[one.figure] = refusal
            else:
                figures.append(one.figure)
        compared = dict(zip(figures, self.compare_figures(figures), strict=True))
        merged = [
            self._merge(one, columns[one.figure], compared[one.figure])
            if one.figure in compared
            else replace(one, note=notes.get(one.figure, one.note))
            for one in plain
        ]
        if any(note == FEW_ITEMS and columns[name].shown for name, note in notes.items()):
            # A withheld column could be derived from the counts of the columns it is a part of.
            merged = [replace(one, wins=None, losses=None, ties=None) for one in merged]
        return _adjust(merged)

    def _merge(self, one: ScoreDifference, column: Column, found: ScoreComparison) -> ScoreDifference:
        if abs((found.difference or 0.0) - one.difference) > SAME_SCORE:
            _LOG.error("%s differs by %s, and its outcomes by %s", one.figure, one.difference, found.difference)
            return replace(one, note=NOT_THE_SAME)
        merged = replace(one, n_items=found.n_items, n_clusters=found.n_clusters)
        if found.low is None or found.high is None:
            merged = replace(merged, note=self.few_telling)
        else:
            low, high = round_end(found.low, math.floor), round_end(found.high, math.ceil)
            merged = replace(merged, low=low, high=high, p_value=_round_p(found.p_value))
        return self.count_items(merged, column, found)


def find_tested_formula(benchmark: Benchmark, key: AnswerKey, figure: str, clusters: Clusters) -> ScoreFormula | str:
    """Return how a score follows from items, or why no pair of evaluations has an interval for it.

    Args:
        benchmark: Benchmark of the score.
        key: Answer key of the questions.
        figure: `<slice>|<metric>`.
        clusters: The recordings of the items.
    """
    formula = benchmark.find_formula(key, *figure.split("|", 1))
    if formula is None:
        return NOT_OF_ITEMS
    return formula if has_interval(formula, clusters) else FEW_CLUSTERS


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
