"""Orders of events that an answer tells with verbs of its own."""

import pytest

from evaluation import read_choice

TWO = ("The bell rings, then the dog barks", "The dog barks, then the bell rings", "Only a bell is heard")
THREE = (
    "Footsteps, window opening, window closing",
    "Window opening, footsteps, window closing",
    "Window closing, window opening, footsteps",
)
MIXED = ("A gate slams, then applause", "Applause, then a gate slams", "A cat meows, then a gate slams")
LONGER = (*MIXED, "A gate slams, then applause, then thunder")
BEFORE = ("Wind starts before the rain", "Rain starts before the wind", "Wind and rain start together")


def read(response: str, options: tuple[str, ...]) -> str | None:
    index = read_choice(response, options).index
    return None if index is None else chr(65 + index)


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (TWO, "First you hear a dog barking and then a bell being rung.", "B"),
        (TWO, "A dog barks after the bell rings.", "A"),
        (TWO, "The dog's barking is followed by the ringing of the bell.", "B"),
        (TWO, "After the bell has rung, a dog barks.", "A"),
        (TWO, "Before the bell rings, a dog barks.", "B"),
        (TWO, "A dog barks and a bell rings.", None),
        (TWO, "First a dog barks, then a cat meows.", None),
        (TWO, "The bell rings while the dog barks, then there is silence.", None),
        (THREE, "Someone opens the window, walks a few steps and then closes it.", "B"),
        (THREE, "Someone walks, opens the window and closes it again.", "A"),
        (THREE, "The window is closed, then opened, then someone walks away.", "C"),
        (THREE, "Someone walks to the window and closes it.", None),
        (MIXED, "A gate slams first, then there is applause.", "A"),
        (MIXED, "I hear applause, and after that a gate being slammed.", "B"),
        (MIXED, "A gate is slammed.", None),
        (LONGER, "A gate is slammed, then people applaud, then it rumbles.", None),
        (BEFORE, "It seems that the rain is first and the wind only sets in afterwards.", "B"),
        (BEFORE, "The wind comes first, then the rain.", "A"),
        (BEFORE, "The wind is heard only after the rain has started.", "B"),
        (BEFORE, "The wind and the rain do not start together, so one is first.", None),
    ],
)
def test_order_told_with_verbs(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read(response, options) == expected


@pytest.mark.parametrize(
    "response", ["I listened to clip 1, clip 2 and clip 3.", "clip1: a door opens\nclip2: steps\nclip3: silence"]
)
def test_clips_that_are_only_described(response: str) -> None:
    assert read(response, ("clip1, clip2, clip3", "clip1, clip3, clip2", "clip2, clip1, clip3")) is None


def test_past_forms_of_a_word() -> None:
    assert read("It sounds like something being fried in a pan.", ("Rain", "Waves", "Applause", "Frying")) == "D"


CLIPS = ("clip1, clip2, clip3", "clip3, clip1, clip2", "clip2, clip1, clip3")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("In order:\n1. clip3\n2. clip1\n3. clip2", "B"),
        ("1. **Clip 2**: a match is struck\n2. **Clip 1**: paper burns\n3. **Clip 3**: water hisses", "C"),
        ("1st: clip3, 2nd: clip1, 3rd: clip2", "B"),
        ("1. clip1 is a match\n2. clip2 is paper\n3. clip3 is water", None),
        ("The order of the clips:\n1. clip1 (a match)\n2. clip2 (paper)\n3. clip3 (water)", "A"),
        ("1. clip2\n3. clip1\n2. clip3", None),
    ],
)
def test_numbered_lists_of_clips(response: str, expected: str | None) -> None:
    assert read(response, CLIPS) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It is dull, so it is far away, leaving A and C. The left ear is louder, so C.", "C"),
        ("That leaves A and C. The left ear is louder, so C.", "C"),
        ("We are left with A or C. Since the left ear is louder, C.", "C"),
        ("It is dull, leaving A and C.", None),
    ],
)
def test_options_that_are_left_before_one_is_chosen(response: str, expected: str | None) -> None:
    assert read(response, ("far right", "near right", "far left", "near left")) == expected


SOUNDS = ("狗，狼", "狼，狗", "同时", "只有狗")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("先是狗，然后是狼", "A"),
        ("先是狗叫，然后是狼嚎", "A"),
        ("狗先响，狼后响。", "A"),
        ("先狼后狗", "B"),
        ("狗叫之后是狼嚎", "A"),
        ("狼后响，狗先响", None),
        ("狼在后，狗在前", None),
        ("先是狗，然后是猫", None),
        ("先是狗，然后是狼，最后又是狗", None),
        ("狗和狼", None),
        ("狗叫和狼嚎同时出现", "C"),
    ],
)
def test_chinese_orders_of_two_events_next_to_other_options(response: str, expected: str | None) -> None:
    assert read(response, SOUNDS) == expected
