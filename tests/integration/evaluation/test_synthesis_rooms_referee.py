"""Rooms compared with pyroomacoustics, an independent implementation of the same lattice of images."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyroomacoustics
import pytest
from numpy.typing import NDArray

from evaluation.synthesis import ROOMS, SourcePosition
from evaluation.synthesis.head import HEAD_SAMPLE_RATE as RATE
from evaluation.synthesis.head import ORIGIN_SAMPLES, HeadResponses
from evaluation.synthesis.rooms import Images, find_images

PLACES = {
    "small": SourcePosition(37, 12, 1.2),
    "medium": SourcePosition(233, -40, 1.9),
    "large": SourcePosition(0, 0, 10.0),
}
CASES = [(room, listener) for room in ROOMS for listener in (0, 1)]


@pytest.fixture(scope="module", autouse=True)
def unfiltered() -> Iterator[None]:
    """Disable the simulator's high-pass at 10 Hz, which no wall has."""
    before = pyroomacoustics.constants.get("rir_hpf_enable")
    pyroomacoustics.constants.set("rir_hpf_enable", False)
    yield
    pyroomacoustics.constants.set("rir_hpf_enable", before)


def simulate(room: str, listener: int) -> Any:
    hall = ROOMS[room]
    ear = hall.listeners[listener]
    simulated = pyroomacoustics.ShoeBox(
        list(hall.size), fs=RATE, materials=pyroomacoustics.Material(0.25), max_order=10, air_absorption=False
    )
    simulated.set_sound_speed(343.0)
    simulated.add_source(list(PLACES[room].seen_from(ear)))
    simulated.add_microphone(list(ear))
    return simulated


def our_images(room: str, listener: int) -> tuple[Images, NDArray[np.float64]]:
    ear = ROOMS[room].listeners[listener]
    return find_images(ROOMS[room].size, PLACES[room].seen_from(ear)), np.array(ear)


def test_every_image_has_the_place_order_and_damping_of_the_simulator(subtests: pytest.Subtests) -> None:
    for room, listener in CASES:
        with subtests.test(room=room, listener=listener):
            simulated = simulate(room, listener)
            simulated.image_source_model()
            source = simulated.sources[0]
            images, _ = our_images(room, listener)
            assert images.points.shape == (1561, 3)
            theirs = np.lexsort(np.round(source.images, 3))
            ours = np.lexsort(np.round(images.points.T, 3))
            # The simulator computes in single precision.
            assert images.points[ours] == pytest.approx(source.images[:, theirs].T, abs=3e-5)
            assert np.array_equal(images.orders[ours], source.orders[theirs])
            assert np.sqrt(0.75) ** images.orders[ours] == pytest.approx(source.damping[0, theirs], rel=1e-6)


def test_impulse_response_at_a_point_equals_that_of_the_simulator(subtests: pytest.Subtests) -> None:
    for room, listener in CASES:
        with subtests.test(room=room, listener=listener):
            simulated = simulate(room, listener)
            simulated.compute_rir()
            theirs = simulated.rir[0][0]
            images, ear = our_images(room, listener)
            distances = np.linalg.norm(images.points - ear, axis=1)
            impulse = np.zeros((1, 65))
            impulse[0, ORIGIN_SAMPLES] = 1.0
            ours = np.zeros(len(theirs) + 100)
            delay = pyroomacoustics.constants.get("frac_delay_length") // 2
            HeadResponses.from_responses(impulse, (1,)).add(
                ours,
                np.zeros(len(distances), dtype=np.intp),
                distances * RATE / 343.0 + delay,
                np.sqrt(0.75) ** images.orders / distances,
            )
            spectra = np.fft.rfft([ours[: len(theirs)], theirs])
            frequencies = np.fft.rfftfreq(len(theirs), 1 / RATE)
            for lowest, highest, limit_db in ((0, 1000, -45), (1000, 10_000, -45), (10_000, 16_000, -40)):
                band = (frequencies >= lowest) & (frequencies < highest)
                difference, level = (
                    np.sum(np.abs(spectra[0, band] - spectra[1, band]) ** 2),
                    np.sum(np.abs(spectra[1, band]) ** 2),
                )
                assert 10 * np.log10(difference / level) < limit_db
