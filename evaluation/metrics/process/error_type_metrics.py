"""Metrics of one error type: its erroneous steps against all right steps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.process.means import harmonic_mean, share_of
from evaluation.types import Score


class TypeRates(NamedTuple):
    """Three scores of one error type, each in [0, 1], higher is better.

    Attributes:
        prmscore: Harmonic mean of recall and specificity.
        balanced_accuracy: Their plain mean.
        auroc: P(an erroneous step has a higher score than a right one), with ties counting half.
    """

    prmscore: Score
    balanced_accuracy: Score
    auroc: Score


def type_detection(
    flagged: NDArray[np.bool_],
    scores: NDArray[np.float64],
    of_type: NDArray[np.bool_],
    right: NDArray[np.bool_],
) -> TypeRates:
    """Compute how well errors of one type are distinguished from right steps; other error types are excluded.

    With E_t the steps of the type and C the right ones, recall = P(flagged | E_t), specificity = P(not flagged | C):
    PRMScore = h(recall, specificity), h the harmonic mean; balanced accuracy = (recall + specificity)/2; AUROC from the
    scores. None if E_t or C is empty. `n` is |E_t| + |C|.

    Args:
        flagged: bool (steps), the critic's verdicts.
        scores: float (steps), the critic's probability of an error.
        of_type: bool (steps), whether the step is an error of the type.
        right: bool (steps), whether the step is right.

    Source: AudioProcessBench, section 3.3 and Table 3 (PRMScore), appendix G and Tables 5 and 6 (the two others).

    >>> right = np.array([False, False, True, True])
    >>> type_detection(~right, np.array([0.9, 0.2, 0.3, 0.1]), ~right, right).auroc
    Score(value=0.75, n=4, std=None)
    """
    recall, specificity = share_of(flagged, of_type), share_of(~flagged, right)
    n = int(np.count_nonzero(of_type) + np.count_nonzero(right))
    balanced = None if recall is None or specificity is None else (recall + specificity) / 2
    return TypeRates(
        prmscore=Score(harmonic_mean(recall, specificity), n),
        balanced_accuracy=Score(balanced, n),
        auroc=Score(auroc(scores[of_type], scores[right]), n),
    )


def auroc(positives: NDArray[np.float64], negatives: NDArray[np.float64]) -> float | None:
    """Return the area under the receiver operating characteristic, None if either side is empty.

    The share of all pairs (positive, negative) in which the positive has the higher score, with ties counting half.
    Counted in integers, so that the order of the scores has no effect. 0.5 for uninformative scores.

    >>> auroc(np.array([0.8, 0.5]), np.array([0.5, 0.1]))
    0.875
    """
    if not len(positives) or not len(negatives):
        return None
    ordered = np.sort(negatives)
    below = np.searchsorted(ordered, positives, side="left")
    not_above = np.searchsorted(ordered, positives, side="right")
    return int(below.sum() + not_above.sum()) / (2 * len(positives) * len(negatives))
