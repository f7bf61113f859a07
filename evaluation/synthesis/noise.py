"""White noise at a given signal-to-noise ratio."""

import math

import numpy as np
from numpy.typing import NDArray

INT16_MAX = 32767


def add_noise(samples: NDArray[np.int16], snr_db: float, rng: np.random.Generator) -> NDArray[np.int16]:
    """Add white Gaussian noise to a clip.

    The signal's power is the mean square over every frame and channel of the clip, including silences; the noise's
    power is the mean square of its samples, over the same frames, and is set to exactly `signal / 10^(snr_db / 10)`, so
    the actual ratio differs from the stated one only by rounding (under 0.1 dB while the noise is above two steps of
    the 16-bit scale). Channels get independent noise of the same power.

    Args:
        samples: int16 (n,) or (n, channels).
        snr_db: Signal-to-noise ratio in decibels.
        rng: Random generator; advanced by one normal draw per sample.

    Returns:
        A new int16 array of the same shape.

    Raises:
        ValueError: The clip is empty, silent or not int16, the ratio is not finite, or the sum leaves the 16-bit scale:
            clipping would change the noise, so it is never done silently.
    """
    if samples.dtype != np.int16:
        raise ValueError(f"noise is added to int16 samples, got {samples.dtype}")
    if not math.isfinite(snr_db):
        raise ValueError(f"the signal-to-noise ratio must be a finite number of decibels, got {snr_db!r}")
    signal_energy = float(np.einsum("i,i->", samples.ravel(), samples.ravel(), dtype=np.int64))
    if signal_energy == 0.0:
        raise ValueError("a silent or empty clip has no signal-to-noise ratio; add noise to a clip with sound")
    noise = rng.standard_normal(samples.shape)
    noise_energy = float(np.einsum("i,i->", noise.ravel(), noise.ravel()))
    noise *= math.sqrt(signal_energy / (noise_energy * 10.0 ** (snr_db / 10.0)))
    noise += samples
    np.rint(noise, out=noise)
    if max(noise.max(), -noise.min()) > INT16_MAX:
        raise ValueError(
            f"noise at {snr_db} dB takes this clip off the 16-bit scale; lower the clip or raise the ratio"
        )
    return noise.astype(np.int16)
