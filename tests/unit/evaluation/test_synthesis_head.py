import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import evaluation.synthesis.head
from evaluation.synthesis.head import HEAD_SAMPLE_RATE, ORIGIN_SAMPLES, HeadResponses, load_head

RADIUS_SAMPLES = 0.0875 / 343.0 * HEAD_SAMPLE_RATE
RIM = 512

Rings = dict[int, NDArray[np.float64]]


@pytest.fixture(scope="module")
def measured() -> Rings:
    """Responses of the right ear, by elevation and clockwise azimuth."""
    with np.load(Path(evaluation.synthesis.head.__file__).parent / "kemar" / "responses.npz") as stored:
        sizes, responses = stored["ring_sizes"], stored["responses"]
    assert responses.dtype == np.int16
    assert responses.shape == (710, 512)
    rings = np.split(responses / 32768, np.cumsum(sizes)[:-1])
    return {10 * number - 40: ring for number, ring in enumerate(rings)}


def hear(head: HeadResponses, azimuth: float, elevation: float, delay: float = 200.0) -> NDArray[np.float64]:
    """Return an impulse from a direction as the left and the right ear hear it."""
    responses = np.zeros((2, 1200))
    for ear, side in enumerate((-1, 1)):
        head.add(
            responses[ear],
            *(np.array(column) for column in zip(*head.blend(side * azimuth, elevation, delay, 1.0), strict=True)),
        )
    return responses


def lag(later: NDArray[np.float64], earlier: NDArray[np.float64]) -> float:
    """Return the delay between two sounds in samples, to a sixteenth."""
    n = 4096
    product = np.fft.rfft(later, n) * np.conj(np.fft.rfft(earlier, n))
    peak = int(np.argmax(np.fft.irfft(product, 16 * n)))
    return (peak - 16 * n if peak > 8 * n else peak) / 16


def shift_exactly(response: NDArray[np.float64], samples: float, n: int = 4096) -> NDArray[np.float64]:
    turns = np.fft.rfftfreq(n)
    return np.fft.irfft(np.fft.rfft(response, n) * np.exp(-2j * np.pi * turns * samples), n)


def error_db(actual: NDArray[np.float64], expected: NDArray[np.float64]) -> float:
    return 10 * math.log10(np.sum((actual - expected) ** 2) / np.sum(expected**2))


def test_measured_direction_gives_the_measured_responses_and_time_difference(
    measured: Rings, subtests: pytest.Subtests
) -> None:
    for elevation in (-20, 0, 30, 60):
        for azimuth in range(0, 360, 30):
            with subtests.test(azimuth=azimuth, elevation=elevation):
                ring = measured[elevation]
                step = azimuth * len(ring) // 360
                left, right = hear(load_head(), azimuth, elevation)
                begin = 200 - ORIGIN_SAMPLES
                assert right[begin : begin + RIM] == pytest.approx(ring[step], abs=1e-6)
                assert left[begin : begin + RIM] == pytest.approx(ring[-step], abs=1e-6)
                assert lag(left, right) == lag(ring[-step], ring[step])


def test_interaural_time_is_that_of_a_sphere(subtests: pytest.Subtests) -> None:
    for azimuth in range(0, 91, 15):
        with subtests.test(azimuth=azimuth):
            head = load_head()
            right, left = (head.onsets[head.nearest(np.array([side * azimuth]), np.array([0]))[0]] for side in (1, -1))
            angle = math.radians(azimuth)
            assert left - right == pytest.approx(RADIUS_SAMPLES * (angle + math.sin(angle)), abs=1.7)


def test_sound_from_the_right_reaches_the_right_ear_early_by_the_head_radius() -> None:
    head = load_head()
    onset = head.onsets[head.nearest(np.array([90.0]), np.array([0.0]))[0]]
    assert onset - ORIGIN_SAMPLES == pytest.approx(-RADIUS_SAMPLES, abs=1)


def test_ear_towards_the_source_is_louder_and_earlier(subtests: pytest.Subtests) -> None:
    for azimuth, louder in ((30, 1), (90, 1), (150, 1), (210, 0), (270, 0), (330, 0)):
        with subtests.test(azimuth=azimuth, louder=louder):
            heard = hear(load_head(), azimuth, 0)
            level = 10 * np.log10(np.sum(heard**2, axis=1))
            assert level[louder] > level[1 - louder] + 4
            assert lag(heard[1 - louder], heard[louder]) > 8


