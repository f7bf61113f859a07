import pytest

from evaluation.extraction import read_boolean

AMBIGUOUS, CONTRADICTION, OUTSIDE = "ambiguous", "contradiction", "outside-options"
EMPTY, REFUSAL = "empty", "refusal"

# response, value or reason
Case = tuple[str | None, bool | str]


def read(response: str | None) -> bool | str | None:
    reading = read_boolean(response)
    return reading.reason if reading.value is None else reading.value


def test_read_boolean_reads_a_stated_truth_value(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("True", True),
        ("FALSE.", False),
        ("yes", True),
        ("No.", False),
        ("是", True),
        ("否", False),
        ("对", True),
        ("错", False),
        ("不对", False),
        ("正确", True),
        ("错误。", False),
        ("不正确", False),
        ("T", True),
        ("F", False),
        ("(T)", True),
        ("not true", False),
        ("isn't correct", False),
        ("The statement is not correct.", False),
        ("The sound moves right, so the statement is false.", False),
        ("The statement is true because the sound moves to the right.", True),
        ("Yes, the statement is correct.", True),
        ("True or False: False", False),
        ("该陈述是错误的。", False),
        ("这个说法不对。", False),
        ("答案是：是", True),
        ("答案：错误", False),
        ("判断：正确", True),
        ("没错", True),
        ("是的，该描述正确。", True),
        ("不是", False),
        ("这是正确的", True),
        ("<think>true</think>False", False),
        ("**True**", True),
        ('{"answer": true}', True),
        ('{"answer": "False"}', False),
        ("\\boxed{\\text{True}}", True),
        ("The correct answer is False.", False),
        ("正确答案是错误", False),
        ("True. Wait, actually false. Final answer: False", False),
        ("Is the statement true? No.", False),
        ("It's not false", True),
        ("It is not the case that the statement is true", False),
        ("No, it is not true.", False),
        ("That is right.", True),
        ("The statement is wrong.", False),
        ("I think it is probably true", True),
        ("Based on the audio, the source does not stop on the left and the statement is true.", True),
        ("It is true the sound does not move.", True),
        ("True, not false", True),
        ("Answer: T", True),
        ("因此该说法错误", False),
        ("该陈述与音频不符", False),
        ("I am unable to hear the audio, but I would say true.", True),
        ("Ｔｒｕｅ", True),
        ("The given statement is therefore incorrect.", False),
        ("陈述正确", True),
        ("Correct!", True),
        ("That's correct", True),
        ("I do not think the statement is correct.", False),
        ("不，这个说法是错误的", False),
        ("对话是正确的", True),
        ("true.", True),
        ('"False"', False),
        ("TRUE", True),
        ("f", False),
        ("The answer is True.", True),
        ("The answer is: False", False),
        ("Final answer: **True**", True),
        ("<answer>False</answer>", False),
        ("It is false that the sound moves left.", False),
        ("This statement is not accurate.", False),
        ("The statement accurately says so. True.", True),
        ("Yes, that is right.", True),
        ("No, that is wrong.", False),
        ("No, that's not right.", False),
        ("Nothing is wrong with the recording, so the statement is true.", True),
        ("这句话是对的。", True),
        ("这句话是错的。", False),
        ("该说法是不正确的。", False),
        ("说法错误。", False),
        ("陈述为真", True),
        ("陈述为假", False),
        ("判断结果：错误", False),
        ("答案是正确。", True),
        ("答案：否", False),
        ("因此，该陈述是正确的。", True),
        ("不对，应该是从右到左。", False),
        ("是的。", True),
        ("不是的。", False),
        ("并不正确", False),
        ("True\n\nExplanation: the level rises on the left.", True),
        ("The level rises on the left.\n\nFalse", False),
        ("At first it seems true, but the statement is false.", False),
        ("Therefore, the statement is true.", True),
        ("True or false? It is false.", False),
        ("\\boxed{False}", False),
        ("```\nTrue\n```", True),
        ('{"answer": "No"}', False),
        ("True, because it does not stop.", True),
        ("False. The sound moves to the right.", False),
        ("Ｆａｌｓｅ", False),
        ("The statement is incorrect because the correct direction is left.", False),
        ("The given statement is correct; the sound does move left.", True),
        ("Not false.", True),
        ("I think the statement is likely false.", False),
        ("I would answer True.", True),
        ("not correct", False),
        ("The claim is untrue.", False),
        ("Yes.", True),
        ("Nope", False),
        ("Correct.", True),
        ("Incorrect.", False),
        ("Wrong.", False),
        ("Right, that is what happens.", True),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) is expected


def test_read_boolean_without_an_agreed_value_returns_the_reason(subtests: pytest.Subtests) -> None:
    rows: list[Case] = [
        ("The sound moves from left to right.", OUTSIDE),
        ("Yes, the statement is false.", CONTRADICTION),
        ("True or False?", AMBIGUOUS),
        ("True/False", AMBIGUOUS),
        ("I cannot determine whether the statement is true.", REFUSAL),
        ("无法判断该陈述是否正确", REFUSAL),
        ("声音是从左到右移动的", OUTSIDE),
        ("There is no sound in the audio.", REFUSAL),
        ("The sound is right.", OUTSIDE),
        ("The correct direction is left.", OUTSIDE),
        ("True and false", AMBIGUOUS),
        ("", EMPTY),
        ("The sound comes from the right side.", OUTSIDE),
        ("It moves to the right.", OUTSIDE),
        ("From right to left.", OUTSIDE),
        ("I hear a true stereo image.", OUTSIDE),
        ("If it moved left, the statement would be true.", AMBIGUOUS),
        ("I cannot hear the audio.", REFUSAL),
        ("I don't know.", REFUSAL),
        ("无法判断", REFUSAL),
        ("抱歉，我听不到音频。", REFUSAL),
        ("他们在对话", OUTSIDE),
        ("绝对安静", OUTSIDE),
        ("是左边传来的声音", OUTSIDE),
        ("The statement is true. The statement is false.", CONTRADICTION),
        (None, EMPTY),
        ("Whether the statement is true or false depends on the recording. The first level is", AMBIGUOUS),
        ("To say whether the statement is true, delays have to be compared. The delay at the left is", AMBIGUOUS),
        ("?!", EMPTY),
        ("<think>True", EMPTY),
        ("Maybe.", OUTSIDE),
        ("42", OUTSIDE),
    ]
    for response, expected in rows:
        with subtests.test(response):
            assert read(response) == expected


def test_read_boolean_reads_a_long_response_without_caching() -> None:
    assert read_boolean("The level rises on the left. " * 10 + "The statement is true.").value is True


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ("The statement that she gets louder is true.", True),
        ("The claim that the man gets slower is wrong.", False),
        ("That makes three claps, while the statement claims five. The statement is therefore **False**.", False),
        ("If the statement that she gets louder is true, then she shouts.", AMBIGUOUS),
        ("True. The statement is therefore false.", CONTRADICTION),
        ("The statement is true at first. Later it stops. The statement is therefore false.", CONTRADICTION),
    ],
)
def test_a_verdict_belongs_to_the_whole_statement(response: str, expected: bool | str) -> None:
    assert read(response) == expected
