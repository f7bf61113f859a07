"""Binaural clips of a static source in one of three rooms.

Each wall reflects 75 % of the incident energy at all frequencies, and every reflection is the sound of a mirrored
source behind the walls. Each image, up to ten reflections, arrives after its distance over the speed of sound,
attenuated in proportion to the distance and by √0.75 per reflection, through the response of the head to its direction.

Source: STAR-Bench, appendix B.2.1. Choices where the paper leaves details open:

* The listener faces along the first axis of the room; ears are 1.5 m above the floor.
* The direct sound is blended between measured directions, reflections use the nearest one (see `head`). The paper reads
  both from a fit of spherical harmonics. Below -40° there are no measurements, and the ring at -40° is used.
* Responses were measured at 1.4 m and are used at all distances, so that only level and reflections reveal the
  distance; sources nearer than 1 m are rejected, because the head has a larger effect there than in these responses.
* The first 80 ms count from the arrival of the direct sound. An image that arrives later is halved as a whole.
* All clips share one gain, so that their levels are comparable: `GAIN`. A gain per batch, as in the paper, would depend
  on the rest of the batch.
* Every clip is longer than its dry sound by the same time, and starts with the travel time of the sound.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.synthesis.head import HEAD_SAMPLE_RATE, HeadResponses, load_head
from evaluation.synthesis.interpolation import fast_length

ROOM_VERSION = "kemar-ism-1"
"""Changes whenever any clip's bytes change; it belongs in the signature of every score on rendered rooms."""

SPEED_OF_SOUND = 343.0
ABSORPTION = 0.25
HIGHEST_ORDER = 10
EARLY_SECONDS = 0.08
LATE_FACTOR = 0.5

NEAREST_METRES = 1.0
CLEARANCE_METRES = 0.1

# The farthest image of the largest room is nearer than 221 m, and the response ends 545 samples after its arrival.
TAIL_SECONDS = 0.66

# With it the dry sounds, 750 of them, 1 m away in all directions in all rooms, peaked at 0.67 of full scale at most.
GAIN = 0.15

_SAMPLES_PER_METRE = HEAD_SAMPLE_RATE / SPEED_OF_SOUND
_TAIL_SAMPLES = round(TAIL_SECONDS * HEAD_SAMPLE_RATE)


class Point(NamedTuple):
    """A point of a room, or its farthest corner, in metres from the corner on the floor, behind the listener, right.

    Attributes:
        ahead: Along the listener's line of sight.
        left: To the listener's left.
        up: Above the floor.
    """

    ahead: float
    left: float
    up: float


@dataclass(frozen=True, slots=True)
class SimulatedRoom:
    """A room with its listener positions."""

    size: Point
    listeners: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """Position of a source, relative to the listener.

    Attributes:
        azimuth_degrees: 0 in front, clockwise, 90 is right.
        elevation_degrees: 0 at ear level, 90 above.
        distance_metres: From the centre of the head.
    """

    azimuth_degrees: float
    elevation_degrees: float
    distance_metres: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.azimuth_degrees) and math.isfinite(self.elevation_degrees)):
            raise ValueError(
                f"a direction is two finite angles, got {self.azimuth_degrees!r}, {self.elevation_degrees!r}"
            )
        if abs(self.elevation_degrees) > 90.0:
            raise ValueError(f"an elevation is from -90° to 90°, got {self.elevation_degrees!r}")
        if not (math.isfinite(self.distance_metres) and self.distance_metres >= NEAREST_METRES):
            raise ValueError(f"a source is at least {NEAREST_METRES:g} m away, got {self.distance_metres!r}")

    def seen_from(self, listener: Point) -> Point:
        """Return the source's point in the room."""
        azimuth, elevation = math.radians(self.azimuth_degrees), math.radians(self.elevation_degrees)
        level = self.distance_metres * math.cos(elevation)
        return Point(
            listener.ahead + level * math.cos(azimuth),
            listener.left - level * math.sin(azimuth),
            listener.up + self.distance_metres * math.sin(elevation),
        )


ROOMS: Mapping[str, SimulatedRoom] = MappingProxyType(
    {
        "small": SimulatedRoom(Point(4.0, 3.5, 2.8), (Point(1.62, 1.57, 1.5), Point(2.34, 1.88, 1.5))),
        "medium": SimulatedRoom(Point(8.0, 6.0, 3.5), (Point(2.61, 2.43, 1.5), Point(4.87, 3.36, 1.5))),
        "large": SimulatedRoom(Point(20.0, 15.0, 8.0), (Point(4.23, 4.58, 1.5), Point(5.41, 10.69, 1.5))),
    }
)
"""The three rooms.

Sources fit all around at any elevation from -75° to 75° up to 1.4 m in every room (the floor is the limit; at -45° up
to 1.9 m), at ear level up to 1.4 m in the small room, 2.3 m in the medium one and 4.1 m in the large one. Sources 10 m
away fit only the large room: for the first listener in front, at the front left and left, for the second in front, at
the front right and right.
"""


class Images(NamedTuple):
    """A source and its mirror images.

    Attributes:
        points: float64 (n, 3), from the same corner as a room's points.
        orders: int (n,), number of reflections; 0 is the source itself.
    """

    points: NDArray[np.float64]
    orders: NDArray[np.intp]


