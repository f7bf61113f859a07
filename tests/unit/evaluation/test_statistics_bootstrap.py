"""Cluster bootstrap: closed forms, plain loops, the same bytes whatever the blocks, and coverage."""

import doctest
import importlib
import pkgutil
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

import evaluation.statistics
from evaluation.statistics import Resampling, StatisticsError, bootstrap, standings
from evaluation.statistics.bootstrap import UNIT, interval_of

MODULES = [module.name for module in pkgutil.iter_modules(evaluation.statistics.__path__, "evaluation.statistics.")]
WITHOUT_EXAMPLES = {"evaluation.statistics.errors"}
FIGURES = ("value", "low", "high", "rank_low", "rank_high")


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def random_board(
    n_items: int = 60, n_systems: int = 7, n_clusters: int = 25, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return outcomes in thirds, and clusters of uneven sizes."""
    rng = generator(seed)
    clusters = np.concatenate([np.arange(n_clusters), rng.integers(n_clusters, size=n_items - n_clusters)])
    return rng.integers(4, size=(n_items, n_systems)) / 3, rng.permutation(clusters) * 10


def plain_means(
    column: NDArray[np.float64], clusters: NDArray[np.int64], counts: NDArray[np.integer]
) -> list[Fraction]:
    """Return the mean of every resample, by putting its items together one by one, in exact arithmetic."""
    labels = sorted(set(clusters.tolist()))
    members = [[Fraction(x).limit_denominator(60) for x in column[clusters == label].tolist()] for label in labels]
    means = []
    for row in counts.tolist():
        drawn = [x for times, items in zip(row, members, strict=True) for x in items * times]
        means.append(sum(drawn, Fraction(0)) / len(drawn))
    return means


def test_doctest_of_statistics_holds(subtests: pytest.Subtests) -> None:
    for name in MODULES:
        with subtests.test(name=name):
            result = doctest.testmod(importlib.import_module(name))
            assert result.failed == 0
            assert result.attempted > 0 or name in WITHOUT_EXAMPLES


def test_exports_of_statistics_are_the_pinned_ones() -> None:
    pinned = """Board Comparison Estimator Figure HarmonicMeanOf ItemMean ItemScores MeanOf Resampling Scores Standings
        StatisticsError adjust_p_values compare compare_figures compare_on count_independent_items detectable_difference
        detectable_on_board list_item_means standings wilson_interval"""
    assert evaluation.statistics.__all__ == sorted(pinned.split())


def test_resample_draws_as_many_clusters_as_there_are() -> None:
    drawn = Resampling.draw([5, 5, 5, -2, 9, 9], 500, generator())
    assert drawn.sizes.tolist() == [1, 3, 2], "in the order of the labels"
    assert (drawn.counts.sum(axis=1) == 3).all()
    assert (drawn.weights == drawn.counts @ np.array([1, 3, 2])).all()


def test_draws_of_three_clusters_are_equally_likely() -> None:
    drawn = Resampling.draw([0, 1, 2], 27_000, generator())
    seen = Counter(map(tuple, drawn.counts.tolist()))
    expected = Counter(tuple(row.count(n) for n in range(3)) for row in product(range(3), repeat=3))
    chi_square = sum((seen[row] - 1000 * n) ** 2 / (1000 * n) for row, n in expected.items())
    assert set(seen) == set(expected)
    assert chi_square < 27.9, "99.9 % of chi-square with 9 degrees of freedom"


def test_standard_error_of_a_share_is_the_binomial_one() -> None:
    outcomes = (np.arange(400) < 120).astype(np.float32)[:, None]
    drawn = Resampling.draw(np.arange(400), 20_000, generator())
    means = drawn.resample(drawn.sum_clusters(outcomes))
    assert means.value.tolist() == [0.3]
    assert means.deviations.std() == pytest.approx(np.sqrt(0.3 * 0.7 / 400), rel=0.02)
    assert means.deviations.mean() == pytest.approx(0, abs=5e-4)


def test_standard_error_of_clusters_is_the_closed_form() -> None:
    # 50 clips with four items each that are all right or all wrong: as good as 50 items.
    outcomes = np.repeat(np.arange(50) % 5 < 2, 4).astype(np.float32)[:, None]
    drawn = Resampling.draw(np.repeat(np.arange(50), 4), 20_000, generator())
    assert drawn.resample(drawn.sum_clusters(outcomes)).deviations.std() == pytest.approx(
        np.sqrt(0.4 * 0.6 / 50), rel=0.02
    )


def test_resampled_means_are_those_of_plain_loops() -> None:
    outcomes, clusters = random_board()
    drawn = Resampling.draw(clusters, 50, generator())
    sums = drawn.sum_clusters(outcomes)
    means, exact = drawn.resample(sums), drawn.resample_exactly(sums)
    for system in range(outcomes.shape[1]):
        expected = np.array(list(map(float, plain_means(outcomes[:, system], clusters, drawn.counts))))
        np.testing.assert_allclose(exact[system], expected, rtol=0, atol=1e-12)
        np.testing.assert_allclose(means.value[system] + means.deviations[system], expected, rtol=0, atol=1e-7)
        assert means.value[system] == pytest.approx(outcomes[:, system].mean(), abs=1e-12)


def test_float32_product_is_exact_on_the_grid_and_close_off_it() -> None:
    rng = generator()
    drawn = Resampling.draw(np.arange(500), 2000, rng)
    for outcomes, worst in ((rng.integers(11, size=(500, 9)) / 10, 1e-7), (rng.random((500, 9)), 2e-5)):
        sums = drawn.sum_clusters(outcomes)
        means, exact = drawn.resample(sums), drawn.resample_exactly(sums)
        error = np.abs(means.value[:, None] + means.deviations - exact).max()
        assert error < worst
        assert error < 2e-3 * exact.std()
        low, high = interval_of(exact)
        near_low, near_high = interval_of(means.deviations)
        np.testing.assert_allclose(means.value + near_low, low, atol=worst)
        np.testing.assert_allclose(means.value + near_high, high, atol=worst)


def test_board_beyond_float32_is_resampled_in_float64() -> None:
    clusters = np.repeat(np.arange(100), 5000)
    outcomes = (np.arange(500_000) % 7 == 0).astype(np.float32)[:, None]
    drawn = Resampling.draw(clusters, 40, generator())
    sums = drawn.sum_clusters(outcomes)
    means = drawn.resample(sums)
    np.testing.assert_allclose(means.value[:, None] + means.deviations, drawn.resample_exactly(sums), atol=1e-9)


def test_same_seed_gives_the_same_bytes_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes, clusters = random_board()
    one = standings(outcomes, clusters, resamples=500, rng=generator(7))
    for name, size in (("_DRAW_ROWS", 7), ("_PRODUCT_ROWS", 33), ("_SUM_COLUMNS", 2)):
        monkeypatch.setattr(bootstrap, name, size)
    other = standings(np.asfortranarray(outcomes), clusters, resamples=500, rng=generator(7))
    assert all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in FIGURES)
    different = standings(outcomes, clusters, resamples=500, rng=generator(8))
    assert one.value.tobytes() == different.value.tobytes()
    assert one.low.tobytes() != different.low.tobytes()


def test_order_of_items_changes_no_byte() -> None:
    outcomes, clusters = random_board()
    order = generator(3).permutation(len(clusters))
    one = standings(outcomes, clusters, resamples=500, rng=generator())
    other = standings(outcomes[order], clusters[order], resamples=500, rng=generator())
    assert all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in FIGURES)


def test_another_system_changes_no_byte_of_the_others() -> None:
    outcomes, clusters = random_board(n_items=300, n_systems=40, n_clusters=200)
    whole = standings(outcomes, clusters, resamples=500, rng=generator())
    for systems in ([0], [3, 11], list(range(39))):
        part = standings(outcomes[:, systems], clusters, resamples=500, rng=generator())
        for name in ("value", "low", "high"):
            assert getattr(part, name).tobytes() == getattr(whole, name)[systems].tobytes()


def test_shifted_outcomes_shift_the_interval() -> None:
    outcomes, clusters = random_board()
    one = standings(outcomes / 2, clusters, resamples=500, rng=generator())
    other = standings(outcomes / 2 + 0.25, clusters, resamples=500, rng=generator())
    for name in ("value", "low", "high"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name) + 0.25, atol=1e-7)


def test_interval_is_made_of_order_statistics() -> None:
    row = generator().permutation(9999).astype(np.float64)
    assert [end.tolist() for end in interval_of(row[None])] == [[249.0], [9749.0]]


def test_system_without_variance_has_an_interval_of_one_point() -> None:
    board = standings(np.tile([1.0, 0.0, 0.5], (9, 1)), [1, 1, 2, 2, 2, 3, 4, 5, 6], resamples=99, rng=generator())
    assert board.value.tolist() == board.low.tolist() == board.high.tolist() == [1.0, 0.0, 0.5]


def test_empty_board_has_no_figures() -> None:
    board = standings(np.zeros((0, 2)), [], resamples=99, rng=generator())
    assert all(np.isnan(getattr(board, name)).all() for name in ("value", "low", "high"))
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([1, 1], [2, 2])
    assert (board.n_items, board.n_clusters, board.critical) == (0, 0, None)
    assert standings(np.zeros((4, 0)), [1, 2, 3, 4], resamples=99, rng=generator()).value.shape == (0,)


def test_one_cluster_has_a_value_and_no_interval() -> None:
    board = standings([[1, 0], [1, 1]], [4, 4], resamples=99, rng=generator())
    assert board.value.tolist() == [1.0, 0.5]
    assert np.isnan(board.low).all()
    assert np.isnan(board.high).all()
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([1, 1], [2, 2])


def test_unusable_board_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[object, object, int, str]] = [
        (np.zeros((3, 2)), [1, 2], 99, r"shape \(3, 2\); 2 items need \(2, systems\)"),
        (np.zeros(3), [1, 2, 3], 99, r"shape \(3,\)"),
        (np.zeros((2, 1)), [0.5, 1.5], 99, "Clusters are float64; give one whole number an item"),
        (np.zeros((2, 1)), [[1, 2]], 99, r"Clusters have the shape \(1, 2\)"),
        (np.zeros((2, 1)), [1, 2], 39, "39 resamples are too few; a 95 % interval needs 40 or more"),
        ([[0.5], [1.5]], [1, 2], 99, r"lie in \[0.5, 1.5\]; give fractions"),
        ([[0.5], [-1.0]], [1, 2], 99, r"lie in \[-1, 0.5\]"),
        ([[np.nan, 0.0, np.nan], [np.nan, 0.0, 1.0]], [1, 2], 99, r"columns 0 \(2 items\), 2 \(1 items\), of 2 items"),
        (np.full((1, 8), np.nan), [1], 99, r"4 \(1 items\) and 3 more"),
    ]
    for outcomes, clusters, resamples, message in rows:
        with (
            subtests.test(outcomes=outcomes, clusters=clusters, resamples=resamples, message=message),
            pytest.raises(StatisticsError, match=message),
        ):
            standings(outcomes, clusters, resamples=resamples, rng=generator())  # type: ignore[arg-type]


def coverage(outcomes: NDArray[np.float32], clusters: NDArray[np.int64], truth: float) -> float:
    """Return the share of systems, one a column, whose interval holds the truth."""
    drawn = Resampling.draw(clusters, 4000, generator())
    means = drawn.resample(drawn.sum_clusters(outcomes))
    low, high = interval_of(means.deviations)
    return float(((means.value + low <= truth) & (truth <= means.value + high)).mean())


@pytest.fixture
def n_systems(soak: bool) -> int:
    """How many intervals coverage is counted over; its standard error is 0.3 % of 4,000, 0.7 % of 1,000."""
    return 4000 if soak else 1000


def test_interval_of_independent_items_covers_95_percent(n_systems: int) -> None:
    outcomes = (generator(11).random((400, n_systems)) < 0.7).astype(np.float32)
    assert coverage(outcomes, np.arange(400), 0.7) == pytest.approx(0.95, abs=0.015 if n_systems == 4000 else 0.02)


def test_interval_of_uneven_clusters_covers_95_percent_and_only_with_clusters(n_systems: int) -> None:
    rng = generator(12)
    clusters = np.repeat(np.arange(150), rng.integers(1, 6, size=150))
    rates = rng.beta(2, 2, size=(150, n_systems))
    outcomes = (rng.random((len(clusters), n_systems)) < rates[clusters]).astype(np.float32)
    assert coverage(outcomes, clusters, 0.5) == pytest.approx(0.95, abs=0.015 if n_systems == 4000 else 0.02)
    assert coverage(outcomes, np.arange(len(clusters)), 0.5) < 0.92, "items of one clip are not independent"


def test_unit_holds_halves_to_tenths() -> None:
    assert all(UNIT % n == 0 for n in range(2, 11))
