"""Judging of one submission's open answers, with the checks before and after the model's verdicts.

Gates → the released protocol with controls in every batch → probes. There are three outcomes: `scored`; `held`, with
the answers that a maintainer must review; `incomplete`, if too many calls ended without a verdict, which never yields
points.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from evaluation.judge.asking import Failure, Judge
from evaluation.judge.controls import BATCH_SIZE, BatchCheck, check_batch, load_controls
from evaluation.judge.gates import Gate, gate_answers, read_answer
from evaluation.judge.probes import WORTH_PROBING, Findings, Prober, Reason, Suspect
from evaluation.judge.protocol import (
    FULL_SCORE,
    ORDERS,
    Call,
    JudgeVerdict,
    OpenQuestion,
    digest,
    plan_calls,
    sign_judging,
)
from evaluation.judge.signals import find_signals
from evaluation.metrics import Judgement
from evaluation.streams import stream

MAX_ERRORS = 0.005
"""Maximum share of answers without a verdict in a complete submission."""

Status = Literal["scored", "held", "incomplete"]
_Verdicts = Mapping[str, Sequence[tuple[Call, JudgeVerdict]]]


@dataclass(frozen=True, slots=True)
class Held:
    """An answer for a maintainer to review.

    Attributes:
        id: Item ID.
        reason: What it did under a foreign question, or without its facts.
        points: Its score, from 0 to 10.
    """

    id: str
    reason: Reason
    points: float


@dataclass(frozen=True, slots=True)
class EntryJudged:
    """Result of judging the open answers of one submission.

    Attributes:
        status: Whether its scores may be shown, wait for a maintainer, or are incomplete.
        judgements: Item ID → judgements, for the benchmark's score. A gated answer has 0 of 10 points in both orders;
            answers without a verdict are missing.
        gated: Item ID → reason why it was not judged.
        held: Answers for a maintainer.
        faults: Problems that the controls of failed batches revealed; one suffices to hold the submission.
        errors: Item ID → reason for a missing verdict or probe.
        judge_obeys: Whether the judge obeyed an instruction in a control; then all answers were probed alone.
        protocol_calls: Calls of the protocol itself, cached or not.
        guard_calls: Calls for controls and probes.
        signature: Judge and protocol.
    """

    status: Status
    judgements: Mapping[str, tuple[Judgement, ...]]
    gated: Mapping[str, Gate]
    held: tuple[Held, ...]
    faults: tuple[str, ...]
    errors: Mapping[str, str]
    judge_obeys: bool
    protocol_calls: int
    guard_calls: int
    signature: str


async def judge_entry(
    judge: Judge, questions: Mapping[str, OpenQuestion], answers: Mapping[str, str], *, repeats: int, salt: str
) -> EntryJudged:
    """Judge the open answers of one submission.

    Args:
        judge: The judge.
        questions: Item ID → question and reference.
        answers: Item ID → answer; unanswered items are missing.
        repeats: Judgements per order and answer.
        salt: Secret of the evaluator, such as the key's seed: it determines groups, decoys and controls.

    Raises:
        AllowanceSpentError: The day's budget is used up; verdicts so far are cached.
        JudgeRefusedError: The server refuses all calls.
    """
    gated = gate_answers(questions, answers)
    texts = {item_id: read_answer(answers[item_id]) for item_id in sorted(answers.keys() - gated.keys())}
    calls = {item_id: tuple(plan_calls(questions[item_id], text, repeats)) for item_id, text in texts.items()}
    verdicts, errors, checks = await _judge_batches(judge, calls, salt)
    obeys = any(check.obeys for check in checks)
    suspects = _find_suspects(questions, texts, verdicts)
    known_questions = [*questions.values(), *(control.question for control in load_controls())]
    decoys = sorted(known_questions, key=lambda question: question.id)
    leniency = max((check.leniency for check in checks if check.is_sound), default=0.0)
    findings = await Prober(judge, decoys, salt, obeys, leniency).probe(suspects)
    faults = tuple(check.reason for check in checks if not check.is_sound)
    points = {suspect.id: suspect.points for suspect in suspects}
    held = tuple(Held(item_id, reason, points[item_id]) for item_id, reason in sorted(findings.held.items()))
    problems = findings.errors | errors
    return EntryJudged(
        status=_decide(len(answers), problems, held, faults),
        judgements=_collect(verdicts, gated),
        gated=gated,
        held=held,
        faults=faults,
        errors=problems,
        judge_obeys=obeys,
        protocol_calls=sum(map(len, calls.values())),
        guard_calls=_count_extra(judge.model, calls.values(), findings, checks),
        signature=sign_judging(judge.model, repeats),
    )


def _decide(n_answers: int, errors: Mapping[str, str], held: Sequence[Held], faults: Sequence[str]) -> Status:
    if len(errors) > MAX_ERRORS * n_answers:
        return "incomplete"
    return "held" if held or faults else "scored"


async def _judge_batches(
    judge: Judge, calls: Mapping[str, tuple[Call, ...]], salt: str
) -> tuple[dict[str, list[tuple[Call, JudgeVerdict]]], dict[str, str], list[BatchCheck]]:
    """Return verdicts, errors and results of controls, batch by batch in random order."""
    verdicts: dict[str, list[tuple[Call, JudgeVerdict]]] = {}
    errors: dict[str, str] = {}
    checks: list[BatchCheck] = []
    names = list(calls)
    names = [names[place] for place in stream(salt, "judge batches").permutation(len(names))]
    for start in range(0, len(names), BATCH_SIZE):
        batch = [(name, call) for name in names[start : start + BATCH_SIZE] for call in calls[name]]
        checks.append(await check_batch(judge, [call for _, call in batch], salt))
        for (name, call), result in zip(batch, await judge.judge([call for _, call in batch]), strict=True):
            if isinstance(result, Failure):
                errors[name] = result.reason
            else:
                verdicts.setdefault(name, []).append((call, result))
    # With one order missing, the other one would bias the score.
    return {name: verdict for name, verdict in verdicts.items() if name not in errors}, errors, checks


def _find_suspects(
    questions: Mapping[str, OpenQuestion], texts: Mapping[str, str], verdicts: _Verdicts
) -> list[Suspect]:
    suspects = []
    for item_id, item_verdicts in verdicts.items():
        points = fmean(verdict.points for _, verdict in item_verdicts)
        if points > WORTH_PROBING:
            signals = find_signals(texts[item_id], questions[item_id], tuple(verdict for _, verdict in item_verdicts))
            suspects.append(Suspect(item_id, texts[item_id], questions[item_id], points, bool(signals)))
    return suspects


def _collect(verdicts: _Verdicts, gated: Mapping[str, Gate]) -> dict[str, tuple[Judgement, ...]]:
    """Return the judgements of all judged answers. Blank answers have none: benchmarks handle them."""
    nothing = tuple(Judgement(0.0, FULL_SCORE, first) for first in ORDERS)
    judged = {
        item_id: tuple(verdict.as_judgement(candidate_first=call.candidate_first) for call, verdict in item_verdicts)
        for item_id, item_verdicts in verdicts.items()
    }
    return judged | {item_id: nothing for item_id, gate in gated.items() if gate != "empty"}


def _count_extra(model: str, calls: Iterable[Sequence[Call]], findings: Findings, checks: Sequence[BatchCheck]) -> int:
    """Return the number of verdicts beyond those of the protocol."""
    own = {call.key(model) for some in calls for call in some}
    extra = [*findings.asked, *(call for check in checks for call in check.asked)]
    return len({call.key(model) for call in extra} - own)


def name_salt(seed: str, answers: Mapping[str, str]) -> str:
    """Derive the salt of one submission from a secret: re-scoring repeats the same calls, other submissions do not."""
    return digest([seed, sorted(answers.items())])
