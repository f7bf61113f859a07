"""Options that are the steps of a trace: what says where the first error is chooses one, verdicts reject none."""

import pytest

from evaluation.extraction import read_choice
from evaluation.extraction.claims.step_claims import write_step_claims
from evaluation.extraction.option_texts.step_options import list_step_options

STEPS = ("Step 1", "Step 2", "Step 3", "Step 4", "No error")
CHINESE_STEPS = ("第一步", "第二步", "第三步", "第四步", "没有错误")


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The first error is in Step 3.", 2),
        ("Step 3 is incorrect.", 2),
        ("The reasoning goes wrong in the third step; step 4 then repeats it.", 2),
        ("Step 2 is where the chain first breaks. Step 3 and step 4 are wrong too.", 1),
        ("Steps 1 and 2 are correct. Step 3 contains an error, and so does step 4.", 2),
        ("Step 1: correct\nStep 2: correct\nStep 3: incorrect\nStep 4: incorrect", 2),
        ("The mistake isn't in step 2 but in step 4.", 3),
        ('{"first_error_step": 2}', 1),
        ("Step 3 says that a dog barks. Answer: B", 1),
        ("I found no errors in any of the steps.", 4),
        ("Every step is consistent with the audio.", 4),
        ("step two", 1),
        ("In Step 2 it takes laughter for crying. That's the first error.", 1),
        ("None", 4),
        ("Step 1, since there are no drums.", 0),
        ("The first wrong step would be number 3.", 2),
        ("Step 3 (it claims a British accent; it's American).", 2),
        ("C, because step 3 does not match the audio.", 2),
        ("Error location: Step 3", 2),
        ("I find nothing wrong with any of the steps.", 4),
        ("All steps are correct except step 2.", 1),
        ("No error until step 3.", 2),
        ("first error -> step 2", 1),
        ("It isn't step 2, it's step 3.", 2),
        ("Step 1 is supported by the audio, Step 2 is too, but Step 3 isn't.", 2),
        ("Step 3's claim is false.", 2),
        ("The chain is wrong from Step 2 onwards.", 1),
        ("The reasoning is flawless.", 4),
        ("3", 2),
        ("Step 1: OK. Step 2: wrong (a viola). I didn't check the rest.", 1),
        ("Step 1 ✓\nStep 2 ✗ - three rings\nStep 3 ✗ - builds on step 2", 1),
        ("No step is wrong.", 4),
    ],
)
def test_first_errors_choose_the_option_of_their_step(response: str, expected: int) -> None:
    assert read_choice(response, STEPS).index == expected


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("第一个错误出现在第二步。", 1),
        ("第三步有误,第四步也跟着错了。", 2),
        ("错误不在第一步,而在第三步。", 2),
        ("从第二步开始就出错了。", 1),
        ("选C,第三步与音频不符。", 2),
        ("除了第三步,其他都对", 2),
        ("全部正确", 4),
        ("每一步都正确。", 4),
        ("第一步正确,第二步正确,第三步错误,第四步错误。", 2),
    ],
)
def test_first_errors_in_chinese(response: str, expected: int) -> None:
    assert read_choice(response, CHINESE_STEPS).index == expected


@pytest.mark.parametrize(
    "response",
    [
        "The error is either in Step 2 or in Step 3.",
        "The first mistake is in Step 7.",
        "Step 1 looks fine. Step 2 looks fine. Step 3 looks fine. Step 4 looks",
        "Step 2 reads the tempo, and step 3 the key.",
        "The answer is Step 1. But perhaps step 2 has a problem.",
        "I first thought that the error was in step 2.",
        "Step 3 is correct.",
        "The first error is not in step 1.",
        "There's no error in Step 1.",
        "The problem states in step 2 that a dog barks.",
        "Everything before step 3 is right.",
        "There is an error, but I can't tell where.",
        "Steps 1 to 3 are correct.",
        "The first error is in step 2. Answer: C",
        "Step 1 is accurate. In Step 2 an age is estimated. Step 3",
    ],
)
def test_nothing_is_read_where_the_step_is_not_sure(response: str) -> None:
    assert read_choice(response, STEPS).index is None


def test_other_options_are_no_steps() -> None:
    assert not list_step_options(("step 1", "the piano"))
    assert not list_step_options(("step 1", "no error"))
    assert list_step_options(("步骤1", "步骤二", "无错误")) == {1: 0, 2: 1, 0: 2}


def test_claims_stay_claims() -> None:
    texts = tuple(map(str.lower, STEPS))
    written = write_step_claims("Step 1 is fine. The first error is in step 2.", texts)
    assert write_step_claims(written, texts).strip() == written.strip()
