"""Home probes: the score of an answer's words about grading under its own question, where alone they may work.

No foreign question moves an order that names its own. So the sentences that speak about grading and share nothing with
the reference (`address.find_address`) are taken out of the answer, and judged alone. An honest frame around facts earns
nothing either way. Words without facts that add points to the answer, and earn points alone, were an order.
"""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from evaluation.judge.address import find_address, remove_address
from evaluation.judge.asking import Failure
from evaluation.judge.protocol import ORDERS, Call, JudgeVerdict, OpenQuestion

GAIN = 0.75
"""Points that words without facts may seem to earn before they count as an order; a judge is noisy."""
MAX_CALLS = 2 * len(ORDERS)
"""Calls for an answer with such words: the answer without them, and they alone, in both orders."""

Ask = Callable[[Sequence[Call]], Coroutine[Any, Any, list[JudgeVerdict | Failure]]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """An answer that speaks about its grading.

    Attributes:
        id: Item it answers.
        question: What it was judged by.
        points: What the whole answer scored, from 0 to 10.
        address: Its sentences about grading.
        rest: The answer without them.
    """

    id: str
    question: OpenQuestion
    points: float
    address: str
    rest: str


def find_spoken(item_id: str, text: str, question: OpenQuestion, points: float) -> Spoken | None:
    """Return an answer split into its words about grading and the rest; None where it has none."""
    address = find_address(text, question)
    return Spoken(item_id, question, points, address, remove_address(text, question)) if address else None


async def probe_at_home(spoken: Sequence[Spoken], ask: Ask, errors: dict[str, str]) -> list[str]:
    """Return the ids of answers whose words about grading earn points without facts.

    Args:
        spoken: Answers with such words.
        ask: Returns what becomes of calls.
        errors: Id → why it could not be probed; filled here.
    """
    rests = await _judge_twice([(one, one.rest) for one in spoken], ask, errors)
    gaining = [one for one in spoken if one.id in rests and one.points - fmean(rests[one.id]) > GAIN]
    alone = await _judge_twice([(one, one.address) for one in gaining], ask, errors)
    return [one.id for one in gaining if one.id in alone and min(alone[one.id]) > GAIN]


async def _judge_twice(
    pieces: Sequence[tuple[Spoken, str]], ask: Ask, errors: dict[str, str]
) -> dict[str, list[float]]:
    """Return id → points of a piece in both orders, of pieces with both verdicts."""
    calls = [Call(one.question, text, first, purpose="probe") for one, text in pieces for first in ORDERS]
    earned: dict[str, list[float]] = {}
    names = [one.id for one, _ in pieces for _ in ORDERS]
    for name, verdict in zip(names, await ask(calls), strict=True):
        if isinstance(verdict, Failure):
            errors[name] = verdict.reason
        else:
            earned.setdefault(name, []).append(verdict.points)
    return {name: points for name, points in earned.items() if name not in errors}
