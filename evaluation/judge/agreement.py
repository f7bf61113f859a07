"""Agreement of a judge with given scores: kappa, bias, spread, and effects of position and length."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

N_LEVELS = 11
"""Whole points from 0 to 10."""

Points = NDArray[np.float64]


def quadratic_weighted_kappa(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Return the agreement of two raters on whole points from 0 to 10, corrected for chance.

    Scores are rounded to whole points, halves up. κ = 1 − Σ w·observed / Σ w·expected with w = (i − j)²; the expected
    values use the two raters' own frequencies.

    Args:
        one: Points of the first rater, 0 to 10.
        other: Points of the second rater for the same answers.

    Returns:
        From −1 to 1; 1 is full agreement, 0 is chance. None without answers, or if both raters gave the same single
        level to all, because agreement cannot be distinguished from chance.

    Source: J. Cohen, "Weighted kappa", Psychological Bulletin 70 (1968).

    >>> quadratic_weighted_kappa([0, 5, 10], [0, 5, 10])
    1.0
    """
    pairs = np.zeros((N_LEVELS, N_LEVELS))
    for first, second in zip(one, other, strict=True):
        pairs[_level(first), _level(second)] += 1
    levels = np.arange(N_LEVELS)
    weights = (levels[:, None] - levels[None, :]) ** 2
    expected = np.outer(pairs.sum(axis=1), pairs.sum(axis=0)) / max(1.0, pairs.sum())
    chance = float((weights * expected).sum())
    return None if chance == 0 else 1 - float((weights * pairs).sum()) / chance


def mean_bias(judged: Sequence[float], human: Sequence[float]) -> float | None:
    """Return the mean of judge − human, in points: above 0, the judge is more lenient. None without answers."""
    differences = _differences(judged, human)
    return float(differences.mean()) if len(differences) else None


def error_spread(judged: Sequence[float], human: Sequence[float]) -> float | None:
    """Return the standard deviation (divisor n − 1) of judge − human, in points. None below two answers."""
    differences = _differences(judged, human)
    return float(differences.std(ddof=1)) if len(differences) > 1 else None


def length_effect(judged: Sequence[float], human: Sequence[float], lengths: Sequence[int]) -> float | None:
    """Return the effect of length: the least-squares slope of (judge − human) over the binary logarithm of length.

    Args:
        judged: Points of the judge.
        human: Human scores of the same answers, in points.
        lengths: Characters of each answer, at least 1.

    Returns:
        Additional points, relative to human scores, for an answer of twice the length; 0 is best. None if all lengths
        are equal, or with fewer than two answers.
    """
    differences = _differences(judged, human)
    logarithms = np.array([math.log2(length) for length in lengths])
    if len(differences) < 2 or np.ptp(logarithms) == 0:
        return None
    centred = logarithms - logarithms.mean()
    return float((centred * differences).sum() / (centred**2).sum())


def _level(points: float) -> int:
    if not 0 <= points <= N_LEVELS - 1:
        raise ValueError(f"Points must be from 0 to {N_LEVELS - 1}, got {points}.")
    return math.floor(points + 0.5)


def _differences(judged: Sequence[float], human: Sequence[float]) -> Points:
    return np.array(
        [judge_score - human_score for judge_score, human_score in zip(judged, human, strict=True)], dtype=np.float64
    )
