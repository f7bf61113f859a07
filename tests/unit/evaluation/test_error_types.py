import doctest

import pytest

import evaluation.error_types
from evaluation import read_choice, read_choices
from evaluation.error_types import CANNOT_TELL, ERROR_TYPES, FORMATTING, is_bare_letter, is_formatting_error
from evaluation.types import Reading

OPTIONS = ("一位没有钥匙的来访者在敲门", "两个人一起离开了屋子", "屋里没有人")


def test_response_without_a_whole_option_is_a_formatting_error(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str | None, bool]] = [
        ("B", False),
        ("答案是两个人一起离开了屋子。", False),
        ("两个人", True),
        ("屋里", True),
        ("我认为", True),
        ("A 或者 B", True),
        ("", True),
        ("\n\n。", True),
        (None, True),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert is_formatting_error(response, read_choice(response, OPTIONS)) is expected
            assert is_formatting_error(response, read_choices(response, OPTIONS)) is expected


def test_blank_open_answer_is_a_formatting_error(subtests: pytest.Subtests) -> None:
    for response, expected in (("有人敲门。", False), ("", True), (None, True), ("<think>门", True)):
        with subtests.test(response=response, expected=expected):
            assert is_formatting_error(response, Reading()) is expected


def test_bare_letter_contains_no_option_text_or_reason(subtests: pytest.Subtests) -> None:
    bare = [
        *(
            "B",
            "(B)",
            "B.",
            "**B**",
            "<B>",
            "\\boxed{B}",
            "答案：B",
            "我选B",
            "因此，正确答案是B。",
            "选项B",
            "第二个选项",
        ),
        *("The answer is B.", "Final answer: (B)", "The right option is B", "So the answer would be B", "Option 2"),
        *("The second option", '{"answer": "B"}', "<think>一阵脚步声</think>B"),
    ]
    explained = [
        *("两个人一起离开了屋子", "B. 两个人一起离开了屋子", "B，因为脚步声越来越远", "B, because the steps fade"),
        *("I hear steps. B", "Not sure, B"),
    ]
    for response, expected in [(text, True) for text in bare] + [(text, False) for text in explained]:
        with subtests.test(response):
            assert read_choice(response, OPTIONS).index == 1
            assert is_bare_letter(response, read_choice(response, OPTIONS)) is expected
    sets = [
        ("A、C", True),
        ("A and C", True),
        ("AC", True),
        ("A. 正确\nB. 错误\nC. 正确", True),
        ("A、C，门响了", False),
    ]
    for response, expected in sets:
        with subtests.test(response):
            assert is_bare_letter(response, Reading(indices=frozenset({0, 2}))) is expected
    for unread in (None, "B", ""):
        assert not is_bare_letter(unread, Reading(reason="empty")), "an unreadable answer is a formatting error"


def test_option_text_in_an_answer_is_not_a_bare_letter(subtests: pytest.Subtests) -> None:
    for options, response in ((("left", "right"), "The answer is right"), (("4", "5"), "The answer is 5")):
        with subtests.test(response):
            reading = read_choice(response, options)
            assert (reading.index, is_bare_letter(response, reading)) == (1, False)


def test_every_label_has_a_title_and_a_definition() -> None:
    for kinds in ERROR_TYPES.values():
        assert len({kind.metric for kind in kinds}) == len({kind.title for kind in kinds}) == len(kinds)
        assert all(kind.definition.endswith(".") and kind.title for kind in kinds)
        assert [kind.id for kind in kinds if not kind.is_judged] == [FORMATTING, CANNOT_TELL]


def test_doctests_of_error_types_pass() -> None:
    result = doctest.testmod(evaluation.error_types)
    assert (result.failed, result.attempted) == (0, 4)
