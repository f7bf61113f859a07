"""Segments of a sound: the events, each with its start, end and level."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels, envelope
from evaluation.listeners.listener_types import Sound

# An event stands out of what is always there by this much, and ends where it has fallen this far below its peak.
_STANDS_OUT_DB = 12.0
_ENDS_DB = 20.0
# What is this far below the loudest event is no event of its own.
_RANGE_DB = 75.0
# Shorter gaps are within one event, shorter events are none.
_GAP_SECONDS, _EVENT_SECONDS = 0.04, 0.01


@dataclass(frozen=True, slots=True)
class SoundEvent:
    """Something that is there for a while.

    Attributes:
        begin: Seconds from the start of the sound.
        end: Seconds from the start of the sound.
        level_db: Root mean square between them, in decibels under full scale.
    """

    begin: float
    end: float
    level_db: float

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.begin

    @property
    def middle(self) -> float:
        """Seconds from the start of the sound."""
        return 0.5 * (self.begin + self.end)


def find_events(sound: Sound) -> tuple[SoundEvent, ...]:
    """Return the events of a sound in order; a sound that never changes much is one event."""
    power, step = envelope(sound)
    if not len(power):
        return ()
    level = decibels(power)
    peak = float(level.max())
    if peak < THRESHOLD_OF_HEARING_DB:
        return ()
    ground = float(np.percentile(level, 10))
    if peak - ground < _STANDS_OUT_DB:
        return (SoundEvent(0.0, len(level) * step, float(decibels(power.mean()))),)
    heard = level > max(THRESHOLD_OF_HEARING_DB, ground + _STANDS_OUT_DB, peak - _RANGE_DB)
    spans = _bridge(_spans(heard), round(_GAP_SECONDS / step))
    events = (_measure(power, level, begin, end, step) for begin, end in spans)
    return tuple(event for event in events if event.seconds >= _EVENT_SECONDS)


def _spans(heard: Reals | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[tuple[int, int]]:
    """Return where runs of true begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], heard.astype(np.int8), [0]])))
    return [(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _bridge(spans: list[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Join what is only a short gap apart."""
    joined: list[tuple[int, int]] = []
    for begin, end in spans:
        if joined and begin - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return joined


def _measure(power: Reals, level: Reals, begin: int, end: int, step: float) -> SoundEvent:
    """Cut an event where it has fallen far below its peak, and take its level."""
    inside = np.flatnonzero(level[begin:end] > level[begin:end].max() - _ENDS_DB)
    begin, end = begin + int(inside[0]), begin + int(inside[-1]) + 1
    return SoundEvent(begin * step, end * step, float(decibels(power[begin:end].mean())))


def split_in_two(events: tuple[SoundEvent, ...]) -> tuple[tuple[SoundEvent, ...], tuple[SoundEvent, ...]]:
    """Part events at the longest silence between them; the second part is empty where there is only one."""
    if len(events) < 2:
        return events, ()
    gaps = [after.begin - before.end for before, after in pairwise(events)]
    place = int(np.argmax(gaps)) + 1
    return events[:place], events[place:]


def cut(sound: Sound, begin: float, end: float) -> Sound:
    """Return a piece of a sound; times are in seconds."""
    first, last = max(0, round(begin * sound.rate)), max(0, round(end * sound.rate))
    return Sound(sound.samples[first:last], sound.rate)
