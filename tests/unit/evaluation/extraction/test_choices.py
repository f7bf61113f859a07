from collections.abc import Sequence

import pytest

from evaluation.extraction import read_choices
from tests.support.samples.option_sets import DIRECTION

PLACE = ("餐厅的后厨，很吵", "餐厅", "家中。", "社区共享厨房")
ALL = ("rain", "wind", "All of the above")

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"
EMPTY, REFUSAL = "empty", "refusal"

# options, response, positions or reason
Case = tuple[Sequence[str], str | None, set[int] | str]


def read(response: str | None, options: Sequence[str]) -> set[int] | str | None:
    reading = read_choices(response, options)
    return reading.reason if reading.indices is None else set(reading.indices)


def test_read_choices_reads_a_stated_set(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "A, C", {0, 2}),
        (DIRECTION, "AC", {0, 2}),
        (DIRECTION, "acd", {0, 2, 3}),
        (DIRECTION, "A和C", {0, 2}),
        (DIRECTION, "A、C、D", {0, 2, 3}),
        (DIRECTION, '["A","C"]', {0, 2}),
        (DIRECTION, "['A', 'C']", {0, 2}),
        (DIRECTION, '{"answer": ["A", "C"]}', {0, 2}),
        (PLACE, "餐厅的后厨，很吵\n家中", {0, 2}),
        (PLACE, "餐厅的后厨,很吵;家中", {0, 2}),
        (PLACE, "餐厅，家中。", {1, 2}),
        (PLACE, "以上都是", {0, 1, 2, 3}),
        (PLACE, "全选", {0, 1, 2, 3}),
        (DIRECTION, "all of the above", {0, 1, 2, 3}),
        (DIRECTION, "A and C, not B", {0, 2}),
        (DIRECTION, "A", {0}),
        (DIRECTION, "答案是ACD。", {0, 2, 3}),
        (DIRECTION, "正确答案：A、C", {0, 2}),
        (DIRECTION, "The correct options are A and C.", {0, 2}),
        (DIRECTION, "The answers are:\nA. From left to right\nC. Remains unchanged", {0, 2}),
        (DIRECTION, "A: correct\nB: incorrect\nC: correct\nD: wrong", {0, 2}),
        (DIRECTION, "A is correct. B is wrong. C is correct.", {0, 2}),
        (DIRECTION, "A. From left to right; C. Remains unchanged", {0, 2}),
        (DIRECTION, "From left to right\nFrom right to left\nRemains unchanged\nMoves up", {0, 1, 2, 3}),
        (DIRECTION, "选A、B、D，因为声音", {0, 1, 3}),
        (DIRECTION, "Final answer: A, B and D", {0, 1, 3}),
        (DIRECTION, "A B D", {0, 1, 3}),
        (DIRECTION, "(A)(C)", {0, 2}),
        (DIRECTION, "<A>, <B>", {0, 1}),
        (DIRECTION, "B错误，A和C正确", {0, 2}),
        (DIRECTION, '["From left to right", "Moves up"]', {0, 3}),
        (DIRECTION, "A,C,D.", {0, 2, 3}),
        (DIRECTION, "A;C", {0, 2}),
        (DIRECTION, "- A\n- C", {0, 2}),
        (DIRECTION, "1. A\n2. C", {0, 2}),
        (DIRECTION, "A, C and D", {0, 2, 3}),
        (DIRECTION, "A & C", {0, 2}),
        (DIRECTION, "a, c", {0, 2}),
        (DIRECTION, "Ａ、Ｃ", {0, 2}),
        (DIRECTION, "答案为A、C。", {0, 2}),
        (DIRECTION, "选AC", {0, 2}),
        (DIRECTION, "Answer: AC", {0, 2}),
        (DIRECTION, "The answer is A, C.", {0, 2}),
        (DIRECTION, "I choose options A and D.", {0, 3}),
        (DIRECTION, "\\boxed{A, C}", {0, 2}),
        (DIRECTION, "<think>A, B</think>A, C", {0, 2}),
        (DIRECTION, "Not B. A and C are correct.", {0, 2}),
        (DIRECTION, "A and B. Wait, actually A and C.", {0, 2}),
        (DIRECTION, "From left to right, Moves up", {0, 3}),
        (DIRECTION, "A和C都正确", {0, 2}),
        (DIRECTION, "A、C正确，B、D错误", {0, 2}),
        (DIRECTION, "A, C, A", {0, 2}),
        (
            DIRECTION,
            "A. From left to right\nB. From right to left\nC. Remains unchanged\nD. Moves up\nAnswer: A, C",
            {0, 2},
        ),
        (
            DIRECTION,
            "A. From left to right\nB. From right to left\nC. Remains unchanged\nD. Moves up\n答案：AC",
            {0, 2},
        ),
        (ALL, "all of the above", {2}),
        (ALL, "A", {0}),
        (DIRECTION, "abc", {0, 1, 2}),
        (DIRECTION, "ABCD", {0, 1, 2, 3}),
        (DIRECTION, "A, B, C, D", {0, 1, 2, 3}),
        (DIRECTION, "All options are correct.", {0, 1, 2, 3}),
        (DIRECTION, "1) From left to right\n2) Moves up", {0, 3}),
        (DIRECTION, "Options A, B, and D", {0, 1, 3}),
        (DIRECTION, "A，C", {0, 2}),
        (DIRECTION, "A;C", {0, 2}),
        (DIRECTION, "I cannot tell, but A and C.", {0, 2}),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choices_without_an_agreed_set_returns_the_reason(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        (DIRECTION, "A or C", AMBIGUOUS),
        (DIRECTION, "A, E", OUTSIDE),
        (DIRECTION, "I cannot determine.", REFUSAL),
        (DIRECTION, "", EMPTY),
        (DIRECTION, "not B", AMBIGUOUS),
        (DIRECTION, "bad", OUTSIDE),
        (DIRECTION, "A: From right to left, C", CONTRADICTION),
        (DIRECTION, "无法判断", REFUSAL),
        (DIRECTION, "The answer is A/C.", AMBIGUOUS),
        (DIRECTION, "A and C, but not C", CONTRADICTION),
        (DIRECTION, "A. From left to right\nB. From right to left\nC. Remains unchanged\nD. Moves up", AMBIGUOUS),
        (DIRECTION, "AC power is used.", OUTSIDE),
        (DIRECTION, "None of the above", OUTSIDE),
        (ALL, "以上都是", AMBIGUOUS),
        (DIRECTION, None, EMPTY),
        (DIRECTION, "。", EMPTY),
        (DIRECTION, "If it is loud, A and C.", AMBIGUOUS),
        (DIRECTION, "A. Wait, no.", AMBIGUOUS),
        (DIRECTION, "cab", OUTSIDE),
        (DIRECTION, "The sound is loud.", OUTSIDE),
        (DIRECTION, '[{"option": "A", "confidence": 0.9}, {"option": "B", "confidence": 0.3}]', OUTSIDE),
        (DIRECTION, '```json\n{"A": {"confidence": 0.9}, "B": {"confidence": 0.2}}\n```', OUTSIDE),
    ]
    for options, response, expected in rows:
        with subtests.test(response):
            assert read(response, options) == expected


def test_read_choices_treats_a_list_of_options_like_a_tuple() -> None:
    assert read_choices("A, C", list(DIRECTION)).indices == frozenset({0, 2})
    assert read_choices("The answers are A and C. " + "It fades. " * 20, DIRECTION).indices == frozenset({0, 2})
