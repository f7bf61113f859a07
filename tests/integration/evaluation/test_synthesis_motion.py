import hashlib
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import evaluation.synthesis
from evaluation.synthesis import POSITIONS, MotionParameters, Note, Trajectory, add_noise, render_motion
from evaluation.synthesis import motion as motion_module

SAMPLE_RATE = 16_000
SPEED_OF_SOUND = 343.0
EAR_X = {"left": -0.09, "right": 0.09}
CHANNEL = {"left": 0, "right": 1}
MIRRORED = {"N": "N", "NE": "NW", "E": "W", "SE": "SW", "S": "S", "SW": "SE", "W": "E", "NW": "NE"}
ALL_PATHS = [Trajectory(start, end) for start in POSITIONS for end in POSITIONS if start != end]
SCALE_HZ = [262.0, 294.0, 330.0, 349.0, 392.0, 440.0, 494.0]


def ear_distance(
    trajectory: Trajectory, ear: str, seconds: float | NDArray[np.float64], duration_seconds: float
) -> Any:
    """Return metres from the source to an ear, for one moment or for many."""
    (x_start, y_start), (x_end, y_end) = POSITIONS[trajectory.start], POSITIONS[trajectory.end]
    share = seconds / duration_seconds
    x, y = x_start + share * (x_end - x_start), y_start + share * (y_end - y_start)
    return np.maximum(np.hypot(x - EAR_X[ear], y), 0.3)


def sine(frequency_hz: float, duration_seconds: float) -> NDArray[np.float64]:
    samples: NDArray[np.float64] = np.sin(
        2 * np.pi * frequency_hz * np.arange(round(duration_seconds * SAMPLE_RATE)) / SAMPLE_RATE
    )
    return samples


def white(duration_seconds: float) -> NDArray[np.float64]:
    return np.random.default_rng(8).uniform(-0.5, 0.5, round(duration_seconds * SAMPLE_RATE))


def centroid_hz(samples: NDArray[np.int16]) -> float:
    spectrum = np.abs(np.fft.rfft(samples.astype(np.float64), axis=0)) ** 2
    return float((spectrum.sum(axis=1) @ np.fft.rfftfreq(len(samples), 1 / SAMPLE_RATE)) / spectrum.sum())


def test_time_difference_is_the_path_difference_over_the_speed_of_sound(subtests: pytest.Subtests) -> None:
    for centre_seconds in (0.5, 2.0, 3.5):
        for path in (("SE", "NE"), ("N", "E"), ("NW", "SW"), ("SW", "NE"), ("W", "SE")):
            with subtests.test(path=path, centre_seconds=centre_seconds):
                trajectory = Trajectory(*path)
                samples, _ = render_motion(trajectory, source=white(4.0), duration_seconds=4.0)
                centre = round(centre_seconds * SAMPLE_RATE)
                left, right = samples[centre - 1024 : centre + 1024].T.astype(np.float64)
                # Zero-padding the correlation's spectrum puts its peak on a grid of 1/16 sample.
                spectrum = np.fft.rfft(left, 4096) * np.conj(np.fft.rfft(right, 4096))
                correlation = np.fft.irfft(spectrum, 16 * 4096)
                peak = int(correlation.argmax())
                measured = (peak if peak < 8 * 4096 else peak - 16 * 4096) / 16
                longer = ear_distance(trajectory, "left", centre_seconds, 4.0)
                expected = (
                    (longer - ear_distance(trajectory, "right", centre_seconds, 4.0)) / SPEED_OF_SOUND * SAMPLE_RATE
                )
                assert measured == pytest.approx(expected, abs=0.25)


def test_level_falls_as_the_inverse_of_the_distance(subtests: pytest.Subtests) -> None:
    for ear in ("left", "right"):
        for path in (("W", "E"), ("NW", "SE"), ("N", "S"), ("S", "E")):
            with subtests.test(path=path, ear=ear):
                trajectory = Trajectory(*path)
                samples, _ = render_motion(trajectory, source=sine(200.0, 6.0), duration_seconds=6.0)
                # Four periods each, after the sound's first arrival.
                frames = samples[320:-320, CHANNEL[ear]].astype(np.float64).reshape(-1, 320)
                measured_db = 10 * np.log10(2 * np.mean(frames**2, axis=1))
                seconds = (320 + np.arange(frames.size)) / SAMPLE_RATE
                power = np.mean(ear_distance(trajectory, ear, seconds, 6.0).reshape(-1, 320) ** -2.0, axis=1)
                assert measured_db == pytest.approx(10 * np.log10((0.7 * 32_767 * 0.3) ** 2 * power), abs=0.1)


