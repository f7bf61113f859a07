"""How far a judge can be trusted: answers with scores of people, judged, and compared with them.

A line of a calibration file is `{"id", "question", "reference", "answer", "human": 0…10}`, perhaps with `description`
and `kind`. Answers are judged as those of an entry are, gates first, then both orders. Probes and their holds come
after scores, and are no part of this.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from evaluation.judge.agreement import error_spread, length_effect, mean_bias, quadratic_weighted_kappa
from evaluation.judge.asking import Failure, Judge
from evaluation.judge.errors import CalibrationError
from evaluation.judge.gates import gate_answers, read_answer
from evaluation.judge.protocol import FULL_SCORE, Call, OpenQuestion, Verdict, plan_calls, sign_judging

SHIPPED = Path(__file__).with_name("calibration.jsonl")
CALIBRATION_REPORT = "judge-calibration.json"
"""Name of the report in the data folder."""
_TEXTS = ("id", "question", "reference", "answer")
_MOST_ROWS = 100_000


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer that people scored.

    Attributes:
        question: What it is judged by; its id names the row.
        answer: What was answered.
        human: Their score, from 0 to 10.
        kind: What sort of answer it is; empty where the file does not say.
    """

    question: OpenQuestion
    answer: str
    human: float
    kind: str = ""


@dataclass(frozen=True, slots=True)
class KindReport:
    """One sort of answers: how many, and the mean points of judge and people."""

    n: int
    judge: float | None
    human: float


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """What a calibration yields. Points are from 0 to 10; a figure that is undefined is None.

    Attributes:
        judge: How was judged: model, prompts, orders, repeats.
        n: Answers with a score of both.
        n_errors: Answers without a verdict; they are in no figure.
        kappa: Quadratic-weighted κ.
        bias: Mean of judge − people.
        spread: Standard deviation of judge − people.
        position_effect: What being shown first adds to an answer.
        length_effect: What twice the length adds.
        kinds: Sort of answer → its means.
        errors: Id → why there is no verdict.
    """

    judge: str
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


def read_rated(path: Path) -> list[Rated]:
    """Read a calibration file.

    Raises:
        CalibrationError: A line is no answer with a score, or an id is there twice; the message names the line.
    """
    rated: dict[str, Rated] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.strip():
            row = _read_row(line, f"{path.name}:{number}")
            if row.question.id in rated:
                raise CalibrationError(f"{path.name}:{number}: the id `{row.question.id}` is there twice. Rename one.")
            rated[row.question.id] = row
        if len(rated) > _MOST_ROWS:
            raise CalibrationError(f"{path.name} has more than {_MOST_ROWS:,} answers. Take a sample.")
    if not rated:
        raise CalibrationError(f"{path.name} has no answers. Each line is an answer with the score people gave it.")
    return list(rated.values())


def _read_row(line: str, where: str) -> Rated:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise CalibrationError(f"{where}: no JSON object. Each line is one, with {', '.join(_TEXTS)}, human.") from None
    for name in _TEXTS:
        if not isinstance(row, dict) or not isinstance(row.get(name), str):
            raise CalibrationError(f"{where}: `{name}` is missing or no text.")
    human = row.get("human")
    is_number = isinstance(human, int | float) and not isinstance(human, bool)
    if not is_number or not math.isfinite(human) or not 0 <= human <= FULL_SCORE:
        raise CalibrationError(f"{where}: `human` is {str(human)[:40]}; a number from 0 to 10 is allowed.")
    extra = [row.get(name, "") for name in ("description", "kind")]
    if not all(isinstance(text, str) for text in extra):
        raise CalibrationError(f"{where}: `description` and `kind` are texts, where they are there.")
    return Rated(OpenQuestion(row["id"], row["question"], row["reference"], extra[0]), row["answer"], human, extra[1])


async def calibrate(judge: Judge, rated: Sequence[Rated], repeats: int) -> CalibrationReport:
    """Judge answers and compare with people.

    Raises:
        AllowanceSpentError: Nothing more may be asked today.
        JudgeRefusedError: The server will not answer whatever is tried.
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
        if isinstance(result, Verdict) and call.question.id not in errors:
            points.setdefault(call.question.id, []).append(result.points)
    judged = {item_id: fmean(found) for item_id, found in points.items()}
    effect = _position_effect([pair for pair in results if pair[0].question.id not in errors])
    return _report(rated, judged, errors, effect, sign_judging(judge.model, repeats))


def _report(
    rated: Sequence[Rated], judged: Mapping[str, float], errors: Mapping[str, str], effect: float | None, signed: str
) -> CalibrationReport:
    scored = [row for row in rated if row.question.id in judged]
    human = [row.human for row in scored]
    points = [judged[row.question.id] for row in scored]
    # An empty answer has no length to speak of.
    lengths = [max(1, len(row.answer)) for row in scored]
    return CalibrationReport(
        judge=signed,
        n=len(scored),
        n_errors=len(errors),
        kappa=quadratic_weighted_kappa(points, human),
        bias=mean_bias(points, human),
        spread=error_spread(points, human),
        position_effect=effect,
        length_effect=length_effect(points, human, lengths),
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
    return KindReport(len(rows), fmean(points) if points else None, fmean(row.human for row in rows))


def _position_effect(results: Sequence[tuple[Call, Any]]) -> float | None:
    """Return the mean of what answers score shown first − shown second; both orders are there for each."""
    first = [verdict.points for call, verdict in results if call.candidate_first]
    second = [verdict.points for call, verdict in results if not call.candidate_first]
    return fmean(first) - fmean(second) if first and second else None


def show_report(report: CalibrationReport) -> str:
    """Return a report as a table for a terminal."""
    figures = [
        ("answers", f"{report.n:,}" + (f" ({report.n_errors:,} more without a verdict)" if report.n_errors else "")),
        ("quadratic-weighted κ", _show(report.kappa, "")),
        ("bias (judge − people)", _show(report.bias, "+")),
        ("spread", _show(report.spread, "")),
        ("position effect", _show(report.position_effect, "+")),
        ("length effect, twice as long", _show(report.length_effect, "+")),
    ]
    lines = [f"judge {report.judge}", *(f"{name:<30} {value}" for name, value in figures)]
    if report.kinds:
        lines.append(f"\n{'kind':<20} {'n':>4} {'judge':>6} {'people':>7}")
    lines += [
        f"{name:<20} {kind.n:>4} {_show(kind.judge, ''):>6} {kind.human:>7.2f}" for name, kind in report.kinds.items()
    ]
    return "\n".join(lines)


def _show(value: float | None, sign: str) -> str:
    return "–" if value is None else f"{value:{sign}.2f}"
