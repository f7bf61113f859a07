"""Evaluator processes and when they were last seen."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, func, select

from db.models import Evaluation, Submission, WorkerHeartbeat
from db.records import JudgeRecord, MeasuredScoring, RunningScoring, WorkerRecord
from db.session import Transaction

_MEASURED = 20
_LOOKED_AT = 2_000


def record_heartbeat(
    transaction: Transaction,
    name: str,
    keys: Mapping[str, str],
    started_at: datetime,
    now: datetime,
    judge: JudgeRecord | None = None,
    problem: str | None = None,
) -> None:
    """Say that an evaluator is alive, which keys it holds (benchmark → first eight digits), and which judge it asks.

    `problem` says what keeps it from working, if anything.
    """
    told = None if judge is None else asdict(judge)
    row = WorkerHeartbeat(name=name, started_at=started_at, seen_at=now, keys=dict(keys), judge=told, problem=problem)
    transaction.merge(row)


def list_workers(transaction: Transaction) -> list[WorkerRecord]:
    """Return every known evaluator, the one seen last first."""
    query = select(WorkerHeartbeat).order_by(WorkerHeartbeat.seen_at.desc())
    return [
        WorkerRecord(
            row.name,
            row.started_at,
            row.seen_at,
            row.keys,
            JudgeRecord(**row.judge) if row.judge else None,
            row.problem,
        )
        for row in transaction.scalars(query)
    ]


def find_judge(transaction: Transaction, seen_since: datetime) -> JudgeRecord | None:
    """Return the judge that an evaluator asks which was seen since a moment, the one seen last; None without any."""
    seen = (worker for worker in list_workers(transaction) if worker.seen_at >= seen_since)
    return next((worker.judge for worker in seen if worker.judge is not None), None)


def forget_workers(transaction: Transaction, before: datetime) -> None:
    """Forget evaluators that were not seen for long."""
    transaction.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen_at < before))


def list_running_scorings(transaction: Transaction, lane: str) -> list[RunningScoring]:
    """Return every scoring that is under way in a lane."""
    query = (
        select(
            Submission.id,
            Submission.benchmark,
            Submission.version,
            func.coalesce(Submission.artifact_bytes, 0),
            Evaluation.started_at,
            Evaluation.progress,
            Evaluation.lease_expires_at,
        )
        .join(Evaluation, Evaluation.submission_id == Submission.id)
        .where(Submission.state == "running", Submission.lane == lane, Evaluation.finished_at.is_(None))
    )
    return [RunningScoring(*row) for row in transaction.execute(query)]


def list_measured(
    transaction: Transaction, benchmark: str, version: str, lane: str = "files", last: int = _MEASURED
) -> list[MeasuredScoring]:
    """Return how long the last scorings of a benchmark version took in a lane, and how large their files were."""
    newest = select(func.max(Evaluation.id)).scalar_subquery()
    query = (
        select(Evaluation.started_at, Evaluation.finished_at, Submission.artifact_bytes)
        .join(Submission, Submission.id == Evaluation.submission_id)
        .where(
            # Not the whole history for a benchmark that nobody submits to any more.
            Evaluation.id > newest - _LOOKED_AT,
            Evaluation.finished_at.is_not(None),
            Evaluation.worker.is_not(None),
            Submission.benchmark == benchmark,
            Submission.version == version,
            Submission.lane == lane,
        )
        .order_by(Evaluation.id.desc())
        .limit(last)
    )
    return [
        MeasuredScoring((end - start).total_seconds(), n_bytes or 0)
        for start, end, n_bytes in transaction.execute(query)
        if end is not None
    ]


def find_last_movement(transaction: Transaction) -> datetime | None:
    """Return when a scoring last began or ended; None where there never was one."""
    newest = select(Evaluation.started_at, Evaluation.finished_at).order_by(Evaluation.id.desc()).limit(1)
    begun = select(Evaluation.started_at).where(Evaluation.finished_at.is_(None))
    moments = [moment for query in (newest, begun) for row in transaction.execute(query) for moment in row]
    return max((moment for moment in moments if moment is not None), default=None)
