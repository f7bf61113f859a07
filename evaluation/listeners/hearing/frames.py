"""Short frames of a clip and their spectra, the basis of all other features."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from evaluation.listeners.listener_types import Sound

Reals = NDArray[np.float64]

FRAME_SECONDS = 0.128
HOP_SECONDS = 0.064


@dataclass(frozen=True, eq=False)
class Frames:
    """Overlapping frames of a clip.

    Attributes:
        times: (frames,) centres, in seconds.
        spectra: complex (channels, frames, bins), Hann-windowed, scaled so that a sine of amplitude 1 has a peak of 1.
        rate: Sample rate.
        size: Samples per transform.
        length: Samples per frame; the rest of the transform is zero.
    """

    times: Reals
    spectra: NDArray[np.complex128]
    rate: int
    size: int
    length: int

    @cached_property
    def frequencies(self) -> Reals:
        """(bins,) frequencies in hertz."""
        frequencies: Reals = np.arange(self.size // 2 + 1, dtype=np.float64)
        return frequencies * (self.rate / self.size)

    @cached_property
    def power(self) -> Reals:
        """(frames, bins): mean squared magnitude over channels."""
        power = np.square(self.spectra.real) + np.square(self.spectra.imag)
        mean: Reals = power.sum(axis=0) / len(power)
        return mean


def cut_frames(sound: Sound, seconds: float = FRAME_SECONDS, hop_seconds: float = HOP_SECONDS) -> Frames:
    """Split a clip into frames; a clip shorter than a frame is padded with silence."""
    length = max(16, round(seconds * sound.rate))
    hop = max(1, round(hop_seconds * sound.rate))
    samples = sound.samples.T
    if samples.shape[1] < length:
        samples = np.pad(samples, ((0, 0), (0, length - samples.shape[1])))
    window = np.hanning(length + 1)[:-1]
    pieces = sliding_window_view(samples, length, axis=1)[:, ::hop]
    size = 1 << (length - 1).bit_length()
    spectra = np.fft.rfft(pieces * window, size) * (2.0 / window.sum())
    times = (np.arange(pieces.shape[1]) * hop + length / 2) / sound.rate
    return Frames(times, spectra, sound.rate, size, length)


def make_sound(samples: Reals, rate: int) -> Sound:
    """Return validated samples: finite, two-dimensional, with a positive rate."""
    samples = np.asarray(samples, dtype=np.float64)
    samples = samples.reshape(len(samples), -1) if samples.size else np.zeros((0, 1))
    return Sound(np.nan_to_num(samples, nan=0.0, posinf=0.0, neginf=0.0), max(int(rate), 1))
