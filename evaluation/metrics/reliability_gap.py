"""Reliability gap: the loss when a system must be right in every run."""

from evaluation.types import Score


def reliability_gap(aa: Score, acr: Score) -> Score:
    """Return the difference between average accuracy and all-correct rate.

    gap = AA − ACR, as a fraction. Range [0, 1], lower is better at equal accuracy: 0 for a system that is always right,
    and also for one that is always wrong, so it is not a ranking by itself. Undefined (None) if either is.

    Args:
        aa: Average accuracy of a set of items.
        acr: All-correct rate of the same set.

    Source: STAR-Bench, appendix E.1, which prints the mean drop of one system.

    >>> reliability_gap(Score(0.75, 8), Score(0.25, 8))
    Score(value=0.5, n=8, std=None)
    """
    if aa.value is None or acr.value is None:
        return Score(None, aa.n)
    return Score(aa.value - acr.value, aa.n)
