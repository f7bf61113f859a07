"""Error classification of evaluations: which are done, and which evaluator takes the next one."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, insert, or_, select, update

from db.models import ErrorSorting, StoredScore, Submission
from db.records import ScoreRecord
from db.repositories.changing import add_unless_there, count_changed
from db.session import Transaction

SOURCES = ("submitted", "verified")
"""Sources of submissions whose answers are here."""


class Unsorted(NamedTuple):
    """An evaluation whose wrong answers are not classified yet."""

    submission_id: str
    evaluation_id: int


def find_unsorted(
    transaction: Transaction, benchmarks: Collection[str], sources: Collection[str], now: datetime
) -> Unsorted | None:
    """Return the newest current evaluation of some benchmarks that is neither classified nor being classified."""
    query = (
        select(Submission.id, Submission.current_evaluation_id)
        .outerjoin(ErrorSorting, ErrorSorting.evaluation_id == Submission.current_evaluation_id)
        .where(Submission.benchmark.in_(benchmarks), Submission.source.in_(sources), Submission.state == "scored")
        .where(Submission.current_evaluation_id.is_not(None), ErrorSorting.sorted_at.is_(None))
        .where(or_(ErrorSorting.held_until.is_(None), ErrorSorting.held_until < now))
        .order_by(Submission.current_evaluation_id.desc())
        .limit(1)
    )
    row = transaction.execute(query).first()
    return None if row is None else Unsorted(row[0], int(row[1] or 0))


def count_unsorted(transaction: Transaction, benchmarks: Collection[str], sources: Collection[str]) -> int:
    """Return how many current evaluations of some benchmarks are not classified."""
    query = (
        select(func.count())
        .select_from(Submission)
        .outerjoin(ErrorSorting, ErrorSorting.evaluation_id == Submission.current_evaluation_id)
        .where(Submission.benchmark.in_(benchmarks), Submission.source.in_(sources), Submission.state == "scored")
        .where(Submission.current_evaluation_id.is_not(None), ErrorSorting.sorted_at.is_(None))
    )
    return transaction.scalar(query) or 0


def take_sorting(transaction: Transaction, evaluation_id: int, now: datetime, until: datetime) -> bool:
    """Start to classify an evaluation; return False if another evaluator was first."""
    if transaction.get(ErrorSorting, evaluation_id) is None:
        return add_unless_there(transaction, ErrorSorting(evaluation_id=evaluation_id, held_until=until))
    free = update(ErrorSorting).where(
        ErrorSorting.evaluation_id == evaluation_id, ErrorSorting.held_until < now, ErrorSorting.sorted_at.is_(None)
    )
    return bool(count_changed(transaction, free.values(held_until=until)))


def hold_sorting(transaction: Transaction, evaluation_id: int, until: datetime) -> None:
    """Keep other evaluators from starting before a time."""
    transaction.execute(
        update(ErrorSorting).where(ErrorSorting.evaluation_id == evaluation_id).values(held_until=until)
    )


def record_sorting(
    transaction: Transaction, evaluation_id: int, n_wrong: int, shares: Iterable[ScoreRecord], now: datetime
) -> bool:
    """Store the error shares of an evaluation; return False and change nothing if they are already stored."""
    unsorted = update(ErrorSorting).where(ErrorSorting.evaluation_id == evaluation_id, ErrorSorting.sorted_at.is_(None))
    if not count_changed(transaction, unsorted.values(n_wrong=n_wrong, sorted_at=now)):
        return False
    rows = [
        {
            "evaluation_id": evaluation_id,
            "slice": share.slice,
            "metric": share.metric,
            "value": share.value,
            "n": share.n,
            "note": share.note,
            "low": share.low,
            "high": share.high,
        }
        for share in shares
    ]
    if rows:
        transaction.execute(insert(StoredScore), rows)
    return True
