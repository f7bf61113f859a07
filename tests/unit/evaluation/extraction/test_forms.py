"""Short answers read by their form: the form gives the same reading as the whole answer."""

import pytest

from evaluation.extraction.claims.caution import is_settled, stays_open
from evaluation.extraction.option_texts.options import mark_texts, prepare
from evaluation.extraction.shortcuts.answer_forms import find_form
from tests.support.samples.messy_answers import OPTION_SETS, messy_answers

ORDERS = ("clip 1 -> clip 2", "clip 2 -> clip 1")
SOUNDS = ("a bell and the", "rain", "nothing is decided", "a drum, just", "下雨")
TEMPLATES = (
    "{}", "B. {}", "The answer is {}", "I am sure that what can be heard here is {}", "{}, I think",
    "{} as likely as A", "I can't decide between {} and B", "Either is possible, so {}", "答案是{}", "无法判断是{}",
    "{}都有可能", "{}的是",
)  # fmt: skip


def test_find_form_states_whether_a_response_stays_open(subtests: pytest.Subtests) -> None:
    answers = [(answer.response, answer.options) for answer in messy_answers(4_000, seed=31)]
    written = [(template.format(text), SOUNDS) for template in TEMPLATES for text in SOUNDS]
    n_decided = 0
    for response, options in (*answers, *written):
        form = find_form(response, prepare(options))
        if form is not None and form[1] is not None:
            n_decided += 1
            assert form[1] == stays_open(response), (response, options)
    assert n_decided > len(answers) // 2
    for response, settled in (("rain", True), ("The answer: ", True), ("a bell and the", False), ("的", False)):
        with subtests.test(response=response):
            assert is_settled(response) is settled


def test_find_form_of_settled_parts_never_stays_open() -> None:
    parts = (
        "rain",
        "just",
        "just as ",
        "as likely",
        "my",
        "mind",
        "is",
        "的",
        "是",
        "判",
        "断",
        "下雨",
        "and",
        "B",
        "也",
    )
    for before in filter(is_settled, parts):
        for after in filter(is_settled, parts):
            for sign in (" ", ". ", " '"):
                # Long enough for a last word to count as cut off.
                response = f"The recording was listened to twice. {before}{sign}{after}"
                assert not stays_open(response), response


def test_find_form_of_a_condensed_response_marks_its_texts(subtests: pytest.Subtests) -> None:
    rows = [
        ("xx. 因此,答案是B。", OPTION_SETS[0], True),
        ("xx. The answer is B: clip 2 -> clip 1.", ORDERS, True),
        ("xx. At first it might be rain. However, the correct answer is B.", SOUNDS, True),
        ("xx. The answer is <B>.", OPTION_SETS[0], False),
        ("- xx. The answer is B.", OPTION_SETS[0], False),
        ("xx. The path is anticlockwise.", ("Clockwise", "Counter-clockwise"), False),
    ]
    for text, options, has_form in rows:
        with subtests.test(text=text):
            prepared = prepare(options)
            form = find_form(text, prepared, is_cleaned=True)
            assert (form is not None) is has_form
            assert form is None or form[0].text == mark_texts(text, prepared)
