"""Practice gap: how much better a system answers public questions than new ones of the same design."""

from evaluation.types import Score


def practice_gap(practice: Score, test: Score) -> Score:
    """Return the difference between a system's score on the practice questions and on the test questions.

    gap = practice − test, as a fraction; boards show it in points. Both sets are drawn from the same design, so its
    expected value is 0 for a system that has not learnt the practice questions. Range [−1, 1]; higher values mean that
    more is memorised, and values below 0 are chance. Not a ranking: a system that is always wrong has a gap of 0, too.
    Undefined (None) if either score is. The number of items is that of the smaller set.

    The interval is that of two independent samples whose units are clusters of items, such as the questions about one
    recording (`evaluation.statistics.compare_unpaired_scores`). It is undefined with too few clusters, and if both
    scores are without variance.

    Args:
        practice: Score on the public practice questions.
        test: The same score on test questions of the same design that nobody had seen.

    Source: Zhang et al., A Careful Examination of Large Language Model Performance on Grade School Arithmetic, NeurIPS
    2024 (public minus new questions of one design); Recht et al., Do ImageNet Classifiers Generalize to ImageNet?, ICML
    2019.

    >>> practice_gap(Score(0.75, 16), Score(0.5, 8))
    Score(value=0.25, n=8, std=None)
    """
    n = min(practice.n, test.n)
    if practice.value is None or test.value is None:
        return Score(None, n)
    return Score(practice.value - test.value, n)
