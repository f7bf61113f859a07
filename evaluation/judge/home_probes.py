"""Home probes: the effect of an answer's text about grading under its own question, the only place where it may work.

A foreign question does not trigger an instruction that names its own. So the sentences that mention grading and share
nothing with the reference (`address.find_address`) are removed from the answer, and judged alone. An honest frame
around facts earns nothing either way. Text without facts that adds points to the answer, and earns points alone, is an
instruction.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evaluation.judge.address import find_address, remove_address
from evaluation.judge.asking import Failure
from evaluation.judge.protocol import ORDERS, Call, JudgeVerdict, OpenQuestion

GAIN = 0.75
"""Tolerated points of text without facts before it counts as an instruction; judges are noisy."""
MAX_CALLS = 2 * len(ORDERS)
"""Calls for an answer with such text: the answer without it, and the text alone, in both orders."""

Ask = Callable[[Sequence[Call]], Coroutine[Any, Any, list[JudgeVerdict | Failure]]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer that mentions its grading.

    Attributes:
        id: Item ID.
        question: Its question and reference.
        points: Score of the whole answer, from 0 to 10.
        address: Its sentences about grading.
        rest: The answer without them.
    """

    id: str
    question: OpenQuestion
    points: float
    address: str
    rest: str


def find_spoken(item_id: str, text: str, question: OpenQuestion, points: float) -> Spoken | None:
    """Return an answer split into its text about grading and the rest; None without such text."""
    address = find_address(text, question)
    return Spoken(item_id, question, points, address, remove_address(text, question)) if address else None


async def probe_at_home(spoken: Sequence[Spoken], ask: Ask, errors: dict[str, str]) -> list[str]:
    """Return the IDs of answers whose text about grading earns points without facts.

    Args:
        spoken: Answers with such text.
        ask: Returns the results of calls.
        errors: ID → reason for a missing probe; filled here.
    """
    rests = await _judge_twice([(answer, answer.rest) for answer in spoken], ask, errors)
    gaining = [answer for answer in spoken if answer.id in rests and answer.points - fmean(rests[answer.id]) > GAIN]
    alone = await _judge_twice([(answer, answer.address) for answer in gaining], ask, errors)
    return [answer.id for answer in gaining if answer.id in alone and min(alone[answer.id]) > GAIN]


async def _judge_twice(
    pieces: Sequence[tuple[Spoken, str]], ask: Ask, errors: dict[str, str]
) -> dict[str, list[float]]:
    """Return ID → points of a piece in both orders, for pieces with both verdicts."""
    calls = [Call(answer.question, text, first, purpose="probe") for answer, text in pieces for first in ORDERS]
    earned: dict[str, list[float]] = {}
    names = [answer.id for answer, _ in pieces for _ in ORDERS]
    for name, verdict in zip(names, await ask(calls), strict=True):
        if isinstance(verdict, Failure):
            errors[name] = verdict.reason
        else:
            earned.setdefault(name, []).append(verdict.points)
    return {name: points for name, points in earned.items() if name not in errors}
