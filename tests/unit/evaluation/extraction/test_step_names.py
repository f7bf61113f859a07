"""Other names of steps, declared codes, answered questions and final lines of critics."""

import pytest

from tests.support.samples.read_answers import read_digits


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            "Of the five steps, two are flawed: no. 3 (no flute) and no. 5 (rests on no. 3). The other three hold.",
            "00101",
        ),
        ("Two out of five are wrong: numbers 2 and 3. The remaining three are right.", "01100"),
        ("Both opening steps are wrong: there is no violin. Both closing steps are right.", "1100"),
        ("The first two steps are right. The third and final step is wrong.", "001"),
        ("I accept the first step. The only one I'd reject is the second of the two.", "01"),
        (
            "The odd-numbered steps (1, 3) are correct. Of the even-numbered ones, 2 is wrong, while 4 is correct.",
            "0100",
        ),
        ("Step 1: correct. From step 2 onwards (2, 3 and 4) every step is incorrect.", "0111"),
        ("the 1st step is ok, 2nd is not ok (its a trumpet), 3rd is ok", "010"),
        ("Verdict by step: one – right; two – wrong; three – right.", "010"),
        ("1-2步：正确。3步：错误（是上楼梯）。4步：正确。", "0010"),
        ("五步中有两步有误：第3步（说是雨声，其实是掌声）和第4步（由第3步推出）。其余三步无误。", "00110"),
    ],
)
def test_steps_are_known_by_other_names(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    "response",
    [
        "Step 3 makes two claims: the first is wrong, the second is right. Steps 1, 2 and 4 are fine.",
        "Two mistakes: the first is wrong about the pitch and the second is wrong about the tempo.",
        "There are two speakers. The first is right, the second is wrong.",
    ],
)
def test_ordinals_may_count_claims_or_errors(response: str) -> None:
    assert read_digits(response, 4) is None


@pytest.mark.parametrize(
    "response",
    [
        "Step 2: correct if you count the echo, incorrect otherwise. The rest are correct.",
        "步骤2：如果算上回声就正确，否则错误。其余都正确。",
    ],
)
def test_verdicts_under_a_condition_leave_a_step_open(response: str) -> None:
    assert read_digits(response, 4) is None


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("1) T\n2) F\n\n(T = the step is true / correct, F = the step is false / erroneous)", "01"),
        ('"E" marks an erroneous step and "C" a correct one.\nC, C, E', "001"),
        ("**Rubric:** ✅ = step is right, ⚠️ = step contains an error\n\n⚠️ steps: two\n✅ steps: one, three", "010"),
        ("Legend: 🟦 correct, 🟥 erroneous\n🟦🟦🟥🟥🟦", "00110"),
        ("+ marks a correct step, - an incorrect one.\nA step-by-step check:\n1 +\n2 -", "01"),
        ("A（正确）或B（错误）：\n步骤1：A\n步骤2：B", "01"),
    ],
)
def test_codes_are_declared_in_many_ways(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Q: Is step 1 right? A: Yes, it is.\nQ: Is step 2 right? A: No, the bass is slapped.", "01"),
        ("Is each step correct?\nStep 1 - No. The bees buzz.\nStep 2 - Yes. A smoker is puffed.", "10"),
        ("Does each step contain an error?\nStep 1: Yes, wrong order.\nStep 2: No.\nStep 3: No.", "100"),
        ("步骤1对吗？对。步骤2对吗？不对，是男声。", "01"),
        ("Does step 1 mention a dog? Yes. Does step 2 mention a cat? No.", None),
    ],
)
def test_answers_to_questions_about_each_step_are_verdicts(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "..")) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Steps are counted from zero (step 0 is the first one).\nErroneous: [0, 2]", "101"),
        ("索引从0开始（0代表第一步，2代表最后一步）。\n错误步骤：[2]", "001"),
        ("Errors (counting the first step as 0): 1, 2.", "0110"),
    ],
)
def test_a_line_may_explain_the_base_of_the_list_below(response: str, expected: str) -> None:
    assert read_digits(response, len(expected)) == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("Draft: errors at 1, 3 and 4.\n\nChecking 4 again, I withdraw it.\n\nFinal: errors at 1 and 3 only.", "1010"),
        ("初步判断：步骤2、步骤4有误。\n复核：步骤2其实没问题。\n最终：只有步骤4有误。", "0001"),
        ("Step 3 could be called wrong, yet the clock does strike.\n\nWrong steps: 2.\nRight steps: 1, 3.", "010"),
        ("Okay. Step 2 is wrong.\n\nCorrect: 1, 2, 3", None),
        ("Draft answer: step 2 is wrong.\nFinal answer: C", None),
    ],
)
def test_final_lines_replace_a_draft(response: str, expected: str | None) -> None:
    assert read_digits(response, len(expected or "...")) == expected
