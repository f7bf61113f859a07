"""Metrics: hand-computed cases, plain loops that compute the same, and invariants."""

import doctest
import importlib
import math
import pkgutil
import statistics
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import evaluation.metrics
from evaluation.metrics import seed_accuracy, seed_verification
from evaluation.metrics.confusion import seed_confusion
from evaluation.metrics.seeds import score_over_seeds
from evaluation.types import ABSENT, MISSING, UNREADABLE, Score
from tests.support.samples.about import about

MODULES = [
    module.name
    for module in pkgutil.walk_packages(evaluation.metrics.__path__, "evaluation.metrics.")
    if not module.ispkg
]
CHOICES = [0, 1, UNREADABLE, MISSING]


@st.composite
def tables(draw: st.DrawFn, values: list[float]) -> NDArray[np.float64]:
    n_items, n_runs = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    row = st.lists(st.sampled_from(values), min_size=n_runs, max_size=n_runs)
    return np.array(draw(st.lists(row, min_size=n_items, max_size=n_items)))


@st.composite
def statements(draw: st.DrawFn) -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    n_items, n_runs = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    row = st.lists(st.sampled_from(CHOICES), min_size=n_runs, max_size=n_runs)
    choices = draw(st.lists(row, min_size=n_items, max_size=n_items))
    truth = draw(st.lists(st.booleans(), min_size=n_items, max_size=n_items))
    return np.array(choices, np.int16), np.array(truth)


def plain_score(rows: list[list[float]]) -> Score:
    """Compute the score of a table with loops: the mean of means, and the standard deviation of the seeds' means."""
    if not rows:
        return Score(None, 0)
    present = [[cell for cell in row if not math.isnan(cell)] for row in rows]
    value = statistics.fmean(sum(row) / len(row) for row in present)
    columns = list(zip(*rows, strict=True))
    whole = [column for column in columns if not any(math.isnan(cell) for cell in column)]
    absent = [column for column in columns if all(math.isnan(cell) for cell in column)]
    if len(whole) < 2 or len(whole) + len(absent) < len(columns):
        return Score(value, len(rows))
    return Score(value, len(rows), statistics.stdev(sum(column) / len(column) for column in whole))


def assert_same(first: Score, second: Score) -> None:
    assert first.n == second.n
    for a, b in ((first.value, second.value), (first.std, second.std)):
        assert (a is None) == (b is None), (first, second)
        assert a is None or a == pytest.approx(b, abs=1e-6)


def test_doctests_of_metrics_pass(subtests: pytest.Subtests) -> None:
    for name in MODULES:
        with subtests.test(name=name):
            module = importlib.import_module(name)
            result = doctest.testmod(module)
            assert result.failed == 0
            assert result.attempted > 0, "every metric shows one example"


def test_modules_of_metrics_are_found() -> None:
    assert {f"evaluation.metrics.{name}" for name in ("accuracy", "confusion", "verification")} <= set(MODULES)


def test_accuracy_of_three_seeds_equals_the_hand_computed_values() -> None:
    # Seeds: 3/4, 1/2, 1/4; mean 1/2; squares 1/16 + 0 + 1/16, over two.
    correct = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], np.float32)
    score = seed_accuracy(correct)
    assert score.value == pytest.approx(0.5)
    assert score.n == 4
    assert score.std == pytest.approx(0.25)


def test_verification_of_one_seed_equals_the_hand_computed_values() -> None:
    choices = np.array([[1], [1], [0], [UNREADABLE], [1], [0], [MISSING]])
    truth = np.array([True, True, True, True, False, False, False])
    tpr, tnr, yes_bias = seed_verification(choices, truth)
    assert tpr == Score(about(2 / 4), 4)
    assert tnr == Score(about(1 / 3), 3)
    assert yes_bias == Score(about(1 / 3), 3)


@given(tables([0.0, 1.0, 0.5, math.nan]))
def test_accuracy_of_any_table_equals_plain_loops(table: NDArray[np.float64]) -> None:
    assume(not np.isnan(table).all(axis=1).any())
    assert_same(seed_accuracy(table), plain_score(table.tolist()))
    assert_same(seed_accuracy(table.astype(np.float32)), plain_score(table.tolist()))


