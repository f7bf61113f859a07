"""Detectable difference of two systems on a board of a given size."""

from functools import lru_cache
from math import ceil, comb, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from evaluation.statistics.clusters import Clusters
from evaluation.statistics.errors import StatisticsError
from evaluation.statistics.intervals import NORMAL_QUANTILE
from evaluation.statistics.paired import FEWEST_TELLING, thin_quantile

_LEVEL = 0.95
_POWER = 0.8
_MAX_COUNTED = 150
_HALVINGS = 40


def detectable_difference(standard_error: float, *, level: float = _LEVEL, power: float = _POWER) -> float:
    """Return the true difference that a two-sided test at `level` finds with probability `power`.

    (z(1 − (1 − level) / 2) + z(power)) · standard error, with the normal quantile z: 2.80 standard errors at 95 % and
    80 %. In the unit of the standard error; 0 for a standard error of 0.

    Args:
        standard_error: Standard error of the paired difference, 0 or more.
        level: Confidence, in (0, 1).
        power: In [0.5, 1).

    Raises:
        StatisticsError: An argument is out of range.

    Source: the normal sample size formula; for paired evaluations Miller, Adding Error Bars to Evals (2024).

    >>> round(detectable_difference(0.01), 4)
    0.028
    """
    if not standard_error >= 0:
        raise StatisticsError(f"The standard error is {standard_error}; it must be 0 or more.")
    if not (0 < level < 1 and 0.5 <= power < 1):
        raise StatisticsError(f"Level {level} and power {power}; pass a level in (0, 1) and a power in [0.5, 1).")
    normal = NormalDist()
    return (normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(power)) * standard_error


def detectable_on_board(
    n_items: int, n_clusters: int, *, discordance: float = 0.5, correlation: float = 0.0, is_paired: bool = True
) -> float | None:
    """Return the smallest difference in accuracy that a board of this size detects at 95 % with a power of 80 %.

    Two systems are right on different items in a share ψ of all items (the discordance); their difference on an item is
    1, 0 or −1, with variance ψ − δ² for a true difference δ. Items of a cluster have correlation ρ, which divides the
    number of items by the design effect 1 + (items / clusters − 1) ρ. The result solves δ = (z₁ sqrt(ψ) + z₂ sqrt(ψ −
    δ²)) / sqrt(n) for δ, with n items after that division, z₁ = z(0.975), z₂ = z(0.8). For up to 150 independent items
    the number of wins moves in large steps, and δ is computed exactly, from the decision of `compare` for every
    possible number of wins and losses. This is for one planned pair; rank ranges compare all pairs and need larger
    differences.

    Two systems that answered different items are independent samples, each of this size. Then ψ is the sum 2 p (1 − p)
    of both variances at their mean accuracy p, ρ is the correlation of outcomes, and the variance is ψ − δ² / 2. The
    formula is used for every number of items.

    A fraction in (0, discordance]. None if no difference can be detected: with fewer than two clusters, or so few items
    that even a system that wins every item on which the two differ would not be significantly better.

    Args:
        n_items: Number of items.
        n_clusters: Number of clusters, at most the number of items.
        discordance: ψ in (0, 1]. The default is that of two independent systems with accuracy 1/2; systems that find
            the same items hard have less, and the board detects smaller differences.
        correlation: ρ in [0, 1] of the differences within a cluster; 0 if unknown.
        is_paired: Whether both systems answer the same items.

    Raises:
        StatisticsError: An argument is out of range.

    Source: Connor, Biometrics 43 (1987), sample size for paired proportions; design effect: Kish, Survey Sampling
    (1965).

    >>> round(detectable_on_board(2353, 2353), 4)
    0.0408
    """
    if not 0 <= n_clusters <= n_items:
        raise StatisticsError(f"{n_clusters} clusters for {n_items} items; every cluster needs at least one item.")
    if not (0 < discordance <= 1 and 0 <= correlation <= 1):
        raise StatisticsError(
            f"Discordance {discordance} and correlation {correlation}; pass fractions, with a discordance above 0."
        )
    if n_clusters < 2:
        return None
    n = n_items / (1 + (n_items / n_clusters - 1) * correlation)
    if not is_paired:
        return _solve_difference(n, discordance, 0.5)
    if n_items == n_clusters <= _MAX_COUNTED:
        return _count_out(n_items, discordance)
    return _solve_difference(n, discordance, 1.0)