def test_frequency_shifts_with_the_radial_velocity(subtests: pytest.Subtests) -> None:
    for ear in ("left", "right"):
        for path in (("SE", "NE"), ("N", "W"), ("SW", "E"), ("S", "NE")):
            with subtests.test(path=path, ear=ear):
                trajectory, duration_seconds, frequency_hz = Trajectory(*path), 0.25, 1000.0
                samples, _ = render_motion(
                    trajectory, source=sine(frequency_hz, 0.25), duration_seconds=duration_seconds
                )
                heard = samples[300:, CHANNEL[ear]].astype(np.float64)
                before = np.flatnonzero((heard[:-1] < 0) & (heard[1:] >= 0))
                crossings = (300 + before + heard[before] / (heard[before] - heard[before + 1])) / SAMPLE_RATE
                first, last = crossings[:-20], crossings[20:]
                measured_ratio = 20 / (last - first) / frequency_hz
                travelled = ear_distance(trajectory, ear, last, 0.25) - ear_distance(trajectory, ear, first, 0.25)
                assert measured_ratio == pytest.approx(1 - travelled / (last - first) / SPEED_OF_SOUND, abs=3e-4)
                assert np.ptp(measured_ratio) > 0.01


def test_every_path_is_mirrored_exactly_and_never_clips(subtests: pytest.Subtests) -> None:
    for trajectory in ALL_PATHS:
        with subtests.test(trajectory=trajectory):
            options: dict[str, Any] = {"notes": [440.0, 61.7], "duration_seconds": 1.0}
            samples, rate = render_motion(trajectory, **options)
            mirrored, _ = render_motion(Trajectory(MIRRORED[trajectory.start], MIRRORED[trajectory.end]), **options)
            assert rate == SAMPLE_RATE
            assert samples.shape == (16_000, 2)
            assert samples.dtype == np.int16
            assert np.array_equal(samples, mirrored[:, ::-1])
            assert 500 < np.abs(samples.astype(np.int64)).max() <= math.ceil(0.7 * 32_767)


def test_loudest_note_at_the_minimum_distance_stays_within_its_share() -> None:
    # One long note whose strongest part crosses the head: nothing rendered from notes can be louder.
    samples, _ = render_motion(Trajectory("S", "N"), notes=[Note(55.0, 0.0, 1.0)], duration_seconds=1.0)
    peak = np.abs(samples.astype(np.int64)).max()
    assert 0.4 * 32_767 < peak <= 0.7 * 32_767 + 1


@pytest.mark.parametrize("path", [("N", "SE"), ("W", "S"), ("SW", "NE")], ids="-".join)
def test_return_path_has_the_reversed_levels_of_the_outward_path(path: tuple[str, str]) -> None:
    # A constant pressure has no phase to shift, so its samples are the level itself.
    out, _ = render_motion(Trajectory(*path), source=np.full(32_000, 0.5), duration_seconds=2.0)
    back, _ = render_motion(Trajectory(path[1], path[0]), source=np.full(32_000, 0.5), duration_seconds=2.0)
    # The ends differ: the sound takes 7 ms to arrive, and its edges ring for a while.
    inner, inner_reversed = out[4000:-4000], back[:0:-1][3999:-4000]
    assert np.abs(inner.astype(np.int64) - inner_reversed).max() <= 1
    assert np.ptp(inner) > 200


@pytest.mark.parametrize(("ahead", "behind"), [(("NW", "NE"), ("SW", "SE")), (("N", "E"), ("S", "E"))], ids=str)
def test_sound_from_behind_is_darker(ahead: tuple[str, str], behind: tuple[str, str]) -> None:
    bright, _ = render_motion(Trajectory(*ahead), source=white(1.0), duration_seconds=1.0)
    dark, _ = render_motion(Trajectory(*behind), source=white(1.0), duration_seconds=1.0)
    assert centroid_hz(dark) < 0.9 * centroid_hz(bright)


def test_sources_straight_behind_and_ahead_have_the_documented_low_pass(subtests: pytest.Subtests) -> None:
    for frequency_hz in (500.0, 2000.0, 4000.0, 7000.0):
        with subtests.test(frequency_hz=frequency_hz):
            samples, _ = render_motion(Trajectory("S", "N"), source=sine(frequency_hz, 2.0), duration_seconds=2.0)
            for begin, cutoff_hz in ((640, 2000.0), (32_000 - 960, 8000.0)):
                heard = samples[begin : begin + 320, 0].astype(np.float64)
                distance = ear_distance(Trajectory("S", "N"), "left", (begin + 160) / SAMPLE_RATE, 2.0)
                gain = np.sqrt(2 * np.mean(heard**2)) * distance / (0.7 * 32_767 * 0.3)
                assert gain == pytest.approx(1 / math.sqrt(1 + (frequency_hz / cutoff_hz) ** 4), rel=0.02)


def test_source_through_the_head_makes_no_click() -> None:
    # The least smooth path for the direction: straight from behind to ahead, close by.
    samples, _ = render_motion(Trajectory("S", "N"), source=sine(300.0, 6.0), duration_seconds=6.0)
    steepest = 2 * np.pi * 300.0 / SAMPLE_RATE * 0.7 * 32_767
    assert np.abs(np.diff(samples.astype(np.float64), axis=0)).max() < 1.05 * steepest


