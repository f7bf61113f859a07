"""Sequence of events in a recording, each with its kind, pitch, level and side."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.listeners.critique.pieces import find_pieces
from evaluation.listeners.hearing.frames import Reals, cut_frames
from evaluation.listeners.hearing.interaural import interaural_levels, interaural_times, parabolic_peaks
from evaluation.listeners.hearing.levels import decibels
from evaluation.listeners.hearing.segments import SoundEvent, cut
from evaluation.listeners.listener_types import Sound

_FRAME_SECONDS, _HOP_SECONDS = 0.064, 0.016
_LOWEST_HZ, _HIGHEST_HZ = 40.0, 7000.0
# Key frequencies of a telephone, ITU-T Q.23.
_KEY_ROWS = np.array([697.0, 770.0, 852.0, 941.0])
_KEY_COLUMNS = np.array([1209.0, 1336.0, 1477.0])
_KEYS = ("123", "456", "789", "*0#")
_KEY_TOLERANCE = 0.02
# The weaker tone of a key is at most this much below, and no other partial comes close.
_KEY_TWIST_DB = 9.0
# Share of a frame's power: a single partial of a pure tone, and the strongest partial of noise.
_PURE, _NOISY = 0.75, 0.3
# Decay from the first to the last quarter of a struck sound.
_DIES_AWAY_DB = 9.0
_SHORT_SECONDS = 0.09
_THUD_HZ, _KNOCK_HZ = 130.0, 900.0
_WHISTLE_HZ = 1150.0
_TREMBLES = 0.006
_LONG_SECONDS = 1.2
_SIDE_LEVEL_DB, _SIDE_SECONDS = 6.0, 0.00025
_SIDE_CLEAR = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Happening:
    """One event.

    Attributes:
        kind: `bell`, `click`, `tone`, `note`, `key`, `thud`, `engine`, `whistle`, `splash`, `hiss`, `alarm`, `unknown`.
        event: Its time and level.
        pitch: Frequency of its strongest partial, in hertz.
        pitches: The same over time, for frames in which it is strong.
        side: Below 0 left, above 0 right; None for mono.
        key: The pressed key, for telephone keys.
    """

    kind: str
    event: SoundEvent
    pitch: float
    pitches: Reals
    side: float | None
    key: str = ""

    @property
    def place(self) -> str | None:
        """`left`, `right` or `middle`; None if unknown."""
        if self.side is None:
            return None
        return "middle" if abs(self.side) < _SIDE_CLEAR else "left" if self.side < 0 else "right"


def hear_happenings(sound: Sound) -> tuple[Happening, ...]:
    """Return the events of a recording, in order."""
    return tuple(_gather_alarms([_hear_one(sound, event) for event in find_pieces(sound)]))


def _hear_one(sound: Sound, event: SoundEvent) -> Happening:
    piece = cut(sound, event.begin, event.end)
    frames = cut_frames(piece, _FRAME_SECONDS, _HOP_SECONDS)
    audible = (frames.frequencies >= _LOWEST_HZ) & (frames.frequencies <= _HIGHEST_HZ)
    power = frames.power * audible
    level = decibels(power.sum(axis=1))
    strong = level > level.max() - 15.0
    pitches, shares = _find_peaks(power[strong], frames.rate / frames.size)
    pitch = float(np.median(pitches))
    key = _find_key(power[strong].mean(axis=0), frames.frequencies)
    kind = "key" if key else _name_kind(event, pitch, pitches, float(np.median(shares)), _measure_decay(piece))
    return Happening(kind, event, pitch, pitches, _find_side(piece), key)


def _find_peaks(power: Reals, bin_hz: float) -> tuple[Reals, Reals]:
    """Return the frequency of the strongest partial of every frame, and its share of the power."""
    best = np.clip(np.argmax(power, axis=1), 3, power.shape[1] - 4)
    rows = np.arange(len(power))[:, None]
    near = power[rows, best[:, None] + np.arange(-3, 4)]
    places, _ = parabolic_peaks(np.log(np.maximum(near[:, 2:5], 1e-300)))
    return (best - 1 + places) * bin_hz, near.sum(axis=1) / np.maximum(power.sum(axis=1), 1e-300)


def _measure_decay(piece: Sound) -> float:
    """Return the level decrease from the first to the last quarter of a sound, in decibels."""
    power = np.square(piece.samples).mean(axis=1)
    quarter = max(1, len(power) // 4)
    first, last = decibels(np.array([power[:quarter].mean(), power[-quarter:].mean()]))
    return float(first - last)


def _name_kind(event: SoundEvent, pitch: float, pitches: Reals, share: float, fall: float) -> str:
    dies_away = fall > _DIES_AWAY_DB
    if event.seconds < _SHORT_SECONDS and dies_away:
        return "click" if pitch > _KNOCK_HZ else "thud"
    if pitch < _THUD_HZ:
        return "thud" if dies_away else "engine"
    if share < _NOISY:
        return "splash" if dies_away else "hiss"
    if dies_away:
        return "bell"
    if share < _PURE:
        return "note"
    if pitch > _WHISTLE_HZ and event.seconds < _LONG_SECONDS and _trembles(pitches):
        return "whistle"
    return "tone"


def _trembles(pitches: Reals) -> bool:
    """Return whether a pitch oscillates around a mean, after its slow change is removed."""
    if len(pitches) < 6:
        return False
    time = np.arange(len(pitches))
    rest = pitches - np.polyval(np.polyfit(time, pitches, 1), time)
    return bool(np.std(rest[1:-1]) > _TREMBLES * np.median(pitches))


def _find_key(power: Reals, frequencies: Reals) -> str:
    """Return the telephone key whose two tones are the strongest partials, or an empty text."""
    strongest = int(np.argmax(power))
    away = np.abs(frequencies - frequencies[strongest]) > 120.0
    second = int(np.argmax(power * away))
    both = np.abs(frequencies - frequencies[strongest]) <= 60.0
    both |= np.abs(frequencies - frequencies[second]) <= 60.0
    levels = decibels(power[[strongest, second]])
    if levels[0] - levels[1] > _KEY_TWIST_DB or power[both].sum() < 0.8 * power.sum():
        return ""
    low, high = sorted((_refine(power, strongest, frequencies), _refine(power, second, frequencies)))
    rows, columns = (np.abs(near / measured - 1) for near, measured in ((_KEY_ROWS, low), (_KEY_COLUMNS, high)))
    if rows.min() > _KEY_TOLERANCE or columns.min() > _KEY_TOLERANCE:
        return ""
    return _KEYS[int(np.argmin(rows))][int(np.argmin(columns))]


def _refine(power: Reals, place: int, frequencies: Reals) -> float:
    near = slice(max(place - 3, 0), place + 4)
    return float((power[near] * frequencies[near]).sum() / power[near].sum())


def _find_side(piece: Sound) -> float | None:
    """Return the side of a sound from interaural time and level: below 0 left, above 0 right."""
    if piece.samples.shape[1] != 2:
        return None
    return float(np.median(follow_side(piece)[1]))


def follow_side(sound: Sound) -> tuple[Reals, Reals]:
    """Return times, from 0 to 1, and the position of a stereo sound at each, positive to the right."""
    frames = cut_frames(sound)
    level = decibels(frames.power.sum(axis=1))
    heard: NDArray[np.bool_] = level > level.max() - 25.0
    left, right = frames.spectra[:, heard]
    times = interaural_times(left, right, frames.rate)
    ears = [np.square(np.abs(ear)).sum(axis=1) for ear in (left, right)]
    sides = interaural_levels(ears[0], ears[1]) / _SIDE_LEVEL_DB + times / _SIDE_SECONDS
    return frames.times[heard] * frames.rate / max(1, len(sound.samples)), sides


def _gather_alarms(happenings: list[Happening]) -> list[Happening]:
    """Join rapidly repeating short high tones: an alarm is one event, not a series of tones."""
    gathered: list[Happening] = []
    for happening in happenings:
        last = gathered[-1] if gathered else None
        if last is not None and _goes_on(last, happening):
            whole = SoundEvent(
                last.event.begin, happening.event.end, max(last.event.level_db, happening.event.level_db)
            )
            gathered[-1] = replace(last, kind="alarm", event=whole)
        else:
            gathered.append(happening)
    return gathered


def _goes_on(last: Happening, following: Happening) -> bool:
    is_high = min(last.pitch, following.pitch) > 1500.0 and abs(following.pitch / last.pitch - 1) < 0.03
    are_tones = {last.kind, following.kind} <= {"tone", "alarm", "whistle"}
    return is_high and are_tones and following.event.begin - last.event.end < 0.2 and following.event.seconds < 0.2
