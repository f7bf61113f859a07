"""Dry sounds for rooms: an alarm, applause, a telephone bell.

Direction is audible from the effect of the outer ear on high frequencies and from the time between the ears at each
onset. So each of the three has partials or noise up to 16 kHz and many onsets, unlike a pure tone.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

_BAND_HZ = 16_000.0
_EDGE_SECONDS = 0.005

_BEEPS_PER_SECOND = 4.0
_CLAPS_PER_SECOND = 60.0
_CLAP_SECONDS = 0.03

# A clapper between two gongs: strokes per second, pitches of the gongs, and the partials of a struck bowl with their
# decay times.
_STROKES_PER_SECOND = 20.0
_GONGS_HZ = (1020.0, 1290.0)
_STROKE_SECONDS = 0.4
_BOWL = ((1.0, 1.0, 0.12), (2.71, 0.8, 0.08), (5.15, 0.6, 0.05), (8.43, 0.5, 0.03), (12.2, 0.4, 0.02))
_CLICK_LIFE_SECONDS = 0.002


def render_dry(name: str, seconds: float, rng: np.random.Generator, sample_rate: int = 44_100) -> Samples:
    """Render a dry sound.

    Args:
        name: `alarm`, `applause` or `telephone`.
        seconds: Duration.
        rng: Determines pitch, strokes and noise; each generator state gives another sound.
        sample_rate: Sample rate in hertz.

    Returns:
        float64 (n,) whose largest magnitude is 1.

    Raises:
        ValueError: The sound is unknown, or the duration is not positive.
    """
    if name not in DRY_SOUNDS:
        raise ValueError(f"there is no dry sound {name!r}; there are {', '.join(DRY_SOUNDS)}")
    if not (math.isfinite(seconds) and seconds > 2 * _EDGE_SECONDS):
        raise ValueError(f"a dry sound lasts longer than {2 * _EDGE_SECONDS} s, got {seconds!r}")
    samples = DRY_SOUNDS[name](round(seconds * sample_rate), sample_rate, rng)
    edge = round(_EDGE_SECONDS * sample_rate)
    ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(edge) + 0.5) / edge)
    samples[:edge] *= ramp
    samples[-edge:] *= ramp[::-1]
    samples /= np.abs(samples).max()
    return samples


def _alarm(n_samples: int, rate: int, rng: np.random.Generator) -> Samples:
    """Beep four times a second, alternating high and low, with all odd harmonics within the band, like a buzzer."""
    time = np.arange(n_samples) / rate
    pitch = rng.uniform(800.0, 1000.0)
    beep, since = np.divmod(time * _BEEPS_PER_SECOND, 1.0)
    frequency = np.where(beep % 2 == 0, pitch, pitch * 1.25)
    phase = 2 * np.pi * np.cumsum(frequency) / rate
    highest = int(_band(rate) / (pitch * 1.25))
    tone = np.sum([np.sin(k * phase) / math.sqrt(k) for k in range(1, highest + 1, 2)], axis=0)
    rise, fall = since / 0.02, (0.6 - since) / 0.04
    beeps: Samples = tone * np.clip(np.minimum(rise, fall), 0.0, 1.0)
    return beeps


def _applause(n_samples: int, rate: int, rng: np.random.Generator) -> Samples:
    """Clap with many hands at random times: short bursts of noise, some brighter than others."""
    n_claps = 1 + int(n_samples / rate * _CLAPS_PER_SECOND)
    length = round(_CLAP_SECONDS * rate)
    time = np.arange(length) / rate
    samples = np.zeros(n_samples + length)
    for begin in rng.integers(0, n_samples, n_claps).tolist():
        life, pitch, level = rng.uniform(0.002, 0.006), rng.uniform(700.0, 2500.0), rng.uniform(0.3, 1.0)
        hollow = np.sin(2 * np.pi * pitch * time + rng.uniform(0.0, 2 * np.pi))
        samples[begin : begin + length] += level * (rng.standard_normal(length) + hollow) * np.exp(-time / life)
    return samples[:n_samples]


def _telephone(n_samples: int, rate: int, rng: np.random.Generator) -> Samples:
    """Strike two gongs alternately; each stroke starts with the click of the clapper."""
    length = round(_STROKE_SECONDS * rate)
    samples = np.zeros(n_samples + length)
    scale = rng.uniform(0.9, 1.1)
    stroke_samples = rate / _STROKES_PER_SECOND
    for number in range(int(n_samples / stroke_samples) + 1):
        begin = min(round(number * stroke_samples), n_samples)
        struck = _render_stroke(scale * _GONGS_HZ[number % 2], length, rate, rng)
        samples[begin : begin + length] += rng.uniform(0.8, 1.0) * struck
    return samples[:n_samples]


def _render_stroke(pitch: float, length: int, rate: int, rng: np.random.Generator) -> Samples:
    """Return one stroke on a gong."""
    time = np.arange(length) / rate
    struck = 0.7 * rng.standard_normal(length) * np.exp(-time / _CLICK_LIFE_SECONDS)
    for ratio, level, life in _BOWL:
        if pitch * ratio < _band(rate):
            struck += level * np.sin(2 * np.pi * pitch * ratio * time) * np.exp(-time / life)
    return struck


def _band(rate: int) -> float:
    """Return the highest frequency of a partial."""
    return min(_BAND_HZ, 0.45 * rate)


DRY_SOUNDS: Mapping[str, Callable[[int, int, np.random.Generator], Samples]] = MappingProxyType(
    {"alarm": _alarm, "applause": _applause, "telephone": _telephone}
)
"""Dry sounds by name: functions of a number of samples, a rate and a generator."""
