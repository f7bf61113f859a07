"""Usual sentences around an option that hide it from the parsers of letters and texts."""

import pytest

from tests.support.samples.option_sets import read_letter

TIMES = ("3 seconds", "5 seconds", "8 seconds", "12 seconds")
WAVES = ("The wind", "The ocean waves", "A distant motorway", "An air conditioner")
PLACES = ("In front of the listener", "Behind the listener", "Above the listener")
AGES = ("The man is older than the woman", "The woman is older than the man", "They're about the same age")
SPEAKERS = ("Speaker 1", "Speaker 2", "Speaker 3", "Speaker 4")
HALVES = ("前半段", "后半段", "一样响")
THREE = ("第一位说话者", "第二位说话者", "第三位说话者")
CARS = ("The first car is closer", "The second car is closer", "Both are at the same distance")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (TIMES, "The gap between the two gunshots is approximately 8 seconds.", "C"),
        (TIMES, "The gap between the gunshots is between 5 seconds and 8 seconds.", None),
        (WAVES, "I'm confident it's the ocean waves; a motorway wouldn't have that slow rhythm.", "B"),
        (PLACES, "The plane flies over, so the sound comes from above.", "C"),
        (PLACES, "It comes from above or from behind.", None),
        (PLACES, "The bell is behind me.", "B"),
        (AGES, "The woman is the older of the two.", "B"),
        (AGES, "The woman isn't older.", None),
        (SPEAKERS, "The one who is interrupted twice is Speaker 3: once by Speaker 1 and then by Speaker 4.", "C"),
        (SPEAKERS, "Speaker 3 is interrupted by Speaker 1.", None),
        (HALVES, "后半段。后半段的平均响度比前半段高出约6分贝。", "B"),
        (HALVES, "后半段。但后半段比前半段轻。", None),
        (THREE, "三位说话者中，第二位的语速最快。", "B"),
        (("鼓", "钢琴", "吉他"), "最先响起的乐器是鼓，随后钢琴和吉他才加入。", "A"),
        (CARS, "The second car is closer to the listener than the first, since its engine is louder.", "B"),
    ],
)
def test_options_are_found_in_usual_sentences(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letter(options, response) == expected
