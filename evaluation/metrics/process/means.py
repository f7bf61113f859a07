"""Means of figures: harmonic, where one side must not make up for the other, and plain."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.types import Score


def harmonic_mean(first: float | None, second: float | None) -> float | None:
    """Return h(a, b) = 2ab/(a + b) of two shares: 0 where both are 0, None where either is undefined.

    Range [0, 1]; 1 only where both are 1; 0 where either is 0, so that flagging everything is worth no more than
    flagging nothing.

    Source: AudioProcessBench, section 3.3, after PRMBench; the paper prints no formula, its tables fit this one.

    >>> harmonic_mean(1.0, 0.5)
    0.6666666666666666
    >>> harmonic_mean(0.0, 0.0)
    0.0
    """
    if first is None or second is None:
        return None
    return 2 * first * second / (first + second) if first + second > 0 else 0.0


def mean_score(scores: Sequence[Score], n: int) -> Score:
    """Return the plain mean of several figures, None where any of them is undefined or there is none.

    A mean over the defined ones alone would not be the same figure for two systems.

    Args:
        scores: What is averaged.
        n: Number of items behind the mean.

    Source: AudioProcessBench, Table 3: the columns Avg. and Overall.

    >>> mean_score([Score(0.25, 3), Score(0.75, 5)], n=8)
    Score(value=0.5, n=8, std=None)
    """
    values = [score.value for score in scores if score.value is not None]
    if not values or len(values) < len(scores):
        return Score(None, n)
    return Score(math.fsum(values) / len(values), n)


def share_of(hit: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    """Return the share of the marked ones that are hit; None where none is marked."""
    n = int(np.count_nonzero(among))
    return int(np.count_nonzero(hit & among)) / n if n else None
