"""What critics say is to be marked, what only seemed so at first, and exceptions to what is said of all steps."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    "response",
    [
        "The chain agrees with the recording. None of the steps has to be flagged as wrong.",
        "No step deserves to be marked as an error, since everything fits.",
        "I see no reason to mark any of the steps as erroneous.",
        "I don't need to flag any step.",
        "There are no mistakes that need to be corrected.",
        "Nothing needs to be corrected.",
        "I couldn't identify any erroneous steps.",
        "没有需要标记的步骤。",
        "推理与录音一致，没有需要纠正的错误。",
        "各步骤都不需要标记。",
        "不需要标记任何步骤为错误。",
    ],
)
def test_no_step_is_to_be_marked(response: str) -> None:
    assert read_digits(response, 4) == "0000"


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Only step 3 needs to be marked.", "0010"),
        ("No step needs to be marked except step 3.", "0010"),
        ("Step 3 needs to be marked as erroneous. No other step needs to be marked.", "0010"),
        ("只有第三步需要标记。", "0010"),
        ("第三步需要标记为错误，其余步骤无需标记。", "0010"),
        ("需要标记的只有第三步。", "0010"),
        ("Comparing both, I can only find one mistake: in step 3 the flute is called an oboe.", "0010"),
        ("The only error I could spot is that in step 3 the flute is called an oboe.", "0010"),
        ("There is only one problem. It is in step 3, where the flute is called an oboe.", "0010"),
        ("One step is wrong, and that is the third one.", "0010"),
        ("Step 3 should say that the flute plays last. The others are right.", "0010"),
        ("Among the steps, the third one stands out as wrong. The rest look right.", "0010"),
        ("第三步中的“笛声”在录音中并不存在，其余步骤正确。", "0010"),
        ("I only see two problems: in step 2 a cello is heard, and in step 3 the flute is called an oboe.", "0110"),
    ],
)
def test_steps_to_be_marked(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("At first sight all steps look fine. However, step 3 is wrong. The other steps are right.", "0010"),
        ("On first listen, step 3 seems right. On closer listening, though, it is wrong. The rest is right.", "0010"),
        ("Everything seems right at first; but step 3 is wrong. The others are right.", "0010"),
        ("At first glance, step 1 looks odd. But it is right. Step 3 is wrong. The others are right.", "0010"),
        ("乍一听都正确。但第三步有误，其余步骤正确。", "0010"),
        ("乍一看第三步是对的。但仔细听，第三步有误。其余步骤正确。", "0010"),
    ],
)
def test_first_impressions_judge_nothing(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The trace is mostly sound. Step 3 is the exception: nobody laughs. The other three steps are right.", "0010"),
        ("All steps are correct. Step 3 is the only exception.", "0010"),
        ("None of the steps contains an error, step 3 being the exception.", "0010"),
        ("Everything is right, with step 3 as the sole exception.", "0010"),
        ("All steps are wrong. Step 3 is the exception.", "1101"),
        ("The exception is step 3. The other three steps are right.", "0010"),
        ("推理基本正确，例外的是第三步。其余三步正确。", "0010"),
        ("The trace has an error in step 2. The following steps do not rely on it and are right.", "0100"),
    ],
)
def test_exceptions_and_following_steps(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("[false]\n[false]\n[true]\n[false]", "0010"),
        ("- [false]\n- [false]\n- [true]\n- [false]", "0010"),
        ("Answer:\n<false> <false> <true> <false>", "0010"),
        ("[[0], [0], [1], [0]]", "0010"),
    ],
)
def test_brackets_of_their_own_are_one_list(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "In step 1, nothing needs to be marked.",
        "There is no need to mark any step as erroneous except one.",
        "I see no reason to mark step 1 as wrong.",
        "不需要标记第二步。",
        "I can only spot two problems: in step 3 the flute is called an oboe.",
        "At first glance everything appears to be right. However, I can't verify it.",
        "Step 3 is an exception.",
        "0, 2, 1, 1 (the number of errors)",
        "1, 1, 1, 0 (the number of errors)",
        "[false]\n[false]\n[true]",
    ],
)
def test_what_leaves_steps_open_is_not_read(response: str) -> None:
    assert read_digits(response, 4) is None
