"""Figures made of means over items: resampled as if computed anew from each resample, ranked by what clusters add."""

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.statistics import (
    Board,
    Estimator,
    Figure,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    Resampling,
    StatisticsError,
    count_independent_items,
    standings,
)
from evaluation.statistics.bootstrap import interval_of

N_CLUSTERS, N_SYSTEMS, RESAMPLES = 60, 5, 999


def draw(clusters: NDArray[np.integer], seed: int = 1, resamples: int = RESAMPLES) -> Resampling:
    return Resampling.draw(clusters, resamples, np.random.default_rng(seed))


def make_board(seed: int = 0) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Return clusters of one to four items, and two scores of five systems."""
    rng = np.random.default_rng(seed)
    clusters = np.repeat(np.arange(N_CLUSTERS), rng.integers(1, 5, N_CLUSTERS))
    skill = np.linspace(0.4, 0.8, N_SYSTEMS)
    hits = (rng.random((len(clusters), N_SYSTEMS)) < skill).astype(np.float64)
    shares = rng.integers(0, 6, hits.shape) / 5
    return clusters, hits, shares


def resample_by_hand(drawn: Resampling, clusters: NDArray[np.integer], figure: object) -> NDArray[np.float64]:
    """Compute a figure of every resample from the items that it holds, one by one."""
    n_clusters = len(np.unique(clusters))
    members = [np.flatnonzero(clusters == cluster) for cluster in range(n_clusters)]
    found = []
    for counts in drawn.counts:
        rows = np.concatenate([np.tile(members[c], counts[c]) for c in range(n_clusters)])
        found.append(figure(rows))  # type: ignore[operator]
    return np.array(found)


def test_plain_mean_is_what_standings_makes_of_the_same_table() -> None:
    clusters, hits, _ = make_board()
    expected = standings(hits, clusters, resamples=RESAMPLES, rng=np.random.default_rng(1))
    figure = ItemMean("hits", np.ones(len(clusters), np.int64))
    found = Board(Estimator(figure, draw(clusters)), {"hits": hits}).standings()
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes(), name
    assert (found.critical, found.n_items, found.n_clusters) == (expected.critical, len(clusters), N_CLUSTERS)


def test_item_that_weighs_twice_counts_as_two_items() -> None:
    clusters, hits, _ = make_board()
    weights = np.random.default_rng(3).integers(0, 4, len(clusters))
    weights[clusters == 7] = 0
    drawn = draw(clusters)
    found = Estimator(ItemMean("hits", weights), drawn).estimate({"hits": hits})
    by_hand = resample_by_hand(drawn, clusters, lambda rows: (weights[rows] @ hits[rows]) / weights[rows].sum())
    value = weights @ hits / weights.sum()
    np.testing.assert_allclose(found.value, value, rtol=1e-12)
    np.testing.assert_allclose(found.deviations.T, by_hand - value, atol=1e-5)


def test_compound_figure_is_computed_anew_from_every_resample() -> None:
    clusters, hits, shares = make_board()
    some = (np.arange(len(clusters)) % 3 > 0).astype(np.int64)
    every = np.ones(len(clusters), np.int64)
    one, other = ItemMean("hits", some), ItemMean("shares", every)
    figure = MeanOf((HarmonicMeanOf(one, other), one))

    def compute(rows: NDArray[np.integer]) -> NDArray[np.float64]:
        first = some[rows] @ hits[rows] / some[rows].sum()
        second = shares[rows].mean(axis=0)
        result: NDArray[np.float64] = (2 * first * second / (first + second) + first) / 2
        return result

    drawn = draw(clusters)
    found = Estimator(figure, drawn).estimate({"hits": hits, "shares": shares})
    value = compute(np.arange(len(clusters)))
    np.testing.assert_allclose(found.value, value, rtol=1e-9)
    np.testing.assert_allclose(found.deviations.T, resample_by_hand(drawn, clusters, compute) - value, atol=1e-5)


def compound(n_items: int) -> Figure:
    odd = np.arange(n_items) % 2
    halves = ItemMean("hits", odd), ItemMean("hits", 1 - odd)
    return MeanOf((HarmonicMeanOf(*halves), ItemMean("shares", np.ones(n_items, np.int64)), halves[0]))


def test_standard_error_of_a_difference_is_that_of_the_resamples() -> None:
    clusters, hits, shares = make_board()
    drawn = draw(clusters, resamples=20_000)
    estimator = Estimator(compound(len(clusters)), drawn)
    _, deviations, residuals = estimator.estimate({"hits": hits, "shares": shares})
    for other in range(1, N_SYSTEMS):
        closed = np.sqrt(np.square(residuals[0] - residuals[other]).sum()) / estimator.n_items
        assert closed == pytest.approx((deviations[0] - deviations[other]).std(), rel=0.05)
    assert (np.abs(residuals) <= estimator.leverage + 1e-9).all()


def test_system_added_to_a_compound_board_stands_as_if_it_had_been_there() -> None:
    clusters, hits, shares = make_board()
    estimator = Estimator(compound(len(clusters)), draw(clusters))
    whole = Board(estimator, {"hits": hits, "shares": shares}).standings()
    board = Board(estimator, {"hits": hits[:, :-1], "shares": shares[:, :-1]})
    board.add({"hits": hits[:, -1], "shares": shares[:, -1]})
    added = board.standings()
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(added, name).tobytes() == getattr(whole, name).tobytes(), name


def test_interval_of_a_system_does_not_depend_on_the_others() -> None:
    clusters, hits, shares = make_board()
    estimator = Estimator(compound(len(clusters)), draw(clusters))
    together = estimator.estimate({"hits": hits, "shares": shares})
    alone = estimator.estimate({"hits": hits[:, 2:3], "shares": shares[:, 2:3]})
    assert together.deviations[2].tobytes() == alone.deviations[0].tobytes()
    assert interval_of(together.deviations)[0][2] == interval_of(alone.deviations)[0][0]


def test_item_without_weight_may_be_unknown_and_one_with_weight_may_not() -> None:
    clusters, hits, _ = make_board()
    weights = np.ones(len(clusters), np.int64)
    weights[:5] = 0
    hits[:5] = np.nan
    estimator = Estimator(ItemMean("hits", weights), draw(clusters))
    assert np.isfinite(estimator.estimate({"hits": hits}).deviations).all()
    hits[5, 0] = np.nan
    with pytest.raises(StatisticsError, match=r"columns 0 \(1 items\)"):
        estimator.estimate({"hits": hits})


def test_weights_that_do_not_fit_the_items_are_refused(subtests: pytest.Subtests) -> None:
    for weights in (np.ones(3, np.int64), np.full(4, -1)):
        refused = pytest.raises(StatisticsError, match="give one from 0 for each of 4 items")
        with subtests.test(weights=weights), refused:
            Estimator(ItemMean("hits", weights), draw(np.arange(4)))


def test_resample_that_drew_nothing_of_the_items_deviates_by_nothing() -> None:
    clusters = np.arange(40)
    weights = (clusters < 2).astype(np.int64)
    drawn = draw(clusters)
    estimate = Estimator(ItemMean("hits", weights), drawn).estimate({"hits": np.array([[1.0]] + [[0.0]] * 39)})
    nothing = drawn.counts[:, :2].sum(axis=1) == 0
    assert nothing.sum() > 50
    assert (estimate.deviations[0, nothing] == 0).all()
    assert set(np.unique(estimate.deviations[0])) > {-0.5, 0.0, 0.5}


def test_zero_of_a_harmonic_mean_stays_zero() -> None:
    clusters = np.arange(40)
    odd = clusters % 2
    figure = HarmonicMeanOf(ItemMean("hits", odd), ItemMean("hits", 1 - odd))
    estimate = Estimator(figure, draw(clusters)).estimate({"hits": np.zeros((40, 1))})
    assert (estimate.value.tolist(), np.abs(estimate.deviations).max(), np.abs(estimate.residuals).max()) == ([0], 0, 0)


def test_fewest_clusters_are_those_of_the_smallest_mean() -> None:
    clusters, *_ = make_board()
    few = (clusters < 4).astype(np.int64)
    figure = MeanOf((ItemMean("hits", np.ones(len(clusters), np.int64)), ItemMean("hits", few)))
    estimator = Estimator(figure, draw(clusters))
    assert (estimator.fewest_clusters, estimator.n_clusters, estimator.n_items) == (4, N_CLUSTERS, len(clusters))


def test_independent_items_are_all_of_a_mean_and_fewer_of_an_uneven_mean_of_means() -> None:
    ones = np.ones(100, np.int64)
    assert count_independent_items(ItemMean("x", ones)) == pytest.approx(100)
    halves = [ItemMean("x", (np.arange(100) < 50).astype(np.int64)), ItemMean("x", (np.arange(100) >= 50) * 1)]
    assert count_independent_items(MeanOf(tuple(halves))) == pytest.approx(100)
    uneven = [ItemMean("x", (np.arange(100) < 10).astype(np.int64)), ItemMean("x", (np.arange(100) >= 10) * 1)]
    # Variance: (1/10 + 1/90) / 4.
    assert count_independent_items(MeanOf(tuple(uneven))) == pytest.approx(36)
    assert count_independent_items(HarmonicMeanOf(*halves)) is None


def test_intervals_of_compound_figures_cover_the_truth_as_often_as_they_say() -> None:
    """1,200 boards of 150 clips: two recalls of a half and of 0.8, and their two means, whose truths are known."""
    odd = np.arange(300) % 2
    halves = ItemMean("hits", 1 - odd), ItemMean("hits", odd)
    figures = (HarmonicMeanOf(*halves), MeanOf(halves))
    truths = 2 * 0.5 * 0.8 / 1.3, 0.65
    drawn = draw(np.arange(300) // 2, resamples=499)
    estimators = [Estimator(figure, drawn) for figure in figures]
    rng = np.random.default_rng(5)
    hits = (rng.random((300, 1200)) < np.where(odd, 0.8, 0.5)[:, None]).astype(np.float64)
    for estimator, truth in zip(estimators, truths, strict=True):
        low, high = estimator.estimate({"hits": hits}).intervals()
        covered = ((low <= truth) & (truth <= high)).mean()
        assert covered == pytest.approx(0.95, abs=0.015)
