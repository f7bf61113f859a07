"""Calibration of a judge: answers with known scores (`evaluation.judge.rated`), judged and compared.

Only human scores measure agreement with people; the shipped scores are constructed. Answers are judged like those of a
submission: gates first, then both orders. Probes and holds come after scoring, and are not part of this.
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
"""File name of the report in the data folder."""

_COMPARED_WITH: Mapping[Origin, str] = {
    "people": "human scores of the same answers",
    "constructed": "constructed scores (not human scores)",
}


@dataclass(frozen=True, slots=True)
class KindReport:
    """One kind of answers: their number, and the mean points of the judge and of the file."""

    n: int
    judge: float | None
    given: float


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Result of a calibration. Points are from 0 to 10; undefined values are None.

    Attributes:
        judge: Model, prompts, orders and repeats.
        scores_by: Origin of the compared scores: people, or nobody (constructed).
        n: Number of answers with both scores.
        n_errors: Number of answers without a verdict; they are excluded from all values.
        kappa: Quadratic-weighted κ.
        bias: Mean of judge − given score.
        spread: Standard deviation of judge − given score.
        position_effect: Effect of being shown first.
        length_effect: Effect of twice the length.
        kinds: Kind of answer → its means.
        errors: ID → reason for a missing verdict.
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
        """Return the report as JSON for the page."""
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)


async def calibrate(judge: Judge, rated: Sequence[Rated], repeats: int) -> CalibrationReport:
    """Judge answers and compare the result with their given scores.

    Args:
        judge: The judge; with a streak, it stops after too many consecutive replies without a verdict.
        rated: At least one answer, with either all human or all constructed scores.
        repeats: Judgements per order and answer.

    Raises:
        AllowanceSpentError: The day's budget is used up.
        JudgeRefusedError: The server refuses all calls.
        NoVerdictsInARowError: Too many consecutive replies contain no verdict.
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
    judged = {item_id: fmean(item_points) for item_id, item_points in points.items()}
    effect = _position_effect([pair for pair in results if pair[0].question.id not in errors])
    return _report(rated, judged, errors, effect, sign_judging(judge.model, repeats))


def _report(
    rated: Sequence[Rated], judged: Mapping[str, float], errors: Mapping[str, str], effect: float | None, signed: str
) -> CalibrationReport:
    scored = [row for row in rated if row.question.id in judged]
    given_scores = [row.score for row in scored]
    points = [judged[row.question.id] for row in scored]
    # The length of an empty answer is undefined.
    lengths = [max(1, len(row.answer)) for row in scored]
    return CalibrationReport(
        judge=signed,
        scores_by=rated[0].origin,
        n=len(scored),
        n_errors=len(errors),
        kappa=quadratic_weighted_kappa(points, given_scores),
        bias=mean_bias(points, given_scores),
        spread=error_spread(points, given_scores),
        position_effect=effect,
        length_effect=length_effect(points, given_scores, lengths),
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
    """Return the mean difference between scores shown first and shown second; each answer has both orders."""
    first = [verdict.points for call, verdict in results if call.candidate_first]
    second = [verdict.points for call, verdict in results if not call.candidate_first]
    return fmean(first) - fmean(second) if first and second else None


def show_report(report: CalibrationReport) -> str:
    """Format a report as a table for a terminal."""
    name = "human" if report.scores_by == "people" else "given"
    rates = [
        ("answers", f"{report.n:,}" + (f" ({report.n_errors:,} more without a verdict)" if report.n_errors else "")),
        ("quadratic-weighted κ", _format_value(report.kappa, "")),
        (f"bias (judge − {name})", _format_value(report.bias, "+")),
        ("spread", _format_value(report.spread, "")),
        ("position effect", _format_value(report.position_effect, "+")),
        ("length effect (×2 length)", _format_value(report.length_effect, "+")),
    ]
    lines = [f"judge {report.judge}", f"agreement with {_COMPARED_WITH[report.scores_by]}"]
    lines += [f"{title:<30} {value}" for title, value in rates]
    if report.kinds:
        lines.append(f"\n{'kind':<20} {'n':>4} {'judge':>6} {name:>7}")
    lines += [
        f"{title:<20} {kind.n:>4} {_format_value(kind.judge, ''):>6} {kind.given:>7.2f}"
        for title, kind in report.kinds.items()
    ]
    return "\n".join(lines)


def _format_value(value: float | None, sign: str) -> str:
    return "–" if value is None else f"{value:{sign}.2f}"
