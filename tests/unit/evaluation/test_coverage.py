"""Disclosure of scores for incomplete files: no score reveals the verdict on few answers."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation import Prediction, Report, get_benchmark
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks.audio_motion_bench.design import DesignedItem, design_items
from evaluation.benchmarks.coverage import judge_coverage
from evaluation.types import ABSENT, MISSING, UNREADABLE, Item
from tests.support.samples.key_answers import position_of

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BENCHMARK.make_key("test", "a seed")
ITEMS = design_items("test", "a seed")
CELLS = sorted({designed.item.task for designed in ITEMS})
ITEMS_OF = {task: [designed for designed in ITEMS if designed.item.task == task] for task in CELLS}
# The same questions with entirely different answers: the disclosed scores must not depend on the key.
OPPOSITE = replace(
    KEY,
    answers={d.item.id: not d.answer if d.form == "tf" else (position_of(d.answer) + 1) % 4 for d in ITEMS},
)
TASKS = ("part/a", "part/b", "part/c")
SIZES = (24, 40, 8)


def make_items(sizes: tuple[int, ...] = SIZES) -> list[Item]:
    return [
        Item(f"{task}-{n}", "part", task, "?", "boolean", (), (0, 1), ())
        for task, size in zip(TASKS, sizes, strict=True)
        for n in range(size)
    ]


ROWS = {task: np.array([row for row, item in enumerate(make_items()) if item.task == task]) for task in TASKS}


@st.composite
def submissions(draw: st.DrawFn) -> NDArray[np.int16]:
    """Draw two runs of every group, answered, missing or unreadable in any share."""
    choices = np.full((sum(SIZES), 2), MISSING, np.int16)
    random = draw(st.randoms(use_true_random=True))  # one draw for all its numbers
    for rows in ROWS.values():
        for run in (0, 1):
            readable = draw(st.integers(0, len(rows)))
            unreadable = draw(st.integers(0, len(rows) - readable))
            codes = [1] * readable + [UNREADABLE] * unreadable + [MISSING] * (len(rows) - readable - unreadable)
            random.shuffle(codes)
            choices[rows, run] = codes
    if draw(st.booleans()):
        choices[:, 1] = ABSENT
    return choices


def count_readable(choices: NDArray[np.int16], rows: NDArray[np.int_]) -> list[tuple[int, int]]:
    """Return (readable, expected) for each available run of a set of items."""
    counted = [((choices[rows, run] >= 0).sum(), (choices[rows, run] != ABSENT).sum()) for run in (0, 1)]
    return [(int(readable), int(expected)) for readable, expected in counted if expected]


@given(submissions())
def test_incomplete_slice_is_shown_only_if_each_group_has_enough_answers(choices: NDArray[np.int16]) -> None:
    shown = judge_coverage(choices, make_items(), is_secret=True)
    whole = not (choices == MISSING).any()
    mostly_read = all(readable >= expected / 2 for readable, expected in count_readable(choices, np.arange(sum(SIZES))))
    for tasks in (TASKS[:1], TASKS[1:2], TASKS[2:], TASKS[:2], TASKS):
        counts = [count for task in tasks for count in count_readable(choices, ROWS[task])]
        enough = all(readable == 0 or readable >= min(20, expected) for readable, expected in counts)
        rows = np.concatenate([ROWS[task] for task in tasks])
        assert shown.allows(rows) == (enough or (whole and mostly_read))


@given(submissions())
def test_slice_selected_by_answers_is_shown_only_for_a_complete_file(choices: NDArray[np.int16]) -> None:
    rows = np.arange(len(choices))
    read = all(expected - readable <= 0.05 * expected for readable, expected in count_readable(choices, rows))
    whole = not (choices == MISSING).any()
    assert judge_coverage(choices, make_items(), is_secret=True).allows(rows[:3], by_answer=True) == (whole and read)


@pytest.mark.parametrize(("unreadable", "shown"), [(0, True), (3, True), (4, False)])
def test_slice_selected_by_answers_allows_five_percent_unreadable(unreadable: int, shown: bool) -> None:
    choices = np.ones((72, 2), np.int16)
    choices[:unreadable, 1] = UNREADABLE  # 3 of 72 are 4.2 %, 4 are 5.6 %; the other run has none
    disclosure = judge_coverage(choices, make_items(), is_secret=True)
    assert disclosure.allows(np.arange(5), by_answer=True) is shown
    assert disclosure.allows(np.arange(5))


@given(submissions())
def test_everything_is_shown_on_practice(choices: NDArray[np.int16]) -> None:
    shown = judge_coverage(choices, make_items(), is_secret=False)
    assert shown.allows(np.arange(len(choices)))
    assert shown.allows(np.arange(len(choices)), by_answer=True)


def values(report: Report) -> dict[tuple[str, str], float | None]:
    return {(name, metric): score.value for name, metric, score in report.list_scores()}


def score(key: AnswerKey, answered: list[DesignedItem], *, filler: str | None = None) -> dict[tuple[str, str], object]:
    """Score right answers to some items; the others are missing or meaningless."""
    chosen = {designed.item.id for designed in answered}
    predictions = []
    for designed in ITEMS:
        if designed.item.id in chosen:
            right = str(designed.answer) if designed.form == "tf" else "ABCD"[position_of(designed.answer)]
            predictions.append(Prediction(designed.item.id, 0, right))
        elif filler is not None:
            predictions.append(Prediction(designed.item.id, 0, filler))
    return {column: value for column, value in values(BENCHMARK.score(key, predictions)).items() if value}


@given(st.lists(st.integers(0, 19), min_size=24, max_size=24), st.sampled_from([None, "I do not know."]))
def test_file_with_few_answers_shows_the_same_under_any_key(answered: list[int], filler: str | None) -> None:
    probe: list[DesignedItem] = []
    for task, count in zip(CELLS, answered, strict=True):
        probe += ITEMS_OF[task][:count]
    assert score(KEY, probe, filler=filler) == score(OPPOSITE, probe, filler=filler) == {}


@pytest.mark.parametrize(
    "probe",
    [
        lambda: [next(d for d in ITEMS if d.item.task == task) for task in CELLS],  # one answer in each slice
        lambda: [d for d in ITEMS if d.clip.trajectory.start == "N"][:10],  # few in all
    ],
)
def test_probe_with_single_answers_gets_no_score(probe: Callable[[], list[DesignedItem]]) -> None:
    assert score(KEY, probe()) == {}


def test_difference_of_two_shown_slices_never_reveals_a_single_answer() -> None:
    """A complete slice next to one answer of another: their sum would reveal that answer."""
    full = [d for d in ITEMS if d.item.task == "sct/clean/mcq"]
    single = next(d for d in ITEMS if d.item.task == "sct/35db/mcq")
    scores = score(KEY, [*full, single])
    assert scores["sct/clean/mcq", "accuracy"] == 1.0
    assert not {"sct", "sct/mcq", "sct/35db", "sct/35db/mcq"} & {name for name, _ in scores}


@pytest.mark.parametrize(("gaps", "metrics"), [(0, 7), (1, 1)])
def test_scores_over_items_selected_by_answers_need_a_complete_file(gaps: int, metrics: int) -> None:
    """One "True" among many "False": the hit rate would reveal the verdict on it."""
    predictions = [Prediction(d.item.id, 0, "False" if d.form == "tf" else "A") for d in ITEMS]
    report = BENCHMARK.score(KEY, predictions[gaps:])
    assert len({metric for scores in report.scores.values() for metric in scores}) == metrics
    assert report.scores["overall"]["accuracy"].value is not None


def test_single_answer_in_a_second_run_is_hidden_with_its_deviation() -> None:
    predictions = [Prediction(d.item.id, 0, "True" if d.form == "tf" else "A") for d in ITEMS]
    report = BENCHMARK.score(KEY, [*predictions, Prediction(ITEMS[0].item.id, 1, predictions[0].response)])
    shown = set(report.scores)
    hidden = {"overall", ITEMS[0].clip.variant, ITEMS[0].item.task}
    assert not hidden & shown
    assert not any(name.startswith("direction/") for name in shown)


@pytest.mark.parametrize(("gaps", "directions"), [(0, 56), (1, 0)])
def test_directions_are_shown_only_for_a_complete_file(gaps: int, directions: int) -> None:
    scores = score(KEY, list(ITEMS[gaps:]))
    assert sum(name.startswith("direction/") for name, _ in scores) == directions
    assert scores["overall", "accuracy"] == (2016 - gaps) / 2016


@pytest.mark.parametrize(("unreadable", "directions"), [(100, 56), (101, 0)])
def test_directions_are_shown_only_if_at_most_five_percent_are_unreadable(unreadable: int, directions: int) -> None:
    scores = score(KEY, list(ITEMS[unreadable:]), filler="I do not know.")  # 5 % of 2,016 are 100.8
    assert sum(name.startswith("direction/") for name, _ in scores) == directions
    assert scores["overall", "accuracy"] == (2016 - unreadable) / 2016


def test_complete_file_of_refusals_scores_zero() -> None:
    predictions = [Prediction(d.item.id, 0, "I do not know.") for d in ITEMS]
    report = BENCHMARK.score(KEY, predictions)
    assert report.scores["overall"]["accuracy"].value == 0.0


def test_practice_shows_the_scores_of_a_single_answer() -> None:
    key = BENCHMARK.make_key("practice")
    report = BENCHMARK.score(key, [Prediction(next(iter(key.answers)), 0, "A")])
    assert len(report.scores) == 15
