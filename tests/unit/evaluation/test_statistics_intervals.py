"""Intervals: closed forms, identical bytes for any block size, limits, and coverage."""

import doctest
import importlib
import pkgutil
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

import evaluation.statistics
from evaluation.statistics import (
    Clusters,
    ItemMean,
    Resampling,
    StatisticsError,
    has_interval,
    make_intervals,
    standings,
    wilson_interval,
)
from evaluation.statistics.clusters import UNIT
from evaluation.statistics.intervals import NORMAL_QUANTILE, estimate_design_effect, make_wilson, student_quantile

MODULES = [module.name for module in pkgutil.iter_modules(evaluation.statistics.__path__, "evaluation.statistics.")]
WITHOUT_EXAMPLES = {"evaluation.statistics.errors"}
FIELDS = ("value", "low", "high", "rank_low", "rank_high")


def generator(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def random_board(
    n_items: int = 60, n_systems: int = 7, n_clusters: int = 25, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return outcomes in thirds, and clusters of uneven sizes."""
    rng = generator(seed)
    clusters = np.concatenate([np.arange(n_clusters), rng.integers(n_clusters, size=n_items - n_clusters)])
    return rng.integers(4, size=(n_items, n_systems)) / 3, rng.permutation(clusters) * 10


def test_doctests_of_statistics_pass(subtests: pytest.Subtests) -> None:
    for name in MODULES:
        with subtests.test(name=name):
            result = doctest.testmod(importlib.import_module(name))
            assert result.failed == 0
            assert result.attempted > 0 or name in WITHOUT_EXAMPLES


def test_signs_are_balanced_and_follow_from_the_seed() -> None:
    first, second = (Resampling.draw([5, 5, 5, -2, 9, 9], 8000, generator(seed)) for seed in (1, 1))
    assert first.clusters.sizes.tolist() == [1, 3, 2], "in the order of the labels"
    assert set(np.unique(first.signs).tolist()) == {-1, 1}
    assert (first.signs == second.signs).all()
    assert first.salt == second.salt
    assert np.abs(first.signs.mean(axis=0)).max() < 0.05
    assert np.abs(np.corrcoef(first.signs.T) - np.eye(3)).max() < 0.05


def test_sums_with_random_signs_are_exact() -> None:
    shares = generator(2).integers(-100_000, 100_000, size=(9, 150)).astype(np.float64)
    drawn = Resampling.draw(np.arange(200), 300, generator())
    selected = np.arange(25, 175)
    assert (drawn.turn(shares, selected) == shares @ drawn.signs[:, selected].T).all()


def estimate_shares(n_right: list[int], n: int, salt: bytes = b"salt") -> tuple[NDArray[np.float64], ...]:
    """Return shares of n independent items, with their intervals."""
    table = (np.arange(n)[:, None] < np.array(n_right)).astype(np.float64)
    clusters = Clusters.of(np.arange(n))
    return make_intervals(clusters.sum_clusters(table), clusters, salt)


def test_interval_of_many_independent_items_equals_that_of_wilson() -> None:
    n_right = [0, 1, 300, 1500, 2990, 3000]
    _, lows, highs = estimate_shares(n_right, 3000)
    for right, low, high in zip(n_right, lows.tolist(), highs.tolist(), strict=True):
        # The offset is half an item, and slightly more than one item if almost none is right.
        assert (low, high) == pytest.approx(wilson_interval(right, 3000), abs=1.2 / 3000)


def test_interval_of_none_or_all_right_has_a_width() -> None:
    for n in (20, 45, 300):
        value, low, high = estimate_shares([0, n], n)
        assert (value.tolist(), low[0], high[1]) == ([0, 1], 0, 1)
        assert 2 / n < high[0] < 5 / n
        assert 2 / n < 1 - low[1] < 5 / n


def test_interval_contains_its_score_and_stays_within_0_and_1() -> None:
    for salt in (b"1", b"2", b"3", b""):
        value, low, high = estimate_shares(list(range(41)), 40, salt)
        assert ((low <= value) & (value <= high) & (low >= 0) & (high <= 1)).all()
        assert (high - low > 0.05).all()


def test_offset_shifts_an_interval_by_at_most_half_an_item() -> None:
    ends = np.array([estimate_shares([25], 40, bytes([salt]))[1][0] for salt in range(200)])
    assert 0.8 / 40 < np.ptp(ends) <= 1 / 40


def test_identical_items_of_a_cluster_count_as_one() -> None:
    # 120 recordings with four items each that are all right or all wrong: as good as 120 items.
    right = np.arange(120) % 5 < 2
    table, labels = np.repeat(right, 4)[:, None].astype(np.float64), np.repeat(np.arange(120), 4)
    clusters = Clusters.of(labels)
    _, low, high = make_intervals(clusters.sum_clusters(table), clusters, b"")
    half = NORMAL_QUANTILE * sqrt(0.4 * 0.6 / 120)
    assert (low[0], high[0]) == pytest.approx((0.4 - half, 0.4 + half), abs=0.012)


def test_errors_in_few_clusters_widen_the_interval() -> None:
    # Three errors in three of 56 recordings show no scatter, but also little about the correlation of errors.
    right = np.full((3, 56), 12.0)
    right[0, :3] -= 1
    right[1, :30] -= 1
    effect, degrees = estimate_design_effect(right, right.mean(axis=1) / 12, np.full(56, 12))
    assert effect[1] < 1 < effect[0] < effect[2] == pytest.approx(1 + 11 * 0.8)
    assert degrees[2] == 2 < degrees[0] < 10 < degrees[1]


def test_student_quantile_equals_the_tables() -> None:
    quantiles = student_quantile(np.array([3.0, 4, 6, 10, 30, 120, 1e6]))
    assert quantiles == pytest.approx([3.182, 2.776, 2.447, 2.228, 2.042, 1.980, 1.960], rel=0.015)


def test_score_over_few_clusters_has_no_interval() -> None:
    single, several = np.arange(400), np.arange(400) // 4
    first = (np.arange(400) < 80).astype(np.int64)
    ones = np.ones(400, np.int64)
    assert has_interval(ItemMean("x", ones), Clusters.of(single))
    assert has_interval(ItemMean("x", first), Clusters.of(single))
    assert not has_interval(ItemMean("x", (np.arange(400) < 19).astype(np.int64)), Clusters.of(single))
    assert has_interval(ItemMean("x", ones), Clusters.of(several)), "a hundred of several items"
    assert not has_interval(ItemMean("x", first), Clusters.of(several)), "twenty of several items"
    for size in (2, 4, 8, 12):  # AudioMotionBench, one variant
        variant = np.repeat(np.arange(56), size)
        assert has_interval(ItemMean("x", np.ones(len(variant), np.int64)), Clusters.of(variant)), size
    uneven = ones.copy()
    uneven[0] = 200
    assert not has_interval(ItemMean("x", uneven), Clusters.of(single)), "one item weighs as much as a third"
    lopsided = np.concatenate([np.arange(60), np.zeros(60, np.int64)])
    assert not has_interval(ItemMean("x", np.ones(120, np.int64)), Clusters.of(lopsided)), "half of all in one of 60"


def test_few_wrong_items_in_clusters_move_the_outer_end_inwards() -> None:
    # 110 of 112 items right, in recordings of two: the upper end has the one-sided quantile, the lower the two-sided.
    clusters = Clusters.of(np.repeat(np.arange(56), 2))
    table = np.ones((112, 1))
    table[[0, 2]] = 0.0
    sums = clusters.sum_clusters(table)
    _, low, high = make_intervals(sums, clusters, b"salt")
    _, low_of_member, high_of_member = make_intervals(sums, clusters, b"salt", is_member=True)
    assert low[0] == low_of_member[0]
    assert high[0] < high_of_member[0]


def test_same_seed_gives_identical_bytes_for_any_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes, clusters = random_board()
    first = standings(outcomes, clusters, resamples=500, rng=generator(7))
    for module, name, size in (("resamples", "_PRODUCT_ROWS", 33), ("clusters", "_SUM_COLUMNS", 2)):
        monkeypatch.setattr(f"evaluation.statistics.{module}.{name}", size)
    second = standings(np.asfortranarray(outcomes), clusters, resamples=500, rng=generator(7))
    assert all(getattr(first, name).tobytes() == getattr(second, name).tobytes() for name in FIELDS)
    different = standings(outcomes, clusters, resamples=500, rng=generator(8))
    assert first.value.tobytes() == different.value.tobytes()
    assert first.low.tobytes() != different.low.tobytes()


def test_order_of_items_changes_no_byte() -> None:
    outcomes, clusters = random_board()
    order = generator(3).permutation(len(clusters))
    first = standings(outcomes, clusters, resamples=500, rng=generator())
    second = standings(outcomes[order], clusters[order], resamples=500, rng=generator())
    assert all(getattr(first, name).tobytes() == getattr(second, name).tobytes() for name in FIELDS)


def test_another_system_changes_no_byte_of_the_others() -> None:
    outcomes, clusters = random_board(n_items=300, n_systems=40, n_clusters=200)
    whole = standings(outcomes, clusters, resamples=500, rng=generator())
    for systems in ([0], [3, 11], list(range(39))):
        part = standings(outcomes[:, systems], clusters, resamples=500, rng=generator())
        for name in ("value", "low", "high"):
            assert getattr(part, name).tobytes() == getattr(whole, name)[systems].tobytes()


def test_empty_board_has_no_scores() -> None:
    board = standings(np.zeros((0, 2)), [], resamples=99, rng=generator())
    assert all(np.isnan(getattr(board, name)).all() for name in ("value", "low", "high"))
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([1, 1], [2, 2])
    assert (board.n_items, board.n_clusters, board.critical) == (0, 0, None)
    assert standings(np.zeros((4, 0)), [1, 2, 3, 4], resamples=99, rng=generator()).value.shape == (0,)


def test_single_cluster_has_a_value_but_no_interval() -> None:
    board = standings([[1, 0], [1, 1]], [4, 4], resamples=99, rng=generator())
    assert board.value.tolist() == [1.0, 0.5]
    assert np.isnan(board.low).all()
    assert np.isnan(board.high).all()
    assert (board.rank_low.tolist(), board.rank_high.tolist()) == ([1, 1], [2, 2])


def test_invalid_board_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[object, object, int, str]] = [
        (np.zeros((3, 2)), [1, 2], 99, r"shape \(3, 2\); for 2 items it must be \(2, systems\)"),
        (np.zeros(3), [1, 2, 3], 99, r"shape \(3,\)"),
        (np.zeros((2, 1)), [0.5, 1.5], 99, "Clusters have the type float64; pass one integer per item"),
        (np.zeros((2, 1)), [[1, 2]], 99, r"Clusters have the shape \(1, 2\)"),
        (np.zeros((2, 1)), [1, 2], 39, "39 resamples are too few for a 95 % confidence interval; use 40 or more"),
        ([[0.5], [1.5]], [1, 2], 99, r"lie in \[0.5, 1.5\]; pass fractions"),
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


def test_unit_is_divisible_by_2_to_10() -> None:
    assert all(UNIT % n == 0 for n in range(2, 11))


@pytest.mark.parametrize("n_items", [20, 45, 56, 120, 283])
def test_interval_of_independent_items_covers_in_95_of_100_at_every_accuracy(n_items: int) -> None:
    """Coverage is summed over all numbers of right items and a grid of offsets, so it is exact."""
    offsets = (np.arange(200) + 0.5) / 200 - 0.5
    n_right = np.arange(n_items + 1)
    low, high = make_wilson(
        np.clip((n_right[:, None] + offsets) / n_items, 0, 1),
        np.full(200, float(n_items)),
        np.full(200, NORMAL_QUANTILE),
    )
    low, high = np.minimum(low, n_right[:, None] / n_items), np.maximum(high, n_right[:, None] / n_items)
    for accuracy in np.arange(0.05, 0.975, 0.01):
        covered = ((low <= accuracy) & (accuracy <= high)).mean(axis=1)
        assert binom.pmf(n_right, n_items, accuracy) @ covered == pytest.approx(0.95, abs=0.015), accuracy