@given(statements(), st.integers(0, 3))
def test_verification_of_any_answers_equals_plain_loops(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]], absent: int
) -> None:
    choices, truth = drawn
    if absent < choices.shape[1] - 1:
        choices[:, absent] = ABSENT
    rates = seed_verification(choices, truth)
    for score, of_truth, verdict in ((rates.tpr, True, 1), (rates.tnr, False, 0), (rates.yes_bias, False, 1)):
        rows = [
            [math.nan if cell == ABSENT else float(cell == verdict) for cell in row]
            for row, true in zip(choices.tolist(), truth.tolist(), strict=True)
            if true is of_truth
        ]
        assert_same(score, plain_score(rows))


@given(statements(), st.randoms(use_true_random=True))
def test_metrics_do_not_depend_on_the_order_of_items_or_seeds(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]], random: object
) -> None:
    choices, truth = drawn
    rows, columns = list(range(choices.shape[0])), list(range(choices.shape[1]))
    random.shuffle(rows)  # type: ignore[attr-defined]
    random.shuffle(columns)  # type: ignore[attr-defined]
    shuffled = choices[rows][:, columns]
    for first, second in zip(seed_verification(choices, truth), seed_verification(shuffled, truth[rows]), strict=True):
        assert_same(first, second)
    correct = (choices == truth[:, None]).astype(np.float32)
    assert_same(seed_accuracy(correct), seed_accuracy(correct[rows][:, columns]))


@given(tables([0.0, 1.0]), st.integers(2, 5))
def test_accuracy_of_repeated_items_is_the_same(table: NDArray[np.float64], times: int) -> None:
    once, often = seed_accuracy(table), seed_accuracy(np.tile(table, (times, 1)))
    assert often.n == times * once.n
    assert_same(once, Score(often.value, once.n, often.std))


@given(tables([0.0, 1.0]), st.floats(0.0, 1.0))
def test_score_of_scaled_outcomes_is_scaled(table: NDArray[np.float64], factor: float) -> None:
    score, scaled = score_over_seeds(table), score_over_seeds(factor * table)
    assert scaled.value == pytest.approx(factor * (score.value or 0), abs=1e-12)
    assert score.std is None or scaled.std == pytest.approx(factor * score.std, abs=1e-12)


@given(statements())
def test_rejections_and_false_alarms_never_exceed_one(drawn: tuple[NDArray[np.int16], NDArray[np.bool_]]) -> None:
    choices, truth = drawn
    rates = seed_verification(choices, truth)
    if rates.tnr.value is None or rates.yes_bias.value is None:
        assert truth.all()
        return
    total = rates.tnr.value + rates.yes_bias.value
    assert total <= 1 + 1e-12
    readable = bool(np.isin(choices[~truth], (0, 1)).all())
    assert (total == pytest.approx(1.0)) is readable


@given(tables([0.0, 1.0]))
def test_one_more_right_answer_raises_accuracy(table: NDArray[np.float64]) -> None:
    before = seed_accuracy(table).value
    for row, column in zip(*np.nonzero(table == 0), strict=True):
        better = table.copy()
        better[row, column] = 1.0
        assert (seed_accuracy(better).value or 0) > (before or 0)


@pytest.mark.parametrize("n_runs", [1, 3])
def test_right_answers_score_best_and_wrong_answers_worst(n_runs: int) -> None:
    truth = np.array([True, False, True, False])
    right = np.repeat(truth[:, None], n_runs, axis=1).astype(np.int16)
    std = 0.0 if n_runs > 1 else None
    assert seed_verification(right, truth) == (Score(1.0, 2, std), Score(1.0, 2, std), Score(0.0, 2, std))
    assert seed_verification(1 - right, truth) == (Score(0.0, 2, std), Score(0.0, 2, std), Score(1.0, 2, std))
    assert seed_accuracy(np.ones((4, n_runs))) == Score(1.0, 4, std)
    assert seed_accuracy(np.zeros((4, n_runs))) == Score(0.0, 4, std)


@pytest.mark.parametrize("n_runs", [0, 1, 3])
def test_scores_of_no_items_are_none(n_runs: int) -> None:
    assert seed_accuracy(np.empty((0, n_runs))) == Score(None, 0)
    rates = seed_verification(np.empty((0, n_runs), np.int16), np.empty(0, bool))
    assert rates == (Score(None, 0), Score(None, 0), Score(None, 0))


