"""Scores composed of means over items: values, contributions of clusters, and intervals."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.statistics import (
    Estimator,
    HarmonicMeanOf,
    ItemMean,
    MeanOf,
    ResampledBoard,
    Resampling,
    ScoreFormula,
    StatisticsError,
    count_independent_items,
    standings,
)

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


def test_plain_mean_equals_standings_of_the_same_table() -> None:
    clusters, hits, _ = make_board()
    expected = standings(hits, clusters, resamples=RESAMPLES, rng=np.random.default_rng(1))
    formula = ItemMean("hits", np.ones(len(clusters), np.int64))
    actual = ResampledBoard(Estimator(formula, draw(clusters)), {"hits": hits}).standings()
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(actual, name).tobytes() == getattr(expected, name).tobytes(), name
    assert (actual.critical, actual.n_items, actual.n_clusters) == (expected.critical, len(clusters), N_CLUSTERS)


def test_item_of_weight_two_counts_as_two_items() -> None:
    clusters, hits, _ = make_board()
    weights = np.random.default_rng(3).integers(0, 4, len(clusters))
    weights[clusters == 7] = 0
    actual = Estimator(ItemMean("hits", weights), draw(clusters)).estimate({"hits": hits})
    rows = np.repeat(np.arange(len(clusters)), weights)
    expected = Estimator(ItemMean("hits", np.ones(len(rows), np.int64)), draw(clusters[rows])).estimate(
        {"hits": hits[rows]}
    )
    np.testing.assert_allclose(actual.value, weights @ hits / weights.sum(), rtol=1e-12)
    for name in ("value", "low", "high", "additions"):
        assert getattr(actual, name).tobytes() == getattr(expected, name).tobytes(), name


def compound(n_items: int) -> ScoreFormula:
    odd = np.arange(n_items) % 2
    halves = ItemMean("hits", odd), ItemMean("hits", 1 - odd)
    return MeanOf((HarmonicMeanOf(*halves), ItemMean("shares", np.ones(n_items, np.int64)), halves[0]))


def compute_compound(
    hits: NDArray[np.float64], shares: NDArray[np.float64], times: NDArray[Any]
) -> NDArray[np.float64]:
    """Compute `compound` of items that count `times` times."""
    odd = np.arange(len(times)) % 2
    first, second = ((times * half) @ hits / (times * half).sum() for half in (odd, 1 - odd))
    value: NDArray[np.float64] = (2 * first * second / (first + second) + times @ shares / times.sum() + first) / 3
    return value


def test_value_equals_that_of_plain_means() -> None:
    clusters, hits, shares = make_board()
    actual = Estimator(compound(len(clusters)), draw(clusters)).estimate({"hits": hits, "shares": shares})
    np.testing.assert_allclose(actual.value, compute_compound(hits, shares, np.ones(len(clusters), int)), rtol=1e-9)


def test_contribution_of_a_cluster_is_the_gain_when_it_counts_more() -> None:
    clusters, hits, shares = make_board()
    estimator = Estimator(compound(len(clusters)), draw(clusters))
    estimate = estimator.estimate({"hits": hits, "shares": shares})
    n_items = len(clusters)
    for cluster in (0, 17, 59):
        times = np.where(clusters == cluster, 1.0001, 1.0)
        gained = (compute_compound(hits, shares, times) - estimate.value) / 0.0001
        added = (estimate.additions[:, cluster] - estimate.value * estimator.linear.shares[cluster]) / n_items
        # Residuals are corrected for the fitted mean, by less than 2 % here.
        np.testing.assert_allclose(added, gained, rtol=0.04, atol=1e-5)
    np.testing.assert_allclose(estimate.additions.sum(axis=1) / n_items, estimate.value, rtol=0.02)
    assert (np.abs(estimate.additions).sum(axis=1) <= estimator.linear.most.sum()).all()


def test_system_added_to_a_compound_board_has_the_same_standing_as_from_the_start() -> None:
    clusters, hits, shares = make_board()
    estimator = Estimator(compound(len(clusters)), draw(clusters))
    whole = ResampledBoard(estimator, {"hits": hits, "shares": shares}).standings()
    board = ResampledBoard(estimator, {"hits": hits[:, :-1], "shares": shares[:, :-1]})
    board.add({"hits": hits[:, -1], "shares": shares[:, -1]})
    added = board.standings()
    for name in ("value", "low", "high", "rank_low", "rank_high"):
        assert getattr(added, name).tobytes() == getattr(whole, name).tobytes(), name


def test_interval_of_a_system_does_not_depend_on_the_others() -> None:
    clusters, hits, shares = make_board()
    estimator = Estimator(compound(len(clusters)), draw(clusters))
    together = estimator.estimate({"hits": hits, "shares": shares})
    alone = estimator.estimate({"hits": hits[:, 2:3], "shares": shares[:, 2:3]})
    for name in ("value", "low", "high"):
        assert getattr(together, name)[2] == getattr(alone, name)[0], name


def test_item_without_weight_may_be_nan_but_one_with_weight_may_not() -> None:
    clusters, hits, _ = make_board()
    weights = np.ones(len(clusters), np.int64)
    weights[:5] = 0
    hits[:5] = np.nan
    estimator = Estimator(ItemMean("hits", weights), draw(clusters))
    assert np.isfinite(estimator.estimate({"hits": hits}).low).all()
    hits[5, 0] = np.nan
    with pytest.raises(StatisticsError, match=r"columns 0 \(1 items\)"):
        estimator.estimate({"hits": hits})


def test_weights_of_wrong_length_or_sign_are_refused(subtests: pytest.Subtests) -> None:
    for weights in (np.ones(3, np.int64), np.full(4, -1)):
        refused = pytest.raises(StatisticsError, match="pass one non-negative weight for each of 4 items")
        with subtests.test(weights=weights), refused:
            Estimator(ItemMean("hits", weights), draw(np.arange(4)))


def test_interval_of_a_zero_harmonic_mean_begins_at_zero() -> None:
    clusters = np.arange(80)
    odd = clusters % 2
    formula = HarmonicMeanOf(ItemMean("hits", odd), ItemMean("hits", 1 - odd))
    estimate = Estimator(formula, draw(clusters)).estimate({"hits": np.zeros((80, 1))})
    assert (estimate.value.tolist(), estimate.low.tolist()) == ([0], [0])
    assert 0.02 < estimate.high[0] < 0.2


def test_independent_items_are_all_items_of_a_mean_and_fewer_of_an_uneven_mean_of_means() -> None:
    ones = np.ones(100, np.int64)
    assert count_independent_items(ItemMean("x", ones)) == pytest.approx(100)
    halves = [ItemMean("x", (np.arange(100) < 50).astype(np.int64)), ItemMean("x", (np.arange(100) >= 50) * 1)]
    assert count_independent_items(MeanOf(tuple(halves))) == pytest.approx(100)
    uneven = [ItemMean("x", (np.arange(100) < 10).astype(np.int64)), ItemMean("x", (np.arange(100) >= 10) * 1)]
    # Variance: (1/10 + 1/90) / 4.
    assert count_independent_items(MeanOf(tuple(uneven))) == pytest.approx(36)
    assert count_independent_items(HarmonicMeanOf(*halves)) is None


def test_interval_of_a_mean_of_means_reflects_the_correlation_of_its_halves() -> None:
    """Halves that cancel within recordings make the mean precise; halves that agree make it imprecise."""
    rng = np.random.default_rng(5)
    odd = np.arange(400) % 2
    formula = MeanOf((ItemMean("hits", odd), ItemMean("hits", 1 - odd)))
    first = rng.integers(0, 2, 200)
    together, against = np.repeat(first, 2), np.stack([first, 1 - first], axis=1).ravel()
    estimate = Estimator(formula, draw(np.arange(400) // 2)).estimate(
        {"hits": np.stack([together, against], axis=1) * 1.0}
    )
    wide, narrow = (estimate.high - estimate.low).tolist()
    assert wide == pytest.approx(2 * 1.96 * 0.5 / np.sqrt(200), rel=0.05)
    assert narrow < wide / 3
