"""Mean and standard deviation of a score over decoding seeds."""

import math
import statistics
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def score_over_seeds(table: NDArray[np.floating], n: int | None = None) -> Score:
    """Return the mean of a table of outcomes over items and decoding seeds.

    Value: mean over items of the mean over an item's runs; with the same runs everywhere this is the mean over seeds of
        each seed's accuracy. Standard deviation: sample standard deviation (divisor n − 1) of the seeds' means, as a
        fraction; None with a single seed, or if items have different runs, because then the seeds' means cover
        different items.

    Sums are exact and divided once, so that equal counts give the same float whatever the order of items and runs: ties
    are exact.

    Args:
        table: items × runs in [0, 1]; NaN if a run was not submitted. Every row must have at least one value.
        n: Number of items to report; the number of rows by default.

    Returns:
        The score; its value is None for an empty table.

    Source: AudioMotionBench, section 4.1 (three seeds, mean ± standard deviation). The paper does not state the
        divisor.

    >>> score_over_seeds(np.array([[1.0, 1.0], [1.0, 0.0]]))
    Score(value=0.75, n=2, std=0.3535533905932738)
    """
    if table.shape[0] == 0:
        return Score(None, 0)
    present = ~np.isnan(table)
    return Score(_mean_of_means(table, present), table.shape[0] if n is None else n, _deviation(table, present))


def mean_of_runs(table: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the mean of each item over its runs; NaN without runs.

    >>> mean_of_runs(np.array([[1.0, 0.0], [1.0, np.nan], [np.nan, np.nan]]))
    array([0.5, 1. , nan])
    """
    n_runs = (~np.isnan(table)).sum(axis=1)
    means = np.full(len(table), np.nan)
    np.divide(np.nansum(table, axis=1), n_runs, out=means, where=n_runs > 0)
    return means


def deviation_of_seeds(means: Sequence[float]) -> float | None:
    """Return the sample standard deviation of the seeds' means, independent of their order; None for fewer than two.

    >>> deviation_of_seeds([0.5, 1.0])
    0.3535533905932738
    """
    return statistics.stdev(means) if len(means) > 1 else None


def _mean_of_means(table: NDArray[np.floating], present: NDArray[np.bool_]) -> float:
    """Divide once: rows with k runs have weight 1/k, scaled to the least common multiple of all k."""
    runs = present.sum(axis=1)
    common = math.lcm(*(int(k) for k in np.unique(runs)))
    sums = (common // int(k) * math.fsum(table[runs == k][present[runs == k]]) for k in np.unique(runs))
    total = math.fsum(sums)
    return total / (common * len(runs))


def _deviation(table: NDArray[np.floating], present: NDArray[np.bool_]) -> float | None:
    columns = present.all(axis=0)
    if (present.any(axis=0) & ~columns).any():
        return None
    return deviation_of_seeds([math.fsum(table[:, column]) / table.shape[0] for column in np.flatnonzero(columns)])
