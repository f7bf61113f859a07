"""Evaluator processes and their heartbeats."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import delete, func, select

from db.models import Evaluation, Submission, WorkerHeartbeat
from db.records import JudgeRecord, MeasuredScoring, RunningScoring
from db.session import Transaction
from db.worker_records import WorkerRecord

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
    """Record an evaluator's heartbeat, its keys (benchmark → first eight digits) and its judge.

    `problem` describes what prevents it from working, if anything.
    """
    judge_values = None if judge is None else asdict(judge)
    row = WorkerHeartbeat(
        name=name, started_at=started_at, seen_at=now, keys=dict(keys), judge=judge_values, problem=problem
    )
    transaction.merge(row)


def list_workers(transaction: Transaction, now: datetime) -> list[WorkerRecord]:
    """Return every known evaluator, latest heartbeat first.

    A heartbeat from the future was recorded before the clock was set back; it counts as that long ago.
    """
    found = [
        WorkerRecord(
            row.name,
            row.started_at,
            row.seen_at,
            row.keys,
            JudgeRecord(**row.judge) if row.judge else None,
            row.problem,
        )
        for row in transaction.scalars(select(WorkerHeartbeat))
    ]
    return sorted(found, key=lambda worker: abs(now - worker.seen_at))


def find_judge(transaction: Transaction, now: datetime) -> JudgeRecord | None:
    """Return the judge of the active evaluator with the latest heartbeat; None without any."""
    active = (worker for worker in list_workers(transaction, now) if worker.is_active(now))
    return next((worker.judge for worker in active if worker.judge is not None), None)


def forget_workers(transaction: Transaction, before: datetime) -> None:
    """Delete evaluators without a recent heartbeat."""
    transaction.execute(delete(WorkerHeartbeat).where(WorkerHeartbeat.seen_at < before))


def list_running_scorings(transaction: Transaction, lane: str) -> list[RunningScoring]:
    """Return every running evaluation in a queue."""
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
    """Return durations and file sizes of the last evaluations of a benchmark version in a queue."""
    newest = select(func.max(Evaluation.id)).scalar_subquery()
    query = (
        select(Evaluation.started_at, Evaluation.finished_at, Submission.artifact_bytes)
        .join(Submission, Submission.id == Evaluation.submission_id)
        .where(
            # Limit the history, for benchmarks that get no more submissions.
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
    """Return when an evaluation last started or finished; None if there was none."""
    newest = select(Evaluation.started_at, Evaluation.finished_at).order_by(Evaluation.id.desc()).limit(1)
    begun = select(Evaluation.started_at).where(Evaluation.finished_at.is_(None))
    moments = [moment for query in (newest, begun) for row in transaction.execute(query) for moment in row]
    return max((moment for moment in moments if moment is not None), default=None)
