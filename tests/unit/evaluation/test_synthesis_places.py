"""Sources in places: delay, level and pitch follow from the position at which the sound left."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.synthesis import Trajectory, render_motion
from evaluation.synthesis.places import hear_path
from evaluation.synthesis.scene import StraightPath

RATE = 16_000
SPEED_OF_SOUND = 343.0
EAR_X = (-0.09, 0.09)
Point = tuple[float, float]

PLACES: list[Point] = [(2.0, 0.0), (-2.0, 0.0), (0.0, 3.0), (0.0, -3.0), (-1.0, 0.5), (30.0, 40.0), (5.0, -9.0)]


def white(seconds: float) -> NDArray[np.float64]:
    return np.random.default_rng(8).uniform(-0.5, 0.5, round(seconds * RATE))


def sine(hertz: float, seconds: float) -> NDArray[np.float64]:
    return np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)


def distances_to_ears(place: Point) -> NDArray[np.float64]:
    """Return the distances of a place from the left and the right ear."""
    return np.array([np.hypot(place[0] - ear_x, place[1]) for ear_x in EAR_X])


def heard_hertz(samples: NDArray[np.float64], begin: float, seconds: float) -> float:
    """Return the frequency of a tone over some time, from its upward crossings of zero."""
    part = samples[round(begin * RATE) : round((begin + seconds) * RATE)]
    before = np.flatnonzero((part[:-1] < 0) & (part[1:] >= 0))
    crossings = before + part[before] / (part[before] - part[before + 1])
    return float((len(crossings) - 1) / (crossings[-1] - crossings[0]) * RATE)


def test_sound_reaches_each_ear_after_the_delay_of_its_distance(subtests: pytest.Subtests) -> None:
    for place in PLACES:
        with subtests.test(place=place):
            source = white(0.5)
            heard = hear_path(StraightPath(place, place), source)
            for ear, distance in enumerate(distances_to_ears(place)):
                # Zero-padding the correlation's spectrum puts its peak on a grid of 1/16 sample.
                size = 2 ** int(np.ceil(np.log2(len(heard) + len(source))))
                spectrum = np.fft.rfft(heard[:, ear], size) * np.conj(np.fft.rfft(source, size))
                delay = int(np.fft.irfft(spectrum, 16 * size).argmax()) / 16
                assert delay == pytest.approx(distance / SPEED_OF_SOUND * RATE, abs=0.1)


def test_time_difference_of_a_place_is_its_path_difference(subtests: pytest.Subtests) -> None:
    for place in PLACES:
        with subtests.test(place=place):
            left, right = hear_path(StraightPath(place, place), white(0.5)).T
            spectrum = np.fft.rfft(left, 32_768) * np.conj(np.fft.rfft(right, 32_768))
            peak = int(np.fft.irfft(spectrum, 16 * 32_768).argmax())
            measured = (peak if peak < 8 * 32_768 else peak - 16 * 32_768) / 16
            to_left, to_right = distances_to_ears(place)
            assert measured == pytest.approx((to_left - to_right) / SPEED_OF_SOUND * RATE, abs=0.2)


def test_level_of_a_place_is_inverse_to_its_distance(subtests: pytest.Subtests) -> None:
    for place in (*PLACES, (0.09, 0.5), (100.0, 20.0)):
        with subtests.test(place=place):
            heard = hear_path(StraightPath(place, place), sine(200.0, 1.0))
            late = round(0.45 * RATE)
            level_db = 10 * np.log10(2 * np.mean(heard[late : late + 8000] ** 2, axis=0))
            assert level_db == pytest.approx(-20 * np.log10(distances_to_ears(place)), abs=0.1)


def test_source_within_the_minimum_distance_counts_as_at_it() -> None:
    heard = hear_path(StraightPath((0.0, 0.0), (0.0, 0.0)), sine(200.0, 1.0))
    assert np.abs(heard[4000:12_000]).max() == pytest.approx(1 / 0.3, rel=0.01)


def test_tone_that_approaches_an_ear_is_raised_by_c_over_c_minus_v(subtests: pytest.Subtests) -> None:
    for ear in (0, 1):
        for speed in (5.0, 20.0, 60.0):
            with subtests.test(speed=speed, ear=ear):
                near, far = (EAR_X[ear], 1.0), (EAR_X[ear], 1.0 + 2 * speed)
                coming = heard_hertz(hear_path(StraightPath(far, near), sine(1000.0, 2.0))[:, ear], 0.5, 1.0)
                going = heard_hertz(hear_path(StraightPath(near, far), sine(1000.0, 2.0))[:, ear], 0.5, 1.0)
                assert coming / 1000 == pytest.approx(SPEED_OF_SOUND / (SPEED_OF_SOUND - speed), rel=1e-4)
                assert going / 1000 == pytest.approx(SPEED_OF_SOUND / (SPEED_OF_SOUND + speed), rel=1e-4)


def test_passing_tone_falls_from_c_minus_v_to_c_plus_v() -> None:
    speed = 30.0
    heard = hear_path(StraightPath((-120.0, 2.0), (120.0, 2.0)), sine(500.0, 240.0 / speed))
    for ear in (0, 1):
        before, after = heard_hertz(heard[:, ear], 1.0, 0.5), heard_hertz(heard[:, ear], 7.0, 0.5)
        assert before / 500 == pytest.approx(SPEED_OF_SOUND / (SPEED_OF_SOUND - speed), rel=0.002)
        assert after / 500 == pytest.approx(SPEED_OF_SOUND / (SPEED_OF_SOUND + speed), rel=0.002)
        assert heard_hertz(heard[:, ear], 3.995, 0.03) == pytest.approx(500, rel=0.03)


def test_source_at_rest_has_no_doppler_shift(subtests: pytest.Subtests) -> None:
    for place in PLACES:
        with subtests.test(place=place):
            heard = hear_path(StraightPath(place, place), sine(500.0, 1.0))
            steady = heard[4000:14_000]
            # A period of 32 samples: every period equals the one before.
            assert np.abs(steady[32:] - steady[:-32]).max() < 1e-6 * np.abs(steady).max()


def test_source_is_heard_from_its_first_to_its_last_arrival() -> None:
    heard = hear_path(StraightPath((0.0, 34.3), (0.0, 34.3)), np.full(1600, 0.5))
    loud = np.flatnonzero(np.abs(heard[:, 0]) > 0.25 / 34.3)
    assert (loud[0], loud[-1]) == pytest.approx((1600, 3199), abs=1)
    assert np.abs(heard[:1400]).max() < 1e-5


@pytest.mark.parametrize("ends", [((-40.0, 6.0), (40.0, 6.0)), ((0.5, -3.0), (4.0, 9.0))], ids=str)
def test_mirrored_path_swaps_the_ears_exactly(ends: tuple[Point, Point]) -> None:
    (x, y), (x_to, y_to) = ends
    heard = hear_path(StraightPath(*ends), white(1.0))
    mirrored = hear_path(StraightPath((-x, y), (-x_to, y_to)), white(1.0))
    assert np.array_equal(heard, mirrored[:, ::-1])


@pytest.mark.parametrize("ends", [("W", "NE"), ("S", "E"), ("NW", "SW")], ids="-".join)
def test_compass_path_sounds_like_its_clip_within_a_centimetre(ends: tuple[str, str]) -> None:
    trajectory, source = Trajectory(*ends), sine(200.0, 6.0)
    clip, _ = render_motion(trajectory, source=source, duration_seconds=6.0)
    heard = hear_path(trajectory.path, source)[: len(clip)] * (0.7 * 32_767 * 0.3)
    assert np.abs(heard[200:] - clip[200:]).max() < 0.03 * np.abs(clip).max()


def test_source_behind_is_darker_than_one_ahead() -> None:
    tone = sine(4000.0, 0.5)
    ahead, behind = (hear_path(StraightPath((0.0, y), (0.0, y)), tone)[2000:6000, 0] for y in (3.0, -3.0))
    # Of second order: (4/8 kHz)^4 and (4/2 kHz)^4.
    assert np.mean(ahead**2) / np.mean(behind**2) == pytest.approx((1 + 2**4) / (1 + 0.5**4), rel=0.01)


def test_distant_path_fast_source_and_wrong_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="stays within 150 m"):
        StraightPath((0.0, 0.0), (106.1, 106.1))
    with pytest.raises(ValueError, match="stays within 150 m"):
        StraightPath((float("nan"), 0.0), (0.0, 0.0))
    with pytest.raises(ValueError, match="up to 100 m/s, and this one at 200"):
        hear_path(StraightPath((-100.0, 1.0), (100.0, 1.0)), white(1.0))
    for shape in ((0,), (8, 2)):
        with pytest.raises(ValueError, match="mono and has a sample"):
            hear_path(StraightPath((0.0, 1.0), (0.0, 1.0)), np.zeros(shape))
