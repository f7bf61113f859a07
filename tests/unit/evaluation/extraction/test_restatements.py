"""What critics say of several steps at once: counts, listed mistakes, contrasts, steps that rely on others."""

import pytest

from evaluation.extraction import read_steps

# Text → verdicts of its steps ("." is right, "x" is wrong), or "" where no verdict is sure.
TOLD = {
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


@pytest.mark.parametrize("text", TOLD)
def test_read_steps_several_steps_in_one_sentence(text: str) -> None:
    verdicts = read_steps(text, 4).verdicts
    assert "".join(".x"[each] for each in verdicts or ()) == TOLD[text]
