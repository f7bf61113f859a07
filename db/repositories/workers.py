"""Evaluator processes and when they were last seen."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import delete, select

from db.models import Evaluation, Worker
from db.records import WorkerRecord
from db.session import Transaction


def beat(transaction: Transaction, name: str, keys: Mapping[str, str], started_at: datetime, now: datetime) -> None:
    """Say that an evaluator is alive, and which keys it holds (benchmark → first eight digits of the digest)."""
    transaction.merge(Worker(name=name, started_at=started_at, seen_at=now, keys=dict(keys)))


def list_workers(transaction: Transaction) -> list[WorkerRecord]:
    """Return every known evaluator, the one seen last first."""
    query = select(Worker).order_by(Worker.seen_at.desc())
    return [WorkerRecord(row.name, row.started_at, row.seen_at, row.keys) for row in transaction.scalars(query)]


def forget_workers(transaction: Transaction, before: datetime) -> None:
    """Forget evaluators that were not seen for long."""
    transaction.execute(delete(Worker).where(Worker.seen_at < before))


def find_mean_seconds(transaction: Transaction, last: int = 20) -> float | None:
    """Return how long the last scorings took on average; None when an evaluator has not finished any yet."""
    query = (
        select(Evaluation.started_at, Evaluation.finished_at)
        .where(Evaluation.finished_at.is_not(None), Evaluation.worker.is_not(None))
        .order_by(Evaluation.id.desc())
        .limit(last)
    )
    seconds = [(end - start).total_seconds() for start, end in transaction.execute(query) if end is not None]
    return sum(seconds) / len(seconds) if seconds else None
