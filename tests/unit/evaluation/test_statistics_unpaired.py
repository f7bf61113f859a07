"""Comparisons of systems with different items: chi-square, plain loops, symmetry, joint boards, and the error rate."""

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
    JointBoard,
    MeanOf,
    Resampling,
    ScoreFormula,
    ScoreSample,
    StatisticsError,
    compare_unpaired,
    compare_unpaired_scores,
    detectable_on_board,
)
from tests.support.samples.about import about

MARKS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
SAMPLE = st.lists(st.tuples(MARKS, st.integers(0, 40)), min_size=2, max_size=120)
N_ITEMS = 90
CLUSTERS = Clusters.of(np.arange(N_ITEMS) // 2)
Z = NormalDist().inv_cdf(0.975)

Rows = list[tuple[float, int]]
Table = NDArray[np.float64]

ALL = ItemMean("x", np.ones(N_ITEMS, np.int64))
HEAD = ItemMean("x", (np.arange(N_ITEMS) < 60).astype(np.int64))
TAIL = ItemMean("y", 2 * (np.arange(N_ITEMS) >= 30).astype(np.int64))
FORMULAS: list[ScoreFormula] = [ALL, HEAD, MeanOf((HEAD, TAIL, ALL)), HarmonicMeanOf(HEAD, TAIL)]


def make_sample(seed: int, accuracy: float = 0.5) -> ScoreSample:
    rng = np.random.default_rng(seed)
    scores = {"x": (rng.random(N_ITEMS) < accuracy).astype(np.float64), "y": rng.integers(0, 4, N_ITEMS) / 3}
    return ScoreSample(FORMULAS, CLUSTERS, scores)


def reject(first: Rows, second: Rows, difference: float) -> bool:
    """Return whether a plain loop over clusters rejects `difference` between two samples at 5 %."""
    n_first, n_second = len(first), len(second)
    d = sum(mark for mark, _ in first) / n_first - sum(mark for mark, _ in second) / n_second

    def list_deviations(rows: Rows, part: float, distance: float) -> list[float]:
        mean = sum(mark for mark, _ in rows) / len(rows)
        found = []
        for label in sorted({label for _, label in rows}):
            marks = [mark for mark, other in rows if other == label]
            residual = sum(marks) / len(rows) - mean * len(marks) / len(rows)
            residual /= sqrt(1 - len(marks) / len(rows))
            found.append(residual + distance * part * len(marks) / len(rows))
        return found

    def list_both(distance: float) -> list[float]:
        both = n_first + n_second
        return list_deviations(first, n_second / both, distance) + list_deviations(second, n_first / both, -distance)

    observed, shifted = list_both(d), list_both(d - difference)
    m = sum(r**2 for r in observed) ** 2 / sum(r**4 for r in observed)
    return abs(d - difference) > (Z - (Z**3 - 3 * Z) / (12 * m)) * sqrt(sum(r**2 for r in shifted))


@given(SAMPLE, SAMPLE)
def test_interval_contains_the_differences_that_a_plain_loop_does_not_reject(first: Rows, second: Rows) -> None:
    (a, labels_a), (b, labels_b) = (tuple(zip(*rows, strict=True)) for rows in (first, second))
    compared = compare_unpaired(a, b, labels_a, labels_b)
    assert not compared.is_paired
    if compared.low is None or compared.high is None or compared.p_value is None:
        assert compared.n_telling < FEWEST_TELLING or min(len(set(labels_a)), len(set(labels_b))) < 8
        return
    assert compared.difference is not None
    assert compared.low < compared.difference < compared.high
    for end, outwards in ((compared.low, -1), (compared.high, 1)):
        if abs(end) < 1:
            assert not reject(first, second, end - outwards * 1e-6)
            assert reject(first, second, end + outwards * 1e-6)
    if abs(compared.p_value - 0.05) > 1e-9:
        assert (compared.p_value < 0.05) == (compared.low > 0 or compared.high < 0) == reject(first, second, 0)


def test_comparison_of_single_items_is_the_chi_square_test() -> None:
    a, b = np.arange(400) < 240, np.arange(400) < 280
    compared = compare_unpaired(a, b, np.arange(400), np.arange(400))
    # 800 (240 · 120 − 160 · 280)² / (400 · 400 · 520 · 280) is 8.79, with p = 0.0030.
    assert compared.difference == about(-0.1)
    assert compared.p_value == pytest.approx(0.0030, abs=0.0001)
    half = 1.96 * sqrt((0.24 + 0.21) / 400)
    assert (compared.low, compared.high) == pytest.approx((-0.1 - half, -0.1 + half), abs=0.001)
    assert (compared.wins, compared.losses, compared.ties) == (0, 0, 0)
    assert (compared.n_items, compared.n_clusters, compared.is_paired) == (400, 400, False)


def test_swapped_systems_swap_the_comparison() -> None:
    forward, backward = (
        compare_unpaired_scores(make_sample(first), make_sample(second)) for first, second in ((1, 2), (2, 1))
    )
    for one, other in zip(forward, backward, strict=True):
        assert one.difference == -(other.difference or 0)
        assert one.p_value == about(other.p_value or 0)
        assert (one.low, one.high) == pytest.approx((-(other.high or 0), -(other.low or 0)), abs=1e-12)


def test_order_of_items_of_one_system_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    a, b, clusters, order = rng.random(90), rng.random(90), rng.integers(30, size=90), rng.permutation(90)
    assert compare_unpaired(a, b, clusters, clusters) == compare_unpaired(a, b[order], clusters, clusters[order])


def test_mean_over_all_items_equals_the_plain_comparison() -> None:
    first, second = make_sample(1), make_sample(2)
    labels = np.arange(N_ITEMS) // 2
    assert compare_unpaired_scores(first, second)[0] == compare_unpaired(
        np.asarray(first.scores["x"]), np.asarray(second.scores["x"]), labels, labels
    )


def test_difference_of_composite_scores_has_an_interval_and_a_test() -> None:
    for compared in compare_unpaired_scores(make_sample(3), make_sample(4, 0.9)):
        assert compared.low is not None
        assert compared.high is not None
        assert compared.p_value is not None
        assert compared.difference is not None
        assert compared.low < compared.difference < compared.high < 0
        assert compared.p_value < 0.05


def test_pair_that_a_joint_board_distinguishes_differs_significantly() -> None:
    clusters = np.arange(400) // 2
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a, b = ((rng.random(400) < accuracy).astype(np.float64) for accuracy in (0.6, 0.5))
        board = JointBoard()
        for outcomes in (a, b):
            board.add_edition(Resampling.draw(clusters, 9999, rng), outcomes[:, None])
        is_significant = compare_unpaired(a, b, clusters, clusters).p_value or 1
        found.append((board.standings().rank_high[0] == 1, is_significant <= 0.05))
    assert sum(ranked == tested for ranked, tested in found) >= 38, "apart from the noise of the resamples"
    assert 5 < sum(tested for _, tested in found) < 38


def test_few_telling_clusters_have_a_difference_but_no_test() -> None:
    compared = compare_unpaired(np.arange(40) < 37, np.ones(40), np.arange(40), np.arange(40))
    assert (compared.low, compared.high, compared.p_value) == (None, None, None)
    assert compared.difference == about(-0.075)
    assert 0 < compared.n_telling < FEWEST_TELLING
    perfect = compare_unpaired(np.ones(40), np.ones(40), np.arange(40), np.arange(40))
    assert (perfect.p_value, perfect.difference, perfect.n_telling) == (None, 0, 0)


def test_always_right_against_always_wrong_is_significant() -> None:
    compared = compare_unpaired(np.ones(40), np.zeros(40), np.arange(40), np.arange(40))
    assert compared.p_value is not None
    assert compared.p_value < 1e-9
    assert compared.high == 1


def test_single_cluster_or_empty_sample_has_no_test() -> None:
    compared = compare_unpaired(np.ones(40), np.arange(40) % 2, np.zeros(40, np.int64), np.arange(40))
    assert (compared.difference, compared.low, compared.p_value, compared.n_clusters) == (about(0.5), None, None, 1)
    empty = compare_unpaired([], [1.0, 0.0], [], [1, 2])
    assert (empty.difference, empty.p_value, empty.is_paired) == (None, None, False)


def test_invalid_samples_are_refused_with_a_reason() -> None:
    with pytest.raises(StatisticsError, match="NaN"):
        compare_unpaired([1.0, np.nan], [1.0, 0.0], [1, 2], [1, 2])
    with pytest.raises(StatisticsError, match="4 and 1 scores"):
        compare_unpaired_scores(make_sample(1), make_sample(2)._replace(formulas=[ALL]))
    with pytest.raises(StatisticsError, match="None of 90 items has a weight"):
        empty = ItemMean("x", np.zeros(N_ITEMS, np.int64))
        compare_unpaired_scores(*(make_sample(seed)._replace(formulas=[empty]) for seed in (1, 2)))


def test_power_at_the_unpaired_detectable_difference_is_80_percent(soak: bool) -> None:
    n_items, times = 600, 2000 if soak else 400
    difference = detectable_on_board(n_items, n_items, is_paired=False)
    assert difference is not None
    rng, labels = np.random.default_rng(1), np.arange(n_items)
    found = 0
    for _ in range(times):
        a, b = (rng.random(n_items) < 0.5 + sign * difference / 2 for sign in (1, -1))
        found += (compare_unpaired(a, b, labels, labels).p_value or 1) <= 0.05
    assert found / times == pytest.approx(0.8, abs=3 * sqrt(0.16 / times))
    paired = detectable_on_board(n_items, n_items)
    assert paired is not None
    assert paired < difference == pytest.approx(2.8016 * sqrt(0.5 / n_items), rel=0.01)
    assert detectable_on_board(4, 4, is_paired=False) is None
