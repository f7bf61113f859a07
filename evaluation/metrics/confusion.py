"""Confusion: how often one specific wrong option is chosen."""

import math

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.seeds import deviation_of_seeds
from evaluation.types import ABSENT, Score


def seed_confusion(choices: NDArray[np.integer], position: NDArray[np.integer]) -> Score:
    """Return how often a wrong option was chosen, among the parsed answers to items that offer it.

    confusion = parsed answers that chose the option / parsed answers, pooled over items and decoding seeds. Range [0,
    1], 1/k for random guesses among k options. Neither direction is better: it differs between a system that hears
    nothing and one that hears everything, but also between one that avoids the option and one that does not. Undefined
    (None) without parsed answers, so that refusing earns nothing. Standard deviation: sample standard deviation of the
    seeds' shares; None if items have different seeds or a seed has no parsed answer. n: items with a parsed answer.

    Args:
        choices: items × runs, only items that offer the option: chosen position, or a negative code.
        position: Position of the option in each item.

    Source: ours; AudioMotionBench mentions left–right confusions without measuring them.

    >>> seed_confusion(np.array([[2], [0], [-1]]), np.array([2, 2, 1]))
    Score(value=0.5, n=2, std=None)
    """
    readable = choices >= 0
    if not readable.any():
        return Score(None, 0)
    hits = readable & (choices == position[:, None])
    value = float(hits.sum() / readable.sum())
    return Score(value, int(readable.any(axis=1).sum()), _deviation(choices, hits, readable))


def _deviation(choices: NDArray[np.integer], hits: NDArray[np.bool_], readable: NDArray[np.bool_]) -> float | None:
    expected = choices != ABSENT
    seeds = expected.any(axis=0)
    counts = readable[:, seeds].sum(axis=0)
    if not expected[:, seeds].all() or not counts.all():
        return None
    return deviation_of_seeds([math.fsum(hits[:, seeds][:, k]) / int(n) for k, n in enumerate(counts)])
