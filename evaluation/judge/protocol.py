"""Judging protocol of open answers: prompt, order, number of calls, and the name under which it counts.

Source: MDAR, section 3.3 and appendix F.2: question, reference and answer are shown, as two assistants' answers; each
gets a score for helpfulness, relevance, accuracy and comprehensiveness; both orders are judged, and what counts is the
ratio of the two scores (`evaluation.metrics.judged`). As in the released prompt a description of the audio comes first,
where the organiser's files have one. The released script reads the scores from the first and last characters of a
reply; here they are fields of a JSON object. Ours are: the scale from 0, the cap of an answer at 10 points, the wording
of the prompts, the code of each message, and the copied words.
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
"""Whether the answer is shown before the reference; every answer is judged both ways."""

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
    """What an answer is judged by.

    Attributes:
        id: Names the question.
        question: What was asked.
        reference: An answer that is right.
        description: What is to be heard, where an organiser says so; else empty.
    """

    id: str
    question: str
    reference: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One question to the judge.

    Attributes:
        question: What the answer is judged by.
        answer: What is judged.
        candidate_first: Whether the answer is shown before the reference.
        repeat: Number of the repetition, from 0.
        purpose: Whether its verdict counts (`score`), or only tells something about the judge.
        batch: What a control rides in; empty elsewhere.
    """

    question: OpenQuestion
    answer: str
    candidate_first: bool
    repeat: int = 0
    purpose: Purpose = "score"
    batch: str = ""

    def key(self, model: str) -> str:
        """Return the name under which the verdict is kept: everything that could change it, and nothing else."""
        asked = self.question
        parts = [model, digest_protocol(), asked.question, asked.reference, asked.description, self.answer]
        return digest([*parts, self.candidate_first, self.repeat, self.purpose, self.batch])


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """What a judge said in one reply.

    Attributes:
        candidate: Score of the answer, from 0 to 10.
        reference: Score of the reference, above 0 and up to 10.
        quotes: The words of the answer that earned its score; they stand in it.
    """

    candidate: float
    reference: float
    quotes: tuple[str, ...] = ()

    @property
    def points(self) -> float:
        """What the answer scores, from 0 to 10: its ratio to the reference."""
        return min(FULL_SCORE, FULL_SCORE * self.candidate / self.reference)

    def as_judgement(self, *, candidate_first: bool) -> Judgement:
        """Return what the figures are made of."""
        return Judgement(self.candidate, self.reference, candidate_first)


def plan_calls(question: OpenQuestion, answer: str, repeats: int) -> Iterator[Call]:
    """Yield the calls that one answer takes: both orders, each repeated.

    >>> [(call.candidate_first, call.repeat) for call in plan_calls(OpenQuestion("1", "?", "三点"), "两点", 1)]
    [(True, 0), (False, 0)]
    """
    for repeat in range(repeats):
        for candidate_first in ORDERS:
            yield Call(question, answer, candidate_first, repeat)


def build_messages(call: Call, seal: str) -> list[Message]:
    """Return what the judge is sent.

    Args:
        call: What is asked.
        seal: A code nobody could know when the answer was written (`new_seal`). It marks where material begins and
            ends, and a verdict counts only with it: an answer can neither leave its place nor bring a verdict along.
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
    """Return the digest of everything that makes a verdict: prompts, form of the reply, version."""
    return digest([PROTOCOL_VERSION, _prompt("system"), _prompt("pair"), _prompt("notes"), SCHEMA])


def sign_judging(model: str, repeats: int) -> str:
    """Return the piece of a signature that says how answers were judged.

    >>> sign_judging("lab/judge-1", 2).startswith("lab.judge-1-")
    True
    """
    return f"{name_judge(model)}+{digest_protocol()[:8]}+both-orders+{repeats}"


def name_judge(model: str) -> str:
    """Return the name of a judge as a signature holds it; names that differ only in odd signs do not become one."""
    return f"{_UNSAFE.sub('.', model)}-{digest([model])[:6]}"


def digest(parts: object) -> str:
    """Return the SHA-256 of any JSON value, hexadecimal."""
    text = json.dumps(parts, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8")
