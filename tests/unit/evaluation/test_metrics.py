"""Metrics: hand-computed cases, plain loops that compute the same, and invariants."""

import doctest
import importlib
import math
import pkgutil
import statistics

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import evaluation.metrics
from evaluation.metrics import seed_accuracy, seed_verification
from evaluation.metrics.seeds import score_over_seeds
from evaluation.types import ABSENT, MISSING, UNREADABLE, Score

MODULES = [module.name for module in pkgutil.iter_modules(evaluation.metrics.__path__, "evaluation.metrics.")]
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
    """Compute the figure of a table with loops: the mean of means, and the deviation of the seeds' means."""
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


def assert_same(one: Score, other: Score) -> None:
    assert one.n == other.n
    for a, b in ((one.value, other.value), (one.std, other.std)):
        assert (a is None) == (b is None), (one, other)
        assert a is None or a == pytest.approx(b, abs=1e-6)


@pytest.mark.parametrize("name", MODULES)
def test_doctest_of_a_metric_holds(name: str) -> None:
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0, "every metric shows one example"


def test_metrics_are_found() -> None:
    assert {"evaluation.metrics.accuracy", "evaluation.metrics.verification"} <= set(MODULES)


def test_accuracy_of_three_seeds_is_the_hand_computed_one() -> None:
    # Seeds: 3/4, 1/2, 1/4; mean 1/2; squares 1/16 + 0 + 1/16, over two.
    correct = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], np.float32)
    score = seed_accuracy(correct)
    assert score.value == pytest.approx(0.5)
    assert score.n == 4
    assert score.std == pytest.approx(0.25)


def test_verification_of_one_seed_is_the_hand_computed_one() -> None:
    choices = np.array([[1], [1], [0], [UNREADABLE], [1], [0], [MISSING]])
    truth = np.array([True, True, True, True, False, False, False])
    tpr, tnr, yes_bias = seed_verification(choices, truth)
    assert tpr == Score(pytest.approx(2 / 4), 4)
    assert tnr == Score(pytest.approx(1 / 3), 3)
    assert yes_bias == Score(pytest.approx(1 / 3), 3)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(tables([0.0, 1.0, 0.5, math.nan]))
def test_accuracy_of_any_table_is_that_of_plain_loops(table: NDArray[np.float64]) -> None:
    assume(not np.isnan(table).all(axis=1).any())
    assert_same(seed_accuracy(table), plain_score(table.tolist()))
    assert_same(seed_accuracy(table.astype(np.float32)), plain_score(table.tolist()))


@settings(deadline=None, derandomize=True, max_examples=30)
@given(statements(), st.integers(0, 3))
def test_verification_of_any_answers_is_that_of_plain_loops(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]], absent: int
) -> None:
    choices, truth = drawn
    if absent < choices.shape[1] - 1:
        choices[:, absent] = ABSENT
    found = seed_verification(choices, truth)
    for score, of_truth, said in ((found.tpr, True, 1), (found.tnr, False, 0), (found.yes_bias, False, 1)):
        rows = [
            [math.nan if cell == ABSENT else float(cell == said) for cell in row]
            for row, true in zip(choices.tolist(), truth.tolist(), strict=True)
            if true is of_truth
        ]
        assert_same(score, plain_score(rows))


