"""Answers on separate lines, with explanations below and repetitions next to them."""

import pytest

from evaluation.extraction import read_boolean, read_choice, read_choices

OPTIONS = ("he lies about the trip", "she leaves in a hurry", "the police arrive", "nobody comes late")

SETS = {
    "Answer: A, C\nExplanation: B says that she left in a hurry, so it is ruled out.": {0, 2},
    "答案：AC\n解释：B项说她很匆忙，而她在对话中说自己不急，因此排除。": {0, 2},
    "Answer: A, C\nExplanation: on second thoughts the answer is B.": {1},
    "Answer: A\nExplanation: A is wrong, and so is B.": None,
    "B、C（第2、3项）": {1, 2},
    "答案选择 A、C。他刚回来。": {0, 2},
    "答えはA、Cです。": {0, 2},
    "A B C D A B C D A B C D": None,
    "A B C D": {0, 1, 2, 3},
}


@pytest.mark.parametrize("text", SETS)
def test_read_choices_reads_an_answer_on_its_own_line(text: str) -> None:
    assert read_choices(text, OPTIONS).indices == SETS[text]


def test_read_choices_returns_none_if_the_stated_number_of_options_differs() -> None:
    options = ("他们在争吵并且互相指责", "有人在门外敲门等待", "天上开始下大雨打雷", "孩子在房间里哭闹不停")
    assert read_choices("他们互相指责争吵，外面下大雨打雷，这三点都能推断出来。", options).indices is None


def test_read_choice_limits_a_word_of_time_to_its_sentence() -> None:
    options = ("a horn", "a dog", "the bell in the hall", "rain")
    asides = (
        "The bell rings, once. C is what the bell in the hall sounds like.",
        "It stops when the bell in the hall rings.",
    )
    assert [read_choice(text, options).index for text in asides] == [2, None]


@pytest.mark.parametrize("text", ["答えはBです。", "正解はBです。"])
def test_read_choice_reads_a_japanese_answer(text: str) -> None:
    assert read_choice(text, OPTIONS).index == 1


def test_read_boolean_reads_a_verdict_below_a_heading() -> None:
    text = "# Comparison\nThe statement says right to left, which is true of the first half.\n\n# Result\nFalse"
    assert read_boolean(text).value is False


def test_read_boolean_ignores_a_conceded_part() -> None:
    text = "While the end point in the statement is correct, the starting point isn't. Hence the statement is false."
    assert read_boolean(text).value is False
