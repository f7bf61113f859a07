"""Sorting wrong answers by what went wrong. What is wrong in form alone is decided without a judge.

Source: MDAR, section 4.2 (perception, reasoning, knowledge, formatting); STAR-Bench, appendix on error analysis, for
the three labels that it adds. One sorted by a model and the other by hand; here a judge sorts a seeded sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.error_types import is_formatting_error
from evaluation.judge.asking import Failure, Judge, Stored, ask_until_read, gather_all
from evaluation.judge.errors import VerdictError
from evaluation.judge.gates import MAX_ANSWER, read_answer
from evaluation.judge.protocol import Message, digest, name_judge
from evaluation.judge.text import make_visible
from evaluation.judge.verdicts import find_sealed
from evaluation.streams import stream
from evaluation.types import Prediction, Reading

FORMATTING = "formatting"
SAMPLE_SIZE = 200
"""Wrong answers that are sorted, unless another number is named."""

_COMMON: Mapping[str, str] = {
    "perception": "something was misheard, missed, or heard that is not there",
    "reasoning": "what was heard is right, and what was concluded from it is not",
    "knowledge": "what one has to know about the world to answer was not known",
}
_STAR_BENCH: Mapping[str, str] = {
    "hallucination": "it refers to what no recording can hold, such as a picture or a video",
    "generation-collapse": "it repeats itself, breaks off, or falls apart into words without sense",
    "reasoning-answer-mismatch": "its reasoning leads to one answer, and it gives another",
}
LABELS: Mapping[str, Mapping[str, str]] = {"mdar": _COMMON, "star-bench": {**_COMMON, **_STAR_BENCH}}
"""Benchmark → label → what it means, of those that a judge decides."""

_PROMPTS = Path(__file__).with_name("prompts")


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An answer that is wrong.

    Attributes:
        id: Names it: item and run.
        question: What was asked, with its options.
        right: The right answer.
        response: What was answered; None for nothing.
        reading: What a reader understood from it.
    """

    id: str
    question: str
    right: str
    response: str | None
    reading: Reading


@dataclass(frozen=True, slots=True)
class Sorted:
    """What a sample of wrong answers is.

    Attributes:
        labels: Id → what went wrong.
        errors: Id → why nothing is known; never counted under a label.
        n_wrong: Wrong answers there were in all.
    """

    labels: Mapping[str, str]
    errors: Mapping[str, str]
    n_wrong: int

    @property
    def shares(self) -> dict[str, float]:
        """Label → its share of the answers that were sorted."""
        counts = {label: list(self.labels.values()).count(label) for label in sorted(set(self.labels.values()))}
        return {label: count / len(self.labels) for label, count in counts.items()}


def name_wrong(prediction: Prediction, question: str, right: str, reading: Reading) -> WrongAnswer:
    """Return a wrong answer under the name of its item and run, no longer than a judge is shown."""
    response = None if prediction.response is None else prediction.response[:MAX_ANSWER]
    return WrongAnswer(f"{prediction.id}#{prediction.run}", question, right, response, reading)


def sample_wrong(wrong: Sequence[WrongAnswer], seed: str, size: int = SAMPLE_SIZE) -> list[WrongAnswer]:
    """Draw the answers that are sorted: the same ones for the same seed, whatever their order."""
    ordered = sorted(wrong, key=lambda answer: answer.id)
    drawn = stream(seed, "judge mistakes").permutation(len(ordered))[:size]
    return [ordered[place] for place in sorted(drawn)]


async def sort_mistakes(
    judge: Judge, benchmark: str, wrong: Sequence[WrongAnswer], *, seed: str, size: int = SAMPLE_SIZE
) -> Sorted:
    """Sort a sample of wrong answers.

    Args:
        judge: Who is asked.
        benchmark: Whose labels are used, a name of `LABELS`.
        wrong: All wrong answers.
        seed: Draws the sample.
        size: How many are sorted.

    Raises:
        AllowanceSpentError: Nothing more may be asked today; what was answered is kept.
        JudgeRefusedError: The server will not answer whatever is tried.
        NoVerdictsInARowError: Too many replies in a row hold no verdict.
    """
    labels = LABELS[benchmark]
    sample = sample_wrong(wrong, seed, size)
    found = {one.id: FORMATTING for one in sample if is_formatting_error(one.response, one.reading)}
    asked = [one for one in sample if one.id not in found]
    results = await gather_all([_sort_one(judge, labels, one) for one in asked])
    errors = {}
    for one, result in zip(asked, results, strict=True):
        if isinstance(result, Failure):
            errors[one.id] = result.reason
        else:
            found[one.id] = result
    return Sorted(found, errors, len(wrong))


def sign_sorting(model: str, benchmark: str, size: int = SAMPLE_SIZE) -> str:
    """Return by whom and how wrong answers were sorted: what could change the shares of the same answers.

    >>> sign_sorting("lab/judge-1", "mdar").startswith("lab.judge-1-")
    True
    """
    asked = digest([_digest_prompt(), sorted(LABELS[benchmark].items())])
    return f"{name_judge(model)}+{asked[:8]}+{size}"


async def _sort_one(judge: Judge, labels: Mapping[str, str], wrong: WrongAnswer) -> str | Failure:
    key = digest([judge.model, _digest_prompt(), sorted(labels.items()), wrong.question, wrong.right, wrong.response])
    stored = judge.cache.find(key)
    if stored is not None:
        return str(stored["mistake"])
    result = await ask_until_read(
        judge,
        lambda seal: _build(wrong, labels, seal),
        _schema(labels),
        lambda reply, seal: _parse(reply, labels, seal),
    )
    if isinstance(result, str):
        kept: Stored = {"mistake": result}
        judge.cache.keep(key, kept)
    return result


def _build(wrong: WrongAnswer, labels: Mapping[str, str], seal: str) -> list[Message]:
    text = _prompt("mistake").format(
        seal=seal,
        question=make_visible(wrong.question),
        right=make_visible(wrong.right),
        wrong=make_visible(read_answer(wrong.response or "")),
        labels="\n".join(f"* {name}: {meaning}" for name, meaning in labels.items()),
        first=next(iter(labels)),
    )
    return [{"role": "system", "content": _prompt("mistake_system").strip()}, {"role": "user", "content": text.strip()}]


def _parse(reply: str, labels: Mapping[str, str], seal: str) -> str:
    mistake = find_sealed(reply, seal).get("mistake")
    if not isinstance(mistake, str) or mistake not in labels:
        raise VerdictError(f"The judge named {str(mistake)[:40]!r}; {', '.join(labels)} are allowed.")
    return mistake


def _schema(labels: Mapping[str, str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"code": {"type": "string"}, "mistake": {"type": "string", "enum": list(labels)}},
        "required": ["code", "mistake"],
        "additionalProperties": False,
    }


@cache
def _digest_prompt() -> str:
    return digest([_prompt("mistake"), _prompt("mistake_system")])


@cache
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8")
