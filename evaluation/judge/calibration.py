"""Calibration of a judge: answers with known scores (`evaluation.judge.rated`), judged and compared.

Only scores that people gave tell of agreement with people; the shipped ones are constructed. Answers are judged as
those of an entry are, gates first, then both orders. Probes and their holds come after scores, and are no part of this.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any

from evaluation.judge.agreement import error_spread, length_effect, mean_bias, quadratic_weighted_kappa
from evaluation.judge.asking import Failure, Judge
from evaluation.judge.gates import gate_answers, read_answer
from evaluation.judge.protocol import Call, JudgeVerdict, plan_calls, sign_judging
from evaluation.judge.rated import Origin, Rated

CALIBRATION_REPORT = "judge-calibration.json"
"""Name of the report in the data folder."""

_COMPARED_WITH: Mapping[Origin, str] = {
    "people": "human scores of the same answers",
    "constructed": "constructed scores (not human scores)",
}


@dataclass(frozen=True, slots=True)
class KindReport:
    """One sort of answers: how many, and the mean points that the judge and the file give them."""

    n: int
    judge: float | None
    given: float


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a calibration yields. Points are from 0 to 10; a figure that is undefined is None.

    Attributes:
        judge: How was judged: model, prompts, orders, repeats.
        scores_by: Who gave the scores that the judge is compared with: people, or nobody (constructed).
        n: Answers with a score of both.
        n_errors: Answers without a verdict; they are in no figure.
        kappa: Quadratic-weighted κ.
        bias: Mean of judge − given score.
        spread: Standard deviation of judge − given score.
        position_effect: What being shown first adds to an answer.
        length_effect: What twice the length adds.
        kinds: Sort of answer → its means.
        errors: Id → why there is no verdict.
    """

    judge: str
    scores_by: Origin
    n: int
    n_errors: int
    kappa: float | None
    bias: float | None
    spread: float | None
    position_effect: float | None
    length_effect: float | None
    kinds: Mapping[str, KindReport]
    errors: Mapping[str, str]

    def as_json(self) -> str:
        """Return the report as the file that a page can show."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


async def calibrate(judge: Judge, rated: Sequence[Rated], repeats: int) -> CalibrationReport:
    """Judge answers and compare with the scores they were given.

    Args:
        judge: Who is asked; with a streak it stops after too many replies in a row without a verdict.
        rated: At least one, all scored by people or none.
        repeats: How often each order of each answer is judged.

    Raises:
        AllowanceSpentError: Nothing more may be asked today.
        JudgeRefusedError: The server will not answer whatever is tried.
        NoVerdictsInARowError: Too many replies in a row hold no verdict.
    """
    questions = {row.question.id: row.question for row in rated}
    gated = gate_answers(questions, {row.question.id: row.answer for row in rated})
    calls = [
        call
        for row in rated
        if row.question.id not in gated
        for call in plan_calls(row.question, read_answer(row.answer), repeats)
    ]
    results = list(zip(calls, await judge.judge(calls), strict=True))
    errors = {call.question.id: result.reason for call, result in results if isinstance(result, Failure)}
    points: dict[str, list[float]] = {item_id: [0.0] for item_id in gated}
    for call, result in results:
        if isinstance(result, JudgeVerdict) and call.question.id not in errors:
            points.setdefault(call.question.id, []).append(result.points)
    judged = {item_id: fmean(found) for item_id, found in points.items()}
    effect = _position_effect([pair for pair in results if pair[0].question.id not in errors])
    return _report(rated, judged, errors, effect, sign_judging(judge.model, repeats))


def _report(
    rated: Sequence[Rated], judged: Mapping[str, float], errors: Mapping[str, str], effect: float | None, signed: str
) -> CalibrationReport:
    scored = [row for row in rated if row.question.id in judged]
    given = [row.score for row in scored]
    points = [judged[row.question.id] for row in scored]
    # An empty answer has no length to speak of.
    lengths = [max(1, len(row.answer)) for row in scored]
    return CalibrationReport(
        judge=signed,
        scores_by=rated[0].origin,
        n=len(scored),
        n_errors=len(errors),
        kappa=quadratic_weighted_kappa(points, given),
        bias=mean_bias(points, given),
        spread=error_spread(points, given),
        position_effect=effect,
        length_effect=length_effect(points, given, lengths),
        kinds=_report_kinds(rated, judged),
        errors=errors,
    )


def _report_kinds(rated: Sequence[Rated], judged: Mapping[str, float]) -> dict[str, KindReport]:
    kinds: dict[str, list[Rated]] = {}
    for row in rated:
        kinds.setdefault(row.kind, []).append(row)
    return {kind: _report_kind(rows, judged) for kind, rows in kinds.items() if kind}


def _report_kind(rows: Sequence[Rated], judged: Mapping[str, float]) -> KindReport:
    points = [judged[row.question.id] for row in rows if row.question.id in judged]
    return KindReport(len(rows), fmean(points) if points else None, fmean(row.score for row in rows))


def _position_effect(results: Sequence[tuple[Call, Any]]) -> float | None:
    """Return the mean of what answers score shown first − shown second; both orders are there for each."""
    first = [verdict.points for call, verdict in results if call.candidate_first]
    second = [verdict.points for call, verdict in results if not call.candidate_first]
    return fmean(first) - fmean(second) if first and second else None


def show_report(report: CalibrationReport) -> str:
    """Return a report as a table for a terminal."""
    name = "human" if report.scores_by == "people" else "given"
    figures = [
        ("answers", f"{report.n:,}" + (f" ({report.n_errors:,} more without a verdict)" if report.n_errors else "")),
        ("quadratic-weighted κ", _show(report.kappa, "")),
        (f"bias (judge − {name})", _show(report.bias, "+")),
        ("spread", _show(report.spread, "")),
        ("position effect", _show(report.position_effect, "+")),
        ("length effect (×2 length)", _show(report.length_effect, "+")),
    ]
    lines = [f"judge {report.judge}", f"agreement with {_COMPARED_WITH[report.scores_by]}"]
    lines += [f"{title:<30} {value}" for title, value in figures]
    if report.kinds:
        lines.append(f"\n{'kind':<20} {'n':>4} {'judge':>6} {name:>7}")
    lines += [
        f"{title:<20} {kind.n:>4} {_show(kind.judge, ''):>6} {kind.given:>7.2f}" for title, kind in report.kinds.items()
    ]
    return "\n".join(lines)


def _show(value: float | None, sign: str) -> str:
    return "–" if value is None else f"{value:{sign}.2f}"
