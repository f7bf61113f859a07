"""Typed access to the answers of keys."""

from evaluation.answer_keys import AnswerValue


def position_of(answer: AnswerValue) -> int:
    """Return the position of the right option."""
    assert isinstance(answer, int)
    return answer
