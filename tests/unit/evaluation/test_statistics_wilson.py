"""Wilson interval at published values."""

import pytest

from evaluation.statistics import StatisticsError, wilson_interval


# Newcombe (1998), Statistics in Medicine 17, table I, method 3.
def test_wilson_interval_equals_the_published_one(subtests: pytest.Subtests) -> None:
    rows: list[tuple[int, int, float, float]] = [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]
    for n_right, n, low, high in rows:
        with subtests.test(n_right=n_right, n=n, low=low, high=high):
            assert wilson_interval(n_right, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_interval_of_the_complement_is_mirrored() -> None:
    low, high = wilson_interval(3, 17)
    assert wilson_interval(14, 17) == pytest.approx((1 - high, 1 - low))
    assert wilson_interval(0, 9)[0] == 0.0
    assert wilson_interval(9, 9)[1] == 1.0


def test_wilson_interval_refuses_impossible_counts(subtests: pytest.Subtests) -> None:
    for n_right, n, level in ((0, 0, 0.95), (-1, 5, 0.95), (6, 5, 0.95), (1, 5, 1.0)):
        with subtests.test(n_right=n_right, n=n, level=level), pytest.raises(StatisticsError):
            wilson_interval(n_right, n, level=level)
