"""Replies with the words of a rule that mean something else: they are not read by it."""

import pytest

from tests.support.samples.option_sets import read_letter, read_letters
from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Does step 1 avoid the mistake? Yes. Does step 2 avoid the mistake? No.", None),
        ("第1步是不是错的？不是。第2步是不是错的？是。", "01"),
        ("Is step 1 always correct? No. Is step 2 correct? Yes.", None),
        ("1, 2. These are the steps in which I found no errors.", "00"),
        ("2. This step has a minor error in wording but is correct in substance.", None),
        ("Incorrect steps: three.", None),
        ("The list of erroneous steps is empty? No, step 2 is wrong.", "01"),
        ("No errors in the reasoning. Step 2 misidentifies the horn.", None),
        ("Evidence is needed. Steps 1 and 2 don't have any.", None),
        ("In step 2 the claim that the dog is wrong is right. Step 1 is right.", "00"),
        ("I agree with 1. Step 2 says it is a dryer when it is actually running, which is right.", None),
        ("初判：第1步错误。\n\n结论：第2步同样错误。", "11"),
        ("Step 1 ('A dog barks twice'): False - two barks are audible.\nStep 2 ('A man shouts'): True", None),
        ("The countdown from 10 at zero ends in a bang.\nErroneous steps: 2", "01"),
        ("I started with zero assumptions and listened again.\nWrong steps: 1", "10"),
        ("The steps name a sax and a clarinet. The latter is incorrect.", None),
    ],
)
def test_words_of_verdicts_may_mean_something_else(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "..")) == expected


SHE = ("she cries", "she sings", "she dances")
RAIN = ("rain", "wind", "thunder", "hail")
DRUMS = ("violin", "piano", "flute", "drums")
COUNTS = ("2 coughs", "1 sneeze", "3 claps", "1 laugh")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (SHE, "A woman sings and the man watches while she dances.", "BC"),
        (RAIN, "Without thunder, rain and wind remain.", "AB"),
        (DRUMS, "Without drums, the violin and piano carry the piece.", "AB"),
        (RAIN, "The recording lacks thunder, rain and wind are clear.", "AB"),
        (COUNTS, "One cough from the man and one cough from the woman; three claps.", "AC"),
        (RAIN, "Not only A seems plausible, B does too.", None),
        (("ABC is the network", "NBC is the network", "news"), "ABC is the right answer.", None),
    ],
)
def test_words_of_sets_may_mean_something_else(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


PAIRS = ("louder and higher", "louder and lower", "softer and higher", "softer and lower")
SHOTS = ("4 seconds", "8 seconds", "12 seconds")
NAMES = ("Ann is older than Bob", "Bob is older than Ann")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (PAIRS, "The first tone is louder and lower than the second one.", None),
        (PAIRS, "The loudness is not lower and the pitch is higher.", None),
        (SHOTS, "The pause between the words is 4 seconds, the one between sentences is 8 seconds.", None),
        (NAMES, "Someone thinks that Ann is older, but that is wrong.", None),
        (("the bus", "the car", "the man"), "Who may leave? The bus and the man can go.", None),
        (("coffee", "tea", "water"), "The other friend says tea.", "B"),
    ],
)
def test_words_of_a_choice_may_mean_something_else(
    options: tuple[str, ...], response: str, expected: str | None
) -> None:
    assert read_letter(options, response) == expected


LOST = ("wallet", "keys", "phone", "bag")


@pytest.mark.parametrize(
    ("options", "response", "expected"),
    [
        (RAIN, "Rain and wind (thunder and hail are absent).", "AB"),
        (LOST, "The wallet and the keys are missing; she still has the phone.", None),
        (
            ("two guitars", "one drum", "three voices"),
            "A guitar on the left, a guitar on the right, three voices.",
            "AC",
        ),
        (("he is late", "he is tired", "he is sick"), "She says that he is tired. He says he is sick.", "BC"),
        (("rain", "wind", "hail"), "It is not the case that A is right and so is B. C is right.", "C"),
    ],
)
def test_members_are_neither_lost_nor_carried(options: tuple[str, ...], response: str, expected: str | None) -> None:
    assert read_letters(options, response) == expected


def test_exceptions_behind_no_errors_count() -> None:
    assert read_digits("No errors in the analysis, apart from step 3.", 4) == "0010"
    assert read_digits("The third and final step is wrong.", 3) == "001"
