import doctest

import pytest

import evaluation.error_types
from evaluation import read_choice, read_choices
from evaluation.error_types import is_formatting_error
from evaluation.types import Reading

OPTIONS = ("一位没有钥匙的来访者在敲门", "两个人一起离开了屋子", "屋里没有人")


def test_formatting_error_is_what_names_no_whole_option(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str | None, bool]] = [
        ("B", False),
        ("答案是两个人一起离开了屋子。", False),
        ("一位没有钥匙的来访者", True),
        ("两个人一起离开", True),
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


def test_formatting_error_of_an_open_answer_is_a_blank_one(subtests: pytest.Subtests) -> None:
    for response, expected in (("有人敲门。", False), ("", True), (None, True), ("<think>门", True)):
        with subtests.test(response=response, expected=expected):
            assert is_formatting_error(response, Reading()) is expected


def test_doctest_of_error_types_holds() -> None:
    result = doctest.testmod(evaluation.error_types)
    assert (result.failed, result.attempted) == (0, 2)
