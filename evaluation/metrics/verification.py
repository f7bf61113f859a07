"""True/false verification: hit rate, rejection rate, and bias towards "true"."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.seeds import score_over_seeds
from evaluation.types import ABSENT, Score

SAYS_TRUE = 1
SAYS_FALSE = 0


class VerificationRates(NamedTuple):
    """Three shares over statements.

    Attributes:
        tpr: P(says true | the statement is true); higher is better.
        tnr: P(says false | the statement is false); higher is better.
        yes_bias: P(says true | the statement is false); lower is better only with parsed answers, since a system that
            refuses everything has none.
    """

    tpr: Score
    tnr: Score
    yes_bias: Score


def seed_verification(choices: NDArray[np.integer], truth: NDArray[np.bool_]) -> VerificationRates:
    """Compute TPR, TNR and YesBias, averaged over decoding seeds.

    An answer that is neither true nor false is wrong and counts in neither "says", so TNR + YesBias ≤ 1, with equality
    only if everything was parsed. Range [0, 1]. Undefined (None) without statements of that truth value.

    Args:
        choices: statements × runs: 1 for true, 0 for false, other codes unparsed or missing, ABSENT not submitted.
        truth: Whether each statement is true.

    Source: AudioMotionBench, equation 4.

    >>> seed_verification(np.array([[1], [0], [1], [0]]), np.array([True, True, False, False])).tpr
    Score(value=0.5, n=2, std=None)
    """
    return VerificationRates(
        tpr=_share(choices[truth], SAYS_TRUE),
        tnr=_share(choices[~truth], SAYS_FALSE),
        yes_bias=_share(choices[~truth], SAYS_TRUE),
    )


def _share(choices: NDArray[np.integer], answer: int) -> Score:
    table = np.where(choices == ABSENT, np.nan, (choices == answer).astype(np.float64))
    return score_over_seeds(table)
