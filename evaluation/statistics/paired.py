"""Two systems on the same items: difference, interval, p-value, wins and losses."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.statistics.bootstrap import Resampling, interval_of
from evaluation.statistics.errors import check_table


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a paired comparison shows; positive differences favour the first system.

    Attributes:
        difference: Mean outcome of the first minus that of the second, in [-1, 1]; None without items.
        low: Lower end of the 95 % interval of the difference; None with fewer than two clusters.
        high: Upper end.
        p_value: Two-sided, in (0, 1]; at most 0.05 exactly where the interval excludes 0. None with fewer than two
            clusters.
        wins: Items where the first has the higher outcome.
        losses: Items where the second has.
        ties: Items where both have the same.
        n_items: Number of items.
        n_clusters: Number of clusters.
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


def compare(a: ArrayLike, b: ArrayLike, clusters: ArrayLike, *, resamples: int, rng: np.random.Generator) -> Comparison:
    """Compare two systems on the same items by cluster bootstrap of their paired difference.

    Interval: percentiles of the resampled difference. p-value: 2 · (1 + the smaller number of resamples whose
    difference is ≤ 0 or ≥ 0) / (resamples + 1), at most 1; it is never 0, and it agrees with the interval. It is the
    figure of one pair, as if no other had been looked at; a whole board has rank ranges. For one slice, give its items.

    Undefined: without items nothing but the counts; with one cluster no interval and no p-value. Where every cluster
    has the same mean difference, resampling sees no variance: the interval is one point, and p is 1 for a difference of
    0 and 2 / (resamples + 1) otherwise. With few clusters (below about 20) intervals are too narrow.

    Args:
        a: Outcomes of the first system (items), fractions in [0, 1], higher is better.
        b: Outcomes of the second, in the same order of items.
        clusters: int (items), equal numbers for items that belong together.
        resamples: How many, 40 or more.
        rng: Seeded generator.

    Raises:
        StatisticsError: Lengths differ, NaN (items that a system does not cover), figures outside [0, 1].

    Source: Davison and Hinkley, Bootstrap Methods and their Application, chapter 4 (add-one rule) and section 5.3.

    >>> compare([1, 1, 0], [1, 0, 0], [1, 2, 3], resamples=999, rng=np.random.default_rng(1)).wins
    1
    """
    return compare_on(Resampling.draw(clusters, resamples, rng), a, b)


def compare_on(resampling: Resampling, a: ArrayLike, b: ArrayLike) -> Comparison:
    """Compare two systems as `compare` does, on resamples that were drawn before.

    Raises:
        StatisticsError: As `compare`.

    >>> drawn = Resampling.draw([1, 2, 3, 4], 999, np.random.default_rng(1))
    >>> compare_on(drawn, [1, 1, 1, 0], [0, 1, 1, 0]).difference
    0.25
    """
    first, second = (check_table(np.atleast_1d(x)[:, None], resampling.n_items) for x in (a, b))
    sums = resampling.sum_clusters(first) - resampling.sum_clusters(second)
    difference = float(resampling.mean(sums)[0])
    low = high = p_value = None
    if resampling.n_clusters > 1:
        low, high, p_value = judge_resampled(resampling.resample_exactly(sums)[0])
    return Comparison(
        difference=difference if resampling.n_items else None,
        low=low,
        high=high,
        p_value=p_value,
        wins=int((first > second).sum()),
        losses=int((first < second).sum()),
        ties=int((first == second).sum()),
        n_items=resampling.n_items,
        n_clusters=resampling.n_clusters,
    )


def judge_resampled(resampled: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the ends of the 95 % interval of a difference and its two-sided p-value, from its resamples.

    >>> judge_resampled(np.arange(1.0, 100.0))
    (2.0, 98.0, 0.02)
    """
    (low,), (high,) = (end.tolist() for end in interval_of(resampled[None]))
    one_sided = min(int((resampled <= 0).sum()), int((resampled >= 0).sum()))
    return low, high, min(1.0, 2 * (1 + one_sided) / (len(resampled) + 1))
