"""Digits as labels of steps, lists that say where they start to count, and lists that are taken back."""

from itertools import product

import pytest

from tests.support.samples.read_answers import read_digits

PATTERNS = ("100", "001", "010", "000")
COMMENTS = ("The pitch rises.", "It names a cello.", "The second voice is a man's.")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_digits_label_steps_in_lines_running_text_tables_objects_and_boxes(pattern: str) -> None:
    lines = list(enumerate(zip(pattern, COMMENTS, strict=True), 1))
    arrows = "\n".join(f"Step {step}: {comment} → {digit}" for step, (digit, comment) in lines)
    running = "；".join(f"步骤{'一二三'[step - 1]}：{digit}（说的是第{step}个声音）" for step, (digit, _) in lines)
    rows = "\n".join(f"| {step} | {digit} | {comment} |" for step, (digit, comment) in lines)
    objects = ", ".join(f'{{"step": {step}, "label": {digit}, "why": "{comment}"}}' for step, (digit, comment) in lines)
    for response in (arrows, running, f"| Step | Label | Comment |\n|---|---|---|\n{rows}", f"[{objects}]"):
        assert read_digits(response, 3) == pattern, response
    for box in (f"\\boxed{{{pattern}}}", f"$\\boxed{{\\text{{{pattern}}}}}$"):
        assert read_digits(f"I compared the trace with the recording. {box}", 3) == pattern


@pytest.mark.parametrize(
    ("response", "n_steps"),
    [
        ("Step 1: The number of voices goes from 2 -> 1\nStep 2: The level goes from 0 -> 1", 2),
        ("\\boxed{10}", 3),
        ("\\boxed{0010}", 3),
        ("步骤一：0（男声）；步骤三：1（女声）", 3),
        ('[{"step": 1, "label": 1, "why": "correct"}, {"step": 2, "label": 0, "why": "wrong"}]', 2),
        ('[{"step": 1, "label": 1}, {"step": 2, "label": 1}, {"step": 3, "label": 0}]', 3),
        ('[{"step": 1, "label": 2}, {"step": 2, "label": 0}]', 2),
    ],
)
def test_digits_that_count_or_mean_the_opposite_label_no_step(response: str, n_steps: int) -> None:
    assert read_digits(response, n_steps) is None


@pytest.mark.parametrize("numbers", [(1,), (2, 4), (1, 3, 4)])
def test_headed_lists_count_from_where_they_say(numbers: tuple[int, ...]) -> None:
    expected = "".join("01"[step in numbers] for step in range(1, 5))
    english = (
        ("Erroneous step indices", "Wrong steps", "Indices of incorrect steps"),
        (("0-based", 1), ("zero-indexed", 1), ("starting from 0", 1), ("1-based", 0), ("counting from one", 0)),
    )
    chinese = (("错误步骤", "错误步骤的索引"), (("从0开始", 1), ("从1开始计数", 0)))
    for heads, bases in (english, chinese):
        for head, (base, shift) in product(heads, bases):
            listed = ", ".join(str(number - shift) for number in numbers)
            for response in (f"{head} ({base}): [{listed}]", f"{head} ({base}): {listed}"):
                assert read_digits(response, 4) == expected, response


@pytest.mark.parametrize(
    "response",
    [
        "Wrong steps (0-based): [4]",
        "Wrong steps (1-based): [0, 2]",
        "Wrong steps (1-based): [5]",
        "Scores (1-based): [2]",
    ],
)
def test_headed_lists_of_no_step_stay_unread(response: str) -> None:
    assert read_digits(response, 4) is None


@pytest.mark.parametrize("response", [
    "Originally I wrote [1, 0, 0], but the horn is there. Revised verdicts: [0, 0, 1]",
    "My first attempt was [true, false, false]. Listening again, the horn is there, so [false, false, true].",
    "一开始我判为[1, 0, 0]，重听后发现第1步没问题。最终判定：[0, 0, 1]",
])  # fmt: skip
def test_last_list_counts_where_those_before_it_are_taken_back(response: str) -> None:
    assert read_digits(response, 3) == "001"


@pytest.mark.parametrize("response", [
    "I have [1, 0, 0]. So [0, 0, 1].",
    "Originally I wrote [1, 0, 0]. So is it perhaps [0, 0, 1]",
    "Originally I wrote [1, 0, 0]; I would not say that now it is [0, 0, 1]",
    "一开始我判为[1, 0, 0]，也许是[0, 0, 1]",
])  # fmt: skip
def test_two_lists_stay_unread_where_neither_is_taken_back(response: str) -> None:
    assert read_digits(response, 3) is None
