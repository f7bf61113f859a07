import math

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.synthesis import DRY_SOUNDS, ROOMS, SourcePosition, fits, render_dry, render_in_room
from evaluation.synthesis.head import HEAD_SAMPLE_RATE as RATE
from evaluation.synthesis.head import ORIGIN_SAMPLES, HeadResponses, load_head
from evaluation.synthesis.rooms import GAIN, Images, find_images, render_ears, room_response

LISTENERS = [(room, listener) for room in ROOMS for listener in (0, 1)]
DELAY_PER_METRE = RATE / 343.0


@pytest.fixture(scope="module")
def point_head() -> HeadResponses:
    """Return a head with point ears: sound at the middle of the head is unchanged."""
    impulse = np.zeros((1, 65))
    impulse[0, ORIGIN_SAMPLES] = 1.0
    return HeadResponses.from_responses(impulse, (1,))


def decibels(energy: float) -> float:
    return 10 * math.log10(energy)


def direct_sound(room: str, listener: int, place: SourcePosition, n_samples: int = 90) -> NDArray[np.float64]:
    """Return the beginning of a response, before the first reflection: (ears, samples)."""
    begin = int(place.distance_metres * DELAY_PER_METRE) - 15
    return room_response(room, listener, place)[:, begin : begin + n_samples]


def test_place_is_seen_clockwise_from_straight_ahead_and_upwards() -> None:
    ear = ROOMS["large"].listeners[0]
    for place, offset in (
        (SourcePosition(0, 0, 2), (2, 0, 0)),
        (SourcePosition(90, 0, 2), (0, -2, 0)),
        (SourcePosition(180, 0, 2), (-2, 0, 0)),
        (SourcePosition(270, 0, 2), (0, 2, 0)),
        (SourcePosition(0, 90, 2), (0, 0, 2)),
        (SourcePosition(60, -30, 1), (math.cos(math.pi / 6) / 2, -0.75, -0.5)),
    ):
        assert np.subtract(place.seen_from(ear), ear) == pytest.approx(offset, abs=1e-12)


def test_every_direction_fits_every_room_at_the_documented_distances(subtests: pytest.Subtests) -> None:
    for room, listener in LISTENERS:
        with subtests.test(room=room, listener=listener):
            level = {"small": 1.4, "medium": 2.3, "large": 4.1}[room]
            for azimuth in range(0, 360, 15):
                assert fits(room, listener, SourcePosition(azimuth, 0, level))
                for elevation in (-75, -45, -15, 0, 15, 45, 75):
                    assert fits(room, listener, SourcePosition(azimuth, elevation, 1.0))
                    if room != "small":
                        assert fits(room, listener, SourcePosition(azimuth, elevation, 1.4))


@pytest.mark.parametrize(("listener", "azimuths"), [(0, (0, 330, 300, 270)), (1, (0, 30, 60, 90))])
def test_ten_metres_fit_the_large_room_ahead_and_to_one_side(listener: int, azimuths: tuple[int, ...]) -> None:
    assert all(fits("large", listener, SourcePosition(azimuth, 0, 10.0)) for azimuth in azimuths)
    assert not any(fits(room, 0, SourcePosition(0, 0, 10.0)) for room in ("small", "medium"))


def test_place_at_or_behind_a_wall_does_not_fit() -> None:
    ahead = ROOMS["small"].size.ahead - ROOMS["small"].listeners[0].ahead
    assert fits("small", 0, SourcePosition(0, 0, ahead - 0.11))
    assert not fits("small", 0, SourcePosition(0, 0, ahead - 0.09))
    assert not fits("small", 0, SourcePosition(0, 0, ahead + 1))
    assert not fits("small", 0, SourcePosition(180, 0, 1.6))


def test_source_on_the_right_is_louder_and_earlier_on_the_right(subtests: pytest.Subtests) -> None:
    for room, listener in LISTENERS:
        with subtests.test(room=room, listener=listener):
            for azimuth, near in ((60, 1), (120, 1), (240, 0), (300, 0)):
                response = room_response(room, listener, SourcePosition(azimuth, 0, 1.2))
                level = [decibels(np.sum(ear**2)) for ear in response]
                assert level[near] > level[1 - near] + 2
                first = [np.argmax(np.abs(ear) > 0.1 * np.abs(ear).max()) for ear in response]
                assert first[near] < first[1 - near] - 10


