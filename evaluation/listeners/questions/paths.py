"""Likelihood of a path, given what was heard: a small physical model of a listener's own.

The source goes in a straight line from one place around the head to another, or stays where it is. The listener knows
what everyone knows about ears: sound reaches the near ear first and stronger; sound from behind is duller; what comes
nearer gets louder, and higher in pitch until it passes. It does not know the source, so its timbre, its strength, its
pitch, and the width of the head are whatever fits best.
"""

import math
from dataclasses import dataclass

import numpy as np

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.hearing.track import Track

SPEED_OF_SOUND = 343.0
A_FEW_METRES = 2.5
NEAREST_METRES = 0.3
EAR_METRES = 0.09

# Seconds from ear to ear for a source at the side: a narrow head without detours, a wide one with them.
_MIN_HEAD, _MAX_HEAD = 0.0004, 0.0008
# Decibels by which a sound straight ahead is brighter than the same sound straight behind.
_MIN_SHADE_DB, _MAX_SHADE_DB = 4.0, 20.0
_LOUDNESS_ERROR_DB = 3.0
_PITCH_ERROR_CENTS = 3.0
# Overlapping frames, and errors of the model, are not independent: evidence counts for less than its sum.
_TEMPER = 0.3
# Degrees of freedom of the errors: few, so that no single frame decides.
_FREEDOM = 4.0
_STEADY_CENTS = 40.0
_PANNED_DB, _UNDELAYED = 4.0, 6e-5


@dataclass(frozen=True, slots=True)
class StatedPath:
    """A straight path; places are (right, ahead) in units of a few metres.

    Attributes:
        start: Where it begins.
        end: Where it ends; the same as `start` for what stays.
    """

    start: tuple[float, float]
    end: tuple[float, float]

    def images(self) -> tuple["StatedPath", ...]:
        """Return the other paths that this one can be taken for: its mirror images, reversed or not."""
        found: dict[StatedPath, None] = {}
        for right in (1.0, -1.0):
            for ahead in (1.0, -1.0):
                start, end = ((x * right + 0.0, y * ahead + 0.0) for x, y in (self.start, self.end))
                found |= {StatedPath(start, end): None, StatedPath(end, start): None}
        return tuple(path for path in found if path != self)


def weigh(track: Track, path: StatedPath) -> float:
    """Return the logarithm of how likely it is to hear this on such a path; comparable between paths only."""
    along = track.progress
    x = A_FEW_METRES * (path.start[0] + (path.end[0] - path.start[0]) * along)
    y = A_FEW_METRES * (path.start[1] + (path.end[1] - path.start[1]) * along)
    distance = np.maximum(np.hypot(x, y), NEAREST_METRES)
    sides = _weigh_sides(track, x, y, distance)
    ahead = _weigh_brightness(track, 0.5 + 0.5 * y / distance)
    return _TEMPER * (sides + ahead + _weigh_approach(track, path, x, y, distance))


def _weigh_sides(track: Track, x: Reals, y: Reals, distance: Reals) -> float:
    """Compare the differences between the ears with those that the path would make."""
    if track.times is None or track.levels is None:
        return 0.0
    sine = x / distance
    panned = np.ptp(track.levels) + np.abs(track.levels).max() > _PANNED_DB and np.abs(track.times).max() < _UNDELAYED
    evidence = 0.0
    if not panned:
        weights = track.time_errors**-2
        head = float((weights * sine * track.times).sum() / max((weights * sine**2).sum(), 1e-12))
        residual = track.times - min(max(head, _MIN_HEAD), _MAX_HEAD) * sine
        evidence += _log_likelihood(residual / np.hypot(track.time_errors, 0.04 * _MAX_HEAD))
    near = np.maximum(np.hypot(x - EAR_METRES, y), NEAREST_METRES)
    far = np.maximum(np.hypot(x + EAR_METRES, y), NEAREST_METRES)
    spread = 20.0 * np.log10(far / near)
    weights = track.level_errors**-2
    shadow = float((weights * sine * (track.levels - spread)).sum() / max((weights * sine**2).sum(), 1e-12))
    expected = spread + min(max(shadow, 5.0 if panned else 0.0), 20.0) * sine
    return evidence + _log_likelihood((track.levels - expected) / np.hypot(track.level_errors, 1.0))


def _weigh_brightness(track: Track, share_ahead: Reals) -> float:
    """Compare how bright each frame is, within the sound's own range, with how far ahead the path then is."""
    share = share_ahead - share_ahead.mean()
    bright = track.brightness - track.brightness.mean()
    slope = float((share * bright).sum() / max((share**2).sum(), 1e-12))
    return _log_likelihood(bright - min(max(slope, _MIN_SHADE_DB), _MAX_SHADE_DB) * share)


def _weigh_approach(track: Track, path: StatedPath, x: Reals, y: Reals, distance: Reals) -> float:
    """Compare loudness with distance, and where the source holds one pitch, pitch with approach."""
    level = track.loudness + 20.0 * np.log10(distance)
    evidence = _log_likelihood((level - np.median(level)) / _LOUDNESS_ERROR_DB)
    if track.pitched.sum() < 4:
        return evidence
    cents = 1200.0 * np.log2(np.maximum(track.pitch[track.pitched], 1.0))
    if np.ptp(cents) > _STEADY_CENTS:
        return evidence
    speed = np.array(path.end) - np.array(path.start)
    receding = A_FEW_METRES * (x * speed[0] + y * speed[1]) / distance / max(track.seconds, 1e-3)
    shift = -1200.0 / math.log(2.0) * receding[track.pitched] / SPEED_OF_SOUND
    residual = cents - shift
    return evidence + _log_likelihood((residual - np.median(residual)) / _PITCH_ERROR_CENTS)


def _log_likelihood(residuals: Reals) -> float:
    """Return that of errors in units of their deviation, with heavy tails."""
    return float(-0.5 * (_FREEDOM + 1.0) * np.log1p(residuals**2 / _FREEDOM).sum())
