"""Detectable difference: inverse of the published formula, and power by simulation."""

from collections import Counter
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.statistics import (
    Clusters,
    StatisticsError,
    compare,
    correlate_differences,
    detectable_difference,
    detectable_on_board,
)

Z1, Z2 = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)


def needed_items(difference: float, discordance: float) -> float:
    """Return Connor's number of pairs for a difference of paired proportions."""
    return (Z1 * sqrt(discordance) + Z2 * sqrt(discordance - difference**2)) ** 2 / difference**2


def test_detectable_difference_is_2_8_standard_errors() -> None:
    assert detectable_difference(0.01) == pytest.approx(0.01 * (1.959964 + 0.841621), abs=1e-8)
    assert detectable_difference(0.02, level=0.9, power=0.5) == pytest.approx(0.02 * 1.644854, abs=1e-7)
    assert detectable_difference(0) == 0


@given(st.integers(151, 10**6), st.floats(0.01, 1))
def test_detectable_difference_needs_exactly_these_items(n_items: int, discordance: float) -> None:
    difference = detectable_on_board(n_items, n_items, discordance=discordance)
    if difference is None:
        assert needed_items(discordance, discordance) > n_items
    else:
        assert 0 < difference <= discordance
        assert needed_items(difference, discordance) == pytest.approx(n_items, rel=1e-6)


def test_large_board_approaches_the_standard_error_rule() -> None:
    assert detectable_on_board(10**6, 10**6) == pytest.approx(detectable_difference(sqrt(0.5 / 10**6)), rel=1e-3)


def test_perfectly_correlated_clusters_count_as_one_item_each() -> None:
    assert detectable_on_board(1000, 100, correlation=1) == pytest.approx(detectable_on_board(100, 100), rel=0.03)
    assert detectable_on_board(1000, 100) == detectable_on_board(1000, 1000)
    correlated, independent = detectable_on_board(1000, 100, correlation=0.3), detectable_on_board(1000, 100)
    assert correlated is not None
    assert independent is not None
    assert correlated > independent


def test_board_that_is_too_small_has_no_detectable_difference(subtests: pytest.Subtests) -> None:
    for n_items, n_clusters in ((0, 0), (1, 1), (500, 1), (2, 2), (3, 2), (6, 6)):
        with subtests.test(n_items=n_items, n_clusters=n_clusters):
            assert detectable_on_board(n_items, n_clusters) is None


def test_few_items_have_the_promised_power(subtests: pytest.Subtests) -> None:
    rng = np.random.default_rng(7)
    for n in (30, 40, 64, 120):
        difference = detectable_on_board(n, n)
        assert difference is not None
        with subtests.test(n=n):
            shares = [(0.5 + difference) / 2, (0.5 - difference) / 2, 0.5]
            n_detected = 0
            # Most outcomes repeat, and equal outcomes have equal p-values.
            for (won, lost, same), times in Counter(map(tuple, rng.multinomial(n, shares, size=2000).tolist())).items():
                marks = np.repeat([1.0, 0.0, 0.5], [won, lost, same])
                p_value = compare(marks, 1 - marks, np.arange(n)).p_value
                n_detected += times * (p_value is not None and p_value <= 0.05 and won > lost)
            assert n_detected / 2000 == pytest.approx(0.8, abs=0.03)


def test_differences_with_a_shared_part_are_correlated() -> None:
    rng = np.random.default_rng(8)
    clusters = Clusters.of(np.repeat(np.arange(300), 4))
    whole, own = np.repeat(rng.normal(size=(300, 6)), 4, axis=0), rng.normal(size=(1200, 6))
    assert correlate_differences(whole, clusters) == pytest.approx(1)
    assert correlate_differences(own, clusters) == pytest.approx(0, abs=0.06)
    assert correlate_differences(np.sqrt(0.3) * whole + np.sqrt(0.7) * own, clusters) == pytest.approx(0.3, abs=0.06)
    assert correlate_differences(whole[:, :1], clusters) is None
    assert correlate_differences(own, Clusters.of(np.arange(1200))) is None


def test_power_at_the_detectable_difference_is_80_percent() -> None:
    n_items, discordance = 600, 0.3
    difference = detectable_on_board(n_items, n_items, discordance=discordance)
    assert difference is not None
    shares = [(discordance + difference) / 2, (discordance - difference) / 2, 1 - discordance]
    wins, losses, _ = np.random.default_rng(1).multinomial(n_items, shares, size=20_000).T
    assert (np.abs(wins - losses) > Z1 * np.sqrt(wins + losses)).mean() == pytest.approx(0.8, abs=0.02)


def test_invalid_board_size_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, float], str]] = [
        ({"n_items": 3, "n_clusters": 4}, "4 clusters for 3 items"),
        ({"n_items": 3, "n_clusters": -1}, "-1 clusters"),
        ({"n_items": 3, "n_clusters": 3, "discordance": 0}, "Discordance 0 and"),
        ({"n_items": 3, "n_clusters": 3, "correlation": 1.5}, "correlation 1.5"),
    ]
    for arguments, message in rows:
        with subtests.test(arguments=arguments, message=message), pytest.raises(StatisticsError, match=message):
            detectable_on_board(**arguments)  # type: ignore[arg-type]


def test_invalid_standard_error_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, float], str]] = [
        ({"standard_error": -0.1}, "standard error is -0.1"),
        ({"standard_error": float("nan")}, "standard error is nan"),
        ({"standard_error": 0.1, "level": 1.0}, "Level 1.0"),
        ({"standard_error": 0.1, "power": 0.4}, "power 0.4"),
    ]
    for arguments, message in rows:
        with subtests.test(arguments=arguments, message=message), pytest.raises(StatisticsError, match=message):
            detectable_difference(**arguments)