@pytest.mark.parametrize("azimuth", [0, 30, 60])
def test_level_of_the_direct_sound_is_inverse_to_the_distance(azimuth: int) -> None:
    levels = [
        [
            decibels(np.sum(ear**2)) + 20 * math.log10(distance)
            for ear in direct_sound("large", 1, SourcePosition(azimuth, 0, distance))
        ]
        for distance in (1.0, 1.7, 2.0, 3.3, 5.07)
    ]
    assert np.ptp(levels, axis=0).max() < 0.1


def test_direct_sound_arrives_after_the_distance_over_the_speed_of_sound(point_head: HeadResponses) -> None:
    ear = ROOMS["large"].listeners[0]
    for distance in (1.0, 2.345, 4.0, 9.9):
        place = SourcePosition(0, 0, distance)
        heard = render_ears(Images(np.array([place.seen_from(ear)]), np.array([0])), ear, place, point_head)
        assert np.argmax(heard[0]) == pytest.approx(distance * DELAY_PER_METRE, abs=1)
        assert heard[0].sum() == pytest.approx(GAIN / distance, rel=1e-3)


def test_near_ear_hears_a_lateral_source_earlier_by_the_radius_of_the_head() -> None:
    ear = room_response("medium", 0, SourcePosition(90, 0, 2.0))[1]
    first = np.argmax(np.abs(ear) > 0.1 * np.abs(ear).max())
    assert first == pytest.approx((2.0 - 0.0875) * DELAY_PER_METRE, abs=1.5)


def test_level_falls_with_every_metre() -> None:
    for listener in (0, 1):
        levels = [
            decibels(np.sum(room_response("large", listener, SourcePosition(0, 0, metres)) ** 2))
            for metres in range(1, 9)
        ]
        assert np.all(np.diff(levels) < -0.3)
        assert levels[0] - levels[-1] < 20 * math.log10(8) - 5, "reflections fill in"


def test_reflections_after_80_milliseconds_are_halved_and_earlier_ones_unchanged(point_head: HeadResponses) -> None:
    ear = ROOMS["large"].listeners[0]
    place = SourcePosition(0, 0, 2.0)
    images = find_images(ROOMS["large"].size, place.seen_from(ear))
    distances = np.linalg.norm(images.points - np.array(ear), axis=1)
    last_early = (2.0 / 343.0 + 0.08) * 343.0
    for index in np.flatnonzero(images.orders)[::50]:
        alone = Images(images.points[[index]], images.orders[[index]])
        with_direct = render_ears(alone, ear, place, point_head)
        without = render_ears(Images(alone.points[:0], alone.orders[:0]), ear, place, point_head)
        expected = GAIN * 0.75 ** (alone.orders[0] / 2) / distances[index]
        factor = 1.0 if distances[index] <= last_early else 0.5
        assert (with_direct - without)[0].sum() == pytest.approx(factor * expected, rel=1e-3)
    assert np.any(distances <= last_early)
    assert np.any(distances > last_early)


def test_image_is_heard_through_the_response_to_its_direction() -> None:
    ear, head = ROOMS["large"].listeners[0], load_head()
    direct = SourcePosition(0, 0, 2.0)
    no_images = Images(np.empty((0, 3)), np.empty(0, dtype=np.intp))
    for place in (SourcePosition(50, 30, 3.0), SourcePosition(300, -30, 2.5), SourcePosition(180, 60, 4.0)):
        image = Images(np.array([place.seen_from(ear)]), np.array([1]))
        heard = render_ears(image, ear, direct, head) - render_ears(no_images, ear, direct, head)
        for samples, side in zip(heard, (-1, 1), strict=True):
            response = head.nearest(np.array([side * place.azimuth_degrees]), np.array([place.elevation_degrees]))
            expected = np.zeros_like(samples)
            gain = GAIN * math.sqrt(0.75) / place.distance_metres
            head.add(expected, response, np.array([place.distance_metres * DELAY_PER_METRE]), np.array([gain]))
            assert samples == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("room", ROOMS)
