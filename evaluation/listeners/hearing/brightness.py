"""Brightness: high-frequency energy relative to low-frequency energy.

The outer ears attenuate sound from behind, short waves most, so it is duller than the same sound from the front. The
dullness of the source itself is unknown. Noise is not subtracted: it brightens a mixture, most where the sound is
faint.
"""

from evaluation.listeners.hearing.frames import Frames, Reals
from evaluation.listeners.hearing.levels import decibels

_LOW_HZ, _HIGH_HZ = (150.0, 1500.0), (2000.0, 8000.0)


def brightness(frames: Frames) -> Reals:
    """Return the level from 2 to 8 kHz relative to that from 150 Hz to 1.5 kHz, in decibels, for every frame."""
    difference: Reals = _band_level(frames, _HIGH_HZ) - _band_level(frames, _LOW_HZ)
    return difference


def _band_level(frames: Frames, band: tuple[float, float]) -> Reals:
    inside = (frames.frequencies >= band[0]) & (frames.frequencies < band[1])
    # A hundred-thousandth of the total: spectral leakage limits how empty a band can be.
    return decibels(frames.power[:, inside].sum(axis=1) + 1e-5 * frames.power.sum(axis=1))
