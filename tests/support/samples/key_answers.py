"""Answers of keys, as what a test knows them to be."""

from evaluation.answer_keys import AnswerValue


def position_of(answer: AnswerValue) -> int:
    """Return the place of the right option."""
    assert isinstance(answer, int)
    return answer
