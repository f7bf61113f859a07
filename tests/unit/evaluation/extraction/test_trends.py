"""Courses of one quantity that an answer tells in words of its own."""

import pytest

from evaluation import read_choice

PITCH = (
    "The pitch rises steadily",
    "The pitch falls steadily",
    "The pitch stays the same",
    "It first rises, then falls",
)
STEPS = ("The steps get faster", "The steps get slower", "The steps keep the same pace")
DISTANCE = ("The sound gets nearer", "The sound gets farther away", "The distance stays the same")


def read(response: str, options: tuple[str, ...]) -> str | None:
    index = read_choice(response, options).index
    return None if index is None else chr(65 + index)


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (PITCH, "The note keeps going down.", "B"),
        (PITCH, "The tone ascends continuously.", "A"),
        (PITCH, "The tone goes up and then down.", "D"),
        (PITCH, "The pitch does not change.", "C"),
        (PITCH, "It gets lower and lower.", "B"),
        # Of another quantity, of several things, or not for sure.
        (PITCH, "The sound gets louder and louder.", None),
        (PITCH, "It might be going down.", None),
        (PITCH, "The tone is not going down.", None),
        (PITCH, "The second tone is lower than the first.", None),
        (PITCH, "It rises and falls repeatedly.", None),
        (STEPS, "The person runs faster and faster.", "A"),
        (STEPS, "Someone slows down.", "B"),
        (STEPS, "The pitch goes up.", None),
        (DISTANCE, "The car comes closer and closer.", "A"),
        (DISTANCE, "The source is moving away.", "B"),
        (DISTANCE, "It first approaches and then recedes.", None),
    ],
)
def test_course_in_other_words(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read(response, options) == expected
