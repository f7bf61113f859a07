"""Final letters after options that are weighed in words, articles before a thing, and verdicts without their word."""

import pytest

from tests.support.samples.option_sets import read_letter, read_letters
from tests.support.samples.read_answers import read_digits

MACHINES = ("Aquarium pump", "Refrigerator", "Desk fan", "Hair dryer")
WEATHER = ("rain", "wind", "thunder", "hail")
DISTANCES = ("Closer", "Farther", "Same distance")
MOODS = ("First angry, second calm", "First calm, second angry", "Both angry", "Both calm")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("It could be a pump or a fan. The bubbles make the aquarium pump the better match.\n\nAnswer: A", "A"),
        ("The hum could come from either a refrigerator or a desk fan. Therefore the best choice is (B).", "B"),
        ("这可能是冰箱，也可能是电扇。因此选B。", "B"),
        ("It could be a refrigerator or a desk fan. I can't tell. Not sure, answer: B or C", None),
        ("It could be a pump or a fan. B is out. Unless I misheard, the answer is A or C", None),
        ("It could be a refrigerator or a desk fan. Answer: H", None),
    ],
)
def test_a_letter_at_the_end_decides_what_words_left_open(response: str, expected: str | None) -> None:
    assert read_letter(MACHINES, response) == expected


def test_an_article_before_a_thing_is_no_letter() -> None:
    assert read_letter(MACHINES, "A hair dryer.") == "D"
    assert read_letters(MACHINES, "A desk fan") == "C"
    assert read_letter(("cat", "dog", "cow"), "A dog") == "B"
    assert read_letter(("louder", "softer"), "A softer") is None
    assert read_letter(MACHINES, "A Hair dryer") is None


def test_an_article_before_the_first_of_several_things_is_no_letter() -> None:
    explained = "### Answer\nB, C\n\n### Explanation\nA refrigerator, a desk fan and no dryer can be heard."
    assert read_letters(tuple(map(str.lower, MACHINES)), explained) == "BC"
    assert read_letters(MACHINES, "A desk fan") == "C"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("A. Rain, C. Thunder. A. Rain, C. Thunder. A. Rain, C.", "AC"),
        ("A, C, A, C, A, C, A,", "AC"),
        ("wind and hail. wind and hail. wind and", "BD"),
        # Every letter again and again is no answer.
        ("A, B, C, D, A, B, C, D, A, B,", None),
        ("A, C, A, B, A, C, A,", None),
    ],
)
def test_a_response_that_repeats_itself_counts_once(response: str, expected: str | None) -> None:
    assert read_letters(WEATHER, response) == expected


def test_an_offer_of_help_names_no_mood() -> None:
    moods = ("happy", "sad", "angry")
    assert read_letter(moods, "I'd be happy to help! Please upload the audio.") is None
    assert read_letter(moods, "I'd be happy to help! The speaker sounds sad.") == "B"
    assert read_letters(("hoarse", "cheerful"), "I'd be happy to help! I don't see any audio, though.") is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("D. Hair dryer\n\nThe noise is made by a motor, since no other machine makes such a", "D"),
        ("D. Hair dryer\n\nWait, the hum could also be the", None),
    ],
)
def test_an_explanation_may_break_off_below_the_answer(response: str, expected: str | None) -> None:
    assert read_letter(MACHINES, response) == expected


def test_a_transcript_answers_nothing() -> None:
    shows = ("a brass band", "a choir", "a quiz")
    assert read_letter(shows, "Welcome to the show. Tonight we have a brass band for you.") is None
    assert read_letter(shows, "各位听众晚上好，欢迎收听。Tonight: a choir.") is None
    assert read_letter(("welcome to the club", "goodbye"), "Welcome to the club") == "A"
    assert read_letter(shows, "Good evening! The answer is a choir.") == "B"


def test_the_second_of_two_sounds_is_compared_with_the_first() -> None:
    assert read_letter(DISTANCES, "The second source sounds farther away than the first.") == "B"
    assert read_letter(DISTANCES, "Sound 2 is closer than sound 1.") == "A"
    assert read_letter(DISTANCES, "The first source is closer than the second.") is None


