"""Two systems on the same items: difference, interval, p-value, wins and losses."""

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
from evaluation.statistics.figures import Figure, ItemMean, Scores, list_item_means
from evaluation.statistics.intervals import NORMAL_QUANTILE
from evaluation.statistics.linear import LinearFigure

FEWEST_TELLING = 10
"""With fewer clusters on which the two differ, no test holds 5 %: the number of wins moves in too large steps."""

_NORMAL = NormalDist()
_HALVINGS = 60
_DECIMALS = 12  # differences that are equal may differ in their last digits

_OUTCOME = "outcome"


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What a paired comparison shows; positive differences favour the first system.

    Attributes:
        difference: Figure of the first minus that of the second, in [-1, 1]; None without items.
        low: Lower end of the 95 % interval of the difference; None where fewer than ten clusters tell the two apart.
        high: Upper end.
        p_value: Two-sided, in (0, 1]; at most 0.05 exactly where the interval excludes 0. None where there is none.
        wins: Items where the first has the higher outcome.
        losses: Items where the second has.
        ties: Items where both have the same.
        n_items: Number of items.
        n_clusters: Number of clusters.
        n_telling: How many clusters of equal size tell the two apart as well, 0 or more: (Σ D²)² / Σ D⁴, D being the
            difference between both sums over a cluster. Of single answers it is the number on which the two differ.
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


class _Judged(NamedTuple):
    n_telling: float
    low: float | None = None
    high: float | None = None
    p_value: float | None = None


def compare(a: ArrayLike, b: ArrayLike, clusters: ArrayLike) -> PairedComparison:
    """Compare two systems on the same items by a score test of their paired difference.

    D being the difference between both systems' sums over a cluster of n items, t = |Σ D| / √(Σ D²) has one as its
    variance where both are equally good. It is compared with the normal quantile z, less (z³ − 3z) / 12m, for tails are
    thinner where few clusters tell the two apart: m = (Σ D²)² / Σ D⁴. On single right or wrong answers that is the test
    of McNemar. The interval holds all δ that the same test of D − δ n does not reject at 5 %, so it agrees with the
    p-value.

    It is the figure of one pair, as if no other had been looked at; a whole board has rank ranges. For one slice, give
    its items.

    Undefined: without items nothing but the counts; where m is below 10, and with it for two systems that never differ,
    no interval and no p-value.

    Args:
        a: Outcomes of the first system (items), fractions in [0, 1], higher is better.
        b: Outcomes of the second, in the same order of items.
        clusters: int (items), equal numbers for items that belong together.

    Raises:
        StatisticsError: Lengths differ, NaN (items that a system does not cover), figures outside [0, 1].

    Source: McNemar, Psychometrika 12 (1947); for clusters Obuchowski, Statistics in Medicine 17 (1998), and Durkalski
    et al., Statistics in Medicine 22 (2003); the expansion: Hall, The Bootstrap and Edgeworth Expansion (1992).

    >>> compare([1, 1, 0], [1, 0, 0], [1, 2, 3]).wins
    1
    """
    return compare_on(Clusters.of(clusters), a, b)


def compare_on(clusters: Clusters, a: ArrayLike, b: ArrayLike) -> PairedComparison:
    """Compare two systems as `compare` does, on items whose clusters are known.

    Raises:
        StatisticsError: As `compare`.

    >>> compare_on(Clusters.of([1, 2, 3, 4]), [1, 1, 1, 0], [0, 1, 1, 0]).difference
    0.25
    """
    if not clusters.n_items:
        return PairedComparison(None, None, None, None, 0, 0, 0, 0, 0)
    figure = ItemMean(_OUTCOME, np.ones(clusters.n_items, np.int64))
    return compare_figures([figure], clusters, {_OUTCOME: np.atleast_1d(a)}, {_OUTCOME: np.atleast_1d(b)})[0]


