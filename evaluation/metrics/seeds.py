"""Mean and deviation of a figure over decoding seeds."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def score_over_seeds(table: NDArray[np.floating], n: int | None = None) -> Score:
    """Average a table of outcomes over items and decoding seeds.

    Value: mean over items of the mean over the runs an item has; with the same runs everywhere this is the mean over
    seeds of the accuracy of each seed. Deviation: sample standard deviation (divisor n − 1) of the seeds' means, in
    fractions of one; None with a single seed, or where items have different runs, because then the seeds' means are
    not over the same items.

    Args:
        table: items × runs in [0, 1]; NaN where a run was not submitted. Every row must hold at least one figure.
        n: Number of items to report; the number of rows by default.

    Returns:
        The score; its value is None for an empty table.

    Source: AudioMotionBench, section 4.1 (three seeds, mean ± standard deviation). The paper does not name the divisor.

    >>> score_over_seeds(np.array([[1.0, 1.0], [1.0, 0.0]]))
    Score(value=0.75, n=2, std=0.3535533905932738)
    """
    if table.shape[0] == 0:
        return Score(None, 0)
    present = ~np.isnan(table)
    counts = present.sum(axis=1)
    value = float((np.where(present, table, 0.0).sum(axis=1) / counts).mean())
    return Score(value, table.shape[0] if n is None else n, _deviation(table, present))


def _deviation(table: NDArray[np.floating], present: NDArray[np.bool_]) -> float | None:
    columns = present.all(axis=0)
    if columns.sum() < 2 or (present.any(axis=0) & ~columns).any():
        return None
    return float(table[:, columns].mean(axis=0, dtype=np.float64).std(ddof=1))
