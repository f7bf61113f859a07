"""Prompt parsing of the listeners, for the formats of all benchmarks."""

import numpy as np
import pytest

from evaluation.listeners import Sound
from evaluation.listeners.prompt import parse_prompt
from evaluation.listeners.questions.comparing import FIRST, SAME, SECOND, find_attribute, read_rank
from evaluation.listeners.questions.counting import read_count
from evaluation.listeners.questions.listening_task import is_unknown_option
from evaluation.listeners.questions.place_words import read_movement, read_place

SOUND = Sound(np.zeros((10, 2)), 16_000)
HALF = 0.5**0.5


def test_parse_prompt_reads_options_in_common_formats_with_their_letters(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, list[str]]] = [
        ("A. one\nB. two", ["A", "B"]),
        ("A.one\nB.two", ["A", "B"]),
        ("<A>: one\n<B>: two", ["<A>", "<B>"]),
        ("(A) one\n(B) two", ["(A)", "(B)"]),
        ("[A] one\n[B] two", ["[A]", "[B]"]),
        ("A) one\nB) two\nC) three", ["A", "B", "C"]),
        ("a: one\nb: two", ["a", "b"]),
        ("- A、one\n- B、two", ["A", "B"]),
        ("A．one\nB．two", ["A", "B"]),
    ]
    for lines, labels in rows:
        with subtests.test(lines=lines, labels=labels):
            question = parse_prompt([SOUND, f"Which is it?\n{lines}\nAnswer with one letter."])
            assert [option.label for option in question.options] == labels
            assert [option.text for option in question.options] == ["one", "two", "three"][: len(labels)]
            assert question.form == "choice"
            assert question.text == "Which is it?\nAnswer with one letter."


def test_parse_prompt_returns_no_options_for_text_without_a_list(subtests: pytest.Subtests) -> None:
    rows: list[str] = ["A sound is heard.\nWhat is it?", "I hear it.\nA tone.", "B. only\nC. these", ""]
    for text in rows:
        with subtests.test(text=text):
            assert parse_prompt([text]).options == ()


def test_parse_prompt_reads_options_within_a_line() -> None:
    question = parse_prompt([SOUND, "Listen.\nWhere is it (about)? (A) left, (B) right; (C) ahead"])
    assert [(option.label, option.text) for option in question.options] == [
        ("(A)", "left"), ("(B)", "right"), ("(C)", "ahead"),
    ]  # fmt: skip
    assert question.text == "Listen.\nWhere is it (about)? "
    assert parse_prompt(["What are (B) and (C)?"]).options == parse_prompt(["Plan (A)?"]).options == ()


def test_parse_prompt_uses_the_last_of_several_lists() -> None:
    question = parse_prompt(["Example:\nA. x\nB. y\nAnswer: A", SOUND, "Now:\nA. one\nB. two"])
    assert [option.text for option in question.options] == ["one", "two"]


def test_parse_prompt_distinguishes_answer_formats(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str]] = [
        ("Is this statement true or false? The sound moves.", "boolean"),
        ("判断正误：声音在左边。", "boolean"),
        ("What do you hear?", "open"),
        ("Which are right? Select all that apply.\nA. x\nB. y", "choices"),
        ("以上选项中可能有几个同时成立。\nA. 甲\nB. 乙", "choices"),
        (
            "Judge each step. A step is erroneous if it is.\n1. a\n2. b\n3. c\nAnswer with a JSON list of 3 values.",
            "steps",
        ),
    ]
    for text, form in rows:
        with subtests.test(text=text, form=form):
            assert parse_prompt([SOUND, text]).form == form


def test_parse_prompt_counts_the_steps_to_judge() -> None:
    assert parse_prompt(["Judge each step.\n1. a\n2. b\nA JSON list of 5 values."]).n_steps == 5
    assert parse_prompt(["Judge each step.\n1. x\n2. y\n\nNow:\n1. a\n2. b\n3. c\n"]).n_steps == 3


def test_parse_prompt_joins_two_mono_clips_for_the_two_ears() -> None:
    left, right = (Sound(np.full((5, 1), value), 8_000) for value in (0.1, 0.2))
    explanation = "Audio 1 is what the left ear hears, and Audio 2 is what the right ear hears."
    question = parse_prompt(["Audio 1:", left, "Audio 2:", right, explanation])
    assert len(question.sounds) == 1
    assert question.sounds[0].samples[0].tolist() == [0.1, 0.2]
    swapped = parse_prompt([left, right, "The first is the right ear's, that of the right ear; then the left ear."])
    assert swapped.sounds[0].samples[0].tolist() == [0.2, 0.1]
    assert len(parse_prompt([left, right, "Which is louder?"]).sounds) == 2


def test_read_place_returns_a_direction_or_none(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, tuple[float, float] | None]] = [
        ("On the left", (-1, 0)),
        ("Straight ahead", (0, 1)),
        ("right behind you", (0, -1)),
        ("Front right, 0° to 90°", (HALF, HALF)),
        ("Ahead, to the left", (-HALF, HALF)),
        ("后方", (0, -1)),
        ("left or right", None),
        ("somewhere", None),
    ]
    for text, place in rows:
        with subtests.test(text=text, place=place):
            assert read_place(text) == (None if place is None else pytest.approx(place))


def test_read_movement_returns_start_and_end_or_none(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, object]] = [
        ("From the front-left to the back", ((-HALF, HALF), (0, -1))),
        ("The sound moves from the left to the right.", ((-1, 0), (1, 0))),
        ("It goes left-to-right", ((-1, 0), (1, 0))),
        ("From behind you to ahead", ((0, -1), (0, 1))),
        ("声音从左向右移动", ((-1, 0), (1, 0))),
        ("It stays on the left", None),
        ("From here to there", None),
    ]
    for text, movement in rows:
        with subtests.test(text=text, movement=movement):
            result = read_movement(text)
            assert (result is None) == (movement is None)
            assert result is None or np.array(result) == pytest.approx(np.array(movement))


def test_ranks_counts_and_cannot_tell_options_are_read() -> None:
    ranks = [read_rank(text) for text in ("The first tone", "Of Audio 2", "Neither is higher", "I cannot tell")]
    assert ranks == [FIRST, SECOND, SAME, None]
    assert all(map(is_unknown_option, ("Unable to determine", "I can’t tell", "无法确定")))
    assert not is_unknown_option("It is not present at all")
    assert [read_count(text) for text in ("Twice", "three times", "12 beeps", "十二下", "四点", "no idea")] == [
        2, 3, 12, 12, 4, None,
    ]  # fmt: skip


def test_find_attribute_returns_the_compared_property_or_none(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, str | None]] = [
        ("Which sound has a higher pitch?", "pitch"),
        ("Which tone is higher?", "pitch"),
        ("Which sound is louder?", "loudness"),
        ("Which of them lasts longer?", "duration"),
        ("Which audio has the higher elevation angle?", "elevation"),
        ("Which audio is farther away?", "distance"),
        ("Where does it come from?", None),
    ]
    for question, name in rows:
        with subtests.test(question=question, name=name):
            attribute = find_attribute(question)
            assert (attribute and attribute.name) == name
