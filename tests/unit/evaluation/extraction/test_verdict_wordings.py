"""Verdicts of critics in other words, and ordinals that are a part of a claim."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The list of erroneous steps is empty.", "0000"),
        ("Two of the seven steps are erroneous, namely steps 2 and 3.", "0110000"),
        ("Nothing is wrong with this reasoning: step 1 hears the kettle, and step 2 hears the click.", "00"),
        ("Nothing is wrong with the reasoning, but step 2 is not supported by the audio.", None),
        ("Steps 2 and 4 contain errors. Steps 1 and 3 don't contain any.", "0101"),
        ("In step 2 the conclusion that she is happy can't be right, given that she's sobbing. Step 1 is right.", "01"),
        (
            "I agree with steps 1 and 2. Step 3 says that it is a dryer when it's obviously a vacuum cleaner, and step "
            "4 repeats this mistake.",
            "0011",
        ),
    ],
)
def test_verdicts_have_other_words(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "..")) == expected


def test_ordinals_next_to_labels_are_parts_of_claims() -> None:
    response = (
        "Step 1: The claim that there are two speakers is right.\n"
        "Step 2: The claim that the first speaks faster is right.\n"
        "Step 3: The claim that the second is angry is wrong; he's only tired."
    )
    assert read_digits(response, 3) == "001"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            'Step 1 ("The sound is a trumpet") – False; it\'s a saxophone.\nStep 2 ("There are eight notes") – True.',
            "10",
        ),
        ("Step 1 – False, the scale ascends.\nStep 2 – True.", None),
        ("Step 1 ('It is a trumpet'): False, this matches the audio.\nStep 2 ('It is loud'): True.", None),
    ],
)
def test_reasons_at_false_steps_say_what_is_wrong(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "..")) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The step that is wrong is Step 4. All other steps are right.", "0001"),
        ("The erroneous step is:\n\n**Step 4**: the speaker does not sound bored.", "0001"),
        ("The erroneous steps are:\n- Step 2: no dog.\n- Step 4: no cat.", "0101"),
        ("Erroneous steps:\n* Step 2 – no dog.\n* Step 3 – no cat.\n\nThe others are correct.", "0110"),
        ("The erroneous step is:\n- Step 2: no dog.\n- Step 4: no cat.", None),
        ("* Step 1: A can is dropped. **Correct**\n* Step 2: The can is opened. **Correct**", "00"),
        ("All steps are wrong except for one step: step 2, which is fine.", "1011"),
        ("Everything is right except for two steps: steps 1 and 4.", "1001"),
        ("Step 1 says the final note rises, but it falls, so it is incorrect. Step 2 is correct.", "10"),
    ],
)
def test_erroneous_steps_are_listed_below_their_heading(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "....")) == expected


@pytest.mark.parametrize(
    ("response", "n_steps"),
    [
        ("Let me check for incorrect steps:\n- Step 1: Yes, a bell.\n- Step 2: No bell, a gong.", 2),
        ("The erroneous steps are:\n- Step 2: no dog.\n- Step 3: On second thought, this step holds.", 4),
        ("The erroneous steps are:\n- Step 1: no dog.\n- Step 4: no cat.\nNone of this is certain.", 4),
        ("The step that is wrong is the one after step 2.", 4),
    ],
)
def test_lookalikes_of_lists_of_errors_stay_unread(response: str, n_steps: int) -> None:
    assert read_digits(response, n_steps) is None


def test_ordinals_judge_steps_that_were_restated() -> None:
    restated = "Step 1 says it rains. Step 2 says it stops. The first is right, the last is wrong."
    assert read_digits(restated, 2) == "01"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("There is no piano, so step 1, which names a piano, is incorrect. Step 2 is correct.", "10"),
        (
            "| # | Step | Verdict |\n|---|---|---|\n| 1 | Identify the sound | ✅ Correct |\n| 2 | Count | ❌ Wrong |",
            "01",
        ),
        ("After a second pass, the following steps contain errors:\n\n* Step 2: the tempo is off.", "01"),
        ("Step 1 is not in error. Step 2 is by no means wrong.", "00"),
        ("I checked each step and found an error in step 2.", "01"),
    ],
)
def test_clauses_and_marks_beside_a_verdict_are_none(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The erroneous steps are:\n\n[1, 3]", "101"),
        ("Here are the erroneous steps:\n```json\n[1, 3]\n```\n\nBoth name a dog.", "101"),
        ("错误的步骤如下:\n[2]", "010"),
        ("Based on the audio, these are released in order.\nThe erroneous steps are:\n[1, 3]", "101"),
        ("Erroneous steps:\n1\n3", "101"),
        ("None of the wrong steps are:\n[1]", None),
        ("The indices of the erroneous steps are:\n[1]", None),
        ("The correct steps are:\n[1, 3]\nThe erroneous steps are:\n[2]", "010"),
        ("Non-erroneous steps:\n[1, 3]\n\nErroneous steps:\n[2]", "010"),
        ("Checked for erroneous steps:\n1, 2, 3\n\nFound erroneous: 3", "001"),
        ("If I were strict, the erroneous steps:\n[1, 2]\nBut only step 2 is erroneous.", "010"),
        # How many they are names none of them.
        ("Total erroneous steps: 2", None),
        ("Count of incorrect steps:\n1", None),
        ("Total mistaken steps: 2", None),
        ("Total erroneous steps: 2 and 3", "011"),
        ("Step 1: correct\nStep 2: incorrect\nStep 3: correct\nTotal erroneous steps: 1", "010"),
        (
            "**Step 1 – Correct.** a\n**Step 2 – Wrong.** b\n**Step 3 – Correct.** c\n> **Total:** 2 correct, 1 wrong.",
            "010",
        ),
    ],
)
def test_a_list_belongs_to_the_heading_above_it(response: str, expected: str | None) -> None:
    assert read_digits(response, 3) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The erroneous step is Step 2. Only one voice can be heard.", "01"),
        ("Step 2 is wrong. Only a single horn is audible.", "01"),
        ("Step 1 is correct. Step 2 is wrong: what can be heard at 1:02 is a dog.", "01"),
    ],
)
def test_what_is_heard_is_no_verdict(response: str, expected: str | None) -> None:
    assert read_digits(response, 2) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1 describes the tap and the shower accurately. Step 2 is wrong.", "01"),
        ("Step 1 is right. Step 2 describes the tap, its drip and the shower inaccurately.", "01"),
        ("Step 1 describes the tap and the shower, but not accurately. Step 2 is wrong.", "11"),
        ("Step 1 represents the dispute and its outcome far from accurately. Step 2 is correct.", "10"),
        ("Step 1 identifies the car and the horn and fails to order them correctly. Step 2 is right.", None),
        ("Step 1 describes the tap and the shower nowhere near accurately. Step 2 is right.", None),
        ("Nor does step 1 describe the tap and the shower accurately. Step 2 is right.", None),
    ],
)
def test_an_adverb_behind_its_object_is_the_verdict(response: str, expected: str | None) -> None:
    assert read_digits(response, 2) == expected
