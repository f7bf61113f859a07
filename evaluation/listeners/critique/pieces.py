"""Boundaries between sounds, including sounds that grow or fade as they pass: notes of a moving melody.

A boundary is a dip relative to the temporal neighbourhood, not to the constant background.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels, envelope
from evaluation.listeners.hearing.segments import SoundEvent
from evaluation.listeners.listener_types import Sound

_NEAR_SECONDS = 0.35
_DIP_DB = 25.0
_RANGE_DB = 75.0
_GAP_SECONDS, _SHORTEST_SECONDS = 0.025, 0.008


def find_pieces(sound: Sound) -> tuple[SoundEvent, ...]:
    """Return the sounds of a recording, in order."""
    power, step = envelope(sound, width_seconds=0.01)
    if not len(power):
        return ()
    level = decibels(power)
    reach = round(_NEAR_SECONDS / step)
    near = sliding_window_view(np.pad(level, reach, mode="edge"), 2 * reach + 1).max(axis=1)
    heard = level > np.maximum(near - _DIP_DB, max(THRESHOLD_OF_HEARING_DB, level.max() - _RANGE_DB))
    if not heard.any():
        return ()
    edges = np.flatnonzero(np.diff(np.concatenate([[0], heard.astype(np.int8), [0]]))).reshape(-1, 2)
    parted = edges[1:, 0] - edges[:-1, 1] > _GAP_SECONDS / step
    begins, ends = edges[np.append(True, parted), 0], edges[np.append(parted, True), 1]
    events = (_measure_event(power, int(begin), int(end), step) for begin, end in zip(begins, ends, strict=True))
    return tuple(event for event in events if event.seconds >= _SHORTEST_SECONDS)


def _measure_event(power: Reals, begin: int, end: int, step: float) -> SoundEvent:
    return SoundEvent(begin * step, end * step, float(decibels(power[begin:end].mean())))
