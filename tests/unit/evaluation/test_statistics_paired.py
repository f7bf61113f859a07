"""Paired comparisons: hand-computed counts, plain loops, symmetry, refusals, and p-values of a family."""

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.statistics import (
    FEWEST_TELLING,
    Clusters,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    ScoreComparison,
    ScoreFormula,
    StatisticsError,
    adjust_p_values,
    compare,
    compare_on,
    compare_scores,
)
from tests.support.samples.about import about

MARKS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
PAIRS = st.lists(st.tuples(MARKS, MARKS, st.integers(0, 40)), min_size=2, max_size=120)
N_ITEMS = 90
CLUSTERS = Clusters.of(np.arange(N_ITEMS) // 2)
Z = NormalDist().inv_cdf(0.975)


def scores(seed: int) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return {"x": rng.integers(0, 2, N_ITEMS) / 1.0, "y": rng.integers(0, 4, N_ITEMS) / 3}


def weights(rows: slice, times: int = 1) -> NDArray[np.int64]:
    result = np.zeros(N_ITEMS, np.int64)
    result[rows] = times
    result[rows.start] *= 2  # one item weighs more than the others
    return result


ALL = ItemMean("x", np.ones(N_ITEMS, np.int64))
HEAD, TAIL = ItemMean("x", weights(slice(0, 60))), ItemMean("y", weights(slice(30, 90), 3))
FORMULAS: list[ScoreFormula] = [ALL, HEAD, TAIL, MeanOf((HEAD, TAIL, ALL)), HarmonicMeanOf(HEAD, TAIL)]


def reject(a: NDArray[np.float64], b: NDArray[np.float64], clusters: list[int], difference: float) -> bool:
    """Return whether a plain loop over clusters rejects `difference` between a and b at 5 %."""
    labels = sorted(set(clusters))
    members = [np.flatnonzero(np.array(clusters) == label) for label in labels]
    differences = [float(a[rows].sum() - b[rows].sum()) for rows in members]
    m = sum(d**2 for d in differences) ** 2 / sum(d**4 for d in differences)
    shifted = [d - difference * len(rows) for d, rows in zip(differences, members, strict=True)]
    return abs(sum(shifted)) > (Z - (Z**3 - 3 * Z) / (12 * m)) * sqrt(sum(d**2 for d in shifted))


@given(PAIRS)
def test_interval_contains_the_differences_that_a_plain_loop_does_not_reject(
    rows: list[tuple[float, float, int]],
) -> None:
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    comparison = compare(a, b, clusters)
    if comparison.low is None or comparison.high is None or comparison.p_value is None:
        assert comparison.n_telling < FEWEST_TELLING or len(set(clusters)) < 20
        return
    first, second = np.array(a), np.array(b)
    assert comparison.difference is not None
    assert comparison.low < comparison.difference < comparison.high
    for end, outwards in ((comparison.low, -1), (comparison.high, 1)):
        if abs(end) < 1:
            assert not reject(first, second, clusters, end - outwards * 1e-6)
            assert reject(first, second, clusters, end + outwards * 1e-6)
    assert 0 < comparison.p_value <= 1
    if abs(comparison.p_value - 0.05) > 1e-9:
        assert (
            (comparison.p_value < 0.05)
            == (comparison.low > 0 or comparison.high < 0)
            == reject(first, second, clusters, 0)
        )


@given(PAIRS)
def test_swapped_systems_swap_the_comparison(rows: list[tuple[float, float, int]]) -> None:
    a, b, clusters = (list(column) for column in zip(*rows, strict=True))
    forward, backward = compare(a, b, clusters), compare(b, a, clusters)
    assert forward.difference == -(backward.difference or 0)
    assert (forward.p_value, forward.wins, forward.losses, forward.ties) == (
        backward.p_value,
        backward.losses,
        backward.wins,
        backward.ties,
    )
    if forward.low is not None and forward.high is not None and backward.low is not None and backward.high is not None:
        assert (forward.low, forward.high) == pytest.approx((-backward.high, -backward.low), abs=1e-12)


def test_order_of_items_does_not_change_the_comparison() -> None:
    rng = np.random.default_rng(5)
    a, b, clusters = rng.random(90), rng.random(90), rng.integers(30, size=90)
    order = rng.permutation(90)
    assert compare(a, b, clusters) == compare(a[order], b[order], clusters[order])


def test_comparison_equals_that_of_mcnemar() -> None:
    # 30 items won, 10 lost of 200: (30 − 10)² / 40 is 10, the variance (0.2 − 0.1²) / 200.
    a, b = np.repeat([1, 0, 1], [30, 10, 160]), np.repeat([0, 1, 1], [30, 10, 160])
    comparison = compare(a, b, np.arange(200))
    assert (comparison.difference, comparison.wins, comparison.losses, comparison.ties, comparison.n_telling) == (
        0.1,
        30,
        10,
        160,
        about(40),
    )
    assert comparison.low is not None
    assert comparison.high is not None
    assert comparison.p_value is not None
    half = 1.96 * np.sqrt((0.2 - 0.01) / 200)
    assert (comparison.low, comparison.high) == pytest.approx((0.1 - half, 0.1 + half), abs=0.003)
    assert comparison.p_value == pytest.approx(0.00157, rel=0.2), "that of chi-square, with a thinner tail"


def test_pair_with_few_differences_has_a_difference_but_no_test() -> None:
    a, b = np.repeat([1, 0, 1], [7, 2, 91]), np.repeat([0, 1, 1], [7, 2, 91])
    comparison = compare(a, b, np.arange(100))
    assert (comparison.low, comparison.high, comparison.p_value, comparison.difference) == (
        None,
        None,
        None,
        about(0.05),
    )
    assert (comparison.wins, comparison.losses, comparison.ties, comparison.n_telling) == (7, 2, 91, about(9))
    equal = compare(a, a, np.arange(100))
    assert (equal.low, equal.high, equal.p_value, equal.difference, equal.n_telling) == (None, None, None, 0, 0)


def test_constant_difference_has_a_small_positive_p_value() -> None:
    comparison = compare(np.ones(3000), np.zeros(3000), np.arange(3000))
    assert comparison.difference == comparison.high == 1
    assert comparison.p_value is not None
    assert 0 < comparison.p_value < 1e-12


def test_single_cluster_has_a_difference_but_no_test() -> None:
    comparison = compare([1, 1, 0], [0, 1, 0], [8, 8, 8])
    assert (comparison.low, comparison.high, comparison.p_value) == (None, None, None)
    assert (comparison.difference, comparison.wins, comparison.n_clusters) == (about(1 / 3), 1, 1)


def test_empty_slice_has_no_difference() -> None:
    assert compare([], [], []) == ScoreComparison(None, None, None, None, 0, 0, 0, 0, 0)


def test_invalid_pair_is_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[float], str]] = [
        ([1.0, 0.0], r"shapes \(3,\) and \(2,\)"),
        ([1.0, np.nan, 0.0], "NaN"),
        ([1.0, 2.0, 0.0], r"in \[0, 2\]"),
    ]
    for b, message in rows:
        with subtests.test(b=b, message=message), pytest.raises(StatisticsError, match=message):
            compare([1.0, 0.0, 0.0], b, [1, 2, 3])


