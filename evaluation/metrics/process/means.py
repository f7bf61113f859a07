"""Means of scores: harmonic, so that one side cannot compensate for the other, and plain."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def harmonic_mean(first: float | None, second: float | None) -> float | None:
    """Return h(a, b) = 2ab/(a + b) of two shares: 0 if both are 0, None if either is undefined.

    Range [0, 1]; 1 only if both are 1; 0 if either is 0, so that flagging everything scores no more than flagging
    nothing.

    Source: AudioProcessBench, section 3.3, after PRMBench; the paper prints no formula, but its tables fit this one.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    >>> harmonic_mean(0.0, 0.0)
    0.0
    """
    if first is None or second is None:
        return None
    return 2 * first * second / (first + second) if first + second > 0 else 0.0


def mean_score(scores: Sequence[Score], n: int) -> Score:
    """Return the plain mean of several scores, None if any of them is undefined or there are none.

    A mean over the defined ones alone would not be the same score for two systems.

    Args:
        scores: Scores to average.
        n: Number of items of the mean.

    Source: AudioProcessBench, Table 3: the columns Avg. and Overall.

    >>> mean_score([Score(0.25, 3), Score(0.75, 5)], n=8)
    Score(value=0.5, n=8, std=None)
    """
    values = [score.value for score in scores if score.value is not None]
    if not values or len(values) < len(scores):
        return Score(None, n)
    return Score(math.fsum(values) / len(values), n)


def share_of(hit: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    """Return the share of the marked elements that are hit; None if none is marked."""
    n = int(np.count_nonzero(among))
    return int(np.count_nonzero(hit & among)) / n if n else None
