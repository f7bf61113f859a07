"""All errors of a trace: finding erroneous steps without flagging right ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.process.means import harmonic_mean, share_of
from evaluation.types import Score


class StepRates(NamedTuple):
    """Three scores over steps.

    Attributes:
        aei: Harmonic mean of the two others (PRMScore); higher is better.
        recall: P(flagged | erroneous); higher is better.
        specificity: P(not flagged | right); higher is better.
    """

    aei: Score
    recall: Score
    specificity: Score


def step_identification(flagged: NDArray[np.bool_], erroneous: NDArray[np.bool_]) -> StepRates:
    """Compute AEI, the identification of all erroneous steps, pooled over the steps of all traces.

    AEI = h(|flagged ∩ E| / |E|, |unflagged ∩ C| / |C|) with E the erroneous and C the right steps, h the harmonic mean.
    Range [0, 1], higher is better; 0 for a critic that flags everything or nothing, 4/9 for one that flags two steps
    in three at random. Recall is None without an erroneous step, specificity without a right one, AEI without either.

    Args:
        flagged: bool (steps), the critic's verdicts.
        erroneous: bool (steps), the labels.

    Source: AudioProcessBench, section 3.3 (PRMScore) and Table 3 (AEI). The paper does not say what the two shares
        cover; they are pooled over all steps.

    >>> step_identification(np.array([True, False, False, False]), np.array([True, True, False, False])).aei
    Score(value=0.6666666666666666, n=4, std=None)
    """
    recall = share_of(flagged, erroneous)
    specificity = share_of(~flagged, ~erroneous)
    n_erroneous = int(np.count_nonzero(erroneous))
    return StepRates(
        aei=Score(harmonic_mean(recall, specificity), len(erroneous)),
        recall=Score(recall, n_erroneous),
        specificity=Score(specificity, len(erroneous) - n_erroneous),
    )
