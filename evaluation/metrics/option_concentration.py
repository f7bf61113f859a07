"""Option concentration: whether a system prefers one position regardless of the question."""

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def option_concentration(choices: NDArray[np.integer]) -> Score:
    """Return the largest share of one option position among the parsed answers.

    concentration = max over positions of (answers at that position) / (parsed answers). Range [1/k, 1] for k options,
    lower is better: with rotated options, each position is right equally often, so a system that listens is near 1/k (a
    little above it, as the largest of k shares always is) and one that always takes the first option is at 1. Undefined
    (None) without parsed answers. `n` is the number of items.

    Args:
        choices: items × runs: chosen position from 0, or a negative code for anything else.

    Source: STAR-Bench, appendix E.1, describes the tendency without a metric; the metric is ours.

    >>> option_concentration(np.array([[0, 0, 1, -1], [0, 2, 3, -2]]))
    Score(value=0.5, n=2, std=None)
    """
    readable = choices[choices >= 0]
    if readable.size == 0:
        return Score(None, choices.shape[0])
    return Score(int(np.bincount(readable).max()) / readable.size, choices.shape[0])
