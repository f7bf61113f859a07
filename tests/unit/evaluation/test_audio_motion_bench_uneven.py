"""Answers of uneven quality: every slice has its own score, and another key would give others."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import pytest

from evaluation import Prediction, Report, get_benchmark
from evaluation.answer_keys import AnswerValue
from evaluation.benchmarks.audio_motion_bench.design import DesignedItem, design_items
from tests.support.samples.key_answers import position_of
from tests.support.samples.uneven_answers import UNEVEN_SCORES, answer_unevenly

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BENCHMARK.make_key("test", "a seed")
ITEMS = design_items("test", "a seed")
UNEVEN = [Prediction(designed.item.id, 0, answer_unevenly(designed)) for designed in ITEMS]


def exact_scores(report: Report) -> dict[str, float | None]:
    return {f"{name}|{metric}": score.value for name, metric, score in report.list_scores()}


def test_uneven_answers_give_the_hand_computed_scores() -> None:
    scores = exact_scores(BENCHMARK.score(KEY, UNEVEN))
    assert {name: scores[name] for name in UNEVEN_SCORES} == {
        name: right / of for name, (right, of) in UNEVEN_SCORES.items()
    }


def test_hand_computed_scores_differ_between_slices() -> None:
    values = [right / of for right, of in UNEVEN_SCORES.values()]
    assert len(set(values)) >= 14


def list_next(group_of: Callable[[DesignedItem], str]) -> dict[str, AnswerValue]:
    """Return the answer of the next item of the same group in the pack, for each item."""
    groups = defaultdict(list)
    for designed in ITEMS:
        groups[group_of(designed)].append(designed)
    pairs = (pair for group in groups.values() for pair in zip(group, [*group[1:], group[0]], strict=True))
    return {designed.item.id: following.answer for designed, following in pairs}


NEXT_OF_FORM = list_next(lambda designed: designed.form)
NEXT_IN_CELL = list_next(lambda designed: designed.item.task)


def next_of_form(designed: DesignedItem) -> AnswerValue:
    return NEXT_OF_FORM[designed.item.id]


def next_in_cell(designed: DesignedItem) -> AnswerValue:
    return NEXT_IN_CELL[designed.item.id]


def other_letter(designed: DesignedItem) -> AnswerValue:
    return (position_of(designed.answer) + 1) % 4 if designed.form == "mcq" else designed.answer


def other_truth(designed: DesignedItem) -> AnswerValue:
    return not designed.answer if designed.form == "tf" else designed.answer


def test_uneven_answers_under_a_permuted_key_give_other_scores(subtests: pytest.Subtests) -> None:
    for permute in (next_of_form, next_in_cell, other_letter, other_truth):
        with subtests.test(permute=permute):
            wrong = replace(KEY, answers={designed.item.id: permute(designed) for designed in ITEMS})
            scores = exact_scores(BENCHMARK.score(wrong, UNEVEN))
            differing = {name for name, (right, of) in UNEVEN_SCORES.items() if scores[name] != right / of}
            assert {"overall|accuracy", "sct|accuracy"} & differing
            assert len(differing) > len(UNEVEN_SCORES) / 3
