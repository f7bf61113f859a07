"""Critics with scores, rings and bases of indices, sentences in other words, and verdicts that are left open."""

import pytest

from tests.support.samples.read_answers import read_digits

SCORES = [
    ("Score sheet for this reasoning trace (v2): correct 5/5, incorrect 0/5.", 5, "00000"),
    ("Correct: 5/5. Incorrect: 0/5.", 5, "00000"),
    ("5/5 steps correct.", 5, "00000"),
    ("5 of 5 correct, 0 wrong.", 5, "00000"),
    ("Result: 5 out of 5 steps are correct.", 5, "00000"),
    ("0/5 wrong", 5, "00000"),
    ("correct 0/5, incorrect 5/5", 5, "11111"),
    ("5个步骤中5个正确，0个错误。", 5, "00000"),
    ("correct 4/5, incorrect 1/5", 5, None),
    ("Score: 5/5", 5, None),
]
SIGNS = [
    ("第 1 步：×　第 2 步：○　第 3 步：○\n（× 表示有误，○ 表示无误）", 3, "100"),
    ("第1步：○ 第2步：× 第3步：○（○＝正确，×＝错误）", 3, "010"),
    ("Step 1: ○\nStep 2: ×\nStep 3: ○\n(○ = correct, × = wrong)", 3, "010"),
    ("1 ○, 2 ×, 3 ○ (○ means correct)", 3, "010"),
    ("step1=true;step2=false;step3=true;step4=false  // true: the step is correct", 4, "0101"),
    ("s1=true,s2=false,s3=true // true means erroneous", 3, "101"),
    ("1=true;2=false;3=true;4=false // true = the step is correct", 4, "0101"),
]
BASES = [
    ('{"wrong_steps_zero_based": [1, 4], "total_steps": 5}', 5, "01001"),
    ('{"wrong_steps_0_based": [0, 4]}', 5, "10001"),
    ('{"zero_based_error_indices": [1]}', 5, "01000"),
    ('{"wrong_steps_one_based": [1, 4], "total_steps": 5}', 5, "10010"),
    ('{"error_steps_0indexed": [2]}', 5, "00100"),
    ('{"wrong_steps_zero_based": [], "total_steps": 5}', 5, "00000"),
    ('{"wrong_steps": [1, 4], "indexing": "zero-based"}', 5, "01001"),
    ('{"wrong_steps": [1, 4], "base": 0}', 5, "01001"),
    ('{"reasoning": "Step 2 claims a dog, but it is a cat.", "error_indices": [2]}', 4, "0100"),
    ('{"reasoning": "Step 2 is wrong; the rest is fine.", "error_indices": [1]}', 4, "0100"),
    ('{"explanation": "Steps 2 and 3 invent a violin.", "error_indices": [2, 3]}', 4, "0110"),
    ('{"reasoning": "The claim about the dog is wrong.", "error_indices": [2]}', 4, None),
]
LAYOUTS = [
    ("步驟一：正確\n步驟二：錯誤，說話者講的是粵語而不是普通話\n步驟三：正確\n步驟四：正確", 4, "0100"),
    ("第一步：對\n第二步：錯\n第三步：對", 3, "010"),
    ("所有步驟都正確。", 3, "000"),
    ("只有步驟2有錯誤，其餘皆正確。", 3, "010"),
    ("第2步不對，其他步驟沒有問題。", 3, "010"),
    ("# per-step flags, trace 17\nstep_is_correct = [True, False, True, False, True]", 5, "01010"),
    ("step_is_correct = [True, False, True]", 3, "010"),
    ("# trace 17\nsteps_correct = [1, 0, 1]", 3, "010"),
    ('Step 1. [CORRECT] Gulls cry.\nStep 2. [INCORRECT] She doesn\'t say "noon"; she says "nine".', 2, "01"),
    ("步驟一：正確\n步驟二：錯誤，說的是粵語\n步驟三：正確", 3, "010"),
]
SENTENCES = [
    ("It's not the case that any of the steps is right.", 4, "1111"),
    ("None of the others is correct; step 2 is.", 4, "1011"),
    ("Step 1 is wrong; nothing else (steps 2 to 4) is right.", 4, "1111"),
    ("I can't reach a conclusion about the mood, but step 2 is wrong. The others are correct.", 4, "0100"),
    ("Step 5 is the lone offender.", 7, "0000100"),
    ("The lone offender is step 5.", 7, "0000100"),
    ("The sole offender is step 2; everything else is fine.", 4, "0100"),
    (
        "首先，步骤1到步骤3对音高的比较都准确。问题出在步骤4：它说第二个音比第一个音低八度，但听起来是高五度，因此步骤4错误。步骤5只是复述题目，正确。步骤6给出的答案与音频一致，正确。",
        6,
        "000100",
    ),
    ("It's not the case that any of these four steps is wrong.", 4, "0000"),
    ("It is not true that any step is wrong.", 4, "0000"),
    ("It cannot be said that any of the steps is incorrect.", 4, "0000"),
    ("It isn't the case that step 2 is wrong, and the others are fine as well.", 4, "0000"),
    ("I'd flag step 1. Nothing else in the trace (steps 2, 3, 4, 5) is wrong.", 5, "10000"),
    ("Step 2 is wrong. None of the others (1, 3, 4) is wrong.", 4, "0100"),
    ("Each and every one of the five steps in this chain is correct.", 5, "00000"),
    ("Two of the seven steps are flawed, namely the second and the third.", 7, "0110000"),
    ("Two of the seven steps are flawed: 2 and 3. I accept the rest.", 7, "0110000"),
    ("One of the four steps is wrong, namely the third (it claims a dog). The others I accept.", 4, "0010"),
    ("Step 1's count, step 2's meter and step 3's waltz are all right.", 3, "000"),
    ("这里没有需要纠正的。", 3, "000"),
    ("I couldn't find even a single error in the seven steps.", 7, "0000000"),
    ("I could not find even one mistake in this trace.", 4, "0000"),
    ("There isn't even a single error.", 4, "0000"),
    ("I failed to find even a single mistake.", 4, "0000"),
    ("There is not even one wrong step.", 4, "0000"),
    ("连一个错误都没有找到。", 4, "0000"),
    ("I'd flag step 1. There is a faint hiss. Nothing else in the trace (steps 2, 3, 4, 5) is wrong.", 5, "10000"),
    ("Two of the seven steps are flawed, namely the second (a horn) and the third. I accept the others.", 7, "0110000"),
    ("Two of the four steps are flawed, namely the second.", 4, None),
    (
        "Steps 1, 2 and 3 are sound. Step 4 is wrong. Step 5 restates step 4's false claim, so it is wrong too.",
        5,
        "00011",
    ),
    ("步骤1到步骤3对音高的比较都准确。问题出在步骤4：第二个音比第一个音高，因此步骤4错误。", 4, "0001"),
]
OPEN = [
    ("It's not the case that all steps are right.", 4, None),
    (
        "音频较嘈杂。步骤2应该是正确的。但我仔细再听了一遍，步骤2是错误的。也可能两者都说得通，我无法给出结论。步骤1和步骤3正确。",
        3,
        None,
    ),
    ("Step 2 is wrong. Or it may be right; I can't come to a conclusion. Steps 1 and 3 are correct.", 3, None),
    ("步骤2是错误的。不过我不能下定论。步骤1和3正确。", 3, None),
    ("步骤2错误，但也说不准。步骤1、3正确。", 3, None),
    ("Steps 1 to 3 are correct. For steps 4 and 5 no verdict is possible.", 5, None),
    ("Steps 1 to 3 are correct. I can't give a verdict on steps 4 and 5.", 5, None),
]


@pytest.mark.parametrize(("response", "n_steps", "expected"), [*SCORES, *SIGNS, *BASES, *LAYOUTS, *SENTENCES, *OPEN])
def test_critics_in_other_words_and_layouts(response: str, n_steps: int, expected: str | None) -> None:
    assert read_digits(response, n_steps) == expected