def plain_value(formula: ScoreFormula, table: dict[str, NDArray[np.float64]]) -> float:
    if isinstance(formula, ItemMean):
        return float(formula.weights @ table[formula.score] / formula.weights.sum())
    if isinstance(formula, MeanOf):
        return sum(plain_value(member, table) for member in formula.members) / len(formula.members)
    first, second = (plain_value(member, table) for member in (formula.first, formula.second))
    return 2 * first * second / (first + second) if first + second else 0.0


def test_difference_of_a_formula_equals_that_of_plain_means(subtests: pytest.Subtests) -> None:
    a, b = scores(2), scores(3)
    for formula, comparison in zip(FORMULAS, compare_scores(FORMULAS, CLUSTERS, a, b), strict=True):
        with subtests.test(formula=formula):
            assert comparison.difference == pytest.approx(plain_value(formula, a) - plain_value(formula, b), abs=1e-12)
            assert comparison.low is not None
            assert comparison.high is not None
            assert comparison.p_value is not None
            assert comparison.difference is not None
            assert comparison.low < comparison.difference < comparison.high
            assert (comparison.p_value < 0.05) == (comparison.low > 0 or comparison.high < 0)


@given(st.integers(0, 10_000))
def test_comparison_of_a_mean_over_all_items_equals_compare_exactly(seed: int) -> None:
    a, b = scores(seed), scores(seed + 1)
    assert compare_scores([ALL], CLUSTERS, a, b)[0] == compare_on(CLUSTERS, a["x"], b["x"])


def test_comparison_of_swapped_systems_is_the_mirror_image() -> None:
    forward = compare_scores(FORMULAS, CLUSTERS, scores(5), scores(6))
    backward = compare_scores(FORMULAS, CLUSTERS, scores(6), scores(5))
    for first, second in zip(forward, backward, strict=True):
        assert first.difference == about(-(second.difference or 0))
        assert (first.p_value is None) == (second.p_value is None) == (first.n_telling < FEWEST_TELLING)
        if first.p_value is not None and second.p_value is not None:
            ends = about(-(second.high or 0)), about(-(second.low or 0))
            assert (first.low, first.high, first.p_value) == (*ends, about(second.p_value))


def test_comparison_counts_weighted_items_of_a_single_score() -> None:
    a, b = {"x": np.zeros(N_ITEMS), "y": np.zeros(N_ITEMS)}, {"x": np.zeros(N_ITEMS), "y": np.zeros(N_ITEMS)}
    a["x"][[0, 1, 2, 70]] = 1
    b["x"][[2, 3]] = 1
    single, several = compare_scores([HEAD, MeanOf((HEAD, TAIL))], CLUSTERS, a, b)
    assert (single.wins, single.losses, single.ties, single.n_items, single.n_clusters) == (2, 1, 57, 60, 30)
    assert (several.wins, several.losses, several.ties, several.n_items, several.n_clusters) == (0, 0, 0, 90, 45)


def test_missing_scores_of_weighted_items_are_refused() -> None:
    a, b = scores(1), scores(2)
    a["x"][0] = np.nan
    with pytest.raises(StatisticsError, match="NaN"):
        compare_scores([HEAD], CLUSTERS, a, b)
    assert compare_scores([ItemMean("x", weights(slice(4, 20)))], CLUSTERS, a, b)[0].difference is not None


def test_zero_or_mismatched_weights_are_refused(subtests: pytest.Subtests) -> None:
    for wrong in (np.zeros(N_ITEMS, np.int64), np.ones(3, np.int64)):
        with subtests.test(wrong=wrong), pytest.raises(StatisticsError, match="None of 90 items has a weight"):
            compare_scores([ItemMean("x", wrong)], CLUSTERS, scores(1), scores(2))


def test_adjusted_p_values_equal_the_hand_computed_values() -> None:
    # Rising: 0.005 · 4, then 0.01 · 3, 0.03 · 2, and 0.04 · 1 that is raised to the value before it.
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_p_values([0.7, 0.6]) == [1.0, 1.0]
    assert adjust_p_values([]) == []


def test_p_value_outside_its_range_is_refused() -> None:
    with pytest.raises(StatisticsError, match=r"\[0, 1\]"):
        adjust_p_values([0.1, 1.2])
