"""The Ladder: when a submission gets a new public score, and which attacks it stops."""

from math import sqrt
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.ladder_attack import (
    MIN_GAIN,
    N_ITEMS,
    N_SUBMISSIONS,
    climb_patiently,
    vote_with_exact_scores,
    vote_with_ladder,
)
from evaluation.statistics import (
    Clusters,
    HarmonicMeanOf,
    ItemMean,
    LadderDecision,
    MeanOf,
    StatisticsError,
    compare_scores,
    decide_release,
    decide_score_release,
)
from tests.support.samples.about import about

MARKS = st.sampled_from([0.0, 0.25, 0.5, 1.0])
ROWS = st.lists(st.tuples(MARKS, MARKS, st.integers(0, 12)), min_size=2, max_size=60)


def test_first_submission_is_released() -> None:
    assert decide_release([1, 1, 0], None, Clusters.of([1, 2, 3])) == LadderDecision(True, about(2 / 3), None, None)
    assert decide_release([1, 1, 0], None, Clusters.of([1, 1, 1])).is_released


def test_released_score_is_a_multiple_of_one_item() -> None:
    assert decide_release([0.5, 0.4, 0.3, 0.1], None, Clusters.of(range(4))).score == 0.25
    assert decide_release([1, 1, 0.6, 1], [0, 0, 0, 0], Clusters.of(range(4))).score == 1


def test_threshold_is_one_standard_error_of_the_paired_difference() -> None:
    best = np.repeat([0.0, 1.0], 50)
    for wins, losses in ((6, 2), (5, 3), (4, 2), (1, 0), (2, 0), (1, 1)):
        new = best.copy()
        new[:wins], new[50 : 50 + losses] = 1, 0
        decision = decide_release(new, best, Clusters.of(range(100)))
        error = np.std(new - best, ddof=1) / sqrt(100)
        assert decision.gain == about((wins - losses) / 100)
        assert decision.standard_error == about(float(error))
        assert decision.is_released == (wins - losses > sqrt(wins + losses)), (wins, losses)
        assert decision.score == (about(0.5 + (wins - losses) / 100) if decision.is_released else None)


def test_one_changed_answer_is_never_released(subtests: pytest.Subtests) -> None:
    for n in (2, 3, 7, 500, 2016):
        with subtests.test(n=n):
            new = np.zeros(n)
            new[0] = 1
            assert not decide_release(new, np.zeros(n), Clusters.of(np.arange(n))).is_released


