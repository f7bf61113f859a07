import math

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.synthesis import DRY_SOUNDS, render_dry

RATE = 44_100


def energy_between(samples: NDArray[np.float64], lowest: float, highest: float, rate: int = RATE) -> float:
    power = np.abs(np.fft.rfft(samples)) ** 2
    frequency = np.fft.rfftfreq(len(samples), 1 / rate)
    return float(power[(frequency >= lowest) & (frequency < highest)].sum() / power.sum())


@pytest.mark.parametrize("name", ["alarm", "applause", "telephone"])
def test_dry_sound_has_its_length_and_a_peak_of_one(name: str) -> None:
    samples = render_dry(name, 1.5, np.random.default_rng(0))
    assert samples.shape == (round(1.5 * RATE),)
    assert samples.dtype == np.float64
    assert np.abs(samples).max() == 1.0
    assert np.abs(samples[[0, -1]]).max() < 1e-3


@pytest.mark.parametrize("name", DRY_SOUNDS)
def test_dry_sound_has_energy_in_every_directional_band(name: str) -> None:
    samples = render_dry(name, 2.0, np.random.default_rng(1))
    for lowest, highest in ((500, 1500), (1500, 4000), (4000, 8000), (8000, 16_000)):
        assert energy_between(samples, lowest, highest) > 0.02


@pytest.mark.parametrize("name", DRY_SOUNDS)
def test_dry_sound_starts_early_and_has_many_onsets(name: str) -> None:
    samples = render_dry(name, 2.0, np.random.default_rng(2))
    frames = np.sqrt(np.mean(samples[:88_000].reshape(-1, 220) ** 2, axis=1))
    assert np.argmax(frames > 0.1 * frames.max()) < 20, "within a tenth of a second"
    rises = (frames[1:] > 1.5 * frames[:-1]) & (frames[1:] > 0.25 * frames.max())
    assert rises.sum() >= 8


def test_dry_sound_depends_only_on_its_stream() -> None:
    for name in DRY_SOUNDS:
        first, again, other = (render_dry(name, 0.5, np.random.default_rng(seed)) for seed in (5, 5, 6))
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


def test_dry_sounds_at_another_rate_stay_within_its_band() -> None:
    for name in ("alarm", "telephone"):
        samples = render_dry(name, 1.0, np.random.default_rng(0), sample_rate=16_000)
        assert len(samples) == 16_000
        assert energy_between(samples, 0, 7500, 16_000) > 0.9


def test_unknown_dry_sound_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="alarm, applause, telephone"):
        render_dry("siren", 1.0, np.random.default_rng(0))


def test_dry_sound_of_invalid_length_is_refused(subtests: pytest.Subtests) -> None:
    for seconds in (0.0, 0.01, -1.0, math.nan, math.inf):
        with subtests.test(seconds=seconds), pytest.raises(ValueError, match="lasts longer"):
            render_dry("alarm", seconds, np.random.default_rng(0))
