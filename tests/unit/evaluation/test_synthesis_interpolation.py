import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.synthesis.interpolation import fast_length, read_between, spline_coefficients

N_SAMPLES = 16_200
SAMPLE_RATE = 16_000


def test_read_between_the_samples_of_a_sine_returns_the_sine(subtests: pytest.Subtests) -> None:
    for frequency_hz, largest_error_db in ((100, -150), (1000, -130), (3000, -90), (5000, -80), (7000, -70)):
        with subtests.test(frequency_hz=frequency_hz, largest_error_db=largest_error_db):
            # A whole number of periods, because the signal is taken as one period.
            cycles_per_sample = round(frequency_hz * N_SAMPLES / SAMPLE_RATE) / N_SAMPLES
            signal = np.sin(2 * np.pi * cycles_per_sample * np.arange(N_SAMPLES) + 0.3)
            positions = np.random.default_rng(1).uniform(1, N_SAMPLES - 2, 20_000)
            read = read_between(spline_coefficients(np.fft.rfft(signal), N_SAMPLES), positions)
            error = np.abs(read - np.sin(2 * np.pi * cycles_per_sample * positions + 0.3)).max()
            assert 20 * np.log10(error) <= largest_error_db


def test_read_between_the_samples_of_a_constant_returns_the_constant() -> None:
    coefficients = spline_coefficients(np.fft.rfft(np.full(240, 0.25)), 240)
    assert np.allclose(read_between(coefficients, np.linspace(1, 238, 1001)), 0.25, rtol=0, atol=1e-12)


@given(st.integers(1, 200_000))
def test_fast_length_is_even_smooth_and_close(at_least: int) -> None:
    length = fast_length(at_least)
    assert length >= at_least
    assert length % 2 == 0
    assert length <= max(at_least + 1, 1.3 * at_least)  # even, so 3 becomes 4
    for factor in (2, 3, 5):
        while length % factor == 0:
            length //= factor
    assert length == 1


def test_fast_length_is_the_smallest_such_number() -> None:
    smooth = sorted(2 * 2**a * 3**b * 5**c for a in range(12) for b in range(8) for c in range(6))
    assert all(fast_length(n) == next(s for s in smooth if s >= n) for n in range(1, 2000))