def test_standard_error_counts_clusters_and_not_items() -> None:
    best, new = np.zeros(120), np.zeros(120)
    new[:6] = 1
    assert decide_release(new, best, Clusters.of(np.arange(120))).is_released
    decision = decide_release(new, best, Clusters.of(np.arange(120) // 6))
    assert not decision.is_released
    assert (decision.gain, decision.standard_error) == (about(0.05), about(0.05))


@given(ROWS)
def test_decision_equals_a_plain_loop_over_clusters(rows: list[tuple[float, float, int]]) -> None:
    new, best, clusters = (list(column) for column in zip(*rows, strict=True))
    decision = decide_release(new, best, Clusters.of(clusters))
    n = len(rows)
    gain = (sum(new) - sum(best)) / n
    assert decision.gain == about(gain)
    labels = sorted(set(clusters))
    if len(labels) < 2:
        assert (decision.is_released, decision.standard_error) == (False, None)
        return
    squares = 0.0
    for label in labels:
        own = [a - b - gain for a, b, other in rows if other == label]
        squares += sum(own) ** 2 / (1 - len(own) / n)
    assert decision.standard_error == about(sqrt(squares) / n)
    if abs(gain - sqrt(squares) / n) > 1e-6:
        assert decision.is_released == (gain > sqrt(squares) / n)


def test_equal_or_worse_submission_is_not_released() -> None:
    best = np.arange(40) % 2
    assert not decide_release(best, best, Clusters.of(np.arange(40))).is_released
    assert not decide_release(best * 0, best, Clusters.of(np.arange(40))).is_released
    constant = decide_release(np.ones(40), np.zeros(40), Clusters.of(np.arange(40)))
    assert (constant.score, constant.standard_error) == (1, 0)


def test_minimum_gain_refuses_small_steps() -> None:
    best = np.repeat([0, 1], 50)
    new = best.copy()
    new[:3] = 1
    assert decide_release(new, best, Clusters.of(np.arange(100))).is_released
    assert decide_release(new, best, Clusters.of(np.arange(100)), min_gain=0.03).is_released
    assert not decide_release(new, best, Clusters.of(np.arange(100)), min_gain=0.04).is_released


def test_no_items_or_one_cluster_release_nothing_new() -> None:
    assert decide_release([], None, Clusters.of([])) == LadderDecision(False, None, None, None)
    assert decide_release([], [], Clusters.of([])) == LadderDecision(False, None, None, None)
    assert decide_release([1, 1], [0, 0], Clusters.of([3, 3])) == LadderDecision(False, None, about(1), None)


def test_mean_of_equal_halves_is_decided_like_their_mean_with_a_stratified_error() -> None:
    rng = np.random.default_rng(5)
    halves = tuple(ItemMean("x", np.repeat(weights, 60)) for weights in ((1, 0), (0, 1)))
    clusters = Clusters.of(np.arange(120))
    new, best = (rng.integers(0, 2, 120).astype(float) for _ in range(2))
    found = decide_score_release(MeanOf(halves), clusters, {"x": new}, {"x": best})
    assert found.gain == about(float((new - best).mean()))
    sides = [(new - best)[:60], (new - best)[60:]]
    assert found.standard_error == about(sqrt(sum(np.var(one, ddof=1) / 60 for one in sides)) / 2)


def test_harmonic_mean_is_decided_by_its_own_value_and_not_by_that_of_an_item_mean() -> None:
    """A system that is better in one part and worse in the other gains in the mean, and loses in the harmonic mean."""
    parts = tuple(ItemMean("x", np.repeat(weights, 50)) for weights in ((1, 0), (0, 1)))
    clusters = Clusters.of(np.arange(100))
    even, uneven = np.zeros(100), np.zeros(100)
    even[10:35] = even[60:85] = uneven[:50] = uneven[60:70] = 1
    assert decide_release(uneven, even, clusters).is_released
    formula = HarmonicMeanOf(*parts)
    decision = decide_score_release(formula, clusters, {"x": uneven}, {"x": even})
    assert not decision.is_released
    assert decision.gain == about(2 * 1 * 0.2 / 1.2 - 0.5)
    (compared,) = compare_scores([formula], clusters, {"x": uneven}, {"x": even})
    assert decision.gain == about(compared.difference or 0.0)
    assert decide_score_release(formula, clusters, {"x": even}, {"x": uneven}).is_released


def test_items_without_weight_have_no_say() -> None:
    formula, clusters = ItemMean("x", np.array([1, 1, 1, 1, 0, 0])), Clusters.of(np.arange(6))
    new, best = [1, 1, 1, 0, 0, 0], [0, 0, 1, 0, 1, 1]
    decision = decide_score_release(formula, clusters, {"x": new}, {"x": best})
    assert (decision.is_released, decision.score) == (True, 0.75)
    assert decision == decide_release(new[:4], best[:4], Clusters.of(np.arange(4)))


def test_invalid_outcomes_are_refused_with_a_reason(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[float], list[float], str]] = [
        ([1.0, 0.0], [1.0, 0.0, 1.0], r"shape \(2,\)"),
        ([1.0, 0.0, 1.0], [1.0, 0.0], r"shape \(2,\)"),
        ([1.0, np.nan, 0.0], [1.0, 0.0, 1.0], "NaN"),
        ([1.0, 2.0, 0.0], [1.0, 0.0, 1.0], r"in \[0, 2\]"),
    ]
    for new, best, message in rows:
        with subtests.test(message=message), pytest.raises(StatisticsError, match=message):
            decide_release(new, best, Clusters.of([1, 2, 3]))


def test_blind_majority_vote_fails_against_the_ladder(soak: bool) -> None:
    """Exact scores of 700 submissions give 83 % of 500 answers away; a key has a standard deviation of 2 points."""
    seeds = range(20 if soak else 10)
    exact = fmean(vote_with_exact_scores(seed, N_ITEMS, N_SUBMISSIONS) for seed in seeds)
    votes, public = zip(*(vote_with_ladder(seed, N_ITEMS, N_SUBMISSIONS) for seed in seeds), strict=True)
    assert 0.81 < exact < 0.85
    assert fmean(votes) <= 0.55
    assert fmean(public) < 0.57, "the best of several blind guesses"


def test_patient_attack_passes_the_ladder_but_not_a_minimum_gain() -> None:
    seeds = range(2)
    assert fmean(climb_patiently(seed, N_ITEMS, N_SUBMISSIONS, 2, 0.0) for seed in seeds) > 0.7
    for n_changed in (2, 100):
        reached = [climb_patiently(seed, N_ITEMS, N_SUBMISSIONS, n_changed, MIN_GAIN) for seed in seeds]
        assert fmean(reached) < 0.61
