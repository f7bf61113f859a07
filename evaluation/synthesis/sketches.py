"""Building blocks of sound sketches: parameters, and helpers for shaping samples."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]

_EDGE_SECONDS = 0.01


@dataclass(frozen=True, slots=True)
class SoundSketch:
    """Parameters of a sketched sound.

    Attributes:
        n: Number of samples.
        rate: Sample rate in hertz.
        pitch: Hertz; its meaning depends on the kind.
        pitch_to: Final pitch of a glide.
        digits: Dialled digits.
        rng: Random generator for noise.
    """

    n: int
    rate: int
    pitch: float | None
    pitch_to: float | None
    digits: str
    rng: np.random.Generator

    @property
    def time(self) -> Samples:
        """Seconds since the start."""
        return np.arange(self.n) / self.rate

    @property
    def share(self) -> Samples:
        """0 at the start, 1 at the end."""
        return np.linspace(0.0, 1.0, self.n)

    def pitch_or(self, usual: float) -> float:
        """Return the pitch, or the default of the kind."""
        return usual if self.pitch is None else self.pitch


def sing(pitch: Samples, rate: int, harmonics: tuple[float, ...] = (1.0,)) -> Samples:
    """Return a tone of varying pitch; the phase is the cumulative sum of the pitch, so it is continuous."""
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    return normalise(np.sum([level * np.sin(n * phase) for n, level in enumerate(harmonics, start=1)], axis=0))


def knock_at(
    sound: SoundSketch, times: list[float] | Samples, pitch: float, life: float, levels: list[float] | None = None
) -> Samples:
    """Put a damped, slightly noisy impact at each of some times."""
    n = min(sound.n, int(8 * life * sound.rate))
    time = np.arange(n) / sound.rate
    out = np.zeros(sound.n + n)
    for number, at in enumerate(times):
        body = np.sin(2 * np.pi * pitch * time) + 0.3 * sound.rng.standard_normal(n)
        begin = int(at * sound.rate)
        out[begin : begin + n] += body * np.exp(-time / life) * (levels[number] if levels else 1.0)
    return normalise(out[: sound.n])


def smooth(samples: Samples, width: int) -> Samples:
    """Return a moving average of the same length."""
    return np.convolve(samples, np.ones(max(width, 1)) / max(width, 1), mode="same")


def fade(samples: Samples, rate: int) -> Samples:
    """Fade both ends to avoid clicks."""
    edge = min(int(_EDGE_SECONDS * rate), len(samples) // 2)
    ramp = np.linspace(0.0, 1.0, edge)
    faded = samples.copy()
    faded[:edge] *= ramp
    faded[len(faded) - edge :] *= ramp[::-1]
    return faded


def normalise(samples: Samples) -> Samples:
    """Return samples with a peak of 1; silence stays silent."""
    peak = float(np.abs(samples).max(initial=0.0))
    return samples if peak == 0 else samples / peak
