"""Lists of truth values that say the opposite of the words around them."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("```json\n[true, false, true, false, true]\n```\nSteps 2 and 4 are wrong: the splash comes first.", "01010"),
        ("[1, 0, 1, 1]\nOnly step 2 contains an error.", "0100"),
        ("Step 2 is wrong, the rest is right.\n[true, false, true]", "010"),
        ("[true, true, false, true]\n第3步有错误。", "0010"),
        ('{"step_1": true, "step_2": true, "step_3": true}\n\nAll of the steps are correct.', "000"),
        ('{"1": true, "2": true, "3": false}\n\nOnly step 3 is incorrect.', "001"),
        ("1 = correct, 0 = erroneous\n\n[1, 0, 1, 1]\n\nStep 2 is wrong because the man coughs.", "0100"),
        ("1 = erroneous, 0 = correct\n\n[0, 1, 0, 0]\n\nStep 2 is wrong because the man coughs.", "0100"),
        ("<reasoning>Step 2 is wrong, the other steps are right.</reasoning>\n[true, false, true]", "010"),
        ("<think>Step 2 is wrong, the other steps are right.</think>\n[true, false, true]", "010"),
    ],
)
def test_words_tell_what_a_true_means(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "n_steps"),
    [
        ("[true, true, false, false]\nStep 3 is wrong.", 4),
        ("[true, false]\nStep 2 is wrong.", 2),
        ("[true, false, true]\nSteps 1 and 3 are correct.", 3),
    ],
)
def test_words_that_fit_neither_sense_leave_a_contradiction(response: str, n_steps: int) -> None:
    assert read_digits(response, n_steps) is None


def test_words_that_fit_a_list_leave_it_as_it_is() -> None:
    assert read_digits("[false, true, false]\nStep 2 is wrong.", 3) == "010"
    assert read_digits("[true, false, true]\nStep 2 is right.", 3) == "101"
