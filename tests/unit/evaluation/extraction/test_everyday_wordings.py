"""Critics that judge steps in everyday words."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("I could not fault a single step.", "0000"),
        ("Step 3 is where the trace breaks: it hears rain. I have no objection to the other steps.", "0010"),
        ("Nothing wrong with 1 and 2. 3 is wrong: no applause. Nothing wrong with 4 or 5.", "00100"),
        ("The trace is mostly good. The exception is step 3 – it hears an oboe.", "0010"),
        ("Two steps need fixing: 1 (wrong language) and 4 (wrong option). 2 and 3 can stay as they are.", "1001"),
        ("Correct steps: 1, 3, 4 (3/4). Incorrect steps: 2 (1/4).", "0100"),
        ("Steps 6 and 7 of 8 are incorrect. 1–5 and 8 are correct.", "00000110"),
        ("ok so 1 2 3 are fine, 4 is wrong bc its a guitar not a banjo, 5 and 6 fine", "000100"),
        ("Error flags by step: 1→no, 2→yes, 3→no, 4→yes.", "0101"),
        ("Total errors: 1\nLocation: step 3\nNature: wrong instrument", "0010"),
        ("Step 1 is right. I can't say the same of step 2, which is wrong.", "01"),
        ("Step 1 and step 2 stand. Step 3 falls, as the door never opens.", "001"),
        ("The trace gets three things right (steps 1-3) and one thing wrong (step 4).", "0001"),
        ("Correct for steps 1 and 2; incorrect for step 3.", "001"),
        ("Only one slip: step two claims the dog barks; the cat meows. All the remaining steps are okay.", "0100"),
        ("Briefly I thought step 2 was wrong; the voice is female, so step 2 is right. The others are wrong.", "101"),
        ("The former is mistaken whereas the latter is fine.", "10"),
        ("There is exactly one faulty step in this trace, and it is number three.", "0010"),
        ('Step 1: It\'s a bit borderline whether it is "far", but I judge it correct.\nStep 2: Incorrect.', "01"),
    ],
)
def test_everyday_words_are_read(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("① loudness at start ......... correct\n② loudness at end ........... INCORRECT (6 dB)", "01"),
        ("My labels, in order (0 means no error, 1 means an error):\n`00100`", "00100"),
        ("(I) correct\n(II) incorrect; relies on (I)\n(III) correct", "010"),
        ("- [x] Step 1\n- [ ] Step 2\n\nTicked steps are correct. Step 2 is unticked because it is erroneous.", "01"),
    ],
)
def test_lines_are_read_in_more_layouts(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "n_steps"),
    [
        ("I could not fault any step except step 2, perhaps.", 3),
        ("The flute and the oboe: the latter is wrong.", 2),
        ("Step 2 mentions a flute and an oboe; the latter is wrong.", 2),
        ("Step 1 is right. The pitch in step 2 falls.", 2),
        ("Total errors: 2\nLocation: step 3", 4),
        ("Step 2 doesn't need fixing.", 2),
        ("The speaker says 'step 2 is wrong' in the clip.", 3),
    ],
)
def test_what_judges_no_step_is_left_unread(response: str, n_steps: int) -> None:
    assert read_digits(response, n_steps) is None
