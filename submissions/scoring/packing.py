"""Compact encoding of item-level outcomes in a few kilobytes.

Choices take one byte each if they fit (the chosen option of a run, or a negative code for unreadable, missing,
absent), and correctness takes one byte, in 250ths (255: absent). Graded outcomes that are not 250ths, and choices of
many options, take their full width, which the first byte states. The tables follow each other, zstd-compressed, run by
run instead of item by item, because neighbours are then similar; step verdicts and their scores come last.
"""

import struct
from typing import NamedTuple

import numpy as np
import zstandard
from numpy.typing import NDArray

from evaluation.types import Outcomes

_PARTS_OF_ONE = 250
_ABSENT = 255
_LEVEL = 9
_HEAD = struct.Struct("<BI")
_WIDE_CHOICES, _WIDE_SHARES, _STEPS = 1, 2, 4


class PackedOutcomes(NamedTuple):
    """Version of the stored format."""

    n_items: int
    n_runs: int
    data: bytes


class UnpackedOutcomes(NamedTuple):
    """Unpacked outcomes: see `Outcomes`."""

    choices: NDArray[np.int16]
    correct: NDArray[np.float32]
    step_verdicts: NDArray[np.int8] | None
    step_scores: NDArray[np.float16] | None


def pack_outcomes(outcomes: Outcomes) -> PackedOutcomes:
    """Pack outcomes.

    Raises:
        ValueError: The shapes differ, or an outcome is outside [0, 1].
    """
    choices, correct = outcomes.choices, outcomes.correct
    if choices.shape != correct.shape:
        raise ValueError(f"choices are {choices.shape} and outcomes {correct.shape}; both are items × runs.")
    known = correct[~np.isnan(correct)]
    if not np.all((known >= 0) & (known <= 1)):
        raise ValueError("An outcome is outside [0, 1].")
    kind = _WIDE_CHOICES * (not np.all((choices >= -128) & (choices <= 127))) | _WIDE_SHARES * (not _is_coarse(known))
    steps = b""
    if outcomes.step_verdicts is not None and outcomes.step_scores is not None:
        kind |= _STEPS
        steps = outcomes.step_verdicts.astype(np.int8).tobytes() + outcomes.step_scores.astype(np.float16).tobytes()
    raw = _HEAD.pack(kind, len(steps) // 3) + _pack_choices(choices, kind) + _pack_shares(correct, kind) + steps
    n_items, n_runs = choices.shape
    return PackedOutcomes(n_items, n_runs, zstandard.ZstdCompressor(level=_LEVEL).compress(raw))


def unpack_outcomes(packed: PackedOutcomes) -> UnpackedOutcomes:
    """Unpack outcomes."""
    raw = zstandard.ZstdDecompressor().decompress(packed.data)
    kind, n_steps = _HEAD.unpack_from(raw)
    shape, size = (packed.n_runs, packed.n_items), packed.n_items * packed.n_runs
    at = _HEAD.size
    choice_type = np.dtype(np.int16 if kind & _WIDE_CHOICES else np.int8)
    choices = np.frombuffer(raw, choice_type, size, at).reshape(shape).T.astype(np.int16)
    at += size * choice_type.itemsize
    share_type = np.dtype(np.float32 if kind & _WIDE_SHARES else np.uint8)
    correct = _unpack_shares(np.frombuffer(raw, share_type, size, at).reshape(shape).T)
    at += size * share_type.itemsize
    if not kind & _STEPS:
        return UnpackedOutcomes(choices, correct, None, None)
    verdicts = np.frombuffer(raw, np.int8, n_steps, at)
    return UnpackedOutcomes(choices, correct, verdicts, np.frombuffer(raw, np.float16, n_steps, at + n_steps))


def _is_coarse(known: NDArray[np.float32]) -> bool:
    return bool(np.all(np.abs(known * _PARTS_OF_ONE - np.rint(known * _PARTS_OF_ONE)) < 1e-3))


def _pack_choices(choices: NDArray[np.int16], kind: int) -> bytes:
    return choices.astype(np.int16 if kind & _WIDE_CHOICES else np.int8).T.tobytes()


def _pack_shares(correct: NDArray[np.float32], kind: int) -> bytes:
    if kind & _WIDE_SHARES:
        return correct.astype(np.float32).T.tobytes()
    shares = np.where(np.isnan(correct), _ABSENT, np.rint(np.nan_to_num(correct) * _PARTS_OF_ONE))
    return shares.astype(np.uint8).T.tobytes()


def _unpack_shares(shares: NDArray[np.uint8] | NDArray[np.float32]) -> NDArray[np.float32]:
    if shares.dtype == np.float32:
        return shares.astype(np.float32)
    return np.where(shares == _ABSENT, np.nan, shares / np.float32(_PARTS_OF_ONE)).astype(np.float32)
