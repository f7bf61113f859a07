"""Interaural differences: time of arrival and level.

Both are positive if the sound is on the right: it reaches the right ear earlier and with a higher level.
"""

import numpy as np
from numpy.typing import NDArray

from evaluation.listeners.hearing.frames import Reals

LONGEST_DELAY_SECONDS = 0.0009
"""Upper bound of the delay between the ears for any head."""

# The ears' spectra are divided by their magnitudes to this power: 0 is plain correlation, dominated by one strong
# partial; 1 is phase only, dominated by the noise between the partials.
_WHITENING = 0.4
_UPSAMPLING = 4
LOWEST_HZ, HIGHEST_HZ = 100.0, 5000.0
_UNAMBIGUOUS_HZ = 2000.0


def interaural_times(
    left: NDArray[np.complex128], right: NDArray[np.complex128], rate: int, floor: float = 0.0
) -> Reals:
    """Return the time by which the right ear leads, by generalised cross-correlation.

    Args:
        left: (frames, bins) spectra of the left ear.
        right: (frames, bins) spectra of the right ear.
        rate: Sample rate.
        floor: Noise power per bin, subtracted before weighting.

    Returns:
        Seconds (frames,), interpolated between lags by a parabola.
    """
    size = 2 * (left.shape[1] - 1)
    frequencies = np.fft.rfftfreq(size, 1.0 / rate)
    cross = right * np.conj(left)
    magnitude = np.abs(cross)
    heard = np.maximum(magnitude - floor, 0.0) * ((frequencies >= LOWEST_HZ) & (frequencies <= HIGHEST_HZ))
    weights = heard ** (1.0 - _WHITENING) / np.maximum(magnitude, 1e-300)
    correlation = np.fft.irfft(cross * weights, size * _UPSAMPLING) * _UPSAMPLING
    most = min(int(np.ceil(LONGEST_DELAY_SECONDS * rate * _UPSAMPLING)), correlation.shape[1] // 2 - 2)
    # A leading right ear gives negative lags of R·conj(L).
    lags = np.arange(-most, most + 1)
    peaks, _ = parabolic_peaks(correlation[:, -lags])
    seconds: Reals = (peaks - most) / (rate * _UPSAMPLING)
    return seconds


def parabolic_peaks(rows: Reals) -> tuple[Reals, Reals]:
    """Return the interpolated position and height of each row's maximum."""
    best = np.clip(np.argmax(rows, axis=1), 1, rows.shape[1] - 2)
    index = np.arange(len(rows))
    before, peak, after = rows[index, best - 1], rows[index, best], rows[index, best + 1]
    bend = before - 2.0 * peak + after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(bend < 0, 0.5 * (before - after) / bend, 0.0)
    shift = np.clip(np.nan_to_num(shift), -1.0, 1.0)
    return best + shift, peak - 0.25 * (before - after) * shift


def interaural_levels(left_power: Reals, right_power: Reals, floor: float = 0.0) -> Reals:
    """Return the level by which the right ear exceeds the left, in decibels, without noise."""
    least = 1e-12 + 0.05 * floor
    right = np.maximum(right_power - floor, least)
    levels: Reals = 10.0 * np.log10(right / np.maximum(left_power - floor, least))
    return levels


def common_delay(left: NDArray[np.complex128], right: NDArray[np.complex128], weights: Reals, rate: int) -> float:
    """Return the common time by which the right ear leads in several frames.

    Only low frequencies count, whose periods are too long to be confused.
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
