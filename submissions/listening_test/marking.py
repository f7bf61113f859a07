"""Marking of a listener's answers. Pure.

A benchmark's own score reads what a model wrote. A listener presses a button, so there is nothing to read: an option, a
truth value, or a set of options is right when it is the one that the pack calls right.
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
    """One answer: to what, which (None where it was skipped), what is right, and whether it was."""

    item: Item
    given: Truth | None
    truth: Truth

    @property
    def is_right(self) -> bool:
        """Whether the answer is the right one; a skipped question is not."""
        return self.given is not None and self.given == self.truth


@dataclass(frozen=True, slots=True)
class MarkedAccuracy:
    """How many were right of how many, with its 95 % interval, and what guessing evenly would have given.

    `low` and `high` are None where too little stands behind them to say.
    """

    n_right: int
    n: int
    low: float | None
    high: float | None
    chance: float

    @property
    def value(self) -> float:
        """The share that was right, a fraction."""
        return self.n_right / self.n


def mark_round(items: Sequence[Item], truths: Mapping[str, Truth], answers: Mapping[str, Given]) -> tuple[Mark, ...]:
    """Mark a whole round.

    Args:
        items: What was asked.
        truths: Item id → what is right.
        answers: Item id → position of an option, positions of several, a truth value, or None for a skipped question.

    Raises:
        BadRequestError: There are answers too many or too few, or one that cannot be given to its question.
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
    """Return how many marks are right. The questions of a round are on sounds of their own: Wilson's interval."""
    n_right = sum(mark.is_right for mark in marks)
    return MarkedAccuracy(
        n_right, len(marks), *wilson_interval(n_right, len(marks)), find_chance([mark.item for mark in marks])
    )


def find_chance(items: Sequence[Item]) -> float:
    """Return the share that somebody gets right who picks evenly among what can be answered.

    One of k options in 1/k of all cases, a truth value in half of them, a set of k options in 1/(2^k − 1).
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
    """Return an answer as what is right is kept.

    Raises:
        BadRequestError: It cannot be given to this question.
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
