"""Two systems on many figures: plain loops, agreement with `compare`, symmetry; and p-values of a family."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.statistics import (
    Figure,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    Resampling,
    StatisticsError,
    adjust_p_values,
    compare_figures,
    compare_on,
)
from tests.support.samples.about import about

N_ITEMS, RESAMPLES = 30, 199
CLUSTERS = np.arange(N_ITEMS) // 2


def draw() -> Resampling:
    return Resampling.draw(CLUSTERS, RESAMPLES, np.random.default_rng(1))


def scores(seed: int) -> dict[str, NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    return {"x": rng.integers(0, 2, N_ITEMS) / 1.0, "y": rng.integers(0, 4, N_ITEMS) / 3}


def weights(rows: slice, times: int = 1) -> NDArray[np.int64]:
    found = np.zeros(N_ITEMS, np.int64)
    found[rows] = times
    found[rows.start] *= 2  # one item weighs more than the others
    return found


ALL = ItemMean("x", np.ones(N_ITEMS, np.int64))
HEAD, TAIL = ItemMean("x", weights(slice(0, 11))), ItemMean("y", weights(slice(8, 30), 3))
FIGURES: list[Figure] = [ALL, HEAD, TAIL, MeanOf((HEAD, TAIL, ALL)), HarmonicMeanOf(HEAD, TAIL)]


def plain_value(figure: Figure, one: dict[str, NDArray[np.float64]], counts: list[int]) -> float:
    """Return a figure where each item counts as often as its cluster was drawn, by loops."""
    if isinstance(figure, ItemMean):
        pairs = [(int(w) * counts[c], s) for w, c, s in zip(figure.weights, CLUSTERS, one[figure.score], strict=True)]
        return float(sum(n * s for n, s in pairs) / sum(n for n, _ in pairs))
    if isinstance(figure, MeanOf):
        return sum(plain_value(member, one, counts) for member in figure.members) / len(figure.members)
    first, second = (plain_value(member, one, counts) for member in (figure.first, figure.second))
    return 2 * first * second / (first + second) if first + second else 0.0


def test_comparison_of_a_figure_is_that_of_plain_loops(subtests: pytest.Subtests) -> None:
    for place in range(len(FIGURES)):
        with subtests.test(place=place):
            drawn, a, b = draw(), scores(2), scores(3)
            found = compare_figures(FIGURES, drawn, a, b)[place]
            figure = FIGURES[place]
            ordered = sorted(plain_value(figure, a, row) - plain_value(figure, b, row) for row in drawn.counts.tolist())
            once = [1] * len(set(CLUSTERS.tolist()))
            assert found.difference == pytest.approx(
                plain_value(figure, a, once) - plain_value(figure, b, once), abs=1e-12
            )
            assert (found.low, found.high) == (about(ordered[4], abs=1e-9), about(ordered[-5], abs=1e-9))
            at_most, at_least = sum(d <= 1e-12 for d in ordered), sum(d >= -1e-12 for d in ordered)
            assert found.p_value == pytest.approx(min(1, 2 * (1 + min(at_most, at_least)) / 200))


@given(st.integers(0, 10_000))
def test_comparison_of_a_mean_over_all_items_is_that_of_compare_to_the_last_bit(seed: int) -> None:
    drawn, a, b = draw(), scores(seed), scores(seed + 1)
    assert compare_figures([ALL], drawn, a, b)[0] == compare_on(drawn, a["x"], b["x"])


def test_comparison_turned_around_is_the_mirror_image() -> None:
    drawn = draw()
    for one, other in zip(
        compare_figures(FIGURES, drawn, scores(5), scores(6)),
        compare_figures(FIGURES, drawn, scores(6), scores(5)),
        strict=True,
    ):
        assert one.low is not None
        assert one.high is not None
        assert one.difference is not None
        assert (other.difference, other.low, other.high) == (-one.difference, -one.high, -one.low)
        assert other.p_value == one.p_value
        assert (other.wins, other.losses, other.ties) == (one.losses, one.wins, one.ties)


def test_comparison_of_equal_scores_is_a_point_at_zero() -> None:
    for found in compare_figures(FIGURES, draw(), scores(4), scores(4)):
        assert (found.difference, found.low, found.high, found.p_value) == (0, 0, 0, 1)


def test_comparison_counts_items_that_weigh_where_they_have_one_score() -> None:
    a, b = {"x": np.zeros(N_ITEMS), "y": np.zeros(N_ITEMS)}, {"x": np.zeros(N_ITEMS), "y": np.zeros(N_ITEMS)}
    a["x"][[0, 1, 2, 20]] = 1
    b["x"][[2, 3]] = 1
    one, several = compare_figures([HEAD, MeanOf((HEAD, TAIL))], draw(), a, b)
    assert (one.wins, one.losses, one.ties, one.n_items, one.n_clusters) == (2, 1, 8, 11, 6)
    assert (several.wins, several.losses, several.ties, several.n_items, several.n_clusters) == (0, 0, 0, 30, 15)


def test_comparison_without_a_second_cluster_has_no_interval() -> None:
    a, b = scores(1), scores(2)
    (found,) = compare_figures([ItemMean("x", weights(slice(0, 2)))], draw(), a, b)
    assert found.difference is not None
    assert (found.low, found.high, found.p_value, found.n_clusters) == (None, None, None, 1)


def test_resample_that_holds_nothing_of_a_mean_says_what_the_items_say() -> None:
    a, b = {"x": np.ones(N_ITEMS)}, {"x": np.zeros(N_ITEMS)}
    drawn = draw()
    mean = ItemMean("x", weights(slice(0, 4)))
    assert (drawn.counts[:, :2].sum(axis=1) == 0).any(), "there is such a resample"
    (found,) = compare_figures([mean], drawn, a, b)
    assert (found.low, found.high) == (1, 1)


def test_scores_that_lack_an_item_that_weighs_are_refused() -> None:
    a, b = scores(1), scores(2)
    a["x"][0] = np.nan
    with pytest.raises(StatisticsError, match="NaN"):
        compare_figures([HEAD], draw(), a, b)
    assert compare_figures([ItemMean("x", weights(slice(4, 20)))], draw(), a, b)[0].difference is not None


def test_weights_of_nothing_are_refused(subtests: pytest.Subtests) -> None:
    for wrong in (np.zeros(N_ITEMS, np.int64), np.ones(3, np.int64)):
        with subtests.test(wrong=wrong), pytest.raises(StatisticsError, match="No item of 30 weighs"):
            compare_figures([ItemMean("x", wrong)], draw(), scores(1), scores(2))


def test_adjusted_p_values_are_those_by_hand() -> None:
    # Rising: 0.005 · 4, then 0.01 · 3, 0.03 · 2, and 0.04 · 1 that is raised to what stands before it.
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_p_values([0.7, 0.6]) == [1.0, 1.0]
    assert adjust_p_values([]) == []


def test_p_value_outside_its_range_is_refused() -> None:
    with pytest.raises(StatisticsError, match=r"\[0, 1\]"):
        adjust_p_values([0.1, 1.2])
