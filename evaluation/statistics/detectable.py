"""The smallest difference between two systems that a board of some size would show."""

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

    (z(1 − (1 − level) / 2) + z(power)) · standard error, z being the normal quantile: 2.80 standard errors at 95 % and
    80 %. In the units of the standard error; 0 for a standard error of 0.

    Args:
        standard_error: Of the paired difference, 0 or more.
        level: Confidence, in (0, 1).
        power: In [0.5, 1).

    Raises:
        StatisticsError: An argument outside its range.

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
    n_items: int, n_clusters: int, *, discordance: float = 0.5, correlation: float = 0.0
) -> float | None:
    """Return the smallest difference in accuracy that a board of this size shows at 95 % with a power of 80 %.

    Two systems are right on different items in a share ψ of all (the discordance); their difference on an item is 1, 0
    or −1, with a variance of ψ − δ² for a true difference δ. Items of a cluster move together with correlation ρ, which
    divides the number of items by the design effect 1 + (items / clusters − 1) ρ. Solving
    δ = (z₁ sqrt(ψ) + z₂ sqrt(ψ − δ²)) / sqrt(n) for δ, with n items after that division, z₁ = z(0.975), z₂ = z(0.8),
    gives the figure. Of up to 150 independent items the number of wins moves in large steps, and δ is where the test of
    `compare`, whose decision on every possible number of wins and losses is known, finds it with a power of 80 %. One
    planned pair; rank ranges compare all pairs and need larger differences.

    A fraction in (0, discordance]. None where no difference can be shown: fewer than two clusters, or so few items that
    even a system that wins every item on which the two differ would not stand out.

    Args:
        n_items: Number of items.
        n_clusters: Number of clusters, at most the number of items.
        discordance: ψ in (0, 1]. The default is that of two systems that guess yes and no on their own; systems that
            find the same items hard have less, and the board shows smaller differences than this figure.
        correlation: ρ in [0, 1] of the differences within a cluster, 0 unless known.

    Raises:
        StatisticsError: An argument outside its range.

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
    if n_items == n_clusters <= _MAX_COUNTED:
        return _count_out(n_items, discordance)
    return _solve(n, discordance)


def correlate_differences(differences: NDArray[np.float64], clusters: Clusters) -> float | None:
    """Return how the differences between systems go together within clusters, in [0, 1].

    From the design effect φ = Σ (sum over a cluster)² / Σ (item)² of all pairs of systems and ρ = (φ − 1) / (m − 1), m
    being the mean number of items of a cluster. None for fewer than two systems, equal ones, and clusters of one item.

    Args:
        differences: items × systems, what each item adds to each system's figure above its own mean; 0 where an item
            does not weigh.
        clusters: Of all items.

    >>> table = np.array([[0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [-0.5, 0.5]])
    >>> correlate_differences(table, Clusters.of([1, 1, 2, 2]))
    1.0
    """
    weighing = np.asarray(differences.any(axis=1), np.int64)
    n_items, n_clusters = int(weighing.sum()), int((clusters.weigh_clusters(weighing) > 0).sum())
    if n_items <= n_clusters:
        return None
    together, alone = (_spread(one) for one in (clusters.add_clusters(differences), differences))
    if alone <= 0:
        return None
    return float(min(1.0, max(0.0, (together / alone - 1) / (n_items / n_clusters - 1))))


def _spread(table: NDArray[np.float64]) -> float:
    """Return the sum over rows and all pairs of columns of squared differences."""
    return float((table.shape[1] * np.square(table).sum(axis=1) - np.square(table.sum(axis=1))).sum())


def _count_out(n: int, discordance: float) -> float | None:
    """Return the difference that the test finds with the power that is asked for, over all wins and losses of n."""
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
    """Return how many of m items on which two systems differ one of them must win to be significantly better."""
    return ceil((m + thin_quantile(NORMAL_QUANTILE, m) * sqrt(m)) / 2 - 1e-9)


def _binomial(n: int, share: float) -> NDArray[np.float64]:
    k = np.arange(n + 1)
    found: NDArray[np.float64] = _choose(n) * share**k * (1 - share) ** (n - k)
    return found


@lru_cache(maxsize=_MAX_COUNTED + 1)
def _choose(n: int) -> NDArray[np.float64]:
    return np.array([comb(n, k) for k in range(n + 1)], np.float64)


def _solve(n: float, discordance: float) -> float | None:
    """Return the larger root of (δ sqrt(n) − z₁ sqrt(ψ))² = z₂² (ψ − δ²), whose left side is not negative unsquared."""
    normal = NormalDist()
    z1, z2 = normal.inv_cdf((1 + _LEVEL) / 2), normal.inv_cdf(_POWER)
    inside = n - z1**2 + z2**2
    if inside < 0:
        return None
    root = sqrt(discordance) * (z1 * sqrt(n) + z2 * sqrt(inside)) / (n + z2**2)
    return root if root <= discordance else None
