"""Headings of errors, with a line for each erroneous step below them."""

import pytest

from tests.support.samples.read_answers import read_digits

ONE, TWO = "- Step 3: the dog barks twice.", "- **Step 2** – no dog barks.\n- **Step 4** – it rains, as in step 3."


@pytest.mark.parametrize(
    "heading",
    [
        "Errors were found in one step only:",
        "There is an error in one step:",
        "Only one step contains an error:",
        "Only one step is incorrect:",
        "I found an error in one of the steps:",
        "One error was found:",
        "The error is in:",
        "The trace contains one mistake:",
        "One of the steps is wrong:",
        "**This step is wrong:**",
        "只有一步有错误:",
        "错误出现在以下步骤：",
    ],
)
def test_a_heading_of_one_error_says_what_the_line_below_is(heading: str) -> None:
    line = ONE if heading.isascii() else "- 步骤3：狗叫了两声。"
    assert read_digits(f"{heading}\n\n{line}", 4) == "0010"
    assert read_digits(f"{heading}\n{line.replace('- ', '> ')}\n\nSteps 1, 2 and 4 are correct.", 4) == "0010"


@pytest.mark.parametrize(
    "heading",
    [
        "Errors were found in two steps:",
        "I found two errors:",
        "The errors are in:",
        "The trace has two errors:",
        "Two of the steps are wrong:",
        "Mistakes:",
        "Erroneous steps (2):",
        "The following steps contain errors:",
    ],
)
def test_a_heading_of_errors_says_what_the_lines_below_are(heading: str) -> None:
    assert read_digits(f"{heading}\n{TWO}", 5) == "01010"
    assert read_digits(f"{heading}\n\n{TWO}\n\nThe other steps are correct.", 5) == "01010"


@pytest.mark.parametrize(
    "response",
    [
        f"I checked these steps for errors:\n{TWO}",
        f"Three errors were found:\n{TWO}",
        f"Errors were found in the following three steps:\n{TWO}",
        f"以下三个步骤有错误：\n{TWO}",
        f"The erroneous step is:\n{TWO}",
    ],
)
def test_a_heading_that_counts_otherwise_or_leaves_it_open_says_nothing(response: str) -> None:
    assert read_digits(response, 5) != "01010"


@pytest.mark.parametrize(
    "reason", ["the background noise is loud", "a minor key, not major", "the singer holds a note"]
)
def test_words_of_a_reason_are_no_verdict(reason: str) -> None:
    assert read_digits(f"Errors were found in two steps:\n- Step 2: {reason}.\n- Step 4: no dog.", 5) == "01010"


def test_repeated_openings_of_a_heading_take_no_time() -> None:
    # Two ways to read "the following are" would take 2 ** 1,000 steps.
    assert read_digits("the following are " * 1_000 + "x:\n- Step 2: no dog.", 5) is None


def test_a_line_may_say_that_its_step_has_no_error() -> None:
    assert read_digits("Errors found:\n- Step 2: none.\n- Step 4: no dog barks.", 5) == "00010"
    assert read_digits("Errors:\nStep 1: none\nStep 2: the count is off\nStep 3: no errors", 3) == "010"


@pytest.mark.parametrize(
    "response",
    [
        "The erroneous step is:\n\n**Step 2**: it says three knocks. The fourth step is erroneous too.",
        "The erroneous steps are:\n- Step 2: the tempo is fast, as claimed.\n- Step 4: no crowd.",
        "The erroneous steps are:\n- Step 2: no bell.\n- Step 4: no crowd.\nNone of this is certain.",
        "Erroneous steps:\n- Step 2-4: no bell.",
    ],
)
def test_a_line_or_an_end_that_says_otherwise_leaves_the_heading_aside(response: str) -> None:
    assert read_digits(response, 5) not in {"01000", "01010"}


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "Step 1: Correct\nStep 2: Incorrect\nStep 3: Correct\n\n**Summary**: 2 correct steps, 1 incorrect step.",
            "010",
        ),
        ("Here's how each step holds up:\n\nStep 1: Correct\nStep 2: Incorrect\nStep 3: Correct", "010"),
        ("Every step from 1 to 4 is correct.", "0000"),
        ("Erroneous step indices: [2, 4]", "010100"),
        ("[2]\n\n* **Step 2** claims that the pitch drops, while it rises.", "0100"),
        # More steps than the trace has, an index that may count from 0, and a step that is called right.
        ("Step 1: Correct\nStep 2: Incorrect\n\n3 correct steps, 1 incorrect step.", None),
        ("Indices of the erroneous steps: [1]", None),
        ("[2]\n\n* **Step 2** is correct, while the tempo rises.", None),
    ],
)
def test_tallies_introductions_and_indices_add_no_verdict(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "0000")) == expected
