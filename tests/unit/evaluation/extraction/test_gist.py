"""Answers that paraphrase an option, and verdicts on all options but some."""

from itertools import combinations

import pytest

from evaluation.extraction import read_choice, read_choices
from evaluation.extraction.language.normalize import clean
from evaluation.extraction.language.spelling import lower
from evaluation.extraction.option_texts.options import prepare
from evaluation.extraction.paraphrases.gist import read_gist
from evaluation.extraction.paraphrases.overlap import may_say_one
from tests.support.samples.read_answers import list_answers

SOUNDS = ("Dog barking", "Car horn", "Baby crying", "Glass breaking")
SPANS = ("Less than 1 second", "1 to 3 seconds", "3 to 10 seconds", "More than 10 seconds")
DISTANCES = ("Audio 1 is farther away", "Audio 2 is farther away", "Both are equally far away", "Unable to determine")
TIMES = ("8:30", "9:00", "9:30", "10:00")
STATEMENTS = ("The speaker is angry", "Two people argue", "It rains outside", "The call ends", "A child laughs")
LETTERS = "ABCDE"


@pytest.mark.parametrize(
    ("options", "response", "place"),
    [
        (SOUNDS, "The dog barks twice.", 0),
        (SOUNDS, "An infant cries", 2),
        (SOUNDS, "No dog barks here; it's a car horn.", 1),
        (SOUNDS, "这是玻璃破碎的声音。", 3),
        (SOUNDS, "It could be that the dog barks.", None),
        (SOUNDS, "A dog barks and a baby cries.", None),
        (SPANS, "about two seconds", 1),
        (SPANS, "half a second", 0),
        (SPANS, "over 12 seconds", 3),
        (SPANS, "about 3 seconds", None),
        (TIMES, "The train leaves at half past nine.", 2),
        (TIMES, "nine o'clock", 1),
        (TIMES, "8:30 or 9:00", None),
        # "Farther" and "further" are one word, so neither excludes the other.
        (DISTANCES, "1 is further away", 0),
    ],
)
def test_read_choice_reads_a_paraphrase_of_an_option(
    options: tuple[str, ...], response: str, place: int | None
) -> None:
    assert read_choice(response, options).index == place


def test_read_choice_reads_a_paraphrase_in_any_order_of_the_options() -> None:
    for shift in range(len(SOUNDS)):
        rotated = (*SOUNDS[shift:], *SOUNDS[:shift])
        assert read_choice("The dog barks twice.", rotated).index == rotated.index("Dog barking")


@pytest.mark.parametrize(
    ("template", "is_right"),
    [
        ("{} are wrong; the rest hold.", False),
        ("All options except {} are correct.", False),
        ("除{}以外，其余各项都成立。", False),
        ("{} hold, the others do not.", True),
        ("{}成立，其余不成立。", True),
    ],
)
def test_read_choices_completes_every_set_from_a_remainder(template: str, is_right: bool) -> None:
    for size in (2, 3):
        for listed in combinations(range(len(STATEMENTS)), size):
            joint = " and " if template.isascii() else "和"
            response = template.format(joint.join(LETTERS[place] for place in listed))
            rest = frozenset(range(len(STATEMENTS))) - frozenset(listed)
            expected = frozenset(listed) if is_right else rest
            assert read_choices(response, STATEMENTS).indices == expected, response


def test_truncated_remainder_names_no_option() -> None:
    response = "C and E can be ruled out: there is no rain and no child. The remaining three stateme"
    assert read_choice(response, STATEMENTS).index is None
    assert read_choices(response, STATEMENTS).indices is None


def test_read_choice_ignores_the_gist_of_long_answers() -> None:
    assert read_choice("Nothing is said of it here. " * 2_000, SOUNDS).index is None


def test_may_say_one_is_true_if_a_gist_claims_an_option(soak: bool) -> None:
    claimed, missed = 0, []
    for answer in [*list_answers("choice"), *list_answers("choices")][:: 1 if soak else 4]:
        prepared, lowered = prepare(answer.options), lower(clean(answer.response))
        if read_gist(lowered, prepared.texts).claims:
            claimed += 1
            missed += [] if may_say_one(lowered, prepared) else [answer]
    assert claimed > (100 if soak else 25)
    assert not missed


def test_may_say_one_is_false_without_a_common_word() -> None:
    assert not may_say_one("none of this helps me", prepare(SOUNDS))
    assert may_say_one("one infant", prepare(SOUNDS))
    assert may_say_one("half past nine", prepare(TIMES))
