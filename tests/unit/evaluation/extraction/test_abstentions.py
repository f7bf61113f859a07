"""Responses to true/false questions that end without a verdict."""

import pytest

from evaluation.extraction import read_boolean


@pytest.mark.parametrize(
    "response",
    [
        "True\n\nWait, the pitch falls at the end. Or does it? I can't tell, so I won't commit to either answer.",
        "True. Wait, the pitch falls. I can't tell.",
        "True. Wait, that's not right. But I can't be sure, so I won't answer.",
        "False. Hmm, actually I cannot decide.",
        "False. I won't commit to either.",
        "It's true. Then again, I'm not able to tell.",
        "True — wait, no. I really can't tell.",
        "我不确定，无法判断是真是假。",
        "正确。等等，好像不是。我也说不准，没法给出答案。",
        "错误。不过我不能确定，所以不作判断。",
    ],
)
def test_no_verdict_stands_where_the_response_ends_without_one(response: str) -> None:
    reading = read_boolean(response)
    assert (reading.value, reading.reason) == (None, "refusal")


@pytest.mark.parametrize(
    ("response", "value"),
    [
        ("I couldn't tell at first, but the statement is true.", True),
        ("I can't tell the pitch, but the statement is true.", True),
        ("False, that's not what I hear. I can't tell how loud it is, though.", False),
        ('False. The woman says "I can\'t decide."', False),
        ("Not sure. Let me say true.", True),
        ("False? I can't say for certain, but I lean towards false.", False),
        ("True (I can't tell for sure)", True),
        ("Wait, I can't tell. No, I can: it is false.", False),
    ],
)
def test_a_verdict_behind_a_doubt_or_beside_one_stands(response: str, value: bool) -> None:
    assert read_boolean(response).value is value