def test_rates_without_statements_of_a_truth_value_are_none() -> None:
    rates = seed_verification(np.array([[1], [0]]), np.array([True, True]))
    assert rates.tpr == Score(0.5, 2)
    assert rates.tnr == rates.yes_bias == Score(None, 0)


def test_seeds_over_different_items_have_no_std() -> None:
    table = np.array([[1.0, 0.0], [1.0, math.nan]])
    assert score_over_seeds(table) == Score(0.75, 2, None)


@given(st.integers(1, 400), st.integers(1, 5), st.integers(0, 2**32))
def test_equal_counts_give_equal_floats_in_any_order(n_items: int, n_runs: int, seed: int) -> None:
    random = Random(seed)
    cells = [float(random.random() < 0.4) for _ in range(n_items * n_runs)]
    table = np.array(cells).reshape(n_items, n_runs)
    shuffled = random.sample(cells, len(cells))
    other = np.array(shuffled).reshape(n_items, n_runs)
    exact = sum(cells) / len(cells)
    assert seed_accuracy(table).value == seed_accuracy(other).value == exact
    assert seed_accuracy(table.astype(np.float32)).value == exact


@given(tables([0.0, 1.0, 0.1, 1 / 3, math.nan]), st.randoms(use_true_random=True))
def test_permuted_items_and_seeds_give_the_identical_score(table: NDArray[np.float64], random: Random) -> None:
    assume(not np.isnan(table).all(axis=1).any())
    rows = random.sample(range(table.shape[0]), table.shape[0])
    columns = random.sample(range(table.shape[1]), table.shape[1])
    assert score_over_seeds(table[rows][:, columns]) == score_over_seeds(table)


@given(statements(), st.randoms(use_true_random=True))
def test_permuted_answers_give_the_identical_rates(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]], random: Random
) -> None:
    choices, truth = drawn
    rows = random.sample(range(choices.shape[0]), choices.shape[0])
    columns = random.sample(range(choices.shape[1]), choices.shape[1])
    shuffled, position = choices[rows][:, columns], truth.astype(np.int16)
    assert seed_verification(shuffled, truth[rows]) == seed_verification(choices, truth)
    assert seed_confusion(shuffled, position[rows]) == seed_confusion(choices, position)


def test_two_thirds_are_the_same_float_in_any_arrangement() -> None:
    # 1/3 and 2/3 in each item, or whole items: the same four of six.
    assert score_over_seeds(np.array([[1, 1, 0], [1, 1, 0.0]])).value == 4 / 6
    assert score_over_seeds(np.array([[1, 1, 1], [0, 0, 1.0]])).value == 4 / 6
    long_table = np.tile([[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]], (224, 1))
    assert score_over_seeds(long_table).value == score_over_seeds(np.sort(long_table, axis=0)).value == 896 / 2016


def test_confusion_equals_the_hand_computed_value() -> None:
    # Option 2 in all three. Seed 0: chosen, another, unread: 1 of 2. Seed 1: chosen twice: 2 of 3. All: 3 of 5.
    choices = np.array([[2, 2], [0, 2], [UNREADABLE, 1]])
    score = seed_confusion(choices, np.array([2, 2, 2]))
    assert score == Score(3 / 5, 3, about((2 / 3 - 1 / 2) / 2**0.5))


@pytest.mark.parametrize("code", [UNREADABLE, MISSING])
def test_confusion_without_a_readable_answer_is_none(code: int) -> None:
    assert seed_confusion(np.full((4, 2), code), np.zeros(4, np.int16)) == Score(None, 0)
    assert seed_confusion(np.empty((0, 2), np.int16), np.empty(0, np.int16)) == Score(None, 0)


def test_confusion_with_an_unreadable_or_partial_seed_has_no_std() -> None:
    position = np.array([1, 1])
    assert seed_confusion(np.array([[1, UNREADABLE], [0, MISSING]]), position) == Score(0.5, 2)
    assert seed_confusion(np.array([[1, 1], [0, ABSENT]]), position) == Score(2 / 3, 2)


@given(statements())
def test_unreadable_answers_do_not_change_confusion(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]],
) -> None:
    choices, truth = drawn
    position = truth.astype(np.int16)
    unreadable = np.full((3, choices.shape[1]), UNREADABLE, np.int16)
    more = seed_confusion(np.vstack([choices, unreadable]), np.append(position, [0, 1, 0]))
    assert more == seed_confusion(choices, position)
