"""Scene geometry: positions around the listener, paths between them, and physical constants."""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

RADIUS_METRES = 2.5
_DIAGONAL_METRES = RADIUS_METRES * math.sqrt(0.5)

POSITIONS: dict[str, tuple[float, float]] = {
    "N": (0.0, RADIUS_METRES),
    "NE": (_DIAGONAL_METRES, _DIAGONAL_METRES),
    "E": (RADIUS_METRES, 0.0),
    "SE": (_DIAGONAL_METRES, -_DIAGONAL_METRES),
    "S": (0.0, -RADIUS_METRES),
    "SW": (-_DIAGONAL_METRES, -_DIAGONAL_METRES),
    "W": (-RADIUS_METRES, 0.0),
    "NW": (-_DIAGONAL_METRES, _DIAGONAL_METRES),
}
"""Start and end points of paths: name → (x to the right, y to the front) in metres from the listener at the origin.

The paper counts from a corner of its 6 m square, so its listener stands at (3, 3).
"""


REACH_METRES = 150.0
"""Maximum distance of any path from the listener."""


@dataclass(frozen=True, slots=True)
class StraightPath:
    """A straight path between two points at constant speed, or a fixed position if they are equal.

    Attributes:
        start: (x to the right, y to the front) in metres from the listener.
        end: The other end.
    """

    start: tuple[float, float]
    end: tuple[float, float]

    def __post_init__(self) -> None:
        for point in (self.start, self.end):
            if not math.hypot(*point) <= REACH_METRES:
                raise ValueError(f"a path stays within {REACH_METRES:.0f} m of the listener, got {point!r}")

    @property
    def length_metres(self) -> float:
        """Distance between the ends; divided by the duration it is the speed."""
        return math.dist(self.start, self.end)

    @property
    def reach_metres(self) -> float:
        """Maximum distance of the path from the listener."""
        return max(math.hypot(*self.start), math.hypot(*self.end))

    def locate(self, progress: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return x and y in metres for `progress` from 0 at the start to 1 at the end."""
        (x_start, y_start), (x_end, y_end) = self.start, self.end
        return x_start + (x_end - x_start) * progress, y_start + (y_end - y_start) * progress


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A straight path between two compass positions.

    Attributes:
        start: Name of the first position, a key of `POSITIONS`.
        end: Name of the last position, another key.
    """

    start: str
    end: str

    def __post_init__(self) -> None:
        for name in (self.start, self.end):
            if name not in POSITIONS:
                raise ValueError(f"unknown position {name!r}; a path joins two of {', '.join(POSITIONS)}")
        if self.start == self.end:
            raise ValueError(f"a path joins two different positions, got {self.start!r} twice")

    @property
    def path(self) -> StraightPath:
        """The same path in metres."""
        return StraightPath(POSITIONS[self.start], POSITIONS[self.end])

    @property
    def length_metres(self) -> float:
        """Distance between the ends; divided by the clip's duration it is the speed."""
        return self.path.length_metres


@dataclass(frozen=True, slots=True)
class MotionParameters:
    """Physical parameters of a rendering.

    Attributes:
        sample_rate: Sample rate of the source and of the clip.
        ear_distance_metres: Distance between the two ears, which lie on the x axis.
        speed_of_sound: Metres per second.
        minimum_distance_metres: Smaller distances count as this one.
        front_cutoff_hz: Half-power frequency for a source in front.
        rear_cutoff_hz: Half-power frequency for a source behind.
    """

    sample_rate: int = 16_000
    ear_distance_metres: float = 0.18
    speed_of_sound: float = 343.0
    minimum_distance_metres: float = 0.3
    front_cutoff_hz: float = 8000.0
    rear_cutoff_hz: float = 2000.0

    def __post_init__(self) -> None:
        for parameter in fields(self):
            value = getattr(self, parameter.name)
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"{parameter.name} must be positive and finite, got {value!r}")
        if int(self.sample_rate) != self.sample_rate:
            raise ValueError(f"sample_rate must be a whole number of samples per second, got {self.sample_rate!r}")

    @property
    def samples_per_metre(self) -> float:
        """Travel time of sound in samples per metre."""
        return self.sample_rate / self.speed_of_sound

    @property
    def longest_delay_samples(self) -> float:
        """Upper bound of the travel time from a compass position to an ear, in samples."""
        ear = max(self.ear_distance_metres, self.minimum_distance_metres)
        return (RADIUS_METRES + ear) * self.samples_per_metre

    def distances(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return distances from the origin in metres, at least the minimum."""
        squares = x * x
        squares += y * y
        np.maximum(squares, self.minimum_distance_metres**2, out=squares)
        return np.sqrt(squares, out=squares)
