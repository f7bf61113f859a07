"""Statements of critics on several steps: counts, listed mistakes, contrasts, steps that rely on others."""

import pytest

from evaluation.extraction import read_steps

# Text → verdicts of its steps ("." is right, "x" is wrong), or "" without a certain verdict.
STATEMENTS = {
    "Number of erroneous steps: 2 (steps 2 and 4). The remaining steps are fine.": ".x.x",
    "Number of erroneous steps: 2": "",
    "错误步骤数量：2（步骤2和4）": ".x.x",
    "2 erroneous steps: 2 and 4.": ".x.x",
    "I found two incorrect steps (steps 2 and 4).": ".x.x",
    "I find two mistakes. The first is in step 2, where a horn is called a bell. The second is in step 4. "
    "All other steps are fine.": ".x.x",
    "Step 1 is right. Step 2 claims that he whispers, whereas he shouts. Steps 3 and 4 are correct.": ".x..",
    "Step 2 says that he left, whereas step 3 says that he stayed. All steps are correct.": "....",
    "Step 1 is correct. Step 2 is wrong. Steps 3 and 4 both rely on this and are erroneous as well.": ".xxx",
    "Steps 2 and 4 are wrong. I have no objection to the first step, nor to the third.": ".x.x",
    "步骤1正确；步骤2错误；步骤3、步骤4都基于步骤2的错误，因此也是错误的。": ".xxx",
    "第一步正确；第二步把马听成了狗，这是语义错误；第三步正确；第四步正确。": ".x..",
    "前三步都符合音频内容，最后一步得出的结论错误。": "...x",
    'Step 1: {"correct": true}\nStep 2: {"correct": false}\n'
    'Step 3: {"correct": true}\nStep 4: {"correct": true}': ".x..",
}


@pytest.mark.parametrize("text", STATEMENTS)
def test_read_steps_reads_several_steps_in_one_sentence(text: str) -> None:
    verdicts = read_steps(text, 4).verdicts
    assert "".join(".x"[verdict] for verdict in verdicts or ()) == STATEMENTS[text]