def test_reverberation_time_of_many_reflections_is_between_eyrings_and_sabines(room: str) -> None:
    hall = ROOMS[room]
    ear = hall.listeners[0]
    images = find_images(hall.size, SourcePosition(40, 10, 1.2).seen_from(ear), highest_order=40)
    distances = np.linalg.norm(images.points - np.array(ear), axis=1)
    heard, edges = np.histogram(
        distances / 343.0, np.arange(0, 40 * min(hall.size) / 343.0, 0.001), weights=0.75**images.orders / distances**2
    )
    decay = 10 * np.log10(np.cumsum(heard[::-1])[::-1] / heard.sum())
    in_range = (decay <= -5) & (decay >= -25)
    seconds = -60 / np.polyfit(edges[:-1][in_range], decay[in_range], 1)[0]
    length, width, height = hall.size
    volume, surface = length * width * height, 2 * (length * width + length * height + width * height)
    eyring, sabine = (0.161 * volume / (surface * absorption) for absorption in (-math.log(0.75), 0.25))
    assert 0.95 * eyring < seconds < 1.1 * sabine


def test_longest_response_ends_before_its_array() -> None:
    for room, listener in LISTENERS:
        response = room_response(room, listener, SourcePosition(180, 0, 1.0))
        assert response.shape == (2, 29_106)
        assert not response[:, -100:].any()
    far = find_images(ROOMS["large"].size, SourcePosition(0, 0, 10.0).seen_from(ROOMS["large"].listeners[0]))
    distances = np.linalg.norm(far.points - np.array(ROOMS["large"].listeners[0]), axis=1)
    assert distances.max() * DELAY_PER_METRE + 545 < 29_106


def test_rendered_clip_is_the_dry_sound_through_the_response() -> None:
    dry = np.random.default_rng(1).uniform(-1, 1, 300)
    place = SourcePosition(120, -15, 1.3)
    heard = render_in_room(dry, "small", 1, place)
    assert heard.shape == (300 + 29_106, 2)
    assert heard.dtype == np.float64
    for ear, response in enumerate(room_response("small", 1, place)):
        assert heard[:-1, ear] == pytest.approx(np.convolve(dry, response), abs=1e-12)
        assert abs(heard[-1, ear]) < 1e-12


@pytest.mark.parametrize("name", DRY_SOUNDS)
def test_loudest_places_of_every_dry_sound_stay_within_full_scale(name: str, soak: bool) -> None:
    rng = np.random.default_rng(11)
    dry = render_dry(name, 1.0, rng)
    peaks = [
        np.abs(render_in_room(dry, room, listener, SourcePosition(azimuth, elevation, 1.0))).max()
        # In the suite, the listeners take turns.
        for room, listener in (LISTENERS[:4] if soak else [LISTENERS[list(DRY_SOUNDS).index(name) % 4]])
        for azimuth, elevation in ((60, 0), (300, 0), (60, -45), (300, 45), (300, -75))
    ]
    assert 0.2 < max(peaks) < 0.8


def test_place_out_of_bounds_is_refused(subtests: pytest.Subtests) -> None:
    rows = [
        ((math.nan, 0, 1), "finite angles"),
        ((0, math.inf, 1), "finite angles"),
        ((0, 91, 1), "elevation"),
        ((0, 0, 0.99), "at least 1 m"),
        ((0, 0, math.nan), "at least 1 m"),
    ]
    for values, message in rows:
        with subtests.test(values=values, message=message), pytest.raises(ValueError, match=message):
            SourcePosition(*values)


def test_source_outside_the_rooms_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, int, SourcePosition, str]] = [
        ("hall", 0, SourcePosition(0, 0, 1), "small, medium, large"),
        ("small", 2, SourcePosition(0, 0, 1), "listeners 0 to 1, got 2"),
        ("small", -1, SourcePosition(0, 0, 1), "listeners 0 to 1, got -1"),
        ("small", 0, SourcePosition(0, 0, 10), r"11.62, 1.57, 1.50 m is not inside the small room of 4 × 3.5 × 2.8 m"),
    ]
    for room, listener, place, message in rows:
        with subtests.test(message), pytest.raises(ValueError, match=message):
            render_in_room(np.zeros(10), room, listener, place)


def test_source_that_is_not_mono_audio_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[tuple[NDArray[np.float64], str]] = [
        (np.zeros((10, 2)), "mono"),
        (np.zeros(0), "not empty"),
        (np.array([0.0, 1.1]), "within"),
        (np.array([np.nan]), "finite"),
    ]
    for dry, message in rows:
        with subtests.test(dry=dry, message=message), pytest.raises(ValueError, match=message):
            render_in_room(dry, "small", 0, SourcePosition(0, 0, 1))


def test_cached_response_is_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        room_response("small", 0, SourcePosition(0, 0, 1))[0, 0] = 1.0
