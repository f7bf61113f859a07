"""Sets by letters in less usual forms, lists that are denied at their end, and headings of a choice."""

import pytest

from evaluation.extraction import read_boolean
from tests.support.samples.option_sets import read_letter, read_letters

PATHS = ("It starts on the left", "It starts on the right", "It ends close to the listener", "It ends far away")
SCORES = ("The tempo is increasing", "The key is minor", "The dynamics are soft", "The melody is in the bass")
ANIMALS = ("pig", "duck", "goat", "turkey")
STATION = ("火车出站", "火车进站", "广播提醒乘客", "有人吹哨", "车门打开")
TONES = ("There are four tones", "The second tone is shorter than the first", "The last tone comes from the right")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (SCORES, "BCD is the right combination, since the tempo isn't increasing.", "BCD"),
        (SCORES, "BD are correct.", "BD"),
        (SCORES, "BAD is the right answer.", None),
        (SCORES, "The answers are A – C – D.", "ACD"),
        (SCORES, "A – C – D are right", "ACD"),
        (PATHS, "Options 1 and 4 (A and D) are right.", "AD"),
        (PATHS, "Options 1 and 4 (A and C) are right.", None),
        (("AB", "ABA", "ABC", "a theme"), "ABC is the right answer.", "C"),
        (PATHS, "The first and the fourth option (A and D) are correct.", "AD"),
        (STATION, "根据录音，符合条件的有：\n（1）B 项，火车进站\n（2）C 项，广播提醒乘客", "BC"),
        (STATION, "正确的选项：\n(1) B. 火车进站\n(2) E. 车门打开", "BE"),
        (
            TONES,
            "Answer: B, C\n\nThe second is clearly shorter than the first.\n\nOption A contradicts the audio.",
            "BC",
        ),
    ],
)
def test_sets_by_letters_have_many_forms(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The pig and the goat can be heard. The duck and the turkey can't.", "AC"),
        ("A pig and a goat are audible; a duck and a turkey aren't.", "AC"),
        ("I can hear the pig and the goat, but the duck and the turkey I can't.", "AC"),
        ("The pig can be heard. The duck, the goat and the turkey cannot.", "A"),
    ],
)
def test_a_denial_at_the_end_of_a_list_denies_all_of_it(response: str, expected: str) -> None:
    assert read_letters(ANIMALS, response) == expected


def test_the_right_ones_next_to_the_wrong_ones_are_a_review() -> None:
    voices = ("The voices are on opposite sides", "The voices alternate", "The voices overlap", "The voices move")
    response = "Correct: A, B\nIncorrect: C, D\n\nReason: the two voices alternate, but they don't overlap or move."
    assert read_letters(voices, response) == "AB"


@pytest.mark.parametrize("heading", ["Choice", "Selection", "**Choice**", "My pick"])
def test_the_heading_of_a_choice_below_a_review_may_have_other_words(heading: str) -> None:
    review = "Looking at the options:\n\nA) 3–5 m: too near\nB) 10–15 m: plausible\nC) 50–80 m: too far\n\n"
    assert read_letter(("3–5 m", "10–15 m", "50–80 m"), f"{review}{heading}: B") == "B"


def test_what_would_not_be_the_case_elsewhere_is_no_verdict() -> None:
    assert read_boolean("I'd say this is true: it echoes, which wouldn't be the case outdoors.").value is True
    assert read_boolean("It is false. There is no echo, which would not be so in a church.").value is False
