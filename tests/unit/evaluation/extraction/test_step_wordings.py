"""Wordings of critics: what only is heard, steps around an error, first impressions, indices, typing errors."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    "response",
    [
        "The only erroneous step is step 3. It claims that a dog barks four times, but only three barks can be heard.",
        "Only step 3 is wrong. It says there are four barks, yet just three are audible.",
        "唯一错误的是第3步。它说狗叫了四声，但只能听到三声。",
    ],
)
def test_what_only_is_heard_confirms_no_claim(response: str) -> None:
    assert read_digits(response, 4) == "0010"


@pytest.mark.parametrize(
    "response",
    [
        "The first error is in step 3, where four speakers are counted. The steps before and after it are all correct.",
        "The first error is in step 3. All steps before and after it are correct.",
        "The error is in step 3; everything before and after is right.",
        "第一个错误在第3步，前后的步骤都正确。",
    ],
)
def test_steps_before_and_after_an_error_are_all_others(response: str) -> None:
    assert read_digits(response, 5) == "00100"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Step 2: This looked like an error at first, but there really are three knocks. Correct.", "000"),
        ("Step 2: At first I thought this was wrong, but there are indeed three knocks. Correct.", "000"),
        ("Step 2: Seemed right at first, but the knock comes later. Incorrect.", "010"),
        ("步骤2：乍看像是错误，但再听一遍确实有三声敲击。正确", "000"),
    ],
)
def test_first_impressions_behind_a_label_are_no_verdicts(line: str, expected: str) -> None:
    assert read_digits(f"Step 1: correct.\n{line}\nStep 3: correct.", 3) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("-1 (there is no erroneous step in this trace)", "0000"),
        ("-1（没有错误）", "0000"),
        ("Using 1-based indices, the erroneous step is [2].", "0100"),
        ("With 1-based indexing, the erroneous steps are [2, 4].", "0101"),
        ("The erroneous step (1-based) is [2].", "0100"),
        ("Using 0-based indices, the erroneous step is [2].", "0010"),
        (
            "Counting from zero, so that index 0 is Step 1, the errors are at indices 1 and 3, i.e. Step 2 and Step 4.",
            "0101",
        ),
        ("Erroneous: indices 1 and 3 (Step 2 and Step 4).", "0101"),
        ("Legend: 1 = correct, 0 = erroneous.\nResult: 0110", "1001"),
        ("1表示正确，0表示错误：0110", "1001"),
        ("Result: 0110", "0110"),
    ],
)
def test_indices_and_digits_count_as_the_response_says(response: str, expected: str) -> None:
    assert read_digits(response, 4) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Stpe 1: corect\nStep 2: incorect, the motor is getting slower\nStep 3: corect", "010"),
        ("Step 1: correct\nStep 2: incorrcet\nStep 3: correct", "010"),
        ("Step 1: eroneous\nStep 2: corret\nStep 3: correct", "100"),
    ],
)
def test_mistyped_verdicts_are_read(response: str, expected: str) -> None:
    assert read_digits(response, 3) == expected


def test_numbers_that_are_no_row_of_flags_stay_numbers() -> None:
    assert read_digits("Frequency: 1100 (Hz)", 4) is None
    assert read_digits("-1 (the first knock is louder)", 4) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("1 ✔️  2 ✔️  3 ✖️  4 ✔️", "0010"),
        ("Step 1: 🟢\nStep 2: 🔴\nStep 3: 🟢\nStep 4: 🟢\n\n🟢 correct · 🔴 incorrect", "0100"),
        ("The erroneous steps are $\\boxed{2, 4}$.", "0101"),
        ("After checking every step against the clip, the incorrect ones are $\\boxed{\\{1, 3\\}}$.", "1010"),
        ("第1至2步没有问题，第3步把先后顺序弄反了，第4步没有问题。", "0010"),
        ("The first error is in step 1, steps 2 and 3 are wrong too, only step 4 is right.", "1110"),
        ("最早的错误在第1步，第2步和第3步也跟着错了，只有第4步是对的。", "1110"),
        ("Step 1: Partly right, but the count is off, so I mark it as incorrect.\nSteps 2 to 4: Correct.", "1000"),
    ],
)
def test_marks_boxes_and_mistakes_in_other_words_are_read(response: str, expected: str) -> None:
    assert read_digits(response, 4) == expected


def test_final_line_that_judges_every_step_counts_more_than_what_stands_above() -> None:
    analysis = "I first took step 3 to be wrong. Having listened again, I accept step 3, though it might be wrong."
    assert read_digits(f"{analysis}\n\nFinal: 1 correct, 2 correct, 3 incorrect.", 3) == "001"
    assert read_digits(f"{analysis}\n\nFinal: 2 correct.", 3) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1: True\nStep 2: False – the footsteps are approaching, not receding.\nStep 3: True", "010"),
        ("Step 1: True\nStep 2: False. There are two dogs, not three.\nStep 3: True", "010"),
        ("Step 1: True\nStep 2: False, because the second tone is lower.\nStep 3: True", None),
        ("Step 1: False\nStep 2: True – there are two dogs, not three.\nStep 3: False", "010"),
        ("Step 1: False\nStep 2: True\nStep 3: False", "010"),
    ],
)
def test_reasons_tell_what_a_true_means(response: str, expected: str | None) -> None:
    assert read_digits(response, 3) == expected
