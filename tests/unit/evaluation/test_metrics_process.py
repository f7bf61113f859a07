"""Metrics of process critics: hand-computed values, plain loops over pairs, steps and draws, and invariants."""

import doctest
import importlib
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.metrics.process import (
    auroc,
    best_of_n,
    first_error,
    harmonic_mean,
    majority_vote,
    mean_score,
    score_chains,
    score_gap,
    step_identification,
    type_detection,
)
from evaluation.types import Score
from tests.support.samples.about import about

Steps = list[tuple[bool, bool]]  # (flagged, erroneous)

# Few values, so that ties are common.
probabilities = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])
traces = st.lists(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=5), max_size=6)
steps = st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20)
# (chain score, question, final answer); answer 0 is right
chains = st.lists(st.tuples(probabilities, st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6)


def columns(rows: Steps) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    table = np.array(rows, dtype=np.bool_).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def mask(text: str) -> NDArray[np.bool_]:
    return np.array([letter == "x" for letter in text])


def starts_of(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.array([sum(lengths[:number]) for number in range(len(lengths))], dtype=np.int64)


def test_doctests_of_process_metrics_pass(subtests: pytest.Subtests) -> None:
    for name in ("all_errors", "chains", "error_type_metrics", "first_error", "gaps", "means"):
        with subtests.test(name=name):
            result = doctest.testmod(importlib.import_module(f"evaluation.metrics.process.{name}"))
            assert result.attempted > 0
            assert result.failed == 0


# --- means


def test_harmonic_mean_is_zero_for_a_zero_share_and_none_for_an_undefined_share(subtests: pytest.Subtests) -> None:
    rows: list[tuple[float | None, float | None, float | None]] = [
        (1.0, 1.0, 1.0),
        (0.5, 1.0, 2 / 3),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 0.0),
        (None, 1.0, None),
        (1.0, None, None),
    ]
    for first, second, expected in rows:
        with subtests.test(first=first, second=second, expected=expected):
            assert harmonic_mean(first, second) == expected


def test_mean_score_with_an_undefined_part_is_undefined() -> None:
    assert mean_score([Score(0.2, 1), Score(0.4, 1)], n=7) == Score(about(0.3), 7)
    assert mean_score([Score(0.2, 1), Score(None, 0)], n=7) == Score(None, 7)
    assert mean_score([], n=0) == Score(None, 0)


def test_score_gap_with_an_undefined_side_is_undefined() -> None:
    assert score_gap(Score(0.7, 2), Score(0.9, 3)) == Score(about(-0.2), 5)
    assert score_gap(Score(None, 0), Score(0.9, 3)) == Score(None, 3)
    assert score_gap(Score(0.9, 3), Score(None, 0)) == Score(None, 3)


# --- steps


def test_step_identification_equals_the_hand_computed_values() -> None:
    # 4 erroneous steps, 3 of them flagged; 5 right ones, 2 flagged: h(3/4, 3/5) = 2/3
    rates = step_identification(mask("xxx.xx..."), mask("xxxx....."))
    assert rates.recall == Score(3 / 4, 4)
    assert rates.specificity == Score(3 / 5, 5)
    assert rates.aei == Score(about(2 / 3), 9)


@given(steps)
def test_step_identification_equals_counting_by_loop(rows: Steps) -> None:
    n_detected = sum(flagged for flagged, erroneous in rows if erroneous)
    n_accepted = sum(not flagged for flagged, erroneous in rows if not erroneous)
    n_erroneous = sum(erroneous for _, erroneous in rows)
    rates = step_identification(*columns(rows))
    assert (rates.recall.n, rates.specificity.n, rates.aei.n) == (n_erroneous, len(rows) - n_erroneous, len(rows))
    if 0 < n_erroneous < len(rows):
        recall, specificity = Fraction(n_detected, n_erroneous), Fraction(n_accepted, len(rows) - n_erroneous)
        total = recall + specificity
        assert rates.aei.value == pytest.approx(float(2 * recall * specificity / total) if total else 0.0)
    else:
        assert rates.aei.value is None


@given(steps)
def test_step_identification_of_extreme_critics_is_one_or_zero(rows: Steps) -> None:
    _, erroneous = columns(rows)
    if 0 < erroneous.sum() < len(rows):
        assert step_identification(erroneous, erroneous).aei.value == 1.0
        assert step_identification(~erroneous, erroneous).aei.value == 0.0
        for everything in (np.ones_like(erroneous), np.zeros_like(erroneous)):
            assert step_identification(everything, erroneous).aei.value == 0.0


@given(steps, st.integers(0, 19))
def test_step_identification_with_a_corrected_verdict_is_never_lower(rows: Steps, position: int) -> None:
    flagged, erroneous = columns(rows)
    if 0 < erroneous.sum() < len(rows):
        repaired = flagged.copy()
        repaired[position % len(rows)] = erroneous[position % len(rows)]
        before, after = (step_identification(flags, erroneous).aei.value for flags in (flagged, repaired))
        assert before is not None
        assert after is not None
        assert after >= before


@given(steps.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_step_identification_does_not_depend_on_the_order_of_steps(pair: tuple[Steps, Steps]) -> None:
    assert step_identification(*columns(pair[0])) == step_identification(*columns(pair[1]))


# --- first error


def test_first_error_equals_the_hand_computed_value() -> None:
    # With an error: found, flagged too early, flagged too late, none flagged: 1 of 4. Without: clean, flagged, clean.
    flagged = [".xx", "x.x", "..x", "..", "...", ".x", "."]
    erroneous = [".x.", ".xx", ".x.", ".x", "...", "..", "."]
    score = first_error(mask("".join(flagged)), mask("".join(erroneous)), starts_of([len(text) for text in flagged]))
    assert score == Score(about(2 * (1 / 4) * (2 / 3) / (1 / 4 + 2 / 3)), 7)


@given(traces)
def test_first_error_equals_searching_by_loop(rows: list[Steps]) -> None:
    detected: list[bool] = []
    clean: list[bool] = []
    for trace in rows:
        first_flag = next((number for number, (flagged, _) in enumerate(trace) if flagged), None)
        first_truth = next((number for number, (_, erroneous) in enumerate(trace) if erroneous), None)
        (clean if first_truth is None else detected).append(first_flag == first_truth)
    flagged, erroneous = columns([step for trace in rows for step in trace])
    score = first_error(flagged, erroneous, starts_of([len(trace) for trace in rows]))
    assert score.n == len(rows)
    if detected and clean:
        a, b = Fraction(sum(detected), len(detected)), Fraction(sum(clean), len(clean))
        assert score.value == pytest.approx(float(2 * a * b / (a + b)) if a + b else 0.0)
    else:
        assert score.value is None


@given(traces)
def test_first_error_of_extreme_critics_is_one_or_zero(rows: list[Steps]) -> None:
    _, erroneous = columns([step for trace in rows for step in trace])
    starts = starts_of([len(trace) for trace in rows])
    perfect = first_error(erroneous, erroneous, starts)
    assert perfect.value in (None, 1.0)
    for everything in (np.ones_like(erroneous), np.zeros_like(erroneous), ~erroneous):
        assert first_error(everything, erroneous, starts).value == (None if perfect.value is None else 0.0)


@given(traces.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_first_error_does_not_depend_on_the_order_of_traces(pair: tuple[list[Steps], list[Steps]]) -> None:
    first, second = (
        first_error(*columns([step for trace in rows for step in trace]), starts_of([len(trace) for trace in rows]))
        for rows in pair
    )
    assert first == second


# --- error types


def test_type_detection_equals_the_hand_computed_values() -> None:
    # Steps: two of the type, one of another type that must not count, three right ones.
    of_type, right = mask("xx...."), mask("...xxx")
    scores = np.array([0.9, 0.4, 1.0, 0.4, 0.1, 0.6])
    rates = type_detection(mask("x.x..x"), scores, of_type, right)
    assert rates.prmscore == Score(about(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3)), 5)
    assert rates.balanced_accuracy == Score(about((1 / 2 + 2 / 3) / 2), 5)
    # 0.9 beats all three; 0.4 beats 0.1, ties with 0.4, loses to 0.6: (3 + 1.5) of 6 pairs
    assert rates.auroc == Score(4.5 / 6, 5)


def test_type_detection_without_steps_of_the_type_is_undefined() -> None:
    no_steps = mask("...")
    rates = type_detection(no_steps, np.zeros(3), no_steps, ~no_steps)
    assert [score.value for score in rates] == [None, None, None]
    assert [score.value for score in type_detection(no_steps, np.zeros(3), ~no_steps, no_steps)] == [None, None, None]


@given(st.lists(probabilities, max_size=12), st.lists(probabilities, max_size=12))
def test_auroc_equals_counting_by_pairs(positives: list[float], negatives: list[float]) -> None:
    credits = [
        Fraction(1) if high > low else Fraction(1, 2) if high == low else Fraction(0)
        for high in positives
        for low in negatives
    ]
    expected = float(sum(credits) / len(credits)) if credits else None
    assert auroc(np.array(positives), np.array(negatives)) == expected


@given(st.lists(probabilities, min_size=1), st.lists(probabilities, min_size=1))
def test_auroc_of_inverted_scores_is_the_complement(positives: list[float], negatives: list[float]) -> None:
    original = auroc(np.array(positives), np.array(negatives))
    inverted = auroc(1 - np.array(positives), 1 - np.array(negatives))
    assert original is not None
    assert inverted == pytest.approx(1 - original)


@given(steps)
def test_auroc_of_verdicts_alone_is_the_balanced_accuracy(rows: Steps) -> None:
    flagged, erroneous = columns(rows)
    rates = type_detection(flagged, flagged.astype(np.float64), erroneous, ~erroneous)
    if rates.auroc.value is not None:
        assert rates.auroc.value == pytest.approx(rates.balanced_accuracy.value)


@given(st.lists(probabilities, min_size=1), st.lists(probabilities, min_size=1), st.integers(0), probabilities)
def test_auroc_with_a_raised_positive_is_never_lower(
    positives: list[float], negatives: list[float], position: int, score: float
) -> None:
    raised = list(positives)
    raised[position % len(raised)] = max(score, raised[position % len(raised)])
    before, after = (auroc(np.array(scores), np.array(negatives)) for scores in (positives, raised))
    assert before is not None
    assert after is not None
    assert after >= before


# --- chains


def test_score_chains_equals_the_hand_computed_values() -> None:
    scores = np.array([0.5, 0.0, 1.0, 0.25, 0.25])
    assert score_chains(scores, starts_of([2, 1, 2])).tolist() == [0.75, 0.0, 0.75]
    assert score_chains(np.zeros(0), starts_of([])).tolist() == []


def test_best_of_n_equals_the_hand_computed_value() -> None:
    # q0: the best is right. q1: two are best, one of them right. q2: the best is wrong. q3: one chain, right.
    chain = np.array([0.9, 0.2, 0.5, 0.5, 0.1, 0.3, 0.8, 0.0])
    groups = np.array([0, 0, 1, 1, 1, 2, 2, 3])
    assert best_of_n(chain, groups, mask("x.x..x.x")) == Score(about((1 + 1 / 2 + 0 + 1) / 4), 4)


def test_majority_vote_equals_the_hand_computed_value() -> None:
    # q0: 0.9 for the right answer against 0.5 + 0.5. q1: 0.4 + 0.2 against 0.6, a tie that adding makes inexact.
    chain = np.array([0.9, 0.5, 0.5, 0.4, 0.2, 0.6])
    score = majority_vote(chain, np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 1, 2, 2, 3]), mask("x..xx."))
    assert 0.4 + 0.2 != 0.6
    assert score == Score((0 + 1 / 2) / 2, 2)


