"""Macro mean: the unweighted mean of several scores."""

from collections.abc import Sequence
from statistics import fmean

from evaluation.types import Score


def macro_mean(scores: Sequence[Score]) -> Score:
    """Return the mean of scores with equal weights, whatever their numbers of items.

    mean = Σ value / number of scores. Range and direction are those of the scores. Undefined (None) without scores, or
    if one of them is undefined: a mean of the rest would measure something else. Exactly rounded, so the order of the
    scores has no effect. `n` is the total number of items.

    Args:
        scores: Scores of disjoint sets of items.

    Source: STAR-Bench, table 2: MA is the mean of ten sub-tasks, the overall score that of three tasks.

    >>> macro_mean([Score(0.5, 143), Score(0.25, 96)])
    Score(value=0.375, n=239, std=None)
    """
    values = [score.value for score in scores if score.value is not None]
    n = sum(score.n for score in scores)
    return Score(fmean(values) if values and len(values) == len(scores) else None, n)
