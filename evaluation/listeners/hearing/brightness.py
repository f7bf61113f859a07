"""Brightness: how much of a sound lies high in the spectrum, against how much lies low.

The ears' shells shade what comes from behind, and short waves most. A sound from behind is therefore duller than the
same sound from ahead; how dull the sound itself is, nobody but its source knows. Noise is not taken off: it brightens
what it is mixed with, and most where the sound is faint.
"""

from evaluation.listeners.hearing.frames import Frames, Reals
from evaluation.listeners.hearing.levels import decibels

_LOW_HZ, _HIGH_HZ = (150.0, 1500.0), (2000.0, 8000.0)


def brightness(frames: Frames) -> Reals:
    """Return the level from 2 to 8 kHz over that from 150 Hz to 1.5 kHz, in decibels, of every frame."""
    difference: Reals = _band_level(frames, _HIGH_HZ) - _band_level(frames, _LOW_HZ)
    return difference


def _band_level(frames: Frames, band: tuple[float, float]) -> Reals:
    inside = (frames.frequencies >= band[0]) & (frames.frequencies < band[1])
    # A hundred-thousandth of all there is: no band is emptier than what leaks into it.
    return decibels(frames.power[:, inside].sum(axis=1) + 1e-5 * frames.power.sum(axis=1))