def test_mirrored_directions_swap_the_ears() -> None:
    head = load_head()
    assert np.array_equal(hear(head, 77.3, 13.1), hear(head, -77.3, 13.1)[::-1])
    assert np.array_equal(*hear(head, 0, 15)), "straight ahead both ears hear the same"


def test_blend_is_closer_to_a_measured_direction_than_its_neighbours_or_their_mean(measured: Rings) -> None:
    ring = measured[0]
    head = HeadResponses.from_responses(ring[::2], (36,))
    errors: dict[str, list[float]] = {"blend": [], "neighbour": [], "mean": []}
    for step in range(1, 72, 2):
        _, right = hear(head, 5.0 * step, 0)
        before, after = ring[step - 1], ring[(step + 1) % 72]
        begin = 200 - ORIGIN_SAMPLES
        errors["blend"].append(error_db(right[begin : begin + RIM], ring[step]))
        errors["neighbour"].append(error_db(before, ring[step]))
        errors["mean"].append(error_db((before + after) / 2, ring[step]))
    typical = {name: np.median(values) for name, values in errors.items()}
    assert typical["blend"] < -25
    assert typical["blend"] < typical["mean"] - 15
    assert typical["mean"] < typical["neighbour"]


def difference(azimuth: float, elevation: float) -> float:
    """Return the delay of the left ear behind the right one, in samples."""
    head = load_head()
    onsets: list[float] = []
    for side in (-1, 1):
        arrivals = head.blend(side * azimuth, elevation, 0.0, 1.0)
        begins = {round(float(arrival.delay + head.onsets[arrival.response]), 9) for arrival in arrivals}
        assert len(begins) == 1, "all parts begin together"
        onsets += begins
    return onsets[0] - onsets[1]


def test_interaural_time_of_a_blended_elevation_is_between_its_neighbours(subtests: pytest.Subtests) -> None:
    for azimuth in (0, 60, 90, 180):
        for elevation in (-15, 15, 45, 75):
            with subtests.test(elevation=elevation, azimuth=azimuth):
                around = sorted(difference(azimuth, elevation + step) for step in (-5, 5))
                assert around[0] - 1e-9 <= difference(azimuth, elevation) <= around[1] + 1e-9


def test_weights_of_a_blend_add_up_to_the_gain() -> None:
    for azimuth, elevation, n_parts in (
        (33.0, 15.0, 4),
        (30.0, 15.0, 2),
        (33.0, 10.0, 2),
        (30.0, 10.0, 1),
        (0.0, 90.0, 1),
    ):
        parts = load_head().blend(azimuth, elevation, 100.0, 0.5)
        assert len(parts) == n_parts
        assert sum(part.gain for part in parts) == pytest.approx(0.5, abs=1e-12)


def test_direction_below_the_measured_ones_uses_the_lowest_ring() -> None:
    head = load_head()
    for elevation in (-41.0, -45.0, -75.0, -90.0):
        assert np.array_equal(hear(head, 60, elevation), hear(head, 60, -40))


def test_nearest_direction_wraps_around_the_circle() -> None:
    head = load_head()
    azimuths = np.array([359.9, 0.0, -0.1, 362.4, 2.6, 357.4, 719.0])
    offsets = head.nearest(azimuths, np.zeros(7)) - head.nearest(np.zeros(1), np.zeros(1))
    assert offsets.tolist() == [0, 0, 0, 0, 1, 71, 0]
    assert len(set(head.nearest(np.linspace(0, 350, 36), np.full(36, 88.0)).tolist())) == 1, "straight above is one"


def test_fraction_of_a_sample_is_an_exact_delay(measured: Rings) -> None:
    head = load_head()
    rng = np.random.default_rng(3)
    for _ in range(40):
        elevation = int(rng.choice([-40, -10, 0, 40, 90]))
        step = int(rng.integers(len(measured[elevation])))
        delay = 200 + rng.random()
        _, right = hear(head, 360 * step / len(measured[elevation]), elevation, delay)
        expected = shift_exactly(measured[elevation][step], delay - ORIGIN_SAMPLES)
        assert error_db(right, expected[:1200]) < -60


def test_arrival_after_the_end_is_truncated_and_does_not_wrap_around() -> None:
    heard = np.zeros(700)
    load_head().add(heard, np.array([300]), np.array([600.25]), np.array([1.0]))
    whole = np.zeros(2000)
    load_head().add(whole, np.array([300]), np.array([600.25]), np.array([1.0]))
    assert np.array_equal(heard, whole[:700])
    assert not heard[:500].any()
    assert heard[600:].any()
