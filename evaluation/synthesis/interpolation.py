"""Interpolation of a band-limited signal between its samples.

The signal is resampled to a grid three times as fine by a longer inverse Fourier transform, and evaluated there with
quartic B-splines. A spline of that order weights the frequency f (in cycles per grid step) by sinc(f)^5 and passes its
images at (f / (k - f))^5, so the transform is divided by the former, which makes the pass band exact, and only the
images remain: below -76 dB at 7 kHz and -117 dB at 3 kHz for a signal sampled at 16 kHz.
"""

import threading
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

OVERSAMPLING = 3
SPLINE_SUPPORT = 5


def fast_length(at_least: int) -> int:
    """Return the smallest even 2^a·3^b·5^c of at least `at_least`, a length with fast transforms."""
    best = 1 << max(1, (at_least - 1).bit_length())
    fives = 1
    while fives < best:
        threes = fives
        while threes < best:
            twos = 2 * threes
            while twos < at_least:
                twos *= 2
            best = min(best, twos)
            threes *= 3
        fives *= 5
    return best


class _Workspace(threading.local):
    """Arrays that a thread reuses.

    Returning megabytes to the system and allocating them again causes thousands of page faults, which took a quarter of
    a clip's time.
    """

    n_samples = 0
    grid: NDArray[np.float64]
    shifted: NDArray[np.complex128]

    def arrays(self, n_samples: int) -> tuple[NDArray[np.float64], NDArray[np.complex128]]:
        """Return the fine grid, one row per sample, and space for a spectrum."""
        if n_samples != self.n_samples:
            self.grid = np.empty((n_samples, OVERSAMPLING))
            self.shifted = np.empty(n_samples // 2 + 1, dtype=np.complex128)
            self.n_samples = n_samples
        return self.grid, self.shifted


_workspace = _Workspace()


def spline_coefficients(spectrum: NDArray[np.complex128], n_samples: int) -> NDArray[np.float64]:
    """Convert a periodic signal's spectrum to spline coefficients on the fine grid.

    One long transform would give the same; one transform of the signal's own length for each phase of the grid takes
    half the time, because its data stay in the cache.

    Args:
        spectrum: complex128 (n_samples // 2 + 1,), the real signal's transform.
        n_samples: Even length of the signal, one period.

    Returns:
        float64 (OVERSAMPLING · n_samples,), for `read_between`. The next call of the same thread overwrites it.
    """
    grid, shifted = _workspace.arrays(n_samples)
    for phase, correction in enumerate(_spline_corrections(n_samples)):
        np.multiply(spectrum, correction, out=shifted)
        np.fft.irfft(shifted, n_samples, out=grid[:, phase])
    return grid.ravel()


@lru_cache(maxsize=8)
def _spline_corrections(n_samples: int) -> tuple[NDArray[np.complex128], ...]:
    """Return for each phase of the grid the factors that shift a spectrum and cancel the spline's attenuation."""
    cycles_per_step = np.arange(n_samples // 2 + 1) / (OVERSAMPLING * n_samples)
    correction = 1.0 / np.sinc(cycles_per_step) ** SPLINE_SUPPORT
    shifts = [correction * np.exp(2j * np.pi * phase * cycles_per_step) for phase in range(OVERSAMPLING)]
    for shift in shifts:
        shift.flags.writeable = False
    return tuple(shifts)


def read_between(coefficients: NDArray[np.float64], positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Evaluate the signal at fractional positions.

    Args:
        coefficients: From `spline_coefficients`.
        positions: float64 (m,), in samples of the original signal, from 1 to its length minus two.

    Returns:
        float64 (m,): the signal's values.
    """
    offset = positions * OVERSAMPLING
    nearest = np.rint(offset)
    offset -= nearest
    first = nearest.astype(np.intp)
    first -= SPLINE_SUPPORT // 2
    value = np.zeros_like(offset)
    tap = np.empty_like(offset)
    for index, weight in enumerate(_quartic_weights(offset)):
        # Shifted views share one index array; "clip" spares numpy a buffered copy, and no position is out of range.
        np.take(coefficients[index:], first, out=tap, mode="clip")
        tap *= weight
        value += tap
    return value


def _quartic_weights(offset: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Return the quartic B-spline's five weights for offsets in [-1/2, 1/2] from the middle one.

    Each opposite pair is an even part plus and minus an odd part, which halves the work.
    """
    square = offset * offset
    outer_even = (square * (1 / 24) + 1 / 16) * square + 1 / 384
    outer_odd = (square * (1 / 12) + 1 / 48) * offset
    inner_even = (0.25 - square * (1 / 6)) * square + 19 / 96
    inner_odd = (11 / 24 - square * (1 / 6)) * offset
    middle = (square * 0.25 - 0.625) * square + 115 / 192
    return outer_even - outer_odd, inner_even - inner_odd, middle, inner_even + inner_odd, outer_even + outer_odd
