"""Levels and audibility of sounds."""

import numpy as np

from evaluation.listeners.hearing.frames import Reals
from evaluation.listeners.listener_types import Sound

THRESHOLD_OF_HEARING_DB = -98.0
"""Threshold of audibility as a root mean square in dBFS: the remainder of one 16-bit step."""

_MIN_POWER = 1e-30


def decibels(power: Reals) -> Reals:
    """Convert power to decibels, at least −300."""
    level: Reals = 10.0 * np.log10(np.maximum(power, _MIN_POWER))
    return level


def level_db(samples: Reals) -> float:
    """Return the root mean square of samples in dBFS."""
    return float(decibels(np.asarray(np.mean(np.square(samples)) if samples.size else 0.0)))


def envelope(sound: Sound, hop_seconds: float = 0.005, width_seconds: float = 0.02) -> tuple[Reals, float]:
    """Return the power over time, averaged over channels, and the time step."""
    hop = max(1, round(hop_seconds * sound.rate))
    n_hops = -(-len(sound.samples) // hop)
    power = np.mean(np.square(sound.samples), axis=1) if sound.samples.size else np.zeros(0)
    power = np.pad(power, (0, n_hops * hop - len(power))).reshape(n_hops, hop).mean(axis=1)
    width = max(1, round(width_seconds * sound.rate / hop))
    if n_hops > width > 1:
        power = np.maximum(np.convolve(power, np.ones(width) / width, mode="same"), 0.0)
    return power, hop / sound.rate