def correlate_differences(differences: NDArray[np.float64], clusters: Clusters) -> float | None:
    """Return the correlation of differences between systems within clusters, in [0, 1].

    From the design effect φ = Σ (sum over a cluster)² / Σ (item)² of all pairs of systems and ρ = (φ − 1) / (m − 1),
    with the mean number m of items in a cluster. None for fewer than two systems, equal systems, and clusters of one
    item.

    Args:
        differences: items × systems, the contribution of each item to each system's score relative to its own mean; 0
            for items without weight.
        clusters: Clusters of all items.

    >>> table = np.array([[0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, 0.5]])
    >>> correlate_differences(table, Clusters.of([1, 1, 2, 2]))
    1.0
    """
    weighing = np.asarray(differences.any(axis=1), np.int64)
    n_items, n_clusters = int(weighing.sum()), int((clusters.weigh_clusters(weighing) > 0).sum())
    if n_items <= n_clusters:
        return None
    together, alone = (_sum_differences(table) for table in (clusters.add_clusters(differences), differences))
    if alone <= 0:
        return None
    return float(min(1.0, max(0.0, (together / alone - 1) / (n_items / n_clusters - 1))))


def _sum_differences(table: NDArray[np.float64]) -> float:
    """Return the sum over rows and all pairs of columns of squared differences."""
    return float((table.shape[1] * np.square(table).sum(axis=1) - np.square(table.sum(axis=1))).sum())


def _count_out(n: int, discordance: float) -> float | None:
    """Return the difference that the test finds with the required power, by enumerating all wins and losses."""
    low, high = 0.0, discordance
    if _find_power(n, discordance, high) < _POWER:
        return None
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _find_power(n, discordance, middle) < _POWER else (low, middle)
    return high


def _find_power(n: int, discordance: float, difference: float) -> float:
    wins = (1 + difference / discordance) / 2
    apart = _binomial(n, discordance)
    return sum(
        float(apart[m] * _binomial(m, wins)[_fewest_wins(m) :].sum()) for m in range(ceil(FEWEST_TELLING), n + 1)
    )


@lru_cache(maxsize=_MAX_COUNTED)
def _fewest_wins(m: int) -> int:
    """Return the minimum number of wins, of m items on which two systems differ, for a significant difference."""
    return ceil((m + thin_quantile(NORMAL_QUANTILE, m) * sqrt(m)) / 2 - 1e-9)


def _binomial(n: int, share: float) -> NDArray[np.float64]:
    k = np.arange(n + 1)
    weights: NDArray[np.float64] = _list_binomials(n) * share**k * (1 - share) ** (n - k)
    return weights


@lru_cache(maxsize=_MAX_COUNTED + 1)
def _list_binomials(n: int) -> NDArray[np.float64]:
    return np.array([comb(n, k) for k in range(n + 1)], np.float64)


def _solve_difference(n: float, discordance: float, loss: float) -> float | None:
    """Return the larger root of (δ sqrt(n) − z₁ sqrt(ψ))² = z₂² (ψ − loss · δ²) with a non-negative unsquared left."""
    normal = NormalDist()
    z1, z2 = normal.inv_cdf((1 + _LEVEL) / 2), normal.inv_cdf(_POWER)
    inside = n - loss * z1**2 + loss * z2**2
    if inside < 0:
        return None
    root = sqrt(discordance) * (z1 * sqrt(n) + z2 * sqrt(inside)) / (n + loss * z2**2)
    return root if root <= discordance else None