def fits(room: str, listener: int, place: SourcePosition) -> bool:
    """Return whether a source position is inside the room, at least 0.1 m from every wall."""
    hall = ROOMS[room]
    source = place.seen_from(hall.listeners[listener])
    return all(
        CLEARANCE_METRES <= at <= length - CLEARANCE_METRES for at, length in zip(source, hall.size, strict=True)
    )


def render_in_room(dry: NDArray[np.float64], room: str, listener: int, place: SourcePosition) -> NDArray[np.float64]:
    """Render the signals of both ears for a source in a room.

    A pure function: equal arguments give equal samples.

    Args:
        dry: Dry sound at 44.1 kHz, float64 (n,), within ±1.
        room: A key of `ROOMS`.
        listener: Index of the listener position, from 0.
        place: Position of the source.

    Returns:
        float64 (n + 29106, 2), the left ear first. The sounds of `dry` stay within ±1 at all positions; other sounds
        may exceed it, and nothing is clipped here.

    Raises:
        ValueError: The sound is not mono within ±1, or the source would be outside the room.
    """
    dry = np.asarray(dry, dtype=np.float64)
    if dry.ndim != 1 or not len(dry):
        raise ValueError(f"a source is mono and not empty, of shape (n,), got shape {dry.shape}")
    if not np.all(np.abs(dry) <= 1.0):
        raise ValueError("a source must be finite and within ±1; scale it down")
    n_samples = len(dry) + _TAIL_SAMPLES
    length = fast_length(n_samples)
    spectrum = np.fft.rfft(dry, length)
    heard = np.empty((n_samples, 2))
    for ear, response in enumerate(room_response(room, listener, place)):
        heard[:, ear] = np.fft.irfft(spectrum * np.fft.rfft(response, length), length)[:n_samples]
    return heard


# One response is 0.5 MB. Clips of several sounds at one position, or of one pair, are close to each other.
@lru_cache(maxsize=32)
def room_response(room: str, listener: int, place: SourcePosition) -> NDArray[np.float64]:
    """Return the binaural impulse response, float64 (2, 29106), the left ear first.

    Raises:
        ValueError: The room or the listener is unknown, or the source would be outside the room.
    """
    if room not in ROOMS:
        raise ValueError(f"there is no room {room!r}; the rooms are {', '.join(ROOMS)}")
    hall = ROOMS[room]
    if not 0 <= listener < len(hall.listeners):
        raise ValueError(f"the {room} room has listeners 0 to {len(hall.listeners) - 1}, got {listener}")
    if not fits(room, listener, place):
        size = " × ".join(f"{side:g}" for side in hall.size)
        source = ", ".join(f"{at:.2f}" for at in place.seen_from(hall.listeners[listener]))
        raise ValueError(
            f"a source at {source} m is not inside the {room} room of {size} m, {CLEARANCE_METRES:g} m from its walls; "
            "choose a nearer place"
        )
    point = hall.listeners[listener]
    response = render_ears(find_images(hall.size, place.seen_from(point)), point, place, load_head())
    response.flags.writeable = False
    return response


def find_images(size: Point, source: Point, highest_order: int = HIGHEST_ORDER) -> Images:
    """Mirror a source in the walls of a room, and its images in the walls of their rooms, and so on.

    Args:
        size: The room.
        source: Position of the source in it.
        highest_order: Maximum number of reflections.

    Returns:
        The images, including the source: 1,561 up to ten reflections.
    """
    steps = np.arange(-highest_order, highest_order + 1)
    orders = np.abs(steps[:, None, None]) + np.abs(steps[:, None]) + np.abs(steps)
    indices = np.nonzero(orders <= highest_order)
    axes = [
        # Every second room is a mirror image, in which the source is at the same distance from the opposite wall.
        steps[index] * length + np.where(steps[index] % 2, length - at, at)
        for index, length, at in zip(indices, size, source, strict=True)
    ]
    return Images(np.stack(axes, axis=1), orders[indices])


def render_ears(images: Images, listener: Point, place: SourcePosition, head: HeadResponses) -> NDArray[np.float64]:
    """Add the contribution of every image to both ears."""
    x, y, z = (images.points - np.array(listener)).T
    distance = np.sqrt(x * x + y * y + z * z)
    delay = distance * _SAMPLES_PER_METRE
    gain = GAIN * math.sqrt(1.0 - ABSORPTION) ** images.orders / distance
    reflected = images.orders > 0
    direct_delay = place.distance_metres * _SAMPLES_PER_METRE
    gain[delay > direct_delay + EARLY_SECONDS * HEAD_SAMPLE_RATE] *= LATE_FACTOR
    azimuth = np.degrees(np.arctan2(-y, x))
    elevation = np.degrees(np.arcsin(z / distance))
    heard = np.zeros((2, _TAIL_SAMPLES))
    # The head is symmetric: the left ear hears what the right one would from the mirrored direction.
    for ear, side in ((0, -1.0), (1, 1.0)):
        responses = head.nearest(side * azimuth[reflected], elevation[reflected])
        head.add(heard[ear], responses, delay[reflected], gain[reflected])
        parts = head.blend(
            side * place.azimuth_degrees, place.elevation_degrees, direct_delay, GAIN / place.distance_metres
        )
        columns = (np.array(column) for column in zip(*parts, strict=True))
        head.add(heard[ear], *columns)
    return heard
