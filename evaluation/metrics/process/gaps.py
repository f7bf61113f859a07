"""Differences between scores of one critic under two conditions."""

from evaluation.types import Score


def score_gap(first: Score, second: Score) -> Score:
    """Return the difference of two scores, None if either is undefined; `n` is the sum of both.

    Range [−1, 1]. Neither direction is better: a critic that is equally poor in both has a gap of 0.

    * Self-critique gap = AEI on the traces that the critic itself generated − AEI on the others. Below 0, it misses
      more of its own errors than of others'.
    * Few-shot gap = Overall under few-shot − Overall under zero-shot.

    Source: AudioProcessBench, section 4.2.3 and Figure 5; section 4.2.5 and Table 4.

    >>> score_gap(Score(0.25, 10), Score(0.5, 30))
    Score(value=-0.25, n=40, std=None)
    """
    n = first.n + second.n
    if first.value is None or second.value is None:
        return Score(None, n)
    return Score(first.value - second.value, n)
