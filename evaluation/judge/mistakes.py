"""Error classification of wrong answers, separately for each part of a benchmark; see `evaluation.error_types`.

One paper classified with a model and the other by hand, 200 failed predictions drawn equally from temporal and spatial.
Here a judge classifies a seeded sample that is divided equally between the parts.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evaluation.error_types import CANNOT_TELL, ERROR_TYPES, FORMATTING, is_bare_letter, is_formatting_error
from evaluation.judge.asking import Failure, Judge, Stored, ask_until_read, gather_all
from evaluation.judge.errors import JudgeVerdictError
from evaluation.judge.gates import MAX_ANSWER, read_answer
from evaluation.judge.protocol import Message, digest, name_judge
from evaluation.judge.text import make_visible
from evaluation.judge.verdict_parser import find_sealed
from evaluation.streams import stream
from evaluation.types import Prediction, Reading

SAMPLE_SIZE = 200
"""Default number of wrong answers to classify per submission, all parts together."""

LABELS: Mapping[str, Mapping[str, str]] = {
    benchmark: {kind.id: kind.definition for kind in kinds if kind.is_judged}
    for benchmark, kinds in ERROR_TYPES.items()
}
"""Benchmark → label → definition, for the labels that a judge decides."""

_PROMPTS = Path(__file__).with_name("prompts")


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """A wrong answer.

    Attributes:
        id: Item and run.
        question: Question with its options.
        right: The right answer.
        response: The response; None without one.
        reading: The parsed answer.
        part: Part of the benchmark; parts are sampled separately.
    """

    id: str
    question: str
    right: str
    response: str | None
    reading: Reading
    part: str = ""

    @property
    def item(self) -> str:
        """ID of the item."""
        return self.id.rpartition("#")[0] or self.id


@dataclass(frozen=True, slots=True)
class Sorted:
    """Classified sample of wrong answers.

    Attributes:
        sample: The sampled answers.
        labels: ID → error type.
        errors: ID → reason for a missing label; never counted under a label.
        n_wrong: Part → total number of wrong answers.
    """

    sample: Sequence[WrongAnswer]
    labels: Mapping[str, str]
    errors: Mapping[str, str]
    n_wrong: Mapping[str, int]

    @property
    def is_lacking(self) -> bool:
        """Whether the judge was called and gave no verdict at all; then the causes are unknown."""
        return bool(self.errors) and not any(label not in (FORMATTING, CANNOT_TELL) for label in self.labels.values())


def name_wrong(prediction: Prediction, part: str, question: str, right: str, reading: Reading) -> WrongAnswer:
    """Return a wrong answer named by its item and run, truncated to what a judge is shown."""
    response = None if prediction.response is None else prediction.response[:MAX_ANSWER]
    return WrongAnswer(f"{prediction.id}#{prediction.run}", question, right, response, reading, part)


def sample_wrong(wrong: Sequence[WrongAnswer], seed: str, size: int = SAMPLE_SIZE) -> list[WrongAnswer]:
    """Draw the answers to classify: the same ones for the same seed, whatever their order.

    The size is divided equally between the parts; a part with few wrong answers leaves its rest to the others.
    """
    parts: dict[str, list[WrongAnswer]] = {}
    for mistake in sorted(wrong, key=lambda answer: answer.id):
        parts.setdefault(mistake.part, []).append(mistake)
    quotas = share_equally(size, {part: len(answers) for part, answers in parts.items()})
    sample: list[WrongAnswer] = []
    for part, answers in sorted(parts.items()):
        places = stream(seed, f"judge mistakes|{part}").permutation(len(answers))[: quotas[part]]
        sample += [answers[place] for place in sorted(places)]
    return sample


def share_equally(size: int, counts: Mapping[str, int]) -> dict[str, int]:
    """Return part → size of its sample; smallest parts first, so that no capacity is left unused.

    >>> share_equally(200, {"temporal": 500, "spatial": 300})
    {'spatial': 100, 'temporal': 100}
    >>> share_equally(200, {"main": 500, "multi": 20, "open": 300})
    {'multi': 20, 'open': 90, 'main': 90}
    """
    quotas: dict[str, int] = {}
    for place, (part, count) in enumerate(sorted(counts.items(), key=lambda pair: (pair[1], pair[0]))):
        quotas[part] = min(count, size // (len(counts) - place))
        size -= quotas[part]
    return quotas


async def sort_mistakes(
    judge: Judge, benchmark: str, wrong: Sequence[WrongAnswer], *, seed: str, size: int = SAMPLE_SIZE
) -> Sorted:
    """Classify a sample of wrong answers.

    Args:
        judge: The judge.
        benchmark: Benchmark with the labels, a key of `LABELS`.
        wrong: All wrong answers.
        seed: Draws the sample.
        size: Sample size, all parts together.

    Raises:
        AllowanceSpentError: The day's budget is used up; verdicts so far are cached.
        JudgeRefusedError: The server refuses all calls.
        NoVerdictsInARowError: Too many consecutive replies contain no verdict.
    """
    labels = LABELS[benchmark]
    sample = sample_wrong(wrong, seed, size)
    sorted_labels = {answer.id: label for answer in sample if (label := _sort_without_judge(answer)) is not None}
    remaining = [answer for answer in sample if answer.id not in sorted_labels]
    results = await gather_all([_sort_one(judge, labels, answer) for answer in remaining])
    errors = {}
    for answer, result in zip(remaining, results, strict=True):
        if isinstance(result, Failure):
            errors[answer.id] = result.reason
        else:
            sorted_labels[answer.id] = result
    return Sorted(sample, sorted_labels, errors, Counter(answer.part for answer in wrong))


def _sort_without_judge(wrong: WrongAnswer) -> str | None:
    if is_formatting_error(wrong.response, wrong.reading):
        return FORMATTING
    return CANNOT_TELL if is_bare_letter(wrong.response, wrong.reading) else None


def sign_sorting(model: str, benchmark: str, size: int = SAMPLE_SIZE) -> str:
    """Return the judge and method of a classification: everything that could change the shares of the same answers.

    >>> sign_sorting("lab/judge-1", "mdar").startswith("lab.judge-1-")
    True
    """
    prompt_digest = digest([_digest_prompt(), sorted(LABELS[benchmark].items())])
    return f"{name_judge(model)}+{prompt_digest[:8]}+{size}"


async def _sort_one(judge: Judge, labels: Mapping[str, str], wrong: WrongAnswer) -> str | Failure:
    key = digest([judge.model, _digest_prompt(), sorted(labels.items()), wrong.question, wrong.right, wrong.response])
    stored = judge.cache.find_verdict(key)
    if stored is not None:
        return str(stored["mistake"])
    result = await ask_until_read(
        judge,
        lambda seal: _build(wrong, labels, seal),
        _schema(labels),
        lambda reply, seal: _parse(reply, labels, seal),
    )
    if isinstance(result, str):
        cached: Stored = {"mistake": result}
        judge.cache.store_verdict(key, cached)
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
        raise JudgeVerdictError(f"The judge returned {str(mistake)[:40]!r}; allowed: {', '.join(labels)}.")
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
