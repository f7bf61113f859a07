"""Average accuracy (AA): the share of right answers over all runs of all items."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def average_accuracy(correct: NDArray[np.floating]) -> Score:
    """Return the share of right runs.

    AA = right runs / expected runs, pooled over the items; missing and unparsed answers are wrong. Range [0, 1], higher
    is better; 1/k for random guesses among k options. Undefined (None) without runs. Right runs and runs are counted as
    integers and divided once, so the order of rows has no effect.

    Args:
        correct: items × runs, 1 if right, 0 if wrong, NaN if an item has no such run. Items with more runs weigh more;
            all items of a sub-task have the same number of runs.

    Source: STAR-Bench, appendix C. The released scorer pools the runs in a file; here the expected runs are pooled.

    >>> average_accuracy(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    Score(value=0.6666666666666666, n=2, std=None)
    """
    n_runs = int((~np.isnan(correct)).sum())
    return Score(int((correct == 1).sum()) / n_runs if n_runs else None, correct.shape[0])
