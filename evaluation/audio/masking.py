"""Noise that replaces a clip, to test what a model answers without audible content."""

import numpy as np
from numpy.typing import NDArray

from evaluation.audio.files import SampleFormat, read_sound, read_with_format, write_sound

# Rounding very faint noise to steps changes its level; beyond this deviation it is stored in a finer format.
_MAX_LEVEL_ERROR_DB = 0.05


def noise_like(data: bytes, rng: np.random.Generator) -> bytes:
    """Return white noise with the length, channels, rate and level of a clip, independent in each channel.

    The level is the root mean square of a channel, accurate to 0.1 dB; silent channels stay silent. Nothing is clipped:
    the noise is Gaussian if that fits the scale, uniform for louder clips, which fits up to 4.8 dB below full scale,
    and of constant magnitude with random signs for even louder ones. All three are white.

    Args:
        data: The whole file.
        rng: Random generator.

    Returns:
        A WAV file with the sample format of the original, or float32 if the steps of that format are too coarse for the
        level.

    Raises:
        AudioError: The file cannot be read.
    """
    samples, rate, sample_format = read_with_format(data)
    level = _levels(samples)
    bound = np.inf if sample_format == "float32" else 1.0
    noise = np.stack([_draw_noise(len(samples), channel_level, bound, rng) for channel_level in level.tolist()], axis=1)
    noisy = write_sound(noise, rate, sample_format=sample_format)
    exact: SampleFormat = "float32"
    return noisy if _is_close(_levels(read_sound(noisy)[0]), level) else write_sound(noise, rate, sample_format=exact)


def _draw_noise(n_samples: int, level: float, bound: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw white noise of an exact level with the first distribution that stays within the bound."""
    for noise in (rng.standard_normal(n_samples), rng.uniform(-1.0, 1.0, n_samples)):
        noise *= level / np.sqrt(np.mean(noise * noise))
        if np.abs(noise).max() <= bound:
            return noise
    return level * rng.choice((-1.0, 1.0), n_samples)


def _levels(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    levels: NDArray[np.float64] = np.sqrt(np.mean(samples * samples, axis=0))
    return levels


def _is_close(levels: NDArray[np.float64], expected: NDArray[np.float64]) -> bool:
    """Return whether levels match within the rounding error."""
    ratio = 10.0 ** (_MAX_LEVEL_ERROR_DB / 20.0)
    return bool(np.all((levels <= expected * ratio) & (levels * ratio >= expected)))
