"""First error of a trace."""

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics.process.means import harmonic_mean, share_of
from evaluation.types import Score


def first_error(flagged: NDArray[np.bool_], erroneous: NDArray[np.bool_], starts: NDArray[np.integer]) -> Score:
    """Compute FEI, the identification of the first erroneous step.

    FEI = h(share of traces with an error whose first flagged step is the first erroneous one, share of traces without
    an error in which no step is flagged), h the harmonic mean. Range [0, 1], higher is better. None unless there are
    traces of both kinds. `n` is the number of traces.

    Args:
        flagged: bool (steps), the critic's verdicts.
        erroneous: bool (steps), the labels.
        starts: int (traces), index of each trace's first step.

    Source: AudioProcessBench, section 3.3 and Table 3 (FEI), after ProcessBench, which has this harmonic mean.

    >>> first_error(np.array([False, True, True, False]), np.array([False, True, False, False]), np.array([0, 3]))
    Score(value=1.0, n=2, std=None)
    """
    if not len(starts):
        return Score(None, 0)
    has_error = np.logical_or.reduceat(erroneous, starts)
    is_found = find_first_errors(flagged, erroneous, starts)
    value = harmonic_mean(share_of(is_found, has_error), share_of(is_found, ~has_error))
    return Score(value, len(starts))


def find_first_errors(
    flagged: NDArray[np.bool_], erroneous: NDArray[np.bool_], starts: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Return for each trace whether the first flagged step is the first erroneous one, or neither exists."""
    is_found: NDArray[np.bool_] = _first_of_each(flagged, starts) == _first_of_each(erroneous, starts)
    return is_found


def _first_of_each(marked: NDArray[np.bool_], starts: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return the index of each trace's first marked step, or the number of steps if it has none."""
    numbers = np.where(marked, np.arange(len(marked)), len(marked))
    return np.minimum.reduceat(numbers, starts)
