"""Marking of a listener's answers. Pure.

A benchmark's score parses a model's response. A listener presses a button, so nothing needs parsing: an option, a truth
value or a set of options is correct if it equals the pack's answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from evaluation.statistics import wilson_interval
from evaluation.types import Item
from submissions.errors import BadRequestError
from submissions.listening_test.practice_packs import Truth

Given = int | bool | list[int] | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked answer: question, answer (None if skipped), correct answer, and whether they agree."""

    item: Item
    given: Truth | None
    truth: Truth

    @property
    def is_right(self) -> bool:
        """Whether the answer is correct; a skipped question is not."""
        return self.given is not None and self.given == self.truth


@dataclass(frozen=True, slots=True)
class MarkedAccuracy:
    """Number of a listener's correct answers with its 95 % confidence interval, and the expected score of guessing.

    Unlike a score, it belongs to no evaluation. `low` and `high` are None if there is too little data.
    """

    n_right: int
    n: int
    low: float | None
    high: float | None
    chance: float

    @property
    def value(self) -> float:
        """Share of correct answers, a fraction."""
        return self.n_right / self.n


def mark_round(items: Sequence[Item], truths: Mapping[str, Truth], answers: Mapping[str, Given]) -> tuple[Mark, ...]:
    """Mark a round.

    Args:
        items: The questions.
        truths: Item id → correct answer.
        answers: Item id → position of an option, positions of several, a truth value, or None for a skipped question.

    Raises:
        BadRequestError: There are too many or too few answers, or an answer does not fit its question.
    """
    ids = {item.id for item in items}
    missing, foreign = len(ids - answers.keys()), len(answers.keys() - ids)
    if missing or foreign:
        raise BadRequestError(
            "answers",
            f"{missing} of {len(ids)} questions have no answer, and {foreign} answers belong to other questions. Send "
            "every ID of the round, with null for a skipped question.",
        )
    return tuple(Mark(item, _read(item, answers[item.id]), truths[item.id]) for item in items)


def count_share(marks: Sequence[Mark]) -> MarkedAccuracy:
    """Return the share of correct answers. The questions of a round use distinct recordings: Wilson's interval."""
    n_right = sum(mark.is_right for mark in marks)
    return MarkedAccuracy(
        n_right, len(marks), *wilson_interval(n_right, len(marks)), find_chance([mark.item for mark in marks])
    )


def find_chance(items: Sequence[Item]) -> float:
    """Return the expected share of correct answers when guessing uniformly.

    For one of k options it is 1/k, for a truth value 1/2, for a set of k options 1/(2^k − 1).
    """
    return fmean(1 / _count_answers(item) for item in items)


def _count_answers(item: Item) -> int:
    match item.answer_format:
        case "choice":
            return len(item.options)
        case "choices":
            return (1 << len(item.options)) - 1
    return 2


def _read(item: Item, given: Given) -> Truth | None:
    """Return an answer in the form of the correct answers.

    Raises:
        BadRequestError: The answer does not fit this question.
    """
    if given is None:
        return None
    n = len(item.options)
    if item.answer_format == "boolean" and isinstance(given, bool):
        return given
    if item.answer_format == "choice" and _is_place(given, n):
        return int(given)  # type: ignore[arg-type] # it is a whole number
    if item.answer_format == "choices" and isinstance(given, list):
        places = frozenset(given)
        if places and len(places) == len(given) and all(_is_place(place, n) for place in given):
            return places
    raise BadRequestError("answers", f"Invalid answer to `{item.id}`. {_explain(item)}")


def _is_place(given: object, n: int) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given < n


def _explain(item: Item) -> str:
    last = len(item.options) - 1
    match item.answer_format:
        case "choice":
            return f"Send the position of an option, 0 to {last}, or null."
        case "choices":
            return f"Send a list of different positions, 0 to {last}, or null."
    return "Send true, false or null."
