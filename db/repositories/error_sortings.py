"""Error classification of evaluations: which are done, and which one comes next."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, or_, select

from db.lease_records import Lease
from db.models import ErrorSorting, Submission
from db.records import ScoreRecord, SubmissionRecord
from db.repositories.changing import add_unless_there
from db.repositories.evaluations import add_scores
from db.repositories.leases import JobTable
from db.repositories.submissions import find_of_evaluation
from db.session import Transaction

# Sources of submissions with stored answers.
_SOURCES = ("submitted", "verified")
LEASES = JobTable(ErrorSorting, ErrorSorting.evaluation_id, ErrorSorting.sorted_at.is_(None))


def find_unsorted(transaction: Transaction, benchmarks: Collection[str], now: datetime) -> Lease | None:
    """Return the lease of the newest current evaluation that is neither classified nor being classified."""
    held_until, attempts = ErrorSorting.lease_expires_at, func.coalesce(ErrorSorting.attempts, 0)
    columns = (ErrorSorting.lease_token, ErrorSorting.worker, held_until, attempts)
    query = _select_unsorted(benchmarks, Submission.id, Submission.current_evaluation_id, *columns)
    query = query.where(or_(held_until.is_(None), held_until < now))
    row = transaction.execute(query.order_by(Submission.current_evaluation_id.desc()).limit(1)).first()
    return None if row is None else Lease(row[1], f"wrong answers of {row[0]}", *row[2:])


def count_unsorted(transaction: Transaction, benchmarks: Collection[str]) -> int:
    """Return how many current evaluations of some benchmarks are not classified."""
    return transaction.scalar(_select_unsorted(benchmarks, func.count())) or 0


def _select_unsorted(benchmarks: Collection[str], *columns: Any) -> Select[Any]:
    return (
        select(*columns)
        .select_from(Submission)
        .outerjoin(ErrorSorting, ErrorSorting.evaluation_id == Submission.current_evaluation_id)
        .where(Submission.benchmark.in_(benchmarks), Submission.source.in_(_SOURCES), Submission.state == "scored")
        .where(Submission.current_evaluation_id.is_not(None), ErrorSorting.sorted_at.is_(None))
    )


def claim_sorting(transaction: Transaction, current: Lease, lease: Lease) -> SubmissionRecord | None:
    """Start to classify an evaluation, and return its submission; return None if another evaluator was first."""
    if current.expires_at is not None:
        is_claimed = LEASES.claim(transaction, current, lease)
    else:  # no evaluator has started yet
        row = ErrorSorting(
            evaluation_id=lease.id,
            lease_token=lease.token,
            lease_expires_at=lease.expires_at,
            worker=lease.worker,
            attempts=lease.attempts,
        )
        is_claimed = add_unless_there(transaction, row)
    return find_of_evaluation(transaction, lease.id) if is_claimed else None


def record_sorting(
    transaction: Transaction, lease: Lease, n_wrong: int, shares: Iterable[ScoreRecord], now: datetime
) -> None:
    """Store the error shares of an evaluation.

    Raises:
        LeaseLostError: Another evaluator holds the lease now, or has stored them.
    """
    LEASES.end(transaction, lease, n_wrong=n_wrong, sorted_at=now)
    add_scores(transaction, lease.id, shares)
