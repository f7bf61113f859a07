"""AA, ACR, their gap, macro means and option concentration: hand-computed values, plain loops, invariants."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.metrics import (
    all_correct_rate,
    average_accuracy,
    macro_mean,
    option_concentration,
    reliability_gap,
)
from evaluation.types import ABSENT, MISSING, UNREADABLE, Score

nan = math.nan


@st.composite
def tables(draw: st.DrawFn) -> NDArray[np.float64]:
    """Draw outcomes of items that have between one and five runs."""
    rows = draw(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=5), min_size=1, max_size=12))
    return np.array([row + [nan] * (5 - len(row)) for row in rows])


@st.composite
def choices(draw: st.DrawFn) -> NDArray[np.int16]:
    cell = st.sampled_from([0, 1, 2, 3, UNREADABLE, MISSING, ABSENT])
    return np.array(draw(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=1, max_size=12)), np.int16)


def runs_of(table: NDArray[np.float64]) -> list[list[float]]:
    return [[cell for cell in row if not math.isnan(cell)] for row in table.tolist()]


def test_accuracy_and_all_correct_rate_of_four_items_equal_the_hand_computed_values() -> None:
    table = np.array([[1, 1, 1, nan], [1, 0, 1, nan], [0, 0, 0, nan], [1, 1, 1, 1]])
    assert average_accuracy(table) == Score(9 / 13, 4)
    assert all_correct_rate(table) == Score(2 / 4, 4)
    assert reliability_gap(Score(9 / 13, 4), Score(2 / 4, 4)) == Score(9 / 13 - 1 / 2, 4)


def test_macro_mean_weights_every_score_equally() -> None:
    assert macro_mean([Score(0.25, 143), Score(0.5, 96), Score(0.75, 1)]) == Score(0.5, 240)


def test_option_concentration_counts_readable_answers_only() -> None:
    table = np.array([[0, 2, 2], [2, UNREADABLE, MISSING], [3, ABSENT, ABSENT]])
    assert option_concentration(table) == Score(3 / 5, 3)


@given(tables())
def test_accuracy_of_any_table_equals_plain_loops(table: NDArray[np.float64]) -> None:
    runs = runs_of(table)
    right, n_runs = sum(cell == 1 for row in runs for cell in row), sum(map(len, runs))
    for kind in (np.float64, np.float32):
        assert average_accuracy(table.astype(kind)) == Score(right / n_runs, len(runs))
        assert all_correct_rate(table.astype(kind)) == Score(sum(0.0 not in row for row in runs) / len(runs), len(runs))


@given(choices())
def test_option_concentration_of_any_answers_equals_plain_loops(table: NDArray[np.int16]) -> None:
    counts = Counter(cell for row in table.tolist() for cell in row if cell >= 0)
    expected = max(counts.values()) / counts.total() if counts else None
    assert option_concentration(table) == Score(expected, len(table))


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(50, 300)), min_size=1, max_size=10))
def test_macro_mean_of_any_scores_equals_exact_arithmetic(shares: list[tuple[int, int]]) -> None:
    exact = sum((Fraction(right / n) for right, n in shares), Fraction()) / len(shares)
    mean = macro_mean([Score(right / n, n) for right, n in shares])
    assert mean.value == pytest.approx(float(exact), abs=1e-15)
    assert mean == macro_mean([Score(right / n, n) for right, n in reversed(shares)])
    assert mean.n == sum(n for _, n in shares)


@given(tables(), choices(), st.randoms(use_true_random=True))
def test_order_of_items_changes_no_score(
    table: NDArray[np.float64], answers: NDArray[np.int16], random: object
) -> None:
    order, answer_order = list(range(len(table))), list(range(len(answers)))
    random.shuffle(order)  # type: ignore[attr-defined]
    random.shuffle(answer_order)  # type: ignore[attr-defined]
    assert average_accuracy(table[order]) == average_accuracy(table)
    assert all_correct_rate(table[order]) == all_correct_rate(table)
    assert option_concentration(answers[answer_order]) == option_concentration(answers)


@given(tables())
def test_one_more_right_run_never_lowers_a_score(table: NDArray[np.float64]) -> None:
    aa, acr = average_accuracy(table).value or 0, all_correct_rate(table).value or 0
    for row, column in zip(*np.nonzero(table == 0), strict=True):
        better = table.copy()
        better[row, column] = 1
        assert (average_accuracy(better).value or 0) > aa
        assert (all_correct_rate(better).value or 0) >= acr


@given(tables())
def test_all_correct_rate_never_exceeds_accuracy_if_runs_are_equal(table: NDArray[np.float64]) -> None:
    equal = table[:, :1]
    assert all_correct_rate(equal) == average_accuracy(equal)
    full = np.where(np.isnan(table), 0, table)
    assert (all_correct_rate(full).value or 0) <= (average_accuracy(full).value or 0)


def test_right_answers_score_best_and_wrong_answers_worst() -> None:
    for table, best in ((np.ones((3, 4)), 1.0), (np.zeros((3, 4)), 0.0)):
        aa, acr = average_accuracy(table), all_correct_rate(table)
        assert aa == acr == Score(best, 3)
        assert reliability_gap(aa, acr) == Score(0.0, 3)
    assert option_concentration(np.zeros((3, 4), np.int16)) == Score(1.0, 3)
    assert option_concentration(np.tile(np.arange(4), (3, 1))) == Score(0.25, 3)


def test_scores_of_no_items_are_none() -> None:
    empty = Score(None, 0)
    assert average_accuracy(np.empty((0, 3))) == empty
    assert all_correct_rate(np.empty((0, 3))) == empty
    assert option_concentration(np.empty((0, 3), np.int16)) == empty
    assert macro_mean([]) == empty
    assert reliability_gap(empty, empty) == empty


def test_items_without_runs_or_readable_answers_are_undefined_or_wrong() -> None:
    table = np.array([[nan, nan], [1, 1]])
    assert average_accuracy(table[:1]) == Score(None, 1)
    assert all_correct_rate(table) == Score(0.5, 2)
    assert option_concentration(np.array([[UNREADABLE, MISSING]])) == Score(None, 1)


@pytest.mark.parametrize("scores", [[Score(None, 3)], [Score(1.0, 2), Score(None, 0)]])
def test_macro_mean_with_an_undefined_score_is_undefined(scores: list[Score]) -> None:
    assert macro_mean(scores).value is None


@pytest.mark.parametrize(("aa", "acr"), [(Score(None, 3), Score(0.5, 3)), (Score(0.5, 3), Score(None, 3))])
def test_gap_with_an_undefined_score_is_undefined(aa: Score, acr: Score) -> None:
    assert reliability_gap(aa, acr) == Score(None, 3)


def test_random_guesses_score_chance_and_its_power(subtests: pytest.Subtests) -> None:
    for options, runs in ((4, 4), (5, 5), (3, 3), (7, 3)):
        with subtests.test(options=options, runs=runs):
            rng = np.random.default_rng(options)
            n = 200_000
            guesses = rng.integers(options, size=(n, runs))
            correct = (guesses == 0).astype(np.float32)
            for score, expected, size in (
                (average_accuracy(correct), 1 / options, n * runs),
                (all_correct_rate(correct), (1 / options) ** runs, n),
            ):
                error = math.sqrt(expected * (1 - expected) / size)
                assert score.value == pytest.approx(expected, abs=4 * error)
            assert option_concentration(guesses).value == pytest.approx(1 / options, abs=0.005)
