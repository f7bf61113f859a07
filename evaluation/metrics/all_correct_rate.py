"""All-correct rate (ACR): the share of items that are right in every run."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def all_correct_rate(correct: NDArray[np.floating]) -> Score:
    """Return the share of items that are right in all of their runs.

    ACR = items with all runs right / items. Range [0, 1], never above the average accuracy of items with equal runs,
    higher is better; (1/k)^r for independent random guesses among k options in r runs. Undefined (None) for an empty
    set.

    Args:
        correct: items × runs, 1 if right, 0 if wrong, NaN if an item has no such run. A row without any run is not
            right.

    Source: STAR-Bench, appendix C (CircularEval, after MMBench). The released scorer takes the runs in a file as
        complete, so that four copies of one rotation pass; here every run of the plan must be right.

    >>> all_correct_rate(np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    Score(value=0.5, n=2, std=None)
    """
    if correct.shape[0] == 0:
        return Score(None, 0)
    absent = np.isnan(correct)
    whole = ((correct == 1) | absent).all(axis=1) & ~absent.all(axis=1)
    return Score(int(whole.sum()) / correct.shape[0], correct.shape[0])
