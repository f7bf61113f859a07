"""True/false verification: hit rate, rejection rate, and the tendency to say yes."""

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
        yes_bias: P(says true | the statement is false); lower is better only where answers can be read, since who
            refuses everything has none.
    """

    tpr: Score
    tnr: Score
    yes_bias: Score


def seed_verification(choices: NDArray[np.integer], truth: NDArray[np.bool_]) -> VerificationRates:
    """Measure TPR, TNR and YesBias, averaged over decoding seeds.

    An answer that is neither true nor false counts wrong and enters neither "says", so TNR + YesBias ≤ 1 with equality
    only where everything could be read. Range [0, 1]. Undefined (None) where no statement of that truth exists.

    Args:
        choices: statements × runs: 1 said true, 0 said false, other codes unread or missing, ABSENT not submitted.
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


def _share(choices: NDArray[np.integer], said: int) -> Score:
    table = np.where(choices == ABSENT, np.nan, (choices == said).astype(np.float64))
    return score_over_seeds(table)
