"""Stored form of an evaluator's report."""

from dataclasses import replace

from db.records import NewResult, SealedOutcomes
from evaluation.benchmarks import Benchmark
from evaluation.types import Report
from submissions.scoring.score_disclosure import list_disclosed


def note_waiting(report: Report) -> Report:
    """Return a report with a note that its open answers wait for a judge."""
    return replace(report, notes=(*report.notes, f"{describe_waiting(report)} Their scores will be added then."))


def describe_waiting(report: Report) -> str:
    """Return the number of open answers that wait for a judge."""
    n_answers = len(report.awaiting_judge)
    return f"{'1 open answer waits' if n_answers == 1 else f'{n_answers:,} open answers wait'} for a judge."


def to_result(benchmark: Benchmark, report: Report, outcomes: SealedOutcomes) -> NewResult:
    """Return the disclosed scores of a report in the stored form, with already sealed outcomes."""
    return NewResult(
        signature=str(report.signature),
        ranking=report.signature.ranking,
        parts=report.parts,
        runs=report.runs,
        expected=report.expected,
        missing=report.missing,
        unreadable=report.unreadable,
        unreadable_reasons=report.unreadable_reasons,
        scores=tuple(list_disclosed(benchmark, report)),
        outcomes=outcomes,
        notes=report.notes,
    )
