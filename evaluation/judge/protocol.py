"""Judging protocol of open answers: prompts, orders, number of calls, and name in signatures.

Source: MDAR, section 3.3 and appendix F.2: question, reference and answer are shown as two assistants' answers; each
gets a score for helpfulness, relevance, accuracy and comprehensiveness; both orders are judged, and the ratio of the
two scores counts (`evaluation.metrics.judged`). As in the released prompt, a description of the audio comes first, if
the organiser's files have one. The released script reads the scores from the first and last characters of a reply; here
they are fields of a JSON object. Our additions: the scale from 0, the cap of an answer at 10 points, the wording of the
prompts, the code of each message, and the quoted words.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from evaluation.judge.text import make_visible
from evaluation.metrics import Judgement

PROTOCOL_VERSION = "1"
ORDERS = (True, False)
"""Whether the answer is shown before the reference; every answer is judged in both orders."""

FULL_SCORE = 10.0
_PROMPTS = Path(__file__).with_name("prompts")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_SIDE = {
    "type": "object",
    "properties": {
        "earned_by": {"type": "array", "items": {"type": "string"}},
        "score": {"type": "number"},
    },
    "required": ["earned_by", "score"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"code": {"type": "string"}, "assistant_1": _SIDE, "assistant_2": _SIDE},
    "required": ["code", "assistant_1", "assistant_2"],
    "additionalProperties": False,
}

Message = Mapping[str, str]
Purpose = Literal["score", "probe", "control"]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """The question and reference that an answer is judged by.

    Attributes:
        id: ID of the question.
        question: Question text.
        reference: A right answer.
        description: Description of the audio, if an organiser provides it; else empty.
    """

    id: str
    question: str
    reference: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the judge.

    Attributes:
        question: Question and reference.
        answer: Answer to judge.
        candidate_first: Whether the answer is shown before the reference.
        repeat: Number of the repeat, from 0.
        purpose: Whether its verdict counts (`score`), or only tests the judge.
        batch: Batch of a control; empty otherwise.
    """

    question: OpenQuestion
    answer: str
    candidate_first: bool
    repeat: int = 0
    purpose: Purpose = "score"
    batch: str = ""

    def key(self, model: str) -> str:
        """Return the cache key of the verdict: everything that could change it, and nothing else."""
        asked = self.question
        parts = [model, digest_protocol(), asked.question, asked.reference, asked.description, self.answer]
        return digest([*parts, self.candidate_first, self.repeat, self.purpose, self.batch])


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """A judge's verdict in one reply.

    Attributes:
        candidate: Score of the answer, from 0 to 10.
        reference: Score of the reference, above 0 and up to 10.
        quotes: Quoted words of the answer that earned its score.
    """

    candidate: float
    reference: float
    quotes: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """Score of the answer, from 0 to 10: its ratio to the reference."""
        return min(FULL_SCORE, FULL_SCORE * self.candidate / self.reference)

    def as_judgement(self, *, candidate_first: bool) -> Judgement:
        """Return the judgement that scores are computed from."""
        return Judgement(self.candidate, self.reference, candidate_first)


def plan_calls(question: OpenQuestion, answer: str, repeats: int) -> Iterator[Call]:
    """Yield the calls for one answer: both orders, each repeated.

    >>> [(call.candidate_first, call.repeat) for call in plan_calls(OpenQuestion("1", "?", "三点"), "两点", 1)]
    [(True, 0), (False, 0)]
    """
    for repeat in range(repeats):
        for candidate_first in ORDERS:
            yield Call(question, answer, candidate_first, repeat)


def build_messages(call: Call, seal: str) -> list[Message]:
    """Return the messages for the judge.

    Args:
        call: The request.
        seal: A code that was unknown when the answer was written (`new_seal`). It marks the start and end of quoted
            material, and a verdict counts only with it: an answer can neither leave its place nor contain a verdict.
    """
    asked = call.question
    notes = _prompt("notes").format(seal=seal, description=make_visible(asked.description)) if asked.description else ""
    pair = (call.answer, asked.reference) if call.candidate_first else (asked.reference, call.answer)
    first, second = (make_visible(text) for text in pair)
    text = _prompt("pair").format(
        seal=seal, question=make_visible(asked.question), notes=notes, first=first, second=second
    )
    return [{"role": "system", "content": _prompt("system").strip()}, {"role": "user", "content": text.strip()}]


def new_seal() -> str:
    """Return a code for one message."""
    return secrets.token_hex(8)


@cache
def digest_protocol() -> str:
    """Return the digest of everything that affects a verdict: prompts, reply format, version."""
    return digest([PROTOCOL_VERSION, _prompt("system"), _prompt("pair"), _prompt("notes"), SCHEMA])


def sign_judging(model: str, repeats: int) -> str:
    """Return the part of a signature that identifies judge and protocol.

    >>> sign_judging("lab/judge-1", 2).startswith("lab.judge-1-")
    True
    """
    return f"{name_judge(model)}+{digest_protocol()[:8]}+both-orders+{repeats}"


def name_judge(model: str) -> str:
    """Return the name of a judge for signatures; names that differ only in special characters stay distinct."""
    return f"{_UNSAFE.sub('.', model)}-{digest([model])[:6]}"


def digest(parts: object) -> str:
    """Return the hexadecimal SHA-256 of a JSON value."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8")
