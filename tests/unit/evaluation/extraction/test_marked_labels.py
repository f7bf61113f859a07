"""True and false as options of a form, as rejected labels, and as opinions of others."""

import pytest

from evaluation.extraction import read_boolean


def read(response: str) -> bool | str | None:
    reading = read_boolean(response)
    return reading.reason if reading.value is None else reading.value


def test_read_boolean_reads_a_form_with_both_labels_by_its_marks(subtests: pytest.Subtests) -> None:
    rows = [
        ("[x] True\n[ ] False", True),
        ("[ ] True [X] False", False),
        ("☐ True ☑ False", False),
        ("☒ True ☐ False", True),
        ("(•) True ( ) False", True),
        ("■ 正确 □ 错误", True),
        ("□ 正确　☑ 错误", False),
        ("【 】正确 【√】错误", False),
        ("True ✓ / False ✗", True),
        ("True – no\nFalse – yes", False),
        ("正确：是\n错误：否", True),
        ("| True | False |\n|---|---|\n|  | X |", False),
        ("| True | False |\n|---|---|\n| ✓ | |", True),
        ("Option | Choice\n---|---\nTrue | ✓\nFalse | ", True),
        ("[ ] True [ ] False", "ambiguous"),
        ("[x] True [x] False", "ambiguous"),
        ("| True | False |\n|---|---|\n|  |  |", "ambiguous"),
        ("Yes = True, No = False", "ambiguous"),
        ("True? No, false.", False),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) == expected


def test_read_boolean_reads_a_rejected_label_as_the_other_one(subtests: pytest.Subtests) -> None:
    rows = [
        ("False would be the wrong answer.", True),
        ("True is not the right label here; False is.", False),
        ("The label True does not apply.", False),
        ("I rule out False.", True),
        ("It would be wrong to call this statement false.", True),
        ("It would be incorrect to label this as true.", False),
        ("There is no truth in this description.", False),
        ("There isn't a grain of truth in the statement.", False),
        ("这句话毫无真实性可言。", False),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) is expected
    for response in (
        "I can't rule out True.",
        "There is some truth in it.",
        "It would be wrong to call this either true or false.",
    ):
        with subtests.test(response):
            assert read_boolean(response).value is None


def test_read_boolean_ignores_opinions_of_others(subtests: pytest.Subtests) -> None:
    rows = [
        ("Some would say False because of the noise, but the correct label is True.", True),
        ("Many listeners would call it true, yet it is false.", False),
        ("有人会说是错的，但正确的判断是：正确。", True),
        ("Nobody would say that this is correct.", False),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) is expected
    for response in ("Some would say False.", "Some say True, others say False.", "Yes, I can help with that."):
        with subtests.test(response):
            assert read_boolean(response).value is None


def test_read_boolean_ignores_a_repeated_instruction_or_a_lone_side(subtests: pytest.Subtests) -> None:
    for response in ('Answer only with "True" or "False".', "请回答“正确”或“错误”。", "Right", "right."):
        with subtests.test(response):
            assert read_boolean(response).value is None
    assert read_boolean("Right, that is what happens.").value is True
    assert read_boolean("<FALSE>").value is False