@settings(deadline=None, derandomize=True, max_examples=30)
@given(statements(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_items_or_seeds(
    drawn: tuple[NDArray[np.int16], NDArray[np.bool_]], random: object
) -> None:
    choices, truth = drawn
    rows, columns = list(range(choices.shape[0])), list(range(choices.shape[1]))
    random.shuffle(rows)  # type: ignore[attr-defined]
    random.shuffle(columns)  # type: ignore[attr-defined]
    shuffled = choices[rows][:, columns]
    for one, other in zip(seed_verification(choices, truth), seed_verification(shuffled, truth[rows]), strict=True):
        assert_same(one, other)
    correct = (choices == truth[:, None]).astype(np.float32)
    assert_same(seed_accuracy(correct), seed_accuracy(correct[rows][:, columns]))


@settings(deadline=None, derandomize=True, max_examples=30)
@given(tables([0.0, 1.0]), st.integers(2, 5))
def test_accuracy_of_items_repeated_is_the_same_with_more_items(table: NDArray[np.float64], times: int) -> None:
    once, often = seed_accuracy(table), seed_accuracy(np.tile(table, (times, 1)))
    assert often.n == times * once.n
    assert_same(once, Score(often.value, once.n, often.std))


@settings(deadline=None, derandomize=True, max_examples=30)
@given(tables([0.0, 1.0]), st.floats(0.0, 1.0))
def test_figure_of_scaled_outcomes_is_scaled(table: NDArray[np.float64], factor: float) -> None:
    score, scaled = score_over_seeds(table), score_over_seeds(factor * table)
    assert scaled.value == pytest.approx(factor * (score.value or 0), abs=1e-12)
    assert score.std is None or scaled.std == pytest.approx(factor * score.std, abs=1e-12)


@settings(deadline=None, derandomize=True, max_examples=30)
@given(statements())
def test_rejections_and_false_alarms_never_exceed_one(drawn: tuple[NDArray[np.int16], NDArray[np.bool_]]) -> None:
    choices, truth = drawn
    found = seed_verification(choices, truth)
    if found.tnr.value is None or found.yes_bias.value is None:
        assert truth.all()
        return
    total = found.tnr.value + found.yes_bias.value
    assert total <= 1 + 1e-12
    readable = bool(np.isin(choices[~truth], (0, 1)).all())
    assert (total == pytest.approx(1.0)) is readable


@settings(deadline=None, derandomize=True, max_examples=30)
@given(tables([0.0, 1.0]))
def test_figure_of_one_more_right_answer_is_never_lower(table: NDArray[np.float64]) -> None:
    before = seed_accuracy(table).value
    for row, column in zip(*np.nonzero(table == 0), strict=True):
        better = table.copy()
        better[row, column] = 1.0
        assert (seed_accuracy(better).value or 0) > (before or 0)


@pytest.mark.parametrize("n_runs", [1, 3])
def test_perfect_answers_are_best_and_wrong_ones_worst(n_runs: int) -> None:
    truth = np.array([True, False, True, False])
    right = np.repeat(truth[:, None], n_runs, axis=1).astype(np.int16)
    std = 0.0 if n_runs > 1 else None
    assert seed_verification(right, truth) == (Score(1.0, 2, std), Score(1.0, 2, std), Score(0.0, 2, std))
    assert seed_verification(1 - right, truth) == (Score(0.0, 2, std), Score(0.0, 2, std), Score(1.0, 2, std))
    assert seed_accuracy(np.ones((4, n_runs))) == Score(1.0, 4, std)
    assert seed_accuracy(np.zeros((4, n_runs))) == Score(0.0, 4, std)


@pytest.mark.parametrize("n_runs", [0, 1, 3])
def test_figures_of_nothing_are_none(n_runs: int) -> None:
    assert seed_accuracy(np.empty((0, n_runs))) == Score(None, 0)
    nothing = seed_verification(np.empty((0, n_runs), np.int16), np.empty(0, bool))
    assert nothing == (Score(None, 0), Score(None, 0), Score(None, 0))


def test_rates_of_a_truth_that_no_statement_has_are_none() -> None:
    found = seed_verification(np.array([[1], [0]]), np.array([True, True]))
    assert found.tpr == Score(0.5, 2)
    assert found.tnr == found.yes_bias == Score(None, 0)


def test_deviation_of_seeds_over_different_items_is_none() -> None:
    table = np.array([[1.0, 0.0], [1.0, math.nan]])
    assert score_over_seeds(table) == Score(0.75, 2, None)
