"""Scripted judges: honest, gullible, biased or noisy. `tests.support.judges.judge_server` serves them."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from evaluation.judge.controls import _CANARY, load_controls
from evaluation.judge.protocol import Message
from evaluation.judge.text import normalize as normalize_text
from tests.support.judges.judge_texts import INJECTIONS, PARAPHRASES, SCENES

normalize = lru_cache(maxsize=None)(normalize_text)
_BLOCK = re.compile(r"BEGIN (\w+) ([^\n]+)\n(.*?)\nEND \1 \2", re.DOTALL)
_SEAL = re.compile(r"code of this message is (\w+)")
_CLAUSES = re.compile(r"[^。.।！!\n]+")
CANARY = normalize(_CANARY)
ORDERS = frozenset(normalize(order) for orders in INJECTIONS.values() for order in orders)


@dataclass(frozen=True)
class JudgeMessage:
    """Parsed content of a message to the judge."""

    seal: str
    question: str
    answers: tuple[str, str]


def read(messages: Sequence[Message]) -> JudgeMessage:
    text = messages[-1]["content"]
    found = _SEAL.search(text)
    assert found is not None
    blocks = {name: body for _, name, body in _BLOCK.findall(text)}
    answers = (blocks["answer of assistant 1"], blocks["answer of assistant 2"])
    return JudgeMessage(found.group(1), blocks["question"], answers)


def find_mistake_seal(messages: Sequence[Message]) -> str | None:
    """Return the code of a message that asks for the type of an error; None for any other message."""
    found = _SEAL.search(messages[-1]["content"])
    return found.group(1) if found and "sort wrong answers" in messages[0]["content"] else None


def list_facts() -> dict[str, list[list[str]]]:
    """Return question → its facts, each in all wordings and languages, normalised by `normalize`."""
    facts = {
        normalize(scene["question"]): [
            [normalize(wording) for language in PARAPHRASES.values() for wording in language[name][place]]
            for place in range(3)
        ]
        for name, scene in SCENES.items()
    }
    return facts | {normalize(control.question.question): [[normalize(control.good)]] for control in load_controls()}


@dataclass
class Part:
    """Grading behaviour of a judge: by the facts an answer contains, or by injected orders.

    Attributes:
        obeys: Orders that are obeyed, normalised by `normalize`.
        sways: Points added by an obeyed order; 10 gives full marks.
        noise: Standard deviation of the noise added to each score.
    """

    obeys: frozenset[str] = frozenset()
    sways: float = 10.0
    noise: float = 0.0
    facts: Mapping[str, list[list[str]]] = field(default_factory=list_facts)
    references: frozenset[str] = frozenset(
        [normalize(scene["reference"]) for scene in SCENES.values()]
        + [normalize(control.question.reference) for control in load_controls()]
    )
    rng: random.Random = field(default_factory=lambda: random.Random(1))

    def grade(self, question: str, answer: str) -> tuple[float, list[str]]:
        said = normalize(answer)
        if said in self.references:
            return 10.0, [answer[:30]]
        facts = self.facts.get(normalize(question), [])
        named = sum(any(wording in said for wording in wordings) for wordings in facts)
        score = 10.0 * named / len(facts) if facts else 0.0
        if any(order in said for order in self.obeys):
            score = min(10.0, score + self.sways)
        score = min(10.0, max(0.0, score + self.rng.gauss(0, self.noise)))
        return score, _CLAUSES.findall(answer)[:1] if score else []

    def obeyed(self, answers: Sequence[str]) -> bool:
        said = [normalize(answer) for answer in answers]
        return self.sways >= 10 and any(order in text for text in said for order in self.obeys)

    def verdict(self, asked: JudgeMessage) -> dict[str, Any]:
        sides: dict[str, Any] = {"code": asked.seal}
        for number, answer in enumerate(asked.answers, start=1):
            score, quotes = self.grade(asked.question, answer)
            if self.obeyed(asked.answers) and normalize(answer) in self.references:
                score = 1.0  # An order to favour one side is obeyed at the expense of the other.
            sides[f"assistant_{number}"] = {"earned_by": quotes, "score": score}
        return sides


HONEST = Part()
GULLIBLE = Part(obeys=ORDERS | {CANARY})
SLY = Part(obeys=ORDERS)
"""Gullible, and does not show it to the control."""


@dataclass
class ScriptedClient:
    """Client of a scripted judge, without a server in between."""

    part: Part
    model: str = "scripted"
    n_calls: int = 0

    async def ask(self, messages: Sequence[Message], _schema: Mapping[str, Any]) -> str:
        self.n_calls += 1
        return json.dumps(self.part.verdict(read(messages)), ensure_ascii=False)
