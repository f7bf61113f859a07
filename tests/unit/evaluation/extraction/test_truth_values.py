"""True and false in sentences about steps, said of them or marked at them."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1 is true. Step 2 is true. Step 3 isn't true, since nobody whistles. Step 4 is true.", "0010"),
        ("Steps 1, 2 and 4 are true, but step 3 is false.", "0010"),
        ("The first two steps are true. The third is false, as the tempo drops. The fourth is true.", "0010"),
        ("Step 3 is untrue. All the others are true.", "0010"),
        ("All steps are true except step 3, which is false.", "0010"),
        ("Step 3's conclusion is false. Everything else is true.", "0010"),
        ("All four steps are true.", "0000"),
        ("None of the steps is false.", "0000"),
        ("第一步为真，第二步为真，第三步为假，第四步为真。", "0010"),
    ],
)
def test_steps_said_to_be_true_are_right(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "Step 3 should be marked as true, because it contradicts the clip. The others should be marked as false.",
            "0010",
        ),
        ("I would mark step 3 as true and the other steps as false.", "0010"),
        ("I'd label step 3 true and every other step false.", "0010"),
        ("Step 3 must be flagged as **true**. The rest must be flagged as **false**.", "0010"),
        ("Steps 1, 2 and 4 are labelled as false, and step 3 is labelled as true.", "0010"),
        ("Step 3 receives true, all others false.", "0010"),
        ("All steps should be marked as false.", "0000"),
        ("第三步应标为true，其余应标为false。", "0010"),
    ],
)
def test_steps_marked_as_true_are_erroneous(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "Step 1 is true, as nothing of the kind is heard. Step 2 is false. Step 3 is false. Step 4 is false.",
        "Step 1 is false, it has no errors. Step 2 is true, it has an error. Step 3 is false. Step 4 is false.",
        "Step 1 is false. Step 2 is true since it contradicts the audio. Step 3 is false. Step 4 is false.",
        "Step 3 should be marked as true since it matches the audio; the others should be marked as false.",
        "Step 3 should be marked as false because it is wrong; the others should be marked as true.",
        "Step 1: true\nStep 2 is false.\nStep 3: false\nStep 4: false",
        "All steps are false.",
        "None of the steps is true.",
        "Only step 2 is true.",
        "The man says that step 4 is false. The others are true.",
        "Do not mark step 4 as true.",
        "Each step should be marked as true if it contains an error, and as false otherwise.",
    ],
)
def test_values_that_could_mean_either_are_not_read(response: str) -> None:
    assert read_digits(response, 4) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Step 1: True. The audio has a bell.\nStep 2: False. It rings three times, not four.", "01"),
        ("Step 1: True\nStep 2: False. The answer should be three.", "01"),
        # Behind both values something is corrected, so that the sense that the prompt asks for stays.
        ("Step 1: True. It is a cello, not a violin.\nStep 2: False. It is a duet, not a solo.", "10"),
    ],
)
def test_reasons_show_what_a_true_means(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected
