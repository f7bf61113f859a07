"""Likelihood of a path given the audio, from a small physical model of a listener.

The source moves in a straight line between two locations around the head, or stays. The model uses general knowledge of
hearing: sound reaches the near ear first and with a higher level; sound from behind is duller; an approaching source
gets louder, and is higher in pitch until it passes. It does not know the source, so its timbre, level and pitch, and
the width of the head, are fitted.
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

# Interaural delay in seconds for a source at the side: a narrow head without detours, a wide one with them.
_MIN_HEAD, _MAX_HEAD = 0.0004, 0.0008
# Decibels by which a sound in front is brighter than the same sound behind.
_MIN_SHADE_DB, _MAX_SHADE_DB = 4.0, 20.0
_LOUDNESS_ERROR_DB = 3.0
_PITCH_ERROR_CENTS = 3.0
# Overlapping frames, and errors of the model, are not independent: evidence counts less than its sum.
_TEMPER = 0.3
# Degrees of freedom of the errors: few, so that no single frame decides.
_FREEDOM = 4.0
_STEADY_CENTS = 40.0
_PANNED_DB, _UNDELAYED = 4.0, 6e-5


@dataclass(frozen=True, slots=True)
class StatedPath:
    """A straight path; locations are (right, front) in units of a few metres.

    Attributes:
        start: Start.
        end: End; equal to `start` for a static source.
    """

    start: tuple[float, float]
    end: tuple[float, float]

    def images(self) -> tuple["StatedPath", ...]:
        """Return the other paths that this one can be confused with: its mirror images, reversed or not."""
        paths: dict[StatedPath, None] = {}
        for right in (1.0, -1.0):
            for ahead in (1.0, -1.0):
                start, end = ((x * right + 0.0, y * ahead + 0.0) for x, y in (self.start, self.end))
                paths |= {StatedPath(start, end): None, StatedPath(end, start): None}
        return tuple(path for path in paths if path != self)


def weigh(track: Track, path: StatedPath) -> float:
    """Return the log-likelihood of the audio for a path; comparable between paths only."""
    along = track.progress
    x = A_FEW_METRES * (path.start[0] + (path.end[0] - path.start[0]) * along)
    y = A_FEW_METRES * (path.start[1] + (path.end[1] - path.start[1]) * along)
    distance = np.maximum(np.hypot(x, y), NEAREST_METRES)
    sides = _weigh_sides(track, x, y, distance)
    ahead = _weigh_brightness(track, 0.5 + 0.5 * y / distance)
    return _TEMPER * (sides + ahead + _weigh_approach(track, path, x, y, distance))


def _weigh_sides(track: Track, x: Reals, y: Reals, distance: Reals) -> float:
    """Compare the interaural differences with those of the path."""
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
    """Compare the brightness of each frame, within the sound's own range, with the path's front–back position."""
    share = share_ahead - share_ahead.mean()
    bright = track.brightness - track.brightness.mean()
    slope = float((share * bright).sum() / max((share**2).sum(), 1e-12))
    return _log_likelihood(bright - min(max(slope, _MIN_SHADE_DB), _MAX_SHADE_DB) * share)


def _weigh_approach(track: Track, path: StatedPath, x: Reals, y: Reals, distance: Reals) -> float:
    """Compare loudness with distance and, if the source has a constant pitch, pitch with approach."""
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
    """Return the log-likelihood of errors in units of their standard deviation, with heavy tails."""
    return float(-0.5 * (_FREEDOM + 1.0) * np.log1p(residuals**2 / _FREEDOM).sum())