def test_a_speaker_who_answers_is_no_option() -> None:
    assert read_letter(MOODS, "The second one answers softly.") is None
    assert read_letter(MOODS, "The first one shouts, the second one answers softly. So it's A.") == "A"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Rain is heard, wind is not, thunder is, hail is not.", "AC"),
        ("A is present; B isn't; C is too; D isn't.", "AC"),
        ("While wind and hail are not audible, rain and thunder are.", "AC"),
        ("Rain isn't audible, wind is, and so are thunder and hail.", "BCD"),
        ("Rain is audible, wind isn't audible, thunder is audible, and hail isn't audible.", "AC"),
        ("While wind and hail are not there, rain and thunder are there.", "AC"),
        ("The sounds present are A and C, D.", "ACD"),
    ],
)
def test_each_option_of_a_review_gets_its_own_verdict(response: str, expected: str) -> None:
    assert read_letters(WEATHER, response) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1: The claim that the patient makes no sound is correct.\nStep 2: Wrong.", "01"),
        ("Step 1: The claim that she says nothing is accurate.\nStep 2: Wrong.", "01"),
        ("Step 1: The claim that nothing is heard is not correct.\nStep 2: Right.", "10"),
        ("Only one of the four steps is wrong, step 3. It claims that the pitch falls. It rises.", "0010"),
    ],
)
def test_denials_within_a_claim_leave_its_verdict_alone(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("[2, 4]", "0101"),
        ("2, 6", "0100010"),
        ("Output: [3]\n\nReason: In step 3, the two violins are mixed up.", "00100"),
        ("[2]\n\nStep 2 is wrong, the others are correct.", "0100"),
    ],
)
def test_bare_lists_name_the_erroneous_steps(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "[1]",
        "3",
        "[0, 2]",
        "[3, 2]",
        "1, 2, 4",
        "[2]\n\nStep 3 is wrong.",
        "[2]\n\nStep 2 is correct.",
        "[2, 3]\nI hear a dog.",
    ],
)
def test_lists_that_may_be_something_else_stay_unread(response: str) -> None:
    assert read_digits(response, 4) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("A is incorrect. B is correct. C is correct. D is not.", "BC"),
        ("Hail is absent; rain is audible; wind is not.", "A"),
        ("A is wrong. B is right. C is too. D is wrong.", "BC"),
        ("Hail is absent. Rain is, as far as I can tell, present. Wind is present. Thunder is absent.", "AB"),
    ],
)
def test_an_elided_verdict_is_that_of_the_one_before_it(response: str, expected: str) -> None:
    assert read_letters(WEATHER, response) == expected


@pytest.mark.parametrize(
    ("options", "response"),
    [
        (MACHINES, "It fits a refrigerator or a desk fan. It is definitely not a hair dryer. Answer: D"),
        (("sad", "happy", "angry"), "A happy"),
        (("wind", "rain", "hail"), "A rain."),
        (("footsteps", "birds", "engine"), "A birds"),
        (("footsteps", "birds", "engine"), "A engine"),
        (("close", "far", "medium"), "The second source is closer than the first."),
    ],
)
def test_lookalikes_of_single_choices_stay_unread(options: tuple[str, ...], response: str) -> None:
    assert read_letter(options, response) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1: Fine.\nStep 2: The claim that he is alone is wrong because he is not, and the rest is fine.", "01"),
        ("Step 1: The claim that it barks is right, so I see no reason to think that it is wrong.\nStep 2: Bad.", "01"),
        ("Step 1: The claim that nothing is wrong and that he is calm is correct.\nStep 2: Incorrect.", "01"),
        ("[2, 4]\n\nSteps 2 and 4 match the audio.", None),
        ("[2]\n第2步没有问题。", None),
        ("[3]\n\nThe first error occurs right after step 3.", None),
        ("[2]\n\nSteps 2 to 4 rest on the wrong instrument.", None),
        ("One of the steps is wrong, step 2 or step 3.", None),
        ("More than one step is wrong, step 2 for example.", None),
    ],
)
def test_lookalikes_of_verdicts_are_not_misread(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "....")) == expected


@pytest.mark.parametrize("conclusion", ["The **second tone** lasts longest.", "The longest is the second tone.", "B"])
def test_descriptions_may_leave_out_the_article_of_their_option(conclusion: str) -> None:
    described = "- **First tone**: short\n- **Second tone**: long\n- **Third tone**: short\n\n"
    assert read_letter(("The first tone", "The second tone", "The third tone"), described + conclusion) == "B"


def test_the_answer_may_stand_among_the_descriptions() -> None:
    response = "First tone: short\nSecond tone: long (answer)\nThird tone: short\n\nThe first tone has an echo."
    assert read_letter(("The first tone", "The second tone", "The third tone"), response) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The instrument is an erhu, while the guzheng, pipa and yangqin are plucked.", "C"),
        ("It's an erhu. The guzheng, pipa, and yangqin sound different.", "C"),
        ("The erhu part is in the title. The instruments are a guzheng, a pipa and a yangqin.", None),
        # Two of three others may be the answer to another part of the question.
        ("The instrument is an erhu, while the guzheng and pipa are plucked.", None),
    ],
)
def test_what_all_the_others_are_is_no_answer(response: str, expected: str | None) -> None:
    assert read_letter(("guzheng", "pipa", "erhu", "yangqin"), response) == expected
