"""Independent differences: two evaluations of different questions of the same design. See docs/methods.md."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.statistics import (
    FEWEST_TELLING,
    Clusters,
    ScoreComparison,
    ScoreFormula,
    ScoreSample,
    compare_unpaired_scores,
    estimate_standard_error,
    list_item_means,
)
from evaluation.types import Outcomes
from submissions.comparisons.item_differences import NOT_COVERED, ItemDifferences, ScoringOutcomes, find_tested_formula
from submissions.comparisons.paired_differences import PairedDifferences

FEW_VARYING = (
    f"Fewer than {FEWEST_TELLING} clips distinguish the two files: too few for a confidence interval or a test."
)


class ScoredQuestions(NamedTuple):
    """Outcomes of an evaluation, and the key of the questions that it answered."""

    key: AnswerKey
    outcomes: Outcomes


class IndependentDifferences(ItemDifferences):
    """Two evaluations of different questions of the same design: independent samples.

    Unlike paired ones, their intervals depend on each file's own scores only, so they reveal no answers.
    """

    few_telling = FEW_VARYING

    def __init__(self, benchmark: Benchmark, first: ScoredQuestions, second: ScoredQuestions) -> None:
        super().__init__(benchmark)
        self._sides = _Side(benchmark, first), _Side(benchmark, second)

    def find_refusal(self, figure: str) -> str | None:
        """Return why a score has no interval: it is no mean over enough recordings, or not covered by both files."""
        return next(filter(None, (side.find_refusal(figure) for side in self._sides)), None)

    def compare_figures(self, figures: Sequence[str]) -> list[ScoreComparison]:
        """Return the differences of independent samples."""
        first, second = (side.make_sample(figures) for side in self._sides)
        return compare_unpaired_scores(first, second)


def make_item_differences(benchmark: Benchmark, first: ScoredQuestions, second: ScoredQuestions) -> ItemDifferences:
    """Return two evaluations for a comparison: in pairs if they answered the same questions."""
    if first.key.seed != second.key.seed:
        return IndependentDifferences(benchmark, first, second)
    return PairedDifferences(
        benchmark, first.key, ScoringOutcomes("", first.outcomes), ScoringOutcomes("", second.outcomes)
    )


def estimate_score_error(benchmark: Benchmark, scored: ScoredQuestions, figure: str) -> float | None:
    """Return the standard error of a score (`<slice>|<metric>`) over recordings; None if it has no interval."""
    side = _Side(benchmark, scored)
    return estimate_standard_error(side.make_sample([figure])) if side.find_refusal(figure) is None else None


class _Side:
    """One of the two evaluations, with its item scores."""

    def __init__(self, benchmark: Benchmark, scored: ScoredQuestions) -> None:
        self._benchmark = benchmark
        self._key, self._outcomes = scored
        self._clusters = Clusters.of(benchmark.cluster_items(scored.key))
        self._formulas: dict[str, ScoreFormula | str] = {}
        self._scores: dict[str, NDArray[np.float64]] = {}

    def find_formula(self, figure: str) -> ScoreFormula | str:
        """Return how a score follows from the items, or why it has no interval."""
        if figure not in self._formulas:
            self._formulas[figure] = find_tested_formula(self._benchmark, self._key, figure, self._clusters)
        return self._formulas[figure]

    def find_refusal(self, figure: str) -> str | None:
        """Return why a score has no interval on this side."""
        formula = self.find_formula(figure)
        if isinstance(formula, str):
            return formula
        means = list_item_means(formula)
        has_gaps = any(np.isnan(self.find_scores(mean.score)[mean.weights > 0]).any() for mean in means)
        return NOT_COVERED if has_gaps else None

    def find_scores(self, name: str) -> NDArray[np.float64]:
        """Return a kind of score of every item."""
        if name not in self._scores:
            self._scores[name] = self._benchmark.score_items(self._key, self._outcomes, name)
        return self._scores[name]

    def make_sample(self, figures: Sequence[str]) -> ScoreSample:
        """Return the item scores behind some scores."""
        found = (self.find_formula(figure) for figure in figures)
        formulas = [formula for formula in found if not isinstance(formula, str)]
        names = {mean.score for formula in formulas for mean in list_item_means(formula)}
        return ScoreSample(formulas, self._clusters, {name: self.find_scores(name) for name in sorted(names)})
