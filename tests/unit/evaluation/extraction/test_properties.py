import re
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evaluation.extraction
from evaluation.extraction import read_boolean, read_choice, read_choices, read_steps
from evaluation.extraction.language.normalize import MAX_LENGTH, clean
from evaluation.types import Reading
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
    "A (no b) ",
    "正确的",
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


def only_one_field(reading: Reading) -> bool:
    answers = [reading.index, reading.indices, reading.value]
    return sum(answer is not None for answer in answers) == (0 if reading.reason else 1)


@given(response=st.text() | SENTENCES, options=st.lists(st.text(max_size=12), max_size=8))
def test_readers_return_an_answer_or_a_reason_for_any_text(response: str, options: list[str]) -> None:
    for reading in (read_choice(response, options), read_choices(response, options), read_boolean(response)):
        assert only_one_field(reading)
    assert read_choice(response, options).index in {None, *range(len(options))}
    assert (read_choices(response, options).indices or frozenset()) <= set(range(len(options)))


@given(SENTENCES)
def test_readers_never_raise_on_scraps_of_answers(response: str) -> None:
    for reading in (read_choice(response, DIRECTION), read_choices(response, DIRECTION), read_boolean(response)):
        assert only_one_field(reading)


@given(
    st.permutations(range(4)),
    st.sampled_from(("{}", "The answer is {}.", "答案是{}。", "Not {} at all.", "It moves: {}")),
)
def test_read_choice_permutes_its_reading_with_the_options(order: list[int], template: str) -> None:
    for position, text in enumerate(DIRECTION):
        before = read_choice(template.format(text), DIRECTION)
        after = read_choice(template.format(text), tuple(DIRECTION[k] for k in order))
        expected = None if before.index is None else order.index(before.index)
        assert (after.index, after.reason) == (expected, before.reason)
        assert before.index in {None, position}


def test_readers_read_a_clean_answer_in_any_wrapping(subtests: pytest.Subtests, soak: bool) -> None:
    for number, wrapper in enumerate(WRAPPERS):
        with subtests.test(wrapper=wrapper):
            # In the suite, the sets take turns.
            for options in OPTION_SETS if soak else OPTION_SETS[number % 4 :: 4]:
                for position, text in enumerate(options):
                    letter = chr(65 + position)
                    for core in (letter, f"({letter})", f"<{letter}>", f"{letter}. {text}", text):
                        assert read_choice(wrapper.format(core), options).index == position, wrapper.format(core)
                        assert read_choices(wrapper.format(core), options).indices == frozenset({position}), (
                            wrapper.format(core)
                        )
            for word, value in (("True", True), ("false", False), ("正确", True), ("错误", False)):
                assert read_boolean(wrapper.format(word)).value is value, wrapper.format(word)


@given(st.text(alphabet="jklmopqrvwxyzJKLMOPQRVWXYZ0123456789 .,;!?~#", max_size=60))
def test_readers_return_none_for_garbage(response: str) -> None:
    assert read_choice(response, DIRECTION).index is None
    assert read_choices(response, DIRECTION).indices is None


