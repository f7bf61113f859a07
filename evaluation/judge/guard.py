"""Judging the open answers of one entry: what happens before and after the model is asked.

Gates → the released protocol with controls in every batch → probes. The outcome is one of three: `scored`; `held`, with
the answers named that a maintainer has to look at; `incomplete`, where too many calls ended without a verdict, which is
never turned into points.
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
"""Share of answers without a verdict up to which an entry is complete."""

Status = Literal["scored", "held", "incomplete"]
_Verdicts = Mapping[str, Sequence[tuple[Call, JudgeVerdict]]]


@dataclass(frozen=True, slots=True)
class Held:
    """An answer for a maintainer to look at.

    Attributes:
        id: Item it answers.
        reason: What it did under a foreign question, or without its facts.
        points: What it scored, from 0 to 10.
    """

    id: str
    reason: Reason
    points: float


@dataclass(frozen=True, slots=True)
class EntryJudged:
    """What became of the open answers of one entry.

    Attributes:
        status: Whether its figures may be shown, wait for a maintainer, or are not all there.
        judgements: Item id → judgements, for the benchmark's score. An answer that was gated has 0 of 10 points in both
            orders; one without a verdict is not there.
        gated: Item id → why it went to no judge.
        held: Answers for a maintainer.
        faults: What the controls of each failed batch told; one is enough to hold the entry.
        errors: Item id → why it has no verdict, or could not be probed.
        judge_obeys: Whether the judge obeyed an order in a control; all answers were then probed alone.
        protocol_calls: Calls of the protocol itself, from the cache or not.
        guard_calls: Calls for controls and probes.
        signature: How it was judged.
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
    """Judge the open answers of one entry.

    Args:
        judge: Who is asked.
        questions: Item id → what its answer is judged by.
        answers: Item id → answer, of those that were given.
        repeats: How often each order of each answer is judged.
        salt: What only the evaluator knows, such as the key's seed: it draws groups, decoys and controls.

    Raises:
        AllowanceSpentError: Nothing more may be asked today; the cache holds what was answered.
        JudgeRefusedError: The server will not answer whatever is tried.
    """
    gated = gate_answers(questions, answers)
    texts = {item_id: read_answer(answers[item_id]) for item_id in sorted(answers.keys() - gated.keys())}
    calls = {item_id: tuple(plan_calls(questions[item_id], text, repeats)) for item_id, text in texts.items()}
    verdicts, errors, checks = await _judge_batches(judge, calls, salt)
    obeys = any(check.obeys for check in checks)
    suspects = _find_suspects(questions, texts, verdicts)
    known = [*questions.values(), *(control.question for control in load_controls())]
    decoys = sorted(known, key=lambda question: question.id)
    leniency = max((check.leniency for check in checks if check.is_sound), default=0.0)
    found = await Prober(judge, decoys, salt, obeys, leniency).probe(suspects)
    faults = tuple(check.reason for check in checks if not check.is_sound)
    points = {suspect.id: suspect.points for suspect in suspects}
    held = tuple(Held(item_id, reason, points[item_id]) for item_id, reason in sorted(found.held.items()))
    problems = found.errors | errors
    return EntryJudged(
        status=_decide(len(answers), problems, held, faults),
        judgements=_collect(verdicts, gated),
        gated=gated,
        held=held,
        faults=faults,
        errors=problems,
        judge_obeys=obeys,
        protocol_calls=sum(map(len, calls.values())),
        guard_calls=_count_extra(judge.model, calls.values(), found, checks),
        signature=sign_judging(judge.model, repeats),
    )


def _decide(n_answers: int, errors: Mapping[str, str], held: Sequence[Held], faults: Sequence[str]) -> Status:
    if len(errors) > MAX_ERRORS * n_answers:
        return "incomplete"
    return "held" if held or faults else "scored"


async def _judge_batches(
    judge: Judge, calls: Mapping[str, tuple[Call, ...]], salt: str
) -> tuple[dict[str, list[tuple[Call, JudgeVerdict]]], dict[str, str], list[BatchCheck]]:
    """Return verdicts, errors and what the controls tell, batch by batch in a drawn order."""
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
    # With one order lacking, what is left would lean to the other.
    return {name: found for name, found in verdicts.items() if name not in errors}, errors, checks


def _find_suspects(
    questions: Mapping[str, OpenQuestion], texts: Mapping[str, str], verdicts: _Verdicts
) -> list[Suspect]:
    suspects = []
    for item_id, found in verdicts.items():
        points = fmean(verdict.points for _, verdict in found)
        if points > WORTH_PROBING:
            signals = find_signals(texts[item_id], questions[item_id], tuple(verdict for _, verdict in found))
            suspects.append(Suspect(item_id, texts[item_id], questions[item_id], points, bool(signals)))
    return suspects


def _collect(verdicts: _Verdicts, gated: Mapping[str, Gate]) -> dict[str, tuple[Judgement, ...]]:
    """Return the judgements of all answers that have some. Blank ones have none: a benchmark knows them itself."""
    nothing = tuple(Judgement(0.0, FULL_SCORE, first) for first in ORDERS)
    judged = {
        item_id: tuple(verdict.as_judgement(candidate_first=call.candidate_first) for call, verdict in found)
        for item_id, found in verdicts.items()
    }
    return judged | {item_id: nothing for item_id, gate in gated.items() if gate != "empty"}


def _count_extra(model: str, calls: Iterable[Sequence[Call]], found: Findings, checks: Sequence[BatchCheck]) -> int:
    """Return how many verdicts were needed beside those of the protocol."""
    own = {call.key(model) for some in calls for call in some}
    extra = [*found.asked, *(call for check in checks for call in check.asked)]
    return len({call.key(model) for call in extra} - own)


def name_salt(seed: str, answers: Mapping[str, str]) -> str:
    """Return the salt of one entry from a secret: the same entry scored again asks the same, another entry others."""
    return digest([seed, sorted(answers.items())])
