"""Legends, lists that a sentence describes, and errors that are counted before they are named."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            '{"1": true, "2": true, "3": false}\nLegend: true → the step is correct; false → the step is erroneous.',
            "001",
        ),
        ("Here is the list, where `true` stands for a correct step:\n\n```json\n[true, false, true]\n```", "010"),
        ("`1` = correct, `0` = erroneous\n\n[1, 0, 1]", "010"),
        ("[false, true, false]\n\ntrue → the step has an error", "010"),
        ("Correct steps are `true`: [true, true, false]", "001"),
        ("true：正确，false：错误\n[true, false, true]", "010"),
        ("Step 1: True: correct, the bell rings.\nStep 2: False: incorrect, no dog barks.", "01"),
        ("1 -> true -> correct\n2 -> false -> wrong", "01"),
    ],
)
def test_a_legend_states_what_true_means_and_a_verdict_does_not(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("\\boxed{2,4}\n\nwhere 2 and 4 are the numbers of the incorrect steps.", "0101"),
        ("Answer: 1, 2\n(these steps contain errors; 3 and 4 don't)", "1100"),
        ("Answer: 3\n(this step is wrong, the others are right)", "0010"),
        ("[2, 3]\n\nThese are the numbers of the erroneous steps.", "0110"),
        ("**2 and 3** – those steps are incorrect.", "0110"),
        ("1, 3\n\nThese are the steps with errors.", "101"),
        ("答案：2、3（这两步有误，其余正确）", "0110"),
        ("四个步骤的结论依次为：正确、错误、正确、正确。", "0100"),
        ("\\boxed{2,4}\n\nwhere 1 and 3 are the numbers of the incorrect steps.", None),
        ("[2, 3]\n\nThese are the numbers.", None),
    ],
)
def test_a_sentence_describes_the_list_above_it(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "....")) == expected


def test_a_bare_list_after_the_thinking_lists_the_steps_that_it_calls_wrong() -> None:
    thought = (
        "<think>\nStep 1 is right. Step 2 is wrong, there are five strokes. Step 3 is right.{}\n</think>\n\n[2, 4]"
    )
    assert read_digits(thought.format(" Step 4 is wrong."), 4) == "0101"
    assert read_digits(thought.format(" Step 4 is right."), 4) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "Overall, the trace is sound, but two of its steps are not: step 3 swaps the chimes, and step 6 draws the "
            "conclusion from this. The rest is correct.",
            "001001",
        ),
        (
            "It holds up except in two places: step 2 names the wrong key, and step 4 builds on it. The rest is fine.",
            "0101",
        ),
        (
            "Most steps are right, but one of them isn't: step 3 says that the dog barks twice. The rest are right.",
            "0010",
        ),
        (
            "Three steps are problematic. Step 1 misses the rain, step 2 invents a thunderclap, and step 4 relies on "
            "both. Step 3 is fine.",
            "1101",
        ),
    ],
)
def test_counted_errors_are_those_that_are_named(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected
