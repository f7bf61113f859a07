"""Segmentation of a clip into events, each with start, end and level."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels, envelope
from evaluation.listeners.listener_types import Sound

# An event exceeds the constant background by this much, and ends when it falls this far below its peak.
_STANDS_OUT_DB = 12.0
_ENDS_DB = 20.0
# Anything this far below the loudest event is not an event.
_RANGE_DB = 75.0
# Shorter gaps are part of an event, and shorter events are ignored.
_GAP_SECONDS, _EVENT_SECONDS = 0.04, 0.01


@dataclass(frozen=True, slots=True)
class SoundEvent:
    """A sound with a start and an end.

    Attributes:
        begin: Seconds from the start of the clip.
        end: Seconds from the start of the clip.
        level_db: Root mean square between them, in dBFS.
    """

    begin: float
    end: float
    level_db: float

    @property
    def seconds(self) -> float:
        """Duration."""
        return self.end - self.begin

    @property
    def middle(self) -> float:
        """Centre, in seconds from the start of the clip."""
        return 0.5 * (self.begin + self.end)


def find_events(sound: Sound) -> tuple[SoundEvent, ...]:
    """Return the events of a clip, in order; a nearly constant clip is one event."""
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
    spans = _join_spans(_spans(heard), round(_GAP_SECONDS / step))
    events = (_measure_event(power, level, begin, end, step) for begin, end in spans)
    return tuple(event for event in events if event.seconds >= _EVENT_SECONDS)


def _spans(heard: Reals | np.ndarray[tuple[int], np.dtype[np.bool_]]) -> list[tuple[int, int]]:
    """Return start and end of runs of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], heard.astype(np.int8), [0]])))
    return [(int(begin), int(end)) for begin, end in zip(edges[::2], edges[1::2], strict=True)]


def _join_spans(spans: list[tuple[int, int]], gap: int) -> list[tuple[int, int]]:
    """Join spans separated by a short gap only."""
    joined: list[tuple[int, int]] = []
    for begin, end in spans:
        if joined and begin - joined[-1][1] <= gap:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((begin, end))
    return joined


def _measure_event(power: Reals, level: Reals, begin: int, end: int, step: float) -> SoundEvent:
    """Trim an event where it falls far below its peak, and measure its level."""
    inside = np.flatnonzero(level[begin:end] > level[begin:end].max() - _ENDS_DB)
    begin, end = begin + int(inside[0]), begin + int(inside[-1]) + 1
    return SoundEvent(begin * step, end * step, float(decibels(power[begin:end].mean())))


def split_in_two(events: tuple[SoundEvent, ...]) -> tuple[tuple[SoundEvent, ...], tuple[SoundEvent, ...]]:
    """Split events at the longest silence between them; the second part is empty for a single event."""
    if len(events) < 2:
        return events, ()
    gaps = [after.begin - before.end for before, after in pairwise(events)]
    place = int(np.argmax(gaps)) + 1
    return events[:place], events[place:]


def cut(sound: Sound, begin: float, end: float) -> Sound:
    """Return a section of a clip; times are in seconds."""
    first, last = max(0, round(begin * sound.rate)), max(0, round(end * sound.rate))
    return Sound(sound.samples[first:last], sound.rate)
