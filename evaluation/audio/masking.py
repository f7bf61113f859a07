"""Noise in a sound's place, to see what a system answers when it cannot have heard."""

import numpy as np
from numpy.typing import NDArray

from evaluation.audio.files import SampleFormat, read_sound, read_with_format, write_sound

# Rounding a very faint noise to steps changes its level; past this it is stored finer.
_MAX_LEVEL_ERROR_DB = 0.05


def noise_like(data: bytes, rng: np.random.Generator) -> bytes:
    """Return white noise of a sound's length, channels, rate and level, independent in each channel.

    The level is the root mean square over a channel, and is met within 0.1 dB; a silent channel stays silent. Nothing
    is clipped: noise is Gaussian if it then fits the scale; for a sound too loud for that, evenly distributed, which
    fits up to 4.8 dB below full scale; and for one louder still, of one magnitude with random signs. All three are
    white.

    Args:
        data: The whole file.
        rng: Where the noise is drawn from.

    Returns:
        A WAV file in the sample format of the original, or in float32 where that format's steps are too coarse for the
        level.

    Raises:
        AudioError: The file cannot be read.
    """
    samples, rate, sample_format = read_with_format(data)
    level = _levels(samples)
    bound = np.inf if sample_format == "float32" else 1.0
    noise = np.stack([_draw(len(samples), wanted, bound, rng) for wanted in level.tolist()], axis=1)
    noisy = write_sound(noise, rate, sample_format=sample_format)
    exact: SampleFormat = "float32"
    return noisy if _is_close(_levels(read_sound(noisy)[0]), level) else write_sound(noise, rate, sample_format=exact)


def _draw(n_samples: int, level: float, bound: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw white noise of exactly a level, the first kind that stays within the bound."""
    for noise in (rng.standard_normal(n_samples), rng.uniform(-1.0, 1.0, n_samples)):
        noise *= level / np.sqrt(np.mean(noise * noise))
        if np.abs(noise).max() <= bound:
            return noise
    return level * rng.choice((-1.0, 1.0), n_samples)


def _levels(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    levels: NDArray[np.float64] = np.sqrt(np.mean(samples * samples, axis=0))
    return levels


def _is_close(levels: NDArray[np.float64], wanted: NDArray[np.float64]) -> bool:
    """Return whether levels are as wanted, within the error that rounding may make."""
    ratio = 10.0 ** (_MAX_LEVEL_ERROR_DB / 20.0)
    return bool(np.all((levels <= wanted * ratio) & (levels * ratio >= wanted)))
