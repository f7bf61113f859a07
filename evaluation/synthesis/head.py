"""Head-related responses: the measured ears of a KEMAR dummy head, by direction.

Azimuth is 0° straight ahead and grows clockwise, 90° is right; elevation is 0° at the ears' height and grows upwards.

Responses were measured in rings, 10° apart in elevation from -40° to 90°, with a direction every 5° on the three middle
rings and ever fewer above and below. For what lies between:

* Reflections take the nearest direction of the nearest ring.
* The direct sound is blended from the directions around it, up to four. Before blending, each response is moved so that
  its beginning falls where the blended beginnings fall; blended unmoved, responses that begin at different times would
  smear the time between the ears. In a measured direction this gives the measured response itself.
* Below -40° there are no measurements, and the ring at -40° serves at the same azimuth. This is coarser than a model of
  the body would be: only reflections tell a source at -75° from one at -45°.

Fractions of a sample: each response is kept at sixteen shifts of a sixteenth of a sample, made by its transform, and
what is between two shifts is blended linearly. Against an exact shift the error is 60 dB below the response or better,
in any direction: 78 dB up to 5 kHz, 54 dB from 10 to 16 kHz.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HEAD_SAMPLE_RATE = 44_100

# Where in a measured response sound would arrive at the middle of the head if the head were not there: the beginnings
# of the responses all around, less what a rigid sphere of radius 8.75 cm adds (Woodworth), average 39.0 samples.
ORIGIN_SAMPLES = 39

_RESPONSES = Path(__file__).parent / "kemar" / "responses.npz"
_LOWEST_RING_DEGREES, _RING_STEP_DEGREES = -40.0, 10.0

# Room on both sides of a response for the ripple of a fractional shift.
_MARGIN = 32
_SHIFTS = 16

# So many arrivals at a time stay in a core's cache, which halves the time.
_BLOCK = 128

# A response begins where it first reaches this share of its peak; higher shares jump to later peaks behind the head.
_ONSET_SHARE = 0.1

# Directions are compared after rounding to this many decimals of a degree, so that what lies halfway between two is not
# decided by the last bit of a sine.
_DECIMALS = 9


class Arrival(NamedTuple):
    """Sound that reaches one ear.

    Attributes:
        response: Which response of the head.
        delay: When it is at the middle of the head, in samples.
        gain: Factor of the pressure.
    """

    response: int
    delay: float
    gain: float


@dataclass(frozen=True, slots=True, eq=False)
class HeadResponses:
    """The responses of one ear, the right one; the left ear's are those of the mirrored directions.

    Attributes:
        bank: float32 (responses, shifts + 1, samples): each response, later by each number of sixteenths of a sample.
        onsets: float64 (responses,), where each begins, in samples from the beginning of the measured response.
        ring_sizes: How many directions each ring of elevation has, from the lowest up.
    """

    bank: NDArray[np.float32]
    onsets: NDArray[np.float64]
    ring_sizes: tuple[int, ...]

    @classmethod
    def from_responses(cls, responses: NDArray[np.float64], ring_sizes: tuple[int, ...]) -> "HeadResponses":
        """Prepare measured responses for use.

        Args:
            responses: float64 (n, samples), ring by ring.
            ring_sizes: How many responses each ring has.
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
        """How many samples before its delay an arrival may begin; an earlier one does not fit."""
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
        """Return what makes up one arrival at the right ear from a direction in degrees: one to four responses."""
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
        """Add arrivals to what one ear hears.

        Args:
            out: float64 (n,), added to in place; the ends of late responses may be cut.
            responses: Which responses, (m,).
            delays: When each is at the middle of the head, in samples; no less than `reach`.
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
        """Return where directions lie between the rings; below the lowest they count as on it."""
        position = np.round((elevation - _LOWEST_RING_DEGREES) / _RING_STEP_DEGREES, _DECIMALS)
        clipped: NDArray[np.float64] = np.clip(position, 0.0, len(self.ring_sizes) - 1.0)
        return clipped

    def _around(self, azimuth: float, elevation: float) -> Iterator[tuple[int, float]]:
        """Yield the responses around a direction with weights that add up to 1; none has the weight 0."""
        position = float(self._ring_position(np.array(elevation)))
        for ring, ring_weight in _neighbours(position):
            begin, size = sum(self.ring_sizes[:ring]), self.ring_sizes[ring]
            for step, weight in _neighbours(round(azimuth % 360.0 * size / 360.0, _DECIMALS)):
                yield begin + step % size, ring_weight * weight


@lru_cache(maxsize=1)
def load_head() -> HeadResponses:
    """Load the measured head: about 28 MB and a fifth of a second, once a process and only when it is asked for."""
    with np.load(_RESPONSES, allow_pickle=False) as stored:
        responses = stored["responses"] / 32768.0
        ring_sizes = tuple(int(size) for size in stored["ring_sizes"])
    return HeadResponses.from_responses(responses, ring_sizes)


def _neighbours(position: float) -> Iterator[tuple[int, float]]:
    """Yield the whole numbers around a position with their weights."""
    below = int(position)
    share = position - below
    if share < 1.0:
        yield below, 1.0 - share
    if share > 0.0:
        yield below + 1, share


def _find_onsets(bank: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return where responses begin; the shifted copies, interleaved, are samples sixteen times as fine."""
    onsets = np.empty(len(bank))
    for number, shifted in enumerate(bank):
        fine = np.abs(shifted[_SHIFTS - 1 :: -1].T.ravel())
        # A copy later by s sixteenths shows, at sample n, the response at n - s / 16: the latest copy comes first.
        first = int(np.argmax(fine >= _ONSET_SHARE * fine.max()))
        onsets[number] = (first - (_SHIFTS - 1)) / _SHIFTS - _MARGIN
    return onsets
