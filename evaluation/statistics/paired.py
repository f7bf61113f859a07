"""Paired comparison of two systems on the same items: difference, interval, p-value, wins and losses."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.intervals import NORMAL_QUANTILE
from evaluation.statistics.linear import LinearFormula
from evaluation.statistics.score_formulas import ItemMean, ScoreFormula, Scores, list_item_means

FEWEST_TELLING = 10
"""With fewer clusters on which the two differ, no test has a level of 5 %: the wins move in too large steps."""

_NORMAL = NormalDist()
_HALVINGS = 60
DIFFERENCE_DECIMALS = 12
"""Equal differences may vary in their last digits."""

OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class ScoreComparison:
    """Result of a comparison of two systems; positive differences favour the first.

    Attributes:
        difference: Score of the first minus that of the second, in [-1, 1]; None without items.
        low: Lower end of the 95 % interval of the difference; None if fewer than ten clusters distinguish the two.
        high: Upper end.
        p_value: Two-sided, in (0, 1]; at most 0.05 exactly if the interval excludes 0. None without an interval.
        wins: Number of items with a higher outcome of the first; 0 if the two answered different items.
        losses: Number of items with a higher outcome of the second, likewise.
        ties: Number of items with equal outcomes, likewise.
        n_items: Number of items.
        n_clusters: Number of clusters.
        n_telling: Effective number of clusters that distinguish the two, 0 or more: (Σ D²)² / Σ D⁴, with the difference
            D between both sums over a cluster. For single answers, the number on which the two differ. For independent
            samples, D is the deviation of a cluster of either system from their common mean.
        is_paired: Whether the two answered the same items; otherwise they are independent samples.
    """

    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    wins: int
    losses: int
    ties: int
    n_items: int
    n_clusters: int
    n_telling: float = 0.0
    is_paired: bool = True


class JudgedDifference(NamedTuple):
    """Interval and p-value of a difference; `None` if fewer than ten clusters are telling."""

    n_telling: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None


def compare(a: ArrayLike, b: ArrayLike, clusters: ArrayLike) -> ScoreComparison:
    """Compare two systems on the same items by a score test of their paired difference.

    With the difference D between both systems' sums over a cluster of n items, t = |Σ D| / √(Σ D²) has variance one if
    both are equally good. It is compared with the normal quantile z, minus (z³ − 3z) / 12m, because tails are thinner
    if few clusters distinguish the two: m = (Σ D²)² / Σ D⁴. For single right or wrong answers this is McNemar's test.
    The interval contains all δ for which the same test of D − δ n does not reject at 5 %, so it agrees with the
    p-value.

    The p-value is for a single planned pair; a whole board has rank ranges. For one slice, pass its items.

    Undefined: without items, everything except the counts; if m is below 10, and so for two systems that never differ,
        interval and p-value.

    Args:
        a: Outcomes of the first system (items), fractions in [0, 1], higher is better.
        b: Outcomes of the second system, in the same order of items.
        clusters: int (items), equal numbers for items of one cluster.

    Raises:
        StatisticsError: Lengths differ, values are NaN (items that a system does not cover), or values are outside [0,
            1].

    Source: McNemar, Psychometrika 12 (1947); for clusters Obuchowski, Statistics in Medicine 17 (1998), and Durkalski
    et al., Statistics in Medicine 22 (2003); the expansion: Hall, The Bootstrap and Edgeworth Expansion (1992).

    >>> compare([1, 1, 0], [1, 0, 0], [1, 2, 3]).wins
    1
    """
    return compare_on(Clusters.of(clusters), a, b)


def compare_on(clusters: Clusters, a: ArrayLike, b: ArrayLike) -> ScoreComparison:
    """Compare two systems like `compare`, on items with known clusters.

    Raises:
        StatisticsError: See `compare`.

    >>> compare_on(Clusters.of([1, 2, 3, 4]), [1, 1, 1, 0], [0, 1, 1, 0]).difference
    0.25
    """
    if not clusters.n_items:
        return ScoreComparison(None, None, None, None, 0, 0, 0, 0, 0)
    formula = ItemMean(OUTCOME, np.ones(clusters.n_items, np.int64))
    return compare_scores([formula], clusters, {OUTCOME: np.atleast_1d(a)}, {OUTCOME: np.atleast_1d(b)})[0]


def compare_scores(formulas: Sequence[ScoreFormula], clusters: Clusters, a: Scores, b: Scores) -> list[ScoreComparison]:
    """Compare two systems on several scores.

    For a mean over items it is the result of `compare`, with items counted by weight. For a score of means, D is the
    difference between a cluster's contributions to both systems' scores (see `evaluation.statistics.linear`). Interval
    and difference are in the unit of the score, a fraction; positive values mean that the first system has the higher
    score.

    Wins, losses and ties count items on which the first system has the higher, lower or same score. They are 0 for
    scores that combine several item scores, because items then have no single one.

    Args:
        formulas: Structure of each score; every mean has items with weight.
        clusters: Clusters of all items.
        a: Scores of the first system by name, one fraction per item; NaN only for items without weight.
        b: Scores of the second system, in the same order of items.

    Raises:
        StatisticsError: Scores of weighted items are NaN or outside [0, 1], or all weights are zero.

    >>> first, second = {"x": [1, 1, 1, 0]}, {"x": [0, 1, 1, 0]}
    >>> compare_scores([ItemMean("x", np.array([1, 1, 0, 0]))], Clusters.of([1, 2, 3, 4]), first, second)[0].difference
    0.5
    """
    names = sorted({mean.score for formula in formulas for mean in list_item_means(formula)})
    both = {name: _put_together(a[name], b[name]) for name in names}
    return [_compare(formula, clusters, both) for formula in formulas]


def _put_together(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    first, second = (np.asarray(outcomes, np.float64) for outcomes in (a, b))
    if first.shape != second.shape:
        raise StatisticsError(
            f"Outcomes have the shapes {first.shape} and {second.shape}; pass the same items for both."
        )
    return np.stack([first, second], axis=1)


def _compare(formula: ScoreFormula, clusters: Clusters, both: dict[str, NDArray[np.float64]]) -> ScoreComparison:
    check_weights(formula, clusters)
    means = list(list_item_means(formula))
    linear = LinearFormula(formula, clusters)
    measurement = linear.measure(both)
    additions = linear.find_additions(measurement)
    difference = round(float(measurement.value[0] - measurement.value[1]), DIFFERENCE_DECIMALS)
    judged = judge_difference(difference * linear.n_items, additions[0] - additions[1], linear.shares)
    weighs = np.any([mean.weights > 0 for mean in means], axis=0)
    wins, losses, ties = _count_wins(weighs, both[means[0].score]) if len({m.score for m in means}) == 1 else (0, 0, 0)
    return ScoreComparison(
        difference=difference,
        low=judged.low,
        high=judged.high,
        p_value=judged.p_value,
        wins=wins,
        losses=losses,
        ties=ties,
        n_items=int(weighs.sum()),
        n_clusters=linear.n_clusters,
        n_telling=judged.n_telling,
    )


def check_weights(formula: ScoreFormula, clusters: Clusters) -> None:
    """Refuse scores without items.

    Raises:
        StatisticsError: All weights of a mean are zero, or there are not as many as items.
    """
    for mean in list_item_means(formula):
        if mean.weights.shape != (clusters.n_items,) or not (mean.weights > 0).any():
            raise StatisticsError(
                f"None of {clusters.n_items} items has a weight in `{mean.score}`; remove this score."
            )


def judge_difference(total: float, differences: NDArray[np.float64], sizes: NDArray[np.float64]) -> JudgedDifference:
    """Return interval and p-value of a difference.

    With h = d − δ, the accepted δ satisfy h² N² ≤ z² Σ (D + (h − d) n)²: a quadratic in h.

    Args:
        total: The difference d times the number N of items.
        differences: D of each cluster.
        sizes: n of each cluster.
    """
    squares = float(np.square(differences).sum())
    if squares < 1e-18 * len(differences):
        return JudgedDifference(0.0)
    telling = squares**2 / float(np.square(np.square(differences)).sum())
    n_items = float(sizes.sum())
    d = total / n_items
    quantile = thin_quantile(NORMAL_QUANTILE, telling) ** 2
    rest = differences - d * sizes
    a = n_items**2 - quantile * float(np.square(sizes).sum())
    b, c = quantile * float((rest * sizes).sum()), quantile * float(np.square(rest).sum())
    if telling < FEWEST_TELLING or a <= 0:
        return JudgedDifference(telling)
    root = sqrt(b * b + a * c)
    return JudgedDifference(
        telling, max(-1.0, d - (b + root) / a), min(1.0, d - (b - root) / a), _find_p(total, squares, telling)
    )


def thin_quantile(z: float, telling: float) -> float:
    """Return the quantile of |Σ D| / √(Σ D²) that corresponds to the normal quantile z."""
    return z - (z**3 - 3 * z) / (12 * telling)


def _find_p(total: float, squares: float, telling: float) -> float:
    """Return the two-sided p-value: that of the z whose thinned quantile equals the observed value."""
    reached = abs(total) / sqrt(squares)
    low, high = 0.0, sqrt(4 * telling + 1)  # The thinned quantile increases up to this z.
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if thin_quantile(middle, telling) <= reached else (low, middle)
    return max(min(1.0, 2 * _NORMAL.cdf(-low)), sys.float_info.min)


def _count_wins(weighs: NDArray[np.bool_], both: NDArray[np.float64]) -> tuple[int, int, int]:
    first, second = both[weighs].T
    return int((first > second).sum()), int((first < second).sum()), int((first == second).sum())
