"""Option concentration: whether a system prefers one position whatever is asked."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def option_concentration(choices: NDArray[np.integer]) -> Score:
    """Measure the largest share of one option position among the answers that could be read.

    concentration = max over positions of (answers at that position) / (readable answers). Range [1/k, 1] for k options,
    lower is better: where the options are rotated, each position is right equally often, so a system that listens comes
    out near 1/k (a little above it, as the largest of k shares always does) and one that always takes the first option
    at 1. Undefined (None) where nothing could be read. `n` is the number of items.

    Args:
        choices: items × runs: chosen position from 0, or a negative code for anything else.

    Source: STAR-Bench, appendix E.1, describes the tendency without a figure; the figure is ours.

    >>> option_concentration(np.array([[0, 0, 1, -1], [0, 2, 3, -2]]))
    Score(value=0.5, n=2, std=None)
    """
    readable = choices[choices >= 0]
    if readable.size == 0:
        return Score(None, choices.shape[0])
    return Score(int(np.bincount(readable).max()) / readable.size, choices.shape[0])
