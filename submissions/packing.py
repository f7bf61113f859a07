"""Per-item outcomes as a few kilobytes.

One int8 holds the chosen position of a run (or a negative code for unreadable, missing, absent), one uint8 how right it
was, in 250ths (255: absent), so that graded outcomes fit too. The two tables follow each other under zstd, each run by
run rather than item by item, because neighbours are then alike.
"""

from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

_STEPS = 250
_ABSENT = 255
_LEVEL = 9


class PackedOutcomes(NamedTuple):
    """The form in which outcomes are stored."""

    n_items: int
    n_runs: int
    data: bytes


def pack_outcomes(choices: NDArray[np.int16], correct: NDArray[np.float32]) -> PackedOutcomes:
    """Pack outcomes.

    Args:
        choices: items × runs, values from −128 to 127.
        correct: items × runs in [0, 1] in steps of 1/250; NaN where absent.

    Raises:
        ValueError: A value does not fit.
    """
    if choices.shape != correct.shape:
        raise ValueError(f"choices are {choices.shape} and outcomes {correct.shape}; both are items × runs.")
    if not _fits(choices, correct):
        raise ValueError("A choice is outside −128…127, or an outcome is not a multiple of 1/250 in [0, 1].")
    small = choices.astype(np.int8)
    shares = np.where(np.isnan(correct), _ABSENT, np.rint(np.nan_to_num(correct) * _STEPS)).astype(np.uint8)
    raw = small.T.tobytes() + shares.T.tobytes()
    n_items, n_runs = choices.shape
    return PackedOutcomes(n_items, n_runs, zstandard.ZstdCompressor(level=_LEVEL).compress(raw))


def _fits(choices: NDArray[np.int16], correct: NDArray[np.float32]) -> bool:
    known = correct[~np.isnan(correct)]
    in_range = bool(np.all((known >= 0) & (known <= 1)) and np.all((choices >= -128) & (choices <= 127)))
    return in_range and bool(np.all(np.abs(known * _STEPS - np.rint(known * _STEPS)) < 1e-3))


def unpack_outcomes(packed: PackedOutcomes) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Return (choices, correct) as they were packed."""
    size = packed.n_items * packed.n_runs
    raw = np.frombuffer(zstandard.ZstdDecompressor().decompress(packed.data, max_output_size=2 * size), np.uint8)
    shape = (packed.n_runs, packed.n_items)
    choices = raw[:size].view(np.int8).reshape(shape).T.astype(np.int16)
    return choices, _unshare(raw[size:].reshape(shape).T)


def _unshare(shares: NDArray[np.uint8]) -> NDArray[np.float32]:
    return np.where(shares == _ABSENT, np.nan, shares / np.float32(_STEPS)).astype(np.float32)
