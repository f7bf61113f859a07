"""Average accuracy (AA): the share of right answers over all runs of all items."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def average_accuracy(correct: NDArray[np.floating]) -> Score:
    """Measure the share of runs that are answered right.

    AA = right runs / expected runs, pooled over the items; a missing or unreadable answer is a wrong one. Range [0, 1],
    higher is better; 1/k for an even guess among k options. Undefined (None) where there is no run. Right runs and
    runs are counted as whole numbers and divided once, so the order of rows changes nothing.

    Args:
        correct: items × runs, 1 where right, 0 where wrong, NaN where an item has no such run. Items with more runs
            weigh more; the sub-tasks of a benchmark have the same number of runs throughout.

    Source: STAR-Bench, appendix C. The released scorer pools whatever runs a file holds; here those that should be in
    it.

    >>> average_accuracy(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    Score(value=0.6666666666666666, n=2, std=None)
    """
    n_runs = int((~np.isnan(correct)).sum())
    return Score(int((correct == 1).sum()) / n_runs if n_runs else None, correct.shape[0])
