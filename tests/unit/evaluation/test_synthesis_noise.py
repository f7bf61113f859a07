from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.synthesis import POSITIONS, Trajectory, add_noise, render_motion

CLIP, _ = render_motion(Trajectory("W", "NE"), notes=[440.0] * 4, duration_seconds=2.0)


def power(samples: NDArray[np.int_] | NDArray[np.int16]) -> float:
    return float(np.mean(np.square(samples.astype(np.float64))))


def test_add_noise_achieves_the_ratio(subtests: pytest.Subtests) -> None:
    for seed in (0, 1):
        for snr_db in (35.0, 25.0, 15.0, 6.0):
            with subtests.test(snr_db=snr_db, seed=seed):
                noisy = add_noise(CLIP, snr_db, np.random.default_rng(seed))
                noise = noisy.astype(np.int64) - CLIP
                assert noisy.dtype == np.int16
                assert 10 * np.log10(power(CLIP) / power(noise)) == pytest.approx(snr_db, abs=0.1)


def test_added_noise_is_white_gaussian_and_independent_between_channels() -> None:
    noise = (add_noise(CLIP, 15.0, np.random.default_rng(3)).astype(np.int64) - CLIP).astype(np.float64)
    left, right = (noise / noise.std()).T
    assert abs(np.mean(left * right)) < 0.03
    assert abs(np.mean(left[1:] * left[:-1])) < 0.03
    assert np.mean(left**4) == pytest.approx(3.0, abs=0.15)
    assert left.std() == pytest.approx(right.std(), rel=0.03)


def test_add_noise_keeps_its_input_and_depends_on_the_seed() -> None:
    before = CLIP.copy()
    first = add_noise(CLIP, 25.0, np.random.default_rng(5))
    assert np.array_equal(CLIP, before)
    assert np.array_equal(first, add_noise(CLIP, 25.0, np.random.default_rng(5)))
    assert not np.array_equal(first, add_noise(CLIP, 25.0, np.random.default_rng(6)))


def test_add_noise_to_one_channel_keeps_its_shape() -> None:
    assert add_noise(CLIP[:, 0], 15.0, np.random.default_rng(0)).shape == (len(CLIP),)


def test_add_noise_at_15_db_does_not_clip_on_any_path() -> None:
    for number, (start, end) in enumerate((a, b) for a in POSITIONS for b in POSITIONS if a != b):
        clip, _ = render_motion(Trajectory(start, end), notes=[440.0] * 4, duration_seconds=2.0)
        noisy = add_noise(clip, 15.0, np.random.default_rng(number))
        assert np.abs(noisy.astype(np.int64)).max() < 32_767


def test_add_noise_without_a_ratio_or_with_clipping_raises(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Any, float, str]] = [
        (CLIP.astype(np.float64), 15.0, "int16"),
        (np.zeros((10, 2), dtype=np.int16), 15.0, "silent"),
        (CLIP[:0], 15.0, "silent or empty"),
        (CLIP, float("nan"), "finite"),
        (CLIP, float("inf"), "finite"),
        (CLIP, -60.0, "16-bit scale"),
    ]
    for samples, snr_db, message in rows:
        with subtests.test(message), pytest.raises(ValueError, match=message):
            add_noise(samples, snr_db, np.random.default_rng(0))
