"""Comparison of two systems on different items of one design, as independent samples."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.linear import LinearFormula
from evaluation.statistics.paired import (
    DIFFERENCE_DECIMALS,
    OUTCOME,
    ScoreComparison,
    check_weights,
    judge_difference,
)
from evaluation.statistics.score_formulas import ItemMean, ScoreFormula, Scores, list_item_means


class ScoreSample(NamedTuple):
    """A system's scores on its own items.

    Attributes:
        formulas: Structure of each score; every mean has items with weight.
        clusters: Clusters of all items.
        scores: Scores of the system by name, one fraction per item; NaN only for items without weight.
    """

    formulas: Sequence[ScoreFormula]
    clusters: Clusters
    scores: Scores


class _Measured(NamedTuple):
    """A score of a system; deviations of clusters and their shares of the items are in the unit of the score."""

    value: float
    n_items: float
    n_weighted: int
    deviations: NDArray[np.float64]
    shares: NDArray[np.float64]


def compare_unpaired(a: ArrayLike, b: ArrayLike, clusters_a: ArrayLike, clusters_b: ArrayLike) -> ScoreComparison:
    """Compare two systems on different items by a score test of the difference between their means.

    With the deviation r of a cluster from its system's own mean, its share s of the items, and equally many items, the
    variance of the difference d under equal means is V = Σ (r₁ + d s₁ / 2)² + Σ (r₂ − d s₂ / 2)²; with different
    numbers, both systems deviate from the mean over all items. |d| / √V is compared like a paired difference (see
    `compare`): with a normal quantile that is smaller if few clusters contain the variance. For single right or wrong
    answers this is the chi-square test of two shares. The interval contains all δ for which the same test of d − δ does
    not reject at 5 %, so it agrees with the p-value. Nothing is random.

    `JointBoard` uses the same variance.

    Undefined: without items, everything except the counts; interval and p-value if the effective number of clusters
        that contain the variance is below 10, and so for two systems that are always right.

    Args:
        a: Outcomes of the first system (its items), fractions in [0, 1], higher is better.
        b: Outcomes of the second system (its items).
        clusters_a: int (items of the first), equal numbers for items of one cluster.
        clusters_b: int (items of the second).

    Raises:
        StatisticsError: Outcomes do not fit their clusters, are NaN or outside [0, 1].

    Source: the pooled test of two shares, with the variance of clusters: Rao and Scott, Biometrics 48 (1992); inverted
    as by Mee, Biometrics 40 (1984).

    >>> compared = compare_unpaired([1] * 60 + [0] * 40, [1] * 80 + [0] * 20, range(100), range(100))
    >>> compared.is_paired, round(compared.difference, 2), round(compared.p_value, 4)
    (False, -0.2, 0.002)
    """
    samples = [
        ScoreSample(
            [ItemMean(OUTCOME, np.ones(clusters.n_items, np.int64))], clusters, {OUTCOME: np.atleast_1d(outcomes)}
        )
        for outcomes, clusters in ((a, Clusters.of(clusters_a)), (b, Clusters.of(clusters_b)))
    ]
    if not all(sample.clusters.n_items for sample in samples):
        return ScoreComparison(None, None, None, None, 0, 0, 0, 0, 0, is_paired=False)
    return compare_unpaired_scores(*samples)[0]


def compare_unpaired_scores(first: ScoreSample, second: ScoreSample) -> list[ScoreComparison]:
    """Compare two systems on several scores, each computed from the system's own items.

    For means over items the result is that of `compare_unpaired`, with items counted by weight. Other scores use the
    first-order contributions of clusters (see `evaluation.statistics.linear`). Results are in the order of the
    formulas, which both systems list in the same order. Items and clusters are those of the smaller sample.

    Raises:
        StatisticsError: The systems have different numbers of scores; or scores of weighted items are NaN or outside
            [0, 1], or all weights are zero.
    """
    if len(first.formulas) != len(second.formulas):
        raise StatisticsError(
            f"The systems have {len(first.formulas)} and {len(second.formulas)} scores; pass the same scores for both."
        )
    return [
        _compare(_measure(one, first), _measure(other, second))
        for one, other in zip(first.formulas, second.formulas, strict=True)
    ]


def estimate_standard_error(sample: ScoreSample) -> float | None:
    """Return the standard error of a system's only score, over its clusters.

    SE = √Σ r², with the deviation r of a cluster from the system's own score, in the unit of the score. For N single
    right or wrong answers it is √(p (1 − p) / (N − 1)). The variance of `compare_unpaired` is the sum of two such
    squares, apart from its terms in the difference. Undefined (None) with fewer than two clusters.

    Args:
        sample: The system's scores; of its formulas, the first one counts.

    Source: CR2 residuals of Bell and McCaffrey, Survey Methodology 28 (2002), as in `evaluation.statistics.intervals`.

    >>> mean, outcomes = ItemMean(OUTCOME, np.ones(4, np.int64)), {OUTCOME: np.array([1, 1, 0, 0])}
    >>> round(estimate_standard_error(ScoreSample([mean], Clusters.of([0, 1, 2, 3]), outcomes)), 4)
    0.2887
    """
    measured = _measure(sample.formulas[0], sample)
    if len(measured.shares) < 2:
        return None
    return float(np.sqrt(np.square(measured.deviations).sum()))


def _measure(formula: ScoreFormula, sample: ScoreSample) -> _Measured:
    check_weights(formula, sample.clusters)
    linear = LinearFormula(formula, sample.clusters)
    names = {mean.score for mean in list_item_means(formula)}
    measurement = linear.measure({name: np.asarray(sample.scores[name], np.float64)[:, None] for name in names})
    deviations = linear.center_additions(linear.find_additions(measurement), measurement.value)[0]
    return _Measured(
        value=float(measurement.value[0]),
        n_items=float(linear.n_items),
        n_weighted=int(np.any([mean.weights > 0 for mean in list_item_means(formula)], axis=0).sum()),
        deviations=deviations / linear.n_items,
        shares=linear.shares / linear.n_items,
    )


def _compare(first: _Measured, second: _Measured) -> ScoreComparison:
    difference = round(first.value - second.value, DIFFERENCE_DECIMALS)
    both = first.n_items + second.n_items
    # In items, so that a difference without variance is recognised as in paired comparisons.
    n = 2 * first.n_items * second.n_items / both
    shares = n * np.concatenate([first.shares * second.n_items / both, second.shares * first.n_items / both])
    deviations = n * np.concatenate([first.deviations, -second.deviations])
    has_clusters = min(len(first.shares), len(second.shares)) > 1
    judged = judge_difference(difference * n, deviations + difference * shares, shares) if has_clusters else None
    return ScoreComparison(
        difference=difference,
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        p_value=judged.p_value if judged else None,
        wins=0,
        losses=0,
        ties=0,
        n_items=min(first.n_weighted, second.n_weighted),
        n_clusters=min(len(first.shares), len(second.shares)),
        n_telling=judged.n_telling if judged else 0.0,
        is_paired=False,
    )
