"""Accuracy: the share of right answers."""

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.seeds import score_over_seeds
from evaluation.types import Score


def seed_accuracy(correct: NDArray[np.floating]) -> Score:
    """Return the share of right answers, averaged over decoding seeds.

    accuracy = mean over items of [the chosen answer is the right one]; missing and unparsed answers are wrong. Range
    [0, 1], higher is better. Undefined (None) for an empty set.

    Args:
        correct: items × runs, 1 if right, 0 if wrong, NaN if the run was not submitted.

    Source: AudioMotionBench, equations 2 and 3, and Table 3, where a condition pools 56 multiple-choice and 112
    true/false items.

    >>> seed_accuracy(np.array([[1.0], [0.0], [0.0], [1.0]]))
    Score(value=0.5, n=4, std=None)
    """
    return score_over_seeds(correct)