# As above, for traces as long as their verdicts.
ROWS = {
    "Errors per step: 0, 2, 0, 1": ".x.x",
    "Number of errors in each step: 0, 2, 0, 1": ".x.x",
    "Errors per step: [0, 2, 0, 1]": ".x.x",
    "Mistakes by step: 0 / 3 / 0 / 1": ".x.x",
    "各步错误数：0、2、0、1": ".x.x",
    "每步的错误个数：0，2，0，1": ".x.x",
    "错误数量：0, 2, 0, 1": ".x.x",
    "Erroneous steps: 2, 3": ".xx.",
    "Error count: 0": "....",
    "错误数量：0": "....",
    "No error – no error – existence error – no error": "..x.",
    "No error, no error, semantic error, no error": "..x.",
    "No error\nNo error\nTemporal error\nNo error": "..x.",
    "无错误——无错误——存在性错误——无错误": "..x.",
    "无误、无误、时序错误、无误": "..x.",
    "没有错误；没有错误；语义错误；没有错误": "..x.",
    "No error, no error, no error, no error": "....",
}
FROM_THE_END = {
    "倒数第二步错了，别的步骤都成立。": "....x.",
    "倒数第2步错误，其他步骤都正确。": "....x.",
    "只有倒数第三步是错的。": "...x..",
    "倒数第一步和倒数第二步都错，其余都对。": "....xx",
    "倒数两步错误，其余都对。": "....xx",
    "The second to last step is wrong, the others hold.": "....x.",
    "The next-to-last step is wrong, the rest is fine.": "....x.",
    "The last but one step is wrong, all others hold.": "....x.",
    "The last step but one is wrong, all others hold.": "....x.",
    "The third step from the end is wrong, the rest is fine.": "...x..",
    "第1步说有人在倒数，正确；第2步错误；其余正确。": ".x....",
    "The opening and the closing step are both mistaken, the four in between are sound.": "x....x",
    "The first and last steps are wrong; those in between are right.": "x....x",
    "The opening step and the concluding step are wrong, the middle four are sound.": "x....x",
    "首尾两步错误，中间四步正确。": "x....x",
    "第一步和最后一步都错了，中间的四步都对。": "x....x",
    "开头和结尾的步骤都有误，中间四步成立。": "x....x",
    "The opening and the third step are wrong, the others are right.": "x.x...",
    "The second and the closing step are wrong, the rest is right.": ".x...x",
}
REMEMBERED = {
    "起初我判断第2步错误，重听之后发现它是对的。真正错误的只有第4步。": "...x.",
    "我最初觉得第2步不对，后来发现它是正确的。只有第4步错误。": "...x.",
    "一开始我认为第2步有误，再听一遍后发现它没有问题。真正有误的只有第4步。": "...x.",
    "起初我判断第2步正确，重听之后发现它是错的。其余步骤都正确。": ".x...",
    "At first I judged step 2 wrong; after listening again I found that it is right. Only step 4 is wrong.": "...x.",
    "Initially I thought step 2 was wrong. On a second listen it is right. Only step 4 is wrong.": "...x.",
    "At first I thought step 2 was right. On a second listen it is wrong. All other steps are right.": ".x...",
}
ANNOUNCED = {
    "I will check each step for errors. Step 1 is right. Step 2 is wrong.": ".x",
    "我将检查每一步的错误。第一步正确，第二步错误。": ".x",
    "I will mark all steps as wrong.": "xx",
    "I must judge all steps wrong.": "xx",
    "I need to find the erroneous steps: step 2.": ".x",
    "All steps contain errors.": "xx",
    "我需要检查所有步骤，都没有错误。": "..",
}
UNSURE = {
    "Errors per step: 0, 2, 0": 4,
    "错误数量：2": 4,
    "错误数量：2，3": 4,
    "每步错误：1 无，2 有，3 无，4 无": 4,
    "No error – no error – existence error": 4,
    "倒数第一、二步错误，其余都对。": 6,
    "The opening and the closing step are wrong, the three in between are sound.": 6,
    "As a critic, I will evaluate each of the 8 steps for correctness, considering existence, semantic, temporal, "
    "acoustic-attribute, cross-modal-binding and reasoning errors.": 8,
    "I will now check all 8 steps for existence errors and reasoning errors.": 8,
    "Let me examine each step for errors.": 8,
    "My task is to evaluate all the steps for errors.": 8,
    "我将逐一检查这8个步骤，看是否存在存在性错误、语义错误和推理错误。": 8,
    "作为评审，我会评估每一步的正确性，考虑存在性、语义和推理错误。": 8,
    "让我逐步检查所有8个步骤的错误。": 8,
}


@pytest.mark.parametrize(("text", "expected"), (ROWS | FROM_THE_END | REMEMBERED | ANNOUNCED).items())
def test_read_steps_reads_rows_positions_recollections_and_plans(text: str, expected: str) -> None:
    verdicts = read_steps(text, len(expected)).verdicts
    assert "".join(".x"[verdict] for verdict in verdicts or ()) == expected


@pytest.mark.parametrize(("text", "n_steps"), UNSURE.items())
def test_read_steps_returns_none_for_plans_and_rows_of_another_length(text: str, n_steps: int) -> None:
    assert read_steps(text, n_steps).verdicts is None


def test_read_steps_does_not_read_the_number_of_errors_as_a_step(subtests: pytest.Subtests) -> None:
    rows = (
        ("错误数：1，第3步", 4, None),
        ("错误数量：2（第1步、第3步）", 4, None),
        ("Error count: 1 (step 3)", 4, None),
        ("错误数量：0", 4, (False,) * 4),
        ("倒数第一步和第二步错误", 4, None),
        ("倒数第二步错了，别的步骤都成立。", 4, (False, False, True, False)),
    )
    for answer, n_steps, expected in rows:
        with subtests.test(answer=answer):
            assert read_steps(answer, n_steps).verdicts == expected