def fill_for_every_option(template: str, options: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield position and response, with every option as the one that the template names first."""
    for chosen in range(len(options)):
        others = [position for position in range(len(options)) if position != chosen]
        yield chosen, fill(template, options, (chosen, others[0], others[-1]))


def test_read_choice_reads_every_template_for_every_option(soak: bool) -> None:
    misread = []
    for number, template in enumerate(MEANT):
        # The sets take turns: each template uses one set, and each set about forty templates.
        for options in OPTION_SETS if soak else [OPTION_SETS[number % len(OPTION_SETS)]]:
            for intended, response in fill_for_every_option(template, options):
                if (read := read_choice(response, options)).index != intended:
                    misread.append((template, response, intended, read))
    assert misread == []


def test_read_choice_returns_none_for_every_unreadable_template() -> None:
    misread = []
    for template in UNREADABLE:
        for options in OPTION_SETS:
            for _, response in fill_for_every_option(template, options):
                if (read := read_choice(response, options)).index is not None:
                    misread.append((template, response, read))
    assert misread == []


def measure(read: Callable[[str], object], text: str) -> float:
    """Return the processor time of reading a text, in seconds."""
    start = time.process_time()
    read(text)
    return time.process_time() - start


def doubles_moderately(read: Callable[[str], object], text: str) -> bool:
    """Return whether a text takes less than 3.3 times as long as its half: four times if the time were quadratic.

    Unlike seconds, this does not depend on how fast the machine is.
    """
    return measure(read, text) < 3.3 * measure(read, text[: len(text) // 2])


def test_readers_read_long_hostile_text_in_linear_time(subtests: pytest.Subtests, soak: bool) -> None:
    # Far above the processor time that it takes, far below what a quadratic pattern would take. Of a longer text, head
    # and tail of MAX_LENGTH are read; a quarter of that would take a sixteenth of the time, an eighth 1/64.
    # Processor time depends on the load of the machine, but a quadratic pattern is slow every time.
    tries = [(1_000_000, 5.0)] * 5 if soak else [(MAX_LENGTH // 8, 0.075), *[(MAX_LENGTH // 4, 0.3)] * 5]
    for unit in HOSTILE:
        with subtests.test(unit=unit):
            texts = {length: "{" + (unit * (length // len(unit) + 1))[:length] for length, _ in tries}
            for read in (lambda t: read_choice(t, DIRECTION), lambda t: read_choices(t, DIRECTION), read_boolean):
                assert any(
                    measure(read, texts[length]) < max_seconds or doubles_moderately(read, texts[length])
                    for length, max_seconds in tries
                )


@pytest.mark.parametrize("unit", ["对", "x", "（", "(A)", "(A no)", "雨声"])
def test_time_of_sets_grows_with_the_length_of_one_clause(unit: str) -> None:
    # One clause that never ends: four times the text takes four times as long, not sixteen times.
    short, long = unit * (MAX_LENGTH // 4 // len(unit)), unit * (MAX_LENGTH // len(unit))
    read_choices(short, DIRECTION)

    def read(text: str) -> object:
        return read_choices(text, DIRECTION)

    assert any(measure(read, long) < 6 * measure(read, short) for _ in range(5))


@pytest.mark.parametrize(
    ("head", "unit", "tail"),
    [("", "Gemini-", " says it is B."), ("Ab and ", "Ab-", " say it is B."), ("x", ".-", ""), ("x", "? ", "1 is")],
)
def test_time_grows_with_the_length_of_a_name_or_of_punctuation(head: str, unit: str, tail: str) -> None:
    # A pattern that looks for the end of either from each of its places takes 16 times as long for four times the text.
    short, long = (head + unit * (length // len(unit)) + tail for length in (3_000, 12_000))

    def read(text: str) -> object:
        return read_choice(text, DIRECTION), read_choices(text, DIRECTION), read_boolean(text), read_steps(text, 4)

    read(short)
    assert any(measure(read, long) < max(8 * measure(read, short), 0.1) for _ in range(5))


@pytest.mark.parametrize(
    ("head", "unit", "tail"),
    [
        # Where a pattern could part these in two ways each, a text of a few hundred characters took minutes.
        ("Answer:\n", "is not sure ", "is n"),
        ("", "the following are ", "x:\n- Step 2: no dog."),
        ("", "对应的 ", ""),
        ("Present:\n", "倾向 inverted ", ":"),
        ("That makes three, while the statement claims five.", "!", " The statement is therefore false."),
        ("[2]\nStep 2 ", "says ", ""),
        ('{"1": true, "2": true', "\n", ""),
    ],
)
def test_time_grows_with_the_length_of_a_repeated_phrase(head: str, unit: str, tail: str) -> None:
    short, long = (head + unit * (length // len(unit)) + tail for length in (2_000, 8_000))

    def read(text: str) -> object:
        return read_boolean(text), read_steps(text, 4)

    read(short)
    assert any(measure(read, long) < max(8 * measure(read, short), 0.1) for _ in range(5))


def test_clean_keeps_head_and_tail_of_a_long_text() -> None:
    text = clean("Answer: B. " + "x" * 100_000 + " tail")
    assert text.startswith("Answer: B.")
    assert text.endswith("tail")
    assert len(text) <= MAX_LENGTH


def test_private_characters_cannot_forge_an_option() -> None:
    assert read_choice("\ue001", DIRECTION).reason == "empty"
    assert read_choice("x &#xe001;", DIRECTION).index is None


def test_every_cache_of_the_readers_is_bounded() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("evaluation.extraction.")]
    sizes = {
        f"{module.__name__}.{name}": memo.cache_info().maxsize
        for module in modules
        for name, memo in vars(module).items()
        if hasattr(memo, "cache_info")
    }
    assert len(sizes) >= 12
    assert all(size is not None and size <= 65_536 for size in sizes.values()), sizes


def test_extraction_exports_are_pinned() -> None:
    exports = "READER_VERSION read_boolean read_choice read_choices read_steps"
    assert evaluation.extraction.__all__ == exports.split()
    assert evaluation.extraction.READER_VERSION == "22"
