import re
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evaluation.extraction
from evaluation.extraction import read_boolean, read_choice, read_choices
from evaluation.extraction.normalize import MAX_LENGTH, clean
from tests.support.samples.messy_answers import MEANT, OPTION_SETS, UNREADABLE, fill

DIRECTION = OPTION_SETS[0]
SCRAPS = """A B C. D (a) <b> not no or and , ; : ? . the answer is I cannot so therefore but if ** ` - -> From left
true false right wrong 选 答案是 不 和 或 对 错 {"answer": "B"} \\boxed{C} <think> </think> 以上都是"""
PHRASES = ("\n", "From left to right", "Moves up", "all of the above")
SENTENCES = st.lists(st.sampled_from([*re.split(r"\s", SCRAPS), *PHRASES]), max_size=25).map(" ".join)
WRAPPERS = (
    "{}",
    " {} ",
    "\n{}\n",
    "**{}**",
    "*{}*",
    '"{}"',
    "“{}”",
    "{}.",
    "{}。",
    "Answer: {}",
    "answer: {}",
    "The answer is {}",
    "The answer is {}.",
    "The correct answer is: {}",
    "Final answer: {}",
    "### Answer\n{}",
    "The answer is:\n\n{}",
    "答案：{}",
    "答案是{}",
    "答案是{}。",
    "正确答案：{}",
    "最终答案：{}",
    "因此，答案是{}",
    "<think>Hm, A or D.</think>{}",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    '{{"answer": "{}"}}',
    '```json\n{{"answer": "{}"}}\n```',
    "I choose {}",
    "So the answer is {}",
    "Therefore, the correct answer is {}.",
    "I think the answer is {}.",
)
HOSTILE = (
    "<think>",
    "</think>",
    "(",
    "A ",
    "A, ",
    "A or ",
    "not ",
    "from left ",
    "{",
    "[",
    '"',
    "'answer': '",
    "\\boxed{",
    "**",
    "~~",
    "-",
    "=>",
    " ",
    "\n",
    " \n",
    "_",
    "`",
    "```",
    "clip 1 -> ",
    "&lt;",
    "\\",
    "、",
    "选",
    "对",
    "no ",
    "true ",
    "\ufdfa",
    "$a",
    "<a",
    '"answer": "',
    "...",
    "A. From left to right\n",
    "# ",
    "\\text{",
    "i",
    "ab",
    "1.",
    "~",
    "<<<think>",
    '{"answer":',
)


def only_one_field(reading):
    answers = [reading.index, reading.indices, reading.value]
    return sum(answer is not None for answer in answers) == (0 if reading.reason else 1)


@settings(max_examples=300, deadline=None)
@given(response=st.text() | SENTENCES, options=st.lists(st.text(max_size=12), max_size=8))
def test_readers_any_text_gives_an_answer_or_a_reason(response, options):
    for reading in (read_choice(response, options), read_choices(response, options), read_boolean(response)):
        assert only_one_field(reading)
    assert read_choice(response, options).index in {None, *range(len(options))}
    assert (read_choices(response, options).indices or frozenset()) <= set(range(len(options)))


@settings(max_examples=300, deadline=None)
@given(SENTENCES)
def test_readers_scraps_of_answers_never_raise(response):
    for reading in (read_choice(response, DIRECTION), read_choices(response, DIRECTION), read_boolean(response)):
        assert only_one_field(reading)


@settings(max_examples=200, deadline=None)
@given(
    st.permutations(range(4)),
    st.sampled_from(("{}", "The answer is {}.", "答案是{}。", "Not {} at all.", "It moves: {}")),
)
def test_read_choice_permuted_options_permute_the_reading(order, template):
    for position, text in enumerate(DIRECTION):
        before = read_choice(template.format(text), DIRECTION)
        after = read_choice(template.format(text), tuple(DIRECTION[k] for k in order))
        expected = None if before.index is None else order.index(before.index)
        assert (after.index, after.reason) == (expected, before.reason)
        assert before.index in {None, position}


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_readers_clean_answer_survives_any_wrapping(wrapper):
    for options in OPTION_SETS:
        for position, text in enumerate(options):
            letter = chr(65 + position)
            for core in (letter, f"({letter})", f"<{letter}>", f"{letter}. {text}", text):
                assert read_choice(wrapper.format(core), options).index == position, wrapper.format(core)
                assert read_choices(wrapper.format(core), options).indices == {position}, wrapper.format(core)
    for word, value in (("True", True), ("false", False), ("正确", True), ("错误", False)):
        assert read_boolean(wrapper.format(word)).value is value, wrapper.format(word)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="jklmopqrvwxyzJKLMOPQRVWXYZ0123456789 .,;!?~#", max_size=60))
def test_readers_garbage_is_none(response):
    assert read_choice(response, DIRECTION).index is None
    assert read_choices(response, DIRECTION).indices is None


@pytest.mark.parametrize("template", MEANT)
def test_read_choice_every_template_is_read_for_every_option(template):
    for options in OPTION_SETS:
        for meant in range(len(options)):
            others = [position for position in range(len(options)) if position != meant]
            response = fill(template, options, (meant, others[0], others[-1]))
            assert read_choice(response, options).index == meant, response


@pytest.mark.parametrize("template", UNREADABLE)
def test_read_choice_every_unreadable_template_is_none(template):
    for options in OPTION_SETS:
        for named in range(len(options)):
            others = [position for position in range(len(options)) if position != named]
            response = fill(template, options, (named, others[0], others[-1]))
            assert read_choice(response, options).index is None, response


@pytest.mark.parametrize("unit", HOSTILE, ids=ascii)
def test_readers_a_million_hostile_characters_are_read_in_linear_time(unit):
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    for read in (lambda t: read_choice(t, DIRECTION), lambda t: read_choices(t, DIRECTION), read_boolean):
        start = time.process_time()
        read("{" + text)
        # Far above what it takes, far below what a quadratic pattern would take.
        assert time.process_time() - start < 5


def test_clean_long_text_keeps_head_and_tail():
    text = clean("Answer: B. " + "x" * 100_000 + " tail")
    assert text.startswith("Answer: B.")
    assert text.endswith("tail")
    assert len(text) <= MAX_LENGTH


def test_clean_private_characters_cannot_forge_an_option():
    assert read_choice("\ue001", DIRECTION).reason == "empty"
    assert read_choice("x &#xe001;", DIRECTION).index is None


def test_readers_every_memo_is_bounded():
    modules = [module for name, module in sys.modules.items() if name.startswith("evaluation.extraction.")]
    sizes = {
        f"{module.__name__}.{name}": memo.cache_info().maxsize
        for module in modules
        for name, memo in vars(module).items()
        if hasattr(memo, "cache_info")
    }
    assert len(sizes) >= 12
    assert all(size is not None and size <= 65_536 for size in sizes.values()), sizes


def test_extraction_exports_are_pinned():
    exports = "READER_VERSION read_boolean read_choice read_choices read_steps"
    assert evaluation.extraction.__all__ == exports.split()
    assert evaluation.extraction.READER_VERSION == "3"
