"""Items about locations: where a source is in a room, and how two locations differ.

* Elevations of 45° and more are above ear level, 15° and −15° at it, −45° and less below it.
* Distances are drawn near whole metres, and never between two categories: 3 m means 2.6 to 2.9, 8 m 7.6 to 7.9, 9 m 8.4
  to 9. The longest fit only the large room; shorter ones are spread over all rooms that are large enough.
* Both clips of a pair use one dry sound, one room and one listener, and differ only in the attribute and in their start
  time.
* Dry sounds, rooms and listeners are assigned at random where a design does not cross them with the answer: with a
  cycle of three sounds and one of two answers, sound and room would reveal the answer.
* Pairs in distance use spots where a source at 10 m fits: in a smaller room they would mostly be the same.
* The arrival time of the direct sound is drawn independently of its distance; otherwise a later start would reveal a
  longer way.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

import numpy as np

from evaluation.benchmarks.star_bench.rendered.planned import SAME, Planned, order_pair
from evaluation.benchmarks.star_bench.rendered.stimuli import EARLIEST_SECONDS, LATEST_SECONDS, InRoom
from evaluation.synthesis.dry import DRY_SOUNDS as DRY
from evaluation.synthesis.rooms import ROOMS, SPEED_OF_SOUND, SourcePosition, fits

_Value = TypeVar("_Value")

AZIMUTHS = (30, 60, 120, 150, 210, 240, 300, 330)
ELEVATIONS = (-75, -45, -15, 15, 45, 75)
AZIMUTH_STEPS = (30, 60, 90, 120, 150, 180)
# Difference → number of pairs, and the lower elevations at which they may start.
ELEVATION_STEPS: Mapping[int, tuple[int, tuple[int, ...]]] = {
    15: (18, (-30, -15, 0, 15, 30, 45)),
    90: (17, (-45, -30, -15)),
    120: (17, (-75, -60, -45)),
    150: (12, (-75,)),
}
DISTANCE_STEPS: Sequence[tuple[tuple[float, float], int]] = (((1, 2), 12), ((4, 5), 12), ((6, 7), 12), ((8, 9), 9))
# Metre → minimum and maximum drawn distance, and number of items.
METRES: Mapping[int, tuple[float, float, int]] = {
    1: (1.0, 1.3, 6),
    2: (1.8, 2.2, 6),
    3: (2.6, 2.9, 6),
    4: (3.8, 4.2, 6),
    5: (4.8, 5.2, 6),
    6: (5.8, 6.2, 6),
    7: (6.8, 7.2, 6),
    8: (7.6, 7.9, 3),
    9: (8.4, 9.0, 3),
    10: (9.5, 10.0, 3),
}
_NEAR_METRES, _FAR_METRES, _FARTHEST_METRES = 3.0, 8.0, 10.0
_USUAL_METRES, _STEEP_METRES = (
    1.2,
    1.0,
)  # Farther away, a source 75° below ear level would be under the floor.
DRY_SOUNDS = tuple(DRY)
_SPOTS = tuple(product(ROOMS, (0, 1)))
_ALL_AZIMUTHS = tuple(range(0, 360, 30))
_PAIRS_PER_STEP = 20
_SAME_DEGREES = _MIN_SLOPE = 45


def plan_azimuth(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield eight angles in three rooms at two spots with two sounds; the answer is the quadrant."""
    crossed = tuple(product(AZIMUTHS, _SPOTS, range(2)))
    for (azimuth, spot, _), source in zip(crossed, _deal(rng, DRY_SOUNDS, len(crossed)), strict=True):
        yield Planned(azimuth // 90, (_in_room(rng, source, spot, SourcePosition(azimuth, 0, _USUAL_METRES)),))


def plan_elevation(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield six elevations in three rooms at two spots with two sounds, each at another azimuth."""
    crossed = tuple(product(ELEVATIONS, _SPOTS, range(2)))
    for (elevation, spot, _), source in zip(crossed, _deal(rng, DRY_SOUNDS, len(crossed)), strict=True):
        place = SourcePosition(int(rng.choice(_ALL_AZIMUTHS)), elevation, _STEEP_METRES)
        yield Planned(_elevation_answer(elevation), (_in_room(rng, source, spot, place),))


def plan_distance(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield distances from 1 to 10 m."""
    ranges = [(nearest, farthest) for nearest, farthest, count in METRES.values() for _ in range(count)]
    for (nearest, farthest), source in zip(ranges, _deal(rng, DRY_SOUNDS, len(ranges)), strict=True):
        metres = float(rng.uniform(nearest, farthest))
        spot, azimuth = _find_spot(rng, metres)
        answer = 0 if metres < _NEAR_METRES else 1 if metres < _FAR_METRES else 2
        yield Planned(answer, (_in_room(rng, source, spot, SourcePosition(azimuth, 0, metres)),))


def plan_azimuth_pairs(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs that are 30° to 180° apart: the same below 45°, different above."""
    for level, step in enumerate(AZIMUTH_STEPS, start=1):
        for number, spot in enumerate(_deal(rng, _SPOTS, _PAIRS_PER_STEP)):
            begin = int(rng.choice(_ALL_AZIMUTHS))
            end = (begin + step * (1 if number % 2 else -1)) % 360
            places = (SourcePosition(begin, 0, _USUAL_METRES), SourcePosition(end, 0, _USUAL_METRES))
            yield Planned(int(step >= _SAME_DEGREES), _pair_in_room(rng, spot, places), level)


def plan_elevation_pairs(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs that differ by 15° to 150° in elevation."""
    for level, (step, (count, lows)) in enumerate(ELEVATION_STEPS.items(), start=1):
        for number, spot in enumerate(_deal(rng, _SPOTS, count)):
            answer = SAME if step < _SAME_DEGREES else number % 2
            low = int(lows[number // 2 % len(lows)])
            azimuth = int(rng.choice(_ALL_AZIMUTHS))
            first, second = order_pair(number % 2, low + step, low)
            places = (SourcePosition(azimuth, first, _STEEP_METRES), SourcePosition(azimuth, second, _STEEP_METRES))
            yield Planned(answer, _pair_in_room(rng, spot, places), level)


def plan_distance_pairs(rng: np.random.Generator) -> Iterator[Planned]:
    """Yield pairs that differ by 1 to 9 m in distance."""
    for level, ((least, most), count) in enumerate(DISTANCE_STEPS, start=1):
        for number in range(count):
            step = float(rng.uniform(least, most))
            near = float(rng.uniform(1, min(_FARTHEST_METRES - step, 5)))
            spot, azimuth = _find_spot(rng, _FARTHEST_METRES)
            answer = SAME if level == 1 else number % 2
            first, second = order_pair(number % 2, near + step, near)
            places = (SourcePosition(azimuth, 0, first), SourcePosition(azimuth, 0, second))
            yield Planned(answer, _pair_in_room(rng, spot, places), level)


def _pair_in_room(
    rng: np.random.Generator, spot: tuple[str, int], places: tuple[SourcePosition, SourcePosition]
) -> tuple[InRoom, InRoom]:
    source = DRY_SOUNDS[int(rng.integers(len(DRY_SOUNDS)))]
    first = _in_room(rng, source, spot, places[0])
    return first, replace(first, place=places[1], lead_seconds=_draw_lead(rng, places[1]))


def _in_room(rng: np.random.Generator, source: str, spot: tuple[str, int], place: SourcePosition) -> InRoom:
    room, listener = spot
    return InRoom(source, rng.bytes(8).hex(), room, listener, place, _draw_lead(rng, place))


def _draw_lead(rng: np.random.Generator, place: SourcePosition) -> float:
    """Draw the arrival time of the direct sound, and return when it must start."""
    return float(rng.uniform(EARLIEST_SECONDS, LATEST_SECONDS)) - place.distance_metres / SPEED_OF_SOUND


def _deal(rng: np.random.Generator, values: Sequence[_Value], count: int) -> list[_Value]:
    """Return `count` values in random order, with frequencies that differ by at most one."""
    mixed = rng.permutation(len(values))
    return [values[int(mixed[place % len(values)])] for place in rng.permutation(count).tolist()]


def _find_spot(rng: np.random.Generator, metres: float) -> tuple[tuple[str, int], int]:
    """Return a room with a listener, and an azimuth at which a source fits."""
    for place in rng.permutation(len(_SPOTS)).tolist():
        room, listener = spot = _SPOTS[place]
        azimuths = [azimuth for azimuth in _ALL_AZIMUTHS if fits(room, listener, SourcePosition(azimuth, 0, metres))]
        if azimuths:
            return spot, int(rng.choice(azimuths))
    raise ValueError(f"no room holds a source at {metres:.1f} m")


def _elevation_answer(elevation: int) -> int:
    if abs(elevation) < _MIN_SLOPE:
        return 2
    return 0 if elevation > 0 else 1
