"""Macro mean: the unweighted mean of several figures."""

from collections.abc import Sequence
from statistics import fmean

from evaluation.types import Score


def macro_mean(scores: Sequence[Score]) -> Score:
    """Average figures, each weighing the same however many items are behind it.

    mean = Σ value / number of figures. Range that of the figures, direction theirs. Undefined (None) where there is no
    figure, or where one of them is undefined: a mean over the rest would be of another thing. Exactly rounded, so the
    order of the figures changes nothing. `n` is the number of items behind all of them.

    Args:
        scores: The figures of disjoint sets of items.

    Source: STAR-Bench, table 2: MA is the mean of ten sub-tasks, the overall figure that of three tasks.

    >>> macro_mean([Score(0.5, 143), Score(0.25, 96)])
    Score(value=0.375, n=239, std=None)
    """
    values = [score.value for score in scores if score.value is not None]
    n = sum(score.n for score in scores)
    return Score(fmean(values) if values and len(values) == len(scores) else None, n)
