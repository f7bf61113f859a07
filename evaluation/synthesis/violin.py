"""Dry violin-like source: short notes with the spectrum of a bowed string."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ATTACK_SECONDS = 0.03
RELEASE_SECONDS = 0.06
SHORTEST_NOTE_SECONDS = ATTACK_SECONDS + RELEASE_SECONDS
N_HARMONICS = 12

# Harmonics at the edge of the band would ring in the interpolation, so a note stops below it.
HIGHEST_HARMONIC = 0.475

# No partial sum of sin(kx)/k exceeds the sine integral at pi, 1.8519...; dividing by it keeps every note within ±1,
# whatever its pitch. A low-pass without phase only takes weighted means of such sums, so the bound still holds after
# it.
LARGEST_SUM = 1.852

# Two tables of this many phasors give the phasor of every sample by one product, instead of a sine and a cosine each.
PHASOR_BLOCK = 128


@dataclass(frozen=True, slots=True)
class Note:
    """One bowed note.

    Attributes:
        frequency_hz: Fundamental frequency.
        onset_seconds: Start of the note, from the start of the clip.
        duration_seconds: From the start of the attack to the end of the release.
    """

    frequency_hz: float
    onset_seconds: float
    duration_seconds: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.frequency_hz) and self.frequency_hz > 0):
            raise ValueError(f"a note needs a positive frequency in hertz, got {self.frequency_hz!r}")
        if not (math.isfinite(self.onset_seconds) and self.onset_seconds >= 0):
            raise ValueError(f"a note starts at 0 s or later, got {self.onset_seconds!r}")
        if not (math.isfinite(self.duration_seconds) and self.duration_seconds >= SHORTEST_NOTE_SECONDS):
            raise ValueError(f"a note lasts at least {SHORTEST_NOTE_SECONDS} s, got {self.duration_seconds!r}")

    @classmethod
    def sequence(
        cls, frequencies_hz: Sequence[float], duration_seconds: float = 6.0, gap_seconds: float = 0.08
    ) -> tuple["Note", ...]:
        """Spread notes evenly over a clip, each followed by the same silence.

        Args:
            frequencies_hz: One fundamental per note, in order.
            duration_seconds: Duration of the clip.
            gap_seconds: Silence after each note.

        Returns:
            The notes; onsets are `duration_seconds / len(frequencies_hz)` apart.

        Raises:
            ValueError: There are no notes, or the notes would be too short.
        """
        if not frequencies_hz:
            raise ValueError("a melody needs at least one frequency, got none")
        pace = duration_seconds / len(frequencies_hz)
        return tuple(cls(frequency, index * pace, pace - gap_seconds) for index, frequency in enumerate(frequencies_hz))


def render_violin(notes: Sequence[Note], n_samples: int, sample_rate: int) -> NDArray[np.float64]:
    """Render notes to a mono signal.

    Each note is the sum of the first twelve harmonics of its frequency (fewer if they leave the band), the k-th with
    amplitude 1/k as in the motion of a bowed string, with a raised-cosine attack and release. There is no vibrato: it
    would be ten times the Doppler shift to detect.

    Args:
        notes: Notes in order of onset that do not overlap and end within the signal.
        n_samples: Length of the signal.
        sample_rate: Sample rate in hertz.

    Returns:
        float64 (n_samples,) within ±1.

    Raises:
        ValueError: Notes overlap, end after the signal, or have no harmonic within the band.
    """
    signal = np.zeros(n_samples)
    free_from = 0
    for note in notes:
        start = round(note.onset_seconds * sample_rate)
        end = round((note.onset_seconds + note.duration_seconds) * sample_rate)
        if start < free_from:
            raise ValueError(f"notes overlap or are out of order at {note.onset_seconds} s; a bow plays one at a time")
        if end > n_samples:
            raise ValueError(
                f"the note at {note.onset_seconds} s ends at {end / sample_rate} s, after the clip's end at "
                f"{n_samples / sample_rate} s"
            )
        signal[start:end] = _harmonics(note.frequency_hz, end - start, sample_rate)
        _shape_ends(signal[start:end], sample_rate)
        free_from = end
    return signal


def _harmonics(frequency_hz: float, n_samples: int, sample_rate: int) -> NDArray[np.float64]:
    """Sum sin(kφ)/k over the harmonics within the band by Clenshaw's recurrence: three passes per harmonic."""
    n_harmonics = min(N_HARMONICS, math.floor(HIGHEST_HARMONIC * sample_rate / frequency_hz))
    if n_harmonics < 1:
        limit = HIGHEST_HARMONIC * sample_rate
        raise ValueError(f"a note of {frequency_hz} Hz does not fit the band; at {sample_rate} Hz the limit is {limit}")
    phasors = _phasors(frequency_hz / sample_rate, n_samples)
    two_cos = 2.0 * phasors.real
    above, current, below = np.zeros(n_samples), np.zeros(n_samples), np.empty(n_samples)
    for harmonic in range(n_harmonics, 0, -1):
        np.multiply(two_cos, current, out=below)
        below -= above
        below += 1.0 / harmonic
        above, current, below = current, below, above
    return current * (phasors.imag / LARGEST_SUM)


def _phasors(cycles_per_sample: float, n_samples: int) -> NDArray[np.complex128]:
    """Return exp(iφ) for each sample, with φ increasing from 0."""
    step = 2j * math.pi * cycles_per_sample
    fine = np.exp(step * np.arange(PHASOR_BLOCK))
    coarse = np.exp(step * PHASOR_BLOCK * np.arange(-(-n_samples // PHASOR_BLOCK)))
    phasors: NDArray[np.complex128] = np.multiply.outer(coarse, fine).ravel()
    return phasors[:n_samples]


def _shape_ends(signal: NDArray[np.float64], sample_rate: int) -> None:
    """Apply the attack and the release in place."""
    n_attack, n_release = round(ATTACK_SECONDS * sample_rate), round(RELEASE_SECONDS * sample_rate)
    signal[:n_attack] *= 0.5 - 0.5 * np.cos(np.pi * np.arange(n_attack) / n_attack)
    signal[-n_release:] *= 0.5 + 0.5 * np.cos(np.pi * np.arange(1, n_release + 1) / n_release)
