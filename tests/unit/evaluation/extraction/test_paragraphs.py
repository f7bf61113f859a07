"""Verdicts in paragraphs about one step, lists of steps in tags, final answers and legends beside rows of flags."""

import pytest

from tests.support.samples.read_answers import read_digits

ROWS: dict[str, list[tuple[str, int, str | None]]] = {
    "no error in the paragraph of a step": [
        (
            "第1步提到风声。能听到，没有错误。\n第2步说有三声鸟叫。其实是五声，所以这一步是错误的。\n"
            "第3步说在海边。没有错误。",
            3,
            "010",
        ),
        ("第1步说有风声，没有错误。第2步说有雨声，没有错误。第3步说有雷声，这一步是错误的。", 3, "001"),
        ("第1步说有风声，是错误的。第2步说有雨声，也是错误的。第3步说有雷声，没有错误。", 3, "110"),
        ("第1步提到风声，这一步是错误的。第2步依据第1步，这一步也是错误的。第3步没有错误。", 3, "110"),
        ("接着看步骤1，它说有风声。没有错误。\n然后看步骤2，它说有雨声。这一步是错误的。", 2, "01"),
        (
            "第1步是错误的。\n第2步推断在室内。这是根据第3步得出的，与第1步没有关系，所以没有错误。\n"
            "第3步没有错误。",
            3,
            "100",
        ),
        ("步骤一提到风声，没有问题。\n步骤二提到雨声，没有问题。\n步骤三提到雷声，存在问题。", 3, "001"),
        (
            "In step 1 the model hears a bell. There is no error.\nIn step 2 it hears a horn, so this step is "
            "wrong.",
            2,
            "01",
        ),
        ("Let us look at step 1. It mentions wind. This step is wrong.\nLet us look at step 2. No errors.", 2, "10"),
        ("Steps 1, 2 and 3 are wrong. Step 4 mentions rain. There is no error.", 4, "1110"),
        ("第1步说有风声，没有错误。第2步说有雨声，没有错误。", 2, "00"),
        ("第2步是错误的。除此之外，没有错误。", 3, "010"),
        ("第二步有错，除此之外没有问题。", 3, "010"),
        ("第2步错误，其余没有错误。", 3, "010"),
        ("Step 2 is wrong: there is no bell. Apart from that, there are no errors.", 3, "010"),
        ("第1步说有风声。第2步说有雨声，没有错误。第3步说有雷声，这一步是错误的。", 3, None),
        ("Step 2 is wrong. There are no errors.", 3, None),
        ("Step 2 is wrong. This step is correct.", 3, None),
    ],
    "this step, in the paragraph of another that it names": [
        ("Step 1 is right. In step 2, the tempo rests on step 1. This step is wrong. Step 3 is right.", 3, "010"),
        ("Steps 1 and 3 are fine. In step 2 the model relies on the guess of step 1. This step is wrong.", 3, "010"),
        ("Step 1 hears a bell and is right. Step 2 says it is a horn. This step is not wrong.", 2, "00"),
        (
            "Step 1 is fine.\nStep 2 says it is a horn. At first this step is plausible, but this step is wrong.",
            2,
            "01",
        ),
        ("Step 1 says it rains. I am not sure about this step.\nStep 2 is fine.", 2, None),
    ],
    "what is heard, as a subject": [
        (
            'Step 1 - "a bell." This step is correct.\nStep 2 - "a dog." What is heard at 3 s is a cat. This '
            'step is wrong.',
            2,
            "01",
        ),
        ("Step 1: right.\nStep 2: what can be heard there is a brake, so it is wrong.", 2, "01"),
        ("Step 1 is correct. Step 2: what I hear is a dog, not a cat. This step is wrong.", 2, "01"),
        ("Step 1: right. Step 2: what is heard does not match, so it is wrong.", 2, "01"),
        ("第1步没有错误。第2步：能听到的是刹车声，不是哨声，这一步是错误的。", 2, "01"),
        ("Step 1: just what I hear.\nStep 2: exactly what I hear.", 2, "00"),
    ],
    "both": [
        (
            "Both step 1 and step 2 misinterpret the fan and have to be marked as erroneous. The rest is correct.",
            4,
            "1100",
        ),
        ("Both step 2 and step 3 are wrong, the rest are right.", 5, "01100"),
        ("Both steps 1 and 2 are wrong; the rest is right.", 4, "1100"),
        ("Both 2 and 3 are wrong, the others are right.", 4, "0110"),
        ("Each of steps 1-3 is right; both step 4 and step 5 are wrong.", 5, "00011"),
        (
            "Steps 1, 2 and 5 hold up. In step 3 the irony is lost, and in step 4 this misleads; both of these "
            "steps are erroneous.",
            5,
            "00110",
        ),
        ("Steps 1, 2 and 5 are fine. Step 3 hears a dog and step 4 hears a cat. Both of them are wrong.", 5, "00110"),
        ("步骤1、2、5成立。在步骤3中，讽刺被当真，在步骤4中由此得出了意图；这两步都是错误的。", 5, "00110"),
        ("Both steps are wrong.", 2, "11"),
        ("Both of the steps are wrong.", 5, None),
        ("Steps 1, 2 and 5 hold up. In step 3 there is a dog. Both are wrong.", 5, None),
    ],
    "lists in tags": [
        ("<errors>4, 5</errors>", 5, "00011"),
        ("<erroneous_steps>2, 4</erroneous_steps>", 5, "01010"),
        ("<incorrect_steps>Step 2, Step 4</incorrect_steps>", 5, "01010"),
        ("<answer><errors>2 and 4</errors></answer>", 5, "01010"),
        ("<correct>1, 3, 5</correct><incorrect>2, 4</incorrect>", 5, "01010"),
        ("<错误步骤>2、4</错误步骤>", 5, "01010"),
        ("<erroneous_steps>none</erroneous_steps>", 3, "000"),
        ("<errors>\n2\n4\n</errors>", 5, "01010"),
        ("<errors>2</errors>", 5, None),
        ("<steps>2, 4</steps>", 5, None),
        ("<total_errors>2</total_errors>", 5, None),
        ("<first_error>2</first_error>", 5, None),
        ("<errors>2 of 5</errors>", 5, None),
        ("<errors>4, 7</errors>", 5, None),
    ],
    "final answers": [
        ("The habitat in step 4 is plausible.\n\nFinal answer: 2, 3 are incorrect.", 4, "0110"),
        ("Step 4 is plausible.\nFinal verdict: 2 and 3 are wrong.", 4, "0110"),
        ("第4步是合理的。\n最终答案：2、3有误。", 4, "0110"),
        ("第1步说有布谷鸟。\n最终答案：第2步和第3步错误。", 4, "0110"),
        ("最终判断：错误步骤 = 2, 4", 4, "0101"),
        ("最终结论：错误的步骤 = 第2步、第4步", 4, "0101"),
        ("Final judgement: erroneous steps = 2, 4", 4, "0101"),
        ("最终判断：错误步骤 = 无", 4, "0000"),
        ("错误的步骤 is step 2, 其余 steps 全部 correct.", 5, "01000"),
        ("最终判断：错误步骤数 = 2", 3, None),
        ("Step 4 is plausible.\nFinal answer: step 2 is incorrect, step 3 is uncertain.", 4, None),
        ("Step 4 is plausible. I have not listened to the others.\nFinal answer: step 2 is incorrect.", 4, None),
        ("Step 4 may be wrong.\nFinal answer: step 2 is incorrect.", 4, None),
        ("Step 4 is fine.\nFinal answer: step 2 is incorrect. I can't judge the others.", 4, None),
        ("Step 4 is plausible.\nWait: steps 2 and 3 are incorrect.", 4, None),
        ("Step 4 is plausible. Steps 2 and 3 are incorrect.", 4, None),
    ],
    "legends": [
        ("1, 1, 1, 0 (0 marks a wrong step)", 4, "0001"),
        ("0, 0, 0, 1 (1 marks a wrong step)", 4, "0001"),
        ("1 1 1 0 (1 = correct)", 4, "0001"),
        ("1，1，1，0（0表示错误）", 4, "0001"),
        ("0, 0, 0, 1 (1表示错误)", 4, "0001"),
        ("1, 1, 1, 0, where 0 marks a wrong step", 4, "0001"),
        ("(0 marks a wrong step) 1, 1, 1, 0", 4, "0001"),
        ("Answer: 1, 1, 1, 0 (0 marks a wrong step).", 4, "0001"),
        ("true, true, true, false (true means correct)", 4, "0001"),
        ("true, true, true, false (true means erroneous)", 4, "1110"),
        ("1, 1, 1, 0 (scores)", 4, None),
        ("1, 1, 0 (0 marks a wrong step)", 4, None),
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", ROWS)
def test_critics_are_read_paragraph_by_paragraph(form: str, subtests: pytest.Subtests) -> None:
    for response, n_steps, expected in ROWS[form]:
        with subtests.test(response):
            assert read_digits(response, n_steps) == expected
