"""Head-related responses: the measured ears of a KEMAR dummy head, by direction.

Azimuth is 0° in front and increases clockwise, 90° is right; elevation is 0° at ear level and increases upwards.

Responses were measured in rings, 10° apart in elevation from -40° to 90°, with a direction every 5° on the three middle
rings and fewer above and below. Directions in between:

* Reflections use the nearest direction of the nearest ring.
* The direct sound is blended from the directions around it, up to four. Before blending, each response is shifted so
  that its onset coincides with the blended onset; otherwise, responses with different onsets would smear the time
  between the ears. For a measured direction this gives the measured response itself.
* Below -40° there are no measurements, and the ring at -40° is used at the same azimuth. This is coarser than a model
  of the body: only reflections distinguish a source at -75° from one at -45°.

Fractions of a sample: each response is stored at sixteen shifts of a sixteenth of a sample, computed by Fourier
transform, and shifts in between are blended linearly. Compared with an exact shift, the error is at least 60 dB below
the response, in any direction: 78 dB up to 5 kHz, 54 dB from 10 to 16 kHz.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HEAD_SAMPLE_RATE = 44_100

# Position in a measured response at which sound would arrive at the centre of the head without the head: the mean onset
# of the responses all around, minus the delay of a rigid sphere of radius 8.75 cm (Woodworth), 39.0 samples.
ORIGIN_SAMPLES = 39

_RESPONSES = Path(__file__).parent / "kemar" / "responses.npz"
_LOWEST_RING_DEGREES, _RING_STEP_DEGREES = -40.0, 10.0

# Padding on both sides of a response for the ripple of a fractional shift.
_MARGIN = 32
_SHIFTS = 16

# This many arrivals at a time stay in a core's cache, which halves the time.
_BLOCK = 128

# A response starts where it first reaches this share of its peak; higher shares jump to later peaks behind the head.
_ONSET_SHARE = 0.1

# Directions are compared after rounding to this many decimals of a degree, so that the last bit of a sine does not
# decide between two equally near directions.
_DECIMALS = 9


class Arrival(NamedTuple):
    """A sound that arrives at one ear.

    Attributes:
        response: Index of the head's response.
        delay: Arrival at the centre of the head, in samples.
        gain: Pressure factor.
    """

    response: int
    delay: float
    gain: float


@dataclass(frozen=True, slots=True, eq=False)
class HeadResponses:
    """The responses of the right ear; the left ear uses those of the mirrored directions.

    Attributes:
        bank: float32 (responses, shifts + 1, samples): each response, delayed by each number of sixteenths of a sample.
        onsets: float64 (responses,), onset in samples from the start of the measured response.
        ring_sizes: Number of directions in each ring of elevation, from the lowest up.
    """

    bank: NDArray[np.float32]
    onsets: NDArray[np.float64]
    ring_sizes: tuple[int, ...]

    @classmethod
    def from_responses(cls, responses: NDArray[np.float64], ring_sizes: tuple[int, ...]) -> "HeadResponses":
        """Prepare measured responses.

        Args:
            responses: float64 (n, samples), ring by ring.
            ring_sizes: Number of responses in each ring.
        """
        n_samples = responses.shape[1] + 2 * _MARGIN
        spectra = np.fft.rfft(np.pad(responses, ((0, 0), (_MARGIN, _MARGIN))))
        turns = np.arange(n_samples // 2 + 1) / n_samples
        bank = np.empty((len(responses), _SHIFTS + 1, n_samples), dtype=np.float32)
        for shift in range(_SHIFTS + 1):
            bank[:, shift] = np.fft.irfft(spectra * np.exp(-2j * np.pi * turns * shift / _SHIFTS), n_samples)
        bank.flags.writeable = False
        return cls(bank, _find_onsets(bank), ring_sizes)

    @property
    def reach(self) -> int:
        """Number of samples before its delay at which an arrival may start; an earlier one does not fit."""
        return ORIGIN_SAMPLES + _MARGIN

    def nearest(self, azimuth: NDArray[np.float64], elevation: NDArray[np.float64]) -> NDArray[np.intp]:
        """Return, for directions in degrees, the nearest response of the nearest ring, for the right ear."""
        sizes = np.array(self.ring_sizes)
        begins = np.cumsum(sizes) - sizes
        ring = np.rint(self._ring_position(elevation)).astype(np.intp)
        step = np.rint(np.round(azimuth % 360.0, _DECIMALS) * sizes[ring] / 360.0).astype(np.intp)
        nearest: NDArray[np.intp] = begins[ring] + step % sizes[ring]
        return nearest

    def blend(self, azimuth: float, elevation: float, delay: float, gain: float) -> list[Arrival]:
        """Return the one to four responses that form an arrival at the right ear from a direction in degrees."""
        parts = list(self._around(azimuth, elevation))
        onset = sum(weight * float(self.onsets[response]) for response, weight in parts)
        return [
            Arrival(response, delay + onset - float(self.onsets[response]), weight * gain) for response, weight in parts
        ]

    def add(
        self,
        out: NDArray[np.float64],
        responses: NDArray[np.intp],
        delays: NDArray[np.float64],
        gains: NDArray[np.float64],
    ) -> None:
        """Add arrivals to the signal of one ear.

        Args:
            out: float64 (n,), modified in place; the ends of late responses may be cut.
            responses: Indices of the responses, (m,).
            delays: Arrivals at the centre of the head, in samples; at least `reach`.
            gains: Their factors.
        """
        for first in range(0, len(delays), _BLOCK):
            block = slice(first, first + _BLOCK)
            begins = np.floor(delays[block])
            shift = (delays[block] - begins) * _SHIFTS
            lower = np.minimum(shift.astype(np.intp), _SHIFTS - 1)
            upper_gain = gains[block] * (shift - lower)
            rows = self.bank[responses[block], lower] * (gains[block] - upper_gain)[:, None]
            rows += self.bank[responses[block], lower + 1] * upper_gain[:, None]
            for begin, row in zip((begins.astype(np.intp) - self.reach).tolist(), rows, strict=True):
                span = out[begin : begin + len(row)]
                span += row[: len(span)]

    def _ring_position(self, elevation: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the position of directions between the rings; directions below the lowest ring count as on it."""
        position = np.round((elevation - _LOWEST_RING_DEGREES) / _RING_STEP_DEGREES, _DECIMALS)
        clipped: NDArray[np.float64] = np.clip(position, 0.0, len(self.ring_sizes) - 1.0)
        return clipped

    def _around(self, azimuth: float, elevation: float) -> Iterator[tuple[int, float]]:
        """Yield the responses around a direction with positive weights that add up to 1."""
        position = float(self._ring_position(np.array(elevation)))
        for ring, ring_weight in _neighbours(position):
            begin, size = sum(self.ring_sizes[:ring]), self.ring_sizes[ring]
            for step, weight in _neighbours(round(azimuth % 360.0 * size / 360.0, _DECIMALS)):
                yield begin + step % size, ring_weight * weight


@lru_cache(maxsize=1)
def load_head() -> HeadResponses:
    """Load the measured head: about 28 MB and a fifth of a second, once per process and on demand."""
    with np.load(_RESPONSES, allow_pickle=False) as stored:
        responses = stored["responses"] / 32768.0
        ring_sizes = tuple(int(size) for size in stored["ring_sizes"])
    return HeadResponses.from_responses(responses, ring_sizes)


def _neighbours(position: float) -> Iterator[tuple[int, float]]:
    """Yield the integers around a position with their weights."""
    below = int(position)
    share = position - below
    if share < 1.0:
        yield below, 1.0 - share
    if share > 0.0:
        yield below + 1, share


def _find_onsets(bank: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the onsets of responses; the interleaved shifted copies are sampled sixteen times as finely."""
    onsets = np.empty(len(bank))
    for number, shifted in enumerate(bank):
        fine = np.abs(shifted[_SHIFTS - 1 :: -1].T.ravel())
        # A copy delayed by s sixteenths has, at sample n, the response at n - s / 16: the latest copy comes first.
        first = int(np.argmax(fine >= _ONSET_SHARE * fine.max()))
        onsets[number] = (first - (_SHIFTS - 1)) / _SHIFTS - _MARGIN
    return onsets