def test_clip_has_exactly_the_requested_length(subtests: pytest.Subtests) -> None:
    for duration_seconds, rate in ((6.0, 16_000), (3.0, 16_000), (1.23456, 16_000), (0.5, 44_100)):
        with subtests.test(duration_seconds=duration_seconds, rate=rate):
            parameters = MotionParameters(sample_rate=rate)
            samples, returned_rate = render_motion(
                Trajectory("N", "E"), notes=[440.0], duration_seconds=duration_seconds, parameters=parameters
            )
            assert samples.shape == (round(duration_seconds * rate), 2)
            assert returned_rate == rate


def test_frequencies_without_times_are_spread_over_the_clip() -> None:
    timed = render_motion(Trajectory("N", "E"), notes=Note.sequence(SCALE_HZ, 3.0), duration_seconds=3.0)[0]
    assert np.array_equal(timed, render_motion(Trajectory("N", "E"), notes=SCALE_HZ, duration_seconds=3.0)[0])


def test_short_source_is_padded_with_silence_and_long_source_is_truncated() -> None:
    trajectory, source = Trajectory("N", "E"), sine(500.0, 1.0)
    short, _ = render_motion(trajectory, source=source[:8000], duration_seconds=1.0)
    whole, _ = render_motion(trajectory, source=source, duration_seconds=1.0)
    longer, _ = render_motion(trajectory, source=np.concatenate([source, source]), duration_seconds=1.0)
    assert not short[8300:].any()
    assert np.array_equal(whole, longer)


def test_rendering_has_no_side_effects_with_or_without_caches() -> None:
    source = white(1.0)
    before = source.copy()
    first = render_motion(Trajectory("W", "N"), notes=[440.0] * 2, duration_seconds=1.0)[0]
    first[:] = 0  # callers may modify their clip
    second = render_motion(Trajectory("W", "N"), notes=[440.0] * 2, duration_seconds=1.0)[0]
    render_motion(Trajectory("W", "N"), source=source, duration_seconds=1.0)
    motion_module._shade_notes.cache_clear()
    third = render_motion(Trajectory("W", "N"), notes=[440.0] * 2, duration_seconds=1.0)[0]
    assert second.any()
    assert np.array_equal(second, third)
    assert np.array_equal(source, before)


DIGESTS = {
    ("N", "E", 6.0, None): "d640c5b63edeece567d4d1cc5f96487e3b6b1cad6dc84d2ff0cc569e07e1b216",
    ("SW", "NE", 6.0, 15.0): "fa8d3e20bd71399d8d33b122a8892de814f31a4c700e9b7a536195c2e5889fe5",
    ("SE", "W", 3.0, 35.0): "56047ccc2d2fb2ec7b979b67fc1c8befd6af3f24878e4a18de3894bbbb67fe57",
}


@pytest.mark.parametrize(("start", "end", "duration_seconds", "snr_db"), DIGESTS)
def test_clips_have_the_pinned_bytes(start: str, end: str, duration_seconds: float, snr_db: float | None) -> None:
    samples, _ = render_motion(Trajectory(start, end), notes=SCALE_HZ, duration_seconds=duration_seconds)
    if snr_db is not None:
        samples = add_noise(samples, snr_db, np.random.default_rng(2024))
    digest = hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest()
    # A change here changes the benchmark: RENDERER_VERSION must change too.
    assert digest == DIGESTS[start, end, duration_seconds, snr_db]
    assert evaluation.synthesis.RENDERER_VERSION == "1.0"


def test_render_motion_of_invalid_input_raises(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({}, "either notes or a source"),
        ({"notes": [440.0], "source": np.zeros(8)}, "either notes or a source"),
        ({"notes": [440.0, Note(440.0, 0.0, 0.5)]}, "got both"),
        ({"notes": [440.0], "duration_seconds": 0.0}, "duration_seconds"),
        ({"notes": [440.0], "duration_seconds": math.inf}, "duration_seconds"),
        ({"source": np.zeros((8, 2))}, "mono"),
        ({"source": np.full(8, 1.5)}, "within"),
        ({"source": np.full(8, math.nan)}, "within"),
        ({"notes": [Note(440.0, 5.8, 0.5)]}, "after the clip's end"),
    ]
    for options, message in rows:
        with subtests.test(options=options, message=message), pytest.raises(ValueError, match=message):
            render_motion(Trajectory("N", "E"), **options)


def test_render_motion_of_a_source_that_would_clip_raises() -> None:
    # A source that is within ±1 between its samples too fits; signs that add up in the interpolated peak do not.
    steps = np.arange(-4000, 4000)
    source = np.where(steps % 2 == 0, 1.0, -1.0) * np.where(steps >= 0, 1.0, -1.0)
    close = MotionParameters(minimum_distance_metres=4.0)
    with pytest.raises(ValueError, match="scale it down"):
        render_motion(Trajectory("N", "NE"), source=source, duration_seconds=0.5, parameters=close)


def test_threads_render_the_same_clips_as_one_thread() -> None:
    paths = ALL_PATHS[:8]

    def render(trajectory: Trajectory) -> bytes:
        return render_motion(trajectory, notes=[440.0] * 2, duration_seconds=1.0)[0].tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(render, paths)) == [render(trajectory) for trajectory in paths]