def compare_figures(figures: Sequence[Figure], clusters: Clusters, a: Scores, b: Scores) -> list[PairedComparison]:
    """Compare two systems on several figures.

    Of a mean over items it is what `compare` says, an item counting as often as it weighs. Of a figure made of means, D
    is the difference between what a cluster adds to both systems' figures (see `evaluation.statistics.linear`).
    Interval and difference are in the figure's own unit, a fraction; positive ones say that the figure of the first
    system is higher.

    Wins, losses and ties count items on which the first system has the higher, lower or same score. They are 0 where a
    figure is made of several scores, since then no item has a single one.

    Args:
        figures: How each follows from scores of items; every mean has items that weigh.
        clusters: Of all items.
        a: Scores of the first system by name, one fraction an item; NaN only where an item does not weigh.
        b: Scores of the second, in the same order of items.

    Raises:
        StatisticsError: Scores that are NaN where an item weighs, or outside [0, 1]; weights of nothing.

    >>> first, second = {"x": [1, 1, 1, 0]}, {"x": [0, 1, 1, 0]}
    >>> compare_figures([ItemMean("x", np.array([1, 1, 0, 0]))], Clusters.of([1, 2, 3, 4]), first, second)[0].difference
    0.5
    """
    names = sorted({mean.score for figure in figures for mean in list_item_means(figure)})
    both = {name: _put_together(a[name], b[name]) for name in names}
    return [_compare(figure, clusters, both) for figure in figures]


def _put_together(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    first, second = (np.asarray(one, np.float64) for one in (a, b))
    if first.shape != second.shape:
        raise StatisticsError(
            f"Outcomes have the shapes {first.shape} and {second.shape}; pass the same items for both."
        )
    return np.stack([first, second], axis=1)


def _compare(figure: Figure, clusters: Clusters, both: dict[str, NDArray[np.float64]]) -> PairedComparison:
    means = list(list_item_means(figure))
    for mean in means:
        if mean.weights.shape != (clusters.n_items,) or not (mean.weights > 0).any():
            raise StatisticsError(
                f"None of {clusters.n_items} items has a weight in `{mean.score}`; remove this score."
            )
    linear = LinearFigure(figure, clusters)
    found = linear.measure(both)
    additions = linear.find_additions(found)
    difference = round(float(found.value[0] - found.value[1]), _DECIMALS)
    judged = judge_difference(difference * linear.n_items, additions[0] - additions[1], linear.shares)
    weighs = np.any([mean.weights > 0 for mean in means], axis=0)
    wins, losses, ties = _count(weighs, both[means[0].score]) if len({m.score for m in means}) == 1 else (0, 0, 0)
    return PairedComparison(
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


def judge_difference(total: float, differences: NDArray[np.float64], sizes: NDArray[np.float64]) -> _Judged:
    """Return interval and p-value of a difference.

    With h = d − δ, the δ that are not rejected are those with h² N² ≤ z² Σ (D + (h − d) n)²: a quadratic in h.

    Args:
        total: The difference d times the number N of items.
        differences: D of each cluster.
        sizes: n of each cluster.
    """
    squares = float(np.square(differences).sum())
    if squares < 1e-18 * len(differences):
        return _Judged(0.0)
    telling = squares**2 / float(np.square(np.square(differences)).sum())
    n_items = float(sizes.sum())
    d = total / n_items
    quantile = thin_quantile(NORMAL_QUANTILE, telling) ** 2
    rest = differences - d * sizes
    a = n_items**2 - quantile * float(np.square(sizes).sum())
    b, c = quantile * float((rest * sizes).sum()), quantile * float(np.square(rest).sum())
    if telling < FEWEST_TELLING or a <= 0:
        return _Judged(telling)
    root = sqrt(b * b + a * c)
    return _Judged(
        telling, max(-1.0, d - (b + root) / a), min(1.0, d - (b - root) / a), _find_p(total, squares, telling)
    )


def thin_quantile(z: float, telling: float) -> float:
    """Return the quantile of |Σ D| / √(Σ D²) that corresponds to the normal quantile z."""
    return z - (z**3 - 3 * z) / (12 * telling)


def _find_p(total: float, squares: float, telling: float) -> float:
    """Return the two-sided p-value: that of the z whose thinned quantile is what was found."""
    reached = abs(total) / sqrt(squares)
    low, high = 0.0, sqrt(4 * telling + 1)  # the thinned quantile rises up to here
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if thin_quantile(middle, telling) <= reached else (low, middle)
    return max(min(1.0, 2 * _NORMAL.cdf(-low)), sys.float_info.min)


def _count(weighs: NDArray[np.bool_], both: NDArray[np.float64]) -> tuple[int, int, int]:
    first, second = both[weighs].T
    return int((first > second).sum()), int((first < second).sum()), int((first == second).sum())
