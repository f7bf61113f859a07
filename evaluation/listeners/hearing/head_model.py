"""Head model of a listener: interaural time, level and spectrum by direction.

The times are Woodworth's for a rigid sphere. The levels and colours are those of the KEMAR dummy head with small ears,
as measured at MIT (Gardner and Martin, 1994), averaged in wide bands and rounded to whole decibels.
"""

import math

import numpy as np

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.hearing.onsets import DirectSound

HEAD_RADIUS_METRES = 0.0875
_SPEED_OF_SOUND = 343.0

_AZIMUTH_STEP = 15.0
# Interaural level differences in decibels: one row per direction from the front over the side to the back, one column
# for each of `onsets.LATERAL_BANDS_HZ`.
_NEAR_OVER_FAR_DB = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 3, 3, 4, 5, 6, 8, 8, 6],
        [2, 5, 5, 7, 9, 11, 14, 13, 6],
        [3, 6, 10, 9, 12, 16, 20, 17, 8],
        [4, 6, 12, 13, 11, 19, 24, 22, 14],
        [4, 6, 7, 14, 14, 18, 25, 28, 23],
        [4, 6, 6, 8, 8, 15, 19, 24, 28],
        [4, 6, 8, 13, 13, 12, 23, 23, 30],
        [4, 7, 14, 12, 9, 12, 24, 18, 26],
        [3, 8, 10, 8, 9, 5, 16, 13, 19],
        [3, 6, 5, 7, 5, 3, 1, 6, 11],
        [1, 3, 2, 3, 3, 2, 0, 0, -2],
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    dtype=np.float64,
)

_LOWEST_ELEVATION, _ELEVATION_STEP = -40.0, 10.0
# Decibels in the bands `onsets.PINNA_BANDS_HZ` in front, one row per elevation upwards, without mean and tilt.
_MARKS_DB = np.array(
    [
        [2, 1, 0, -2, -6, 1, 2, -2, 3],
        [0, 2, 2, 0, -5, -2, 1, -2, 4],
        [1, 4, 1, -2, -4, -5, 0, 1, 5],
        [4, 3, 0, -2, -4, -8, -2, 3, 7],
        [3, 1, 2, -1, -3, -7, -5, 3, 7],
        [1, 1, 2, 0, -3, -3, -6, 3, 4],
        [0, 0, 1, 0, -1, 1, -2, 2, -1],
        [0, 0, 1, -1, -1, 3, 1, -1, -1],
        [-1, -1, -1, -2, 1, 7, 5, -6, -3],
        [-1, -1, -2, -2, 1, 7, 6, -5, -4],
        [0, 0, -1, -2, -2, 5, 6, 0, -5],
        [0, 0, 0, -2, -3, 3, 5, 0, -4],
        [1, 1, 0, -2, -3, 1, 4, 1, -2],
        [1, 0, 0, -2, -2, 1, 4, 1, -2],
    ],
    dtype=np.float64,
)
_FEWEST_MARKS = 6

# Echoes reduce the level difference between the ears, by at most half.
_MIN_SHARE, _MAX_SHARE = 0.5, 1.1
_DELAY_ERROR_SECONDS = 8e-5
_HEADLESS_DB, _HEADLESS_SECONDS = 2.0, 1.2e-4
# A sound duller than this is more likely behind than in front.
_DULL_DB, _DULLNESS_COUNTS = 0.0, 0.5


def woodworth_delay(azimuth_degrees: float) -> float:
    """Return the time by which sound from a direction reaches the right ear first: a·(θ + sin θ)/c."""
    azimuth = math.radians(azimuth_degrees)
    lateral = math.asin(max(-1.0, min(1.0, math.sin(azimuth))))
    return HEAD_RADIUS_METRES / _SPEED_OF_SOUND * (lateral + math.sin(lateral))


def weigh_azimuths(direct: DirectSound) -> tuple[Reals, Reals] | None:
    """Return directions all around, in degrees clockwise from the front, and the misfit of each.

    If the ears' levels hardly differ although their times do, there was no head in the way, and only times count. Front
    and back, which neither distinguishes, differ by dullness, with a low weight.

    Returns:
        None if only one ear hears.
    """
    if direct.delay is None or direct.level_differences is None:
        return None
    azimuths = np.arange(0.0, 360.0, _AZIMUTH_STEP)
    delays = np.array([woodworth_delay(azimuth) for azimuth in azimuths])
    misfit = ((direct.delay - delays) / _DELAY_ERROR_SECONDS) ** 2
    # At a rate of about 100 Hz there is no band to compare: the delay alone decides.
    if direct.heard_bands.any() and not _is_headless(direct):
        half = len(_NEAR_OVER_FAR_DB) - 1
        levels = np.concatenate([_NEAR_OVER_FAR_DB, -_NEAR_OVER_FAR_DB[half - 1 : 0 : -1]])
        levels, differences = levels[:, direct.heard_bands], direct.level_differences[direct.heard_bands]
        share = (levels @ differences) / np.maximum((levels**2).sum(axis=1), 1e-9)
        expected = np.clip(share, _MIN_SHARE, _MAX_SHARE)[:, None] * levels
        misfit += np.mean((differences - expected) ** 2, axis=1)
    dull = np.clip((_DULL_DB - direct.brightness_db) / 10.0, -1.0, 1.0)
    return azimuths, misfit + _DULLNESS_COUNTS * (1.0 + dull * np.cos(np.radians(azimuths)))


def _is_headless(direct: DirectSound) -> bool:
    if direct.delay is None or direct.level_differences is None:
        return False
    levels = np.abs(direct.level_differences[direct.heard_bands])
    return bool(np.median(levels) < _HEADLESS_DB and abs(direct.delay) > _HEADLESS_SECONDS)


def judge_azimuth(direct: DirectSound) -> float | None:
    """Return the best direction, in degrees clockwise from the front; None if only one ear hears."""
    weighed = weigh_azimuths(direct)
    return None if weighed is None else float(weighed[0][int(np.argmin(weighed[1]))])


def judge_elevation(direct: DirectSound) -> float | None:
    """Return the elevation with the best spectral fit, in degrees; None if too little of the spectrum is audible."""
    is_marked = direct.marked
    if is_marked.sum() < _FEWEST_MARKS:
        return None
    marks = _level_out(direct.marks[None, is_marked])
    cost = np.sum((marks - _level_out(_MARKS_DB[:, is_marked])) ** 2, axis=1)
    return _LOWEST_ELEVATION + _ELEVATION_STEP * float(np.argmin(cost))


def _level_out(rows: Reals) -> Reals:
    """Remove mean and tilt of spectra, which belong to the source."""
    tilt = np.linspace(-1.0, 1.0, rows.shape[1])
    rows = rows - rows.mean(axis=1, keepdims=True)
    levelled: Reals = rows - np.outer(rows @ tilt / (tilt @ tilt), tilt)
    return levelled