def test_chains_without_traces_are_undefined() -> None:
    no_chains = np.zeros(0, dtype=np.int64)
    assert best_of_n(np.zeros(0), no_chains, mask("")) == Score(None, 0)
    assert majority_vote(np.zeros(0), no_chains, no_chains, mask("")) == Score(None, 0)


Chain = tuple[float, int, int]


def score_both(rows: Sequence[Chain]) -> tuple[Score, Score]:
    """Return BoN and MV; questions and answers are numbered as they appear."""
    questions: dict[int, int] = {}
    answers: dict[tuple[int, int], int] = {}
    groups = np.array([questions.setdefault(question, len(questions)) for _, question, _ in rows])
    finals = np.array([answers.setdefault((question, final), len(answers)) for _, question, final in rows])
    right = np.array([final == 0 for _, _, final in rows])
    weights = np.array([weight for weight, _, _ in rows])
    return best_of_n(weights, groups, right), majority_vote(weights, groups, finals, right)


def enumerate_draws(rows: Sequence[Chain]) -> tuple[Fraction, Fraction]:
    """Return BoN and MV as the mean accuracy over all ways to break the ties of all questions."""
    best, voted = [], []
    for question in {question for _, question, _ in rows}:
        own = [(Fraction(weight).limit_denominator(), final) for weight, group, final in rows if group == question]
        best.append([final for weight, final in own if weight == max(weight for weight, _ in own)])
        sums = {final: sum(weight for weight, other in own if other == final) for _, final in own}
        voted.append([final for final, total in sums.items() if total == max(sums.values())])
    return _mean_accuracy(best), _mean_accuracy(voted)


