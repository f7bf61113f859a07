"""Onsets: short moments in which a sound rises, before its echoes arrive.

They carry reliable direction cues: the first wave comes straight from the source, later ones from the walls.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from evaluation.listeners.hearing.brightness import brightness
from evaluation.listeners.hearing.frames import Frames, Reals, cut_frames
from evaluation.listeners.hearing.interaural import common_delay
from evaluation.listeners.hearing.levels import THRESHOLD_OF_HEARING_DB, decibels
from evaluation.listeners.listener_types import Sound

_WINDOW_SECONDS, _HOP_SECONDS = 0.008, 0.0025
# An onset exceeds everything between one window and a few before it by this much.
_RISE_DB = 3.0
_LOOK_BACK = range(3, 11)
# Onsets weaker than this, relative to the strongest, are echoes or noise.
_RANGE_DB = 35.0
LATERAL_BANDS_HZ = (200.0, 500.0, 1000.0, 1800.0, 3000.0, 4500.0, 6500.0, 9000.0, 12500.0, 16000.0)
"""Edges of the bands in which interaural levels are compared."""

PINNA_BANDS_HZ = tuple(2000.0 * 2.0 ** (third / 3.0) for third in range(10))
"""Edges of the third-octave bands with spectral cues of the outer ear."""


@dataclass(frozen=True, slots=True, eq=False)
class DirectSound:
    """Features of the direct sound of a source, before its echoes.

    Attributes:
        level_db: Level of the strongest onsets in dBFS.
        delay: Seconds by which the right ear leads; None for mono.
        level_differences: (bands,) decibels by which the right ear exceeds the left; None for mono.
        heard_bands: bool (bands,): which of these bands contain sound.
        marks: (thirds,) decibels in the bands of the outer ear.
        marked: bool (thirds,): which of these contain sound.
        brightness_db: See `brightness`; the mean over the onsets.
    """

    level_db: float
    delay: float | None
    level_differences: Reals | None
    heard_bands: np.ndarray[tuple[int], np.dtype[np.bool_]]
    marks: Reals
    marked: np.ndarray[tuple[int], np.dtype[np.bool_]]
    brightness_db: float


def hear_onsets(sound: Sound) -> DirectSound | None:
    """Return the features of a clip's onsets; None if nothing is audible."""
    frames = cut_frames(sound, _WINDOW_SECONDS, _HOP_SECONDS)
    energy = frames.power.sum(axis=1)
    moments = _find_onsets(energy)
    # A sine of amplitude 1 has a level of -3 dB in these spectra; a Hann window spreads it over 1.5 bins.
    level = float(decibels(np.sort(energy[moments])[-max(1, len(moments) // 10) :].mean())) - 10.0 * np.log10(3.0)
    if level < THRESHOLD_OF_HEARING_DB:
        return None
    onsets = Frames(frames.times[moments], frames.spectra[:, moments], frames.rate, frames.size, frames.length)
    weights = 1.0 / np.maximum(energy[moments], 1e-30)
    ears = np.mean(np.square(np.abs(onsets.spectra)) * weights[:, None], axis=1)
    lateral, heard = _bands(ears, onsets.frequencies, LATERAL_BANDS_HZ)
    marks, marked = _bands(ears.mean(axis=0, keepdims=True), onsets.frequencies, PINNA_BANDS_HZ)
    bright = float(brightness(onsets).mean())
    if len(ears) != 2:
        return DirectSound(level, None, None, heard, marks[0], marked, bright)
    delay = common_delay(onsets.spectra[0], onsets.spectra[1], weights, onsets.rate)
    return DirectSound(level, delay, lateral[1] - lateral[0], heard, marks[0], marked, bright)


def _find_onsets(energy: Reals) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return which frames are onsets; if none rises, the strongest ones."""
    level = decibels(energy)
    before = np.full(len(level), -300.0)
    for step in _LOOK_BACK:
        before[step:] = np.maximum(before[step:], level[:-step])
    strong = level > level.max() - _RANGE_DB
    onsets = np.flatnonzero(strong & (level > before + _RISE_DB))
    return onsets if len(onsets) else np.argsort(energy)[-max(1, len(energy) // 20) :]


def _bands(
    ears: Reals, frequencies: Reals, edges: tuple[float, ...]
) -> tuple[Reals, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return the mean power of each ear in each band, in decibels, and which bands contain sound."""
    spectrum = np.zeros((len(ears), len(edges) - 1))
    for number, (low, high) in enumerate(pairwise(edges)):
        inside = (frequencies >= low) & (frequencies < high)
        if inside.any():
            spectrum[:, number] = ears[:, inside].mean(axis=1)
    total = spectrum.mean(axis=0)
    return decibels(spectrum + 1e-7 * total.max()), total > 1e-5 * total.max()
