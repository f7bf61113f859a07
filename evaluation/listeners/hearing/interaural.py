"""Interaural differences: time of arrival and level.

Both count positive where the sound is on the right: it reaches the right ear earlier and stronger.
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.listeners.hearing.frames import Reals

LONGEST_DELAY_SECONDS = 0.0009
"""No head is so wide that a sound reaches the far ear later than this."""

# The ears' spectra are divided by their magnitudes to this power: 0 is plain correlation, which one strong partial
# rules; 1 is phase alone, which the noise between the partials rules.
_WHITENING = 0.4
_UPSAMPLING = 4
LOWEST_HZ, HIGHEST_HZ = 100.0, 5000.0
_UNAMBIGUOUS_HZ = 2000.0


def interaural_times(
    left: NDArray[np.complex128], right: NDArray[np.complex128], rate: int, floor: float = 0.0
) -> Reals:
    """Find by how much the right ear is ahead of the left one, by generalised cross-correlation.

    Args:
        left: (frames, bins) spectra of the left ear.
        right: The same of the right ear.
        rate: Samples per second.
        floor: Power of the noise in a bin, which is taken off before weighting.

    Returns:
        Seconds (frames,), refined between lags by a parabola.
    """
    size = 2 * (left.shape[1] - 1)
    frequencies = np.fft.rfftfreq(size, 1.0 / rate)
    cross = right * np.conj(left)
    magnitude = np.abs(cross)
    heard = np.maximum(magnitude - floor, 0.0) * ((frequencies >= LOWEST_HZ) & (frequencies <= HIGHEST_HZ))
    weights = heard ** (1.0 - _WHITENING) / np.maximum(magnitude, 1e-300)
    correlation = np.fft.irfft(cross * weights, size * _UPSAMPLING) * _UPSAMPLING
    most = min(int(np.ceil(LONGEST_DELAY_SECONDS * rate * _UPSAMPLING)), correlation.shape[1] // 2 - 2)
    # A right ear that is ahead shows at negative lags of R·conj(L).
    lags = np.arange(-most, most + 1)
    peaks, _ = parabolic_peaks(correlation[:, -lags])
    seconds: Reals = (peaks - most) / (rate * _UPSAMPLING)
    return seconds


def parabolic_peaks(rows: Reals) -> tuple[Reals, Reals]:
    """Return where each row has its maximum, between the columns, and how high it is there."""
    best = np.clip(np.argmax(rows, axis=1), 1, rows.shape[1] - 2)
    index = np.arange(len(rows))
    before, peak, after = rows[index, best - 1], rows[index, best], rows[index, best + 1]
    bend = before - 2.0 * peak + after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
    shift = np.clip(np.nan_to_num(shift), -1.0, 1.0)
    return best + shift, peak - 0.25 * (before - after) * shift


def interaural_levels(left_power: Reals, right_power: Reals, floor: float = 0.0) -> Reals:
    """Return by how many decibels the right ear's power is above the left's, both without the noise."""
    least = 1e-12 + 0.05 * floor
    right = np.maximum(right_power - floor, least)
    levels: Reals = 10.0 * np.log10(right / np.maximum(left_power - floor, least))
    return levels


def common_delay(left: NDArray[np.complex128], right: NDArray[np.complex128], weights: Reals, rate: int) -> float:
    """Return by how many seconds the right ear is ahead in all of several moments together.

    Only low frequencies count, where no period is so short that the ears could mistake one for the next.
    """
    size = 2 * (left.shape[1] - 1)
    frequencies = np.fft.rfftfreq(size, 1.0 / rate)
    cross = np.sum(right * np.conj(left) * weights[:, None], axis=0)
    cross *= (frequencies >= LOWEST_HZ) & (frequencies <= _UNAMBIGUOUS_HZ)
    cross /= np.sqrt(np.maximum(np.abs(cross), 1e-30))
    finer = 4 * _UPSAMPLING
    correlation = np.fft.irfft(cross, size * finer)
    most = min(int(np.ceil(LONGEST_DELAY_SECONDS * rate * finer)), len(correlation) // 2 - 2)
    place, _ = parabolic_peaks(correlation[None, np.arange(most, -most - 1, -1)])
    return float(place[0] - most) / (rate * finer)