def _mean_accuracy(winners: list[list[int]]) -> Fraction:
    draws = list(itertools.product(*winners))
    return Fraction(sum(final == 0 for draw in draws for final in draw), len(draws) * len(winners))


@given(chains)
def test_chains_equal_the_mean_over_all_draws(rows: list[Chain]) -> None:
    bon, mv = score_both(rows)
    expected = enumerate_draws(rows)
    assert (bon.value, mv.value) == (about(float(expected[0])), about(float(expected[1])))
    assert bon.n == mv.n == len({question for _, question, _ in rows})


@given(chains.flatmap(lambda rows: st.tuples(st.just(rows), st.permutations(rows))))
def test_chains_do_not_depend_on_the_order_of_traces(pair: tuple[list[Chain], list[Chain]]) -> None:
    assert score_both(pair[0]) == score_both(pair[1])


@given(chains, st.integers(0), probabilities)
def test_better_weight_of_a_chain_never_lowers_a_score(rows: list[Chain], position: int, weight: float) -> None:
    """A right chain with more weight, or a wrong chain with less, never lowers a score."""
    old, question, final = rows[position % len(rows)]
    better = list(rows)
    better[position % len(rows)] = (max(old, weight) if final == 0 else min(old, weight), question, final)
    for before, after in zip(score_both(rows), score_both(better), strict=True):
        assert before.value is not None
        assert after.value is not None
        assert after.value >= before.value or math.isclose(after.value, before.value)
