"""Comparisons of two evaluations: requested by the web process, run by an evaluator under a lease."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, update

from db.comparison_records import ComparisonRecord, NewComparison, PairKey
from db.lease_records import Lease
from db.models import Comparison, Outcome
from db.repositories.changing import count_changed, lock_name
from db.repositories.leases import JobTable
from db.session import Transaction

_OPEN = ("queued", "running")
LEASES = JobTable(Comparison, Comparison.id, Comparison.state.in_(_OPEN))


def find_comparison(transaction: Transaction, pair: PairKey) -> ComparisonRecord | None:
    """Return the comparison of a pair."""
    row = transaction.scalar(select(Comparison).where(*_is(pair)))
    return _to_record(row) if row else None


def add_comparison(transaction: Transaction, new: NewComparison, now: datetime) -> None:
    """Store a requested comparison for an evaluator to find."""
    pair = new.pair
    transaction.add(
        Comparison(
            first_evaluation_id=pair.first_evaluation_id,
            second_evaluation_id=pair.second_evaluation_id,
            rule=pair.rule,
            first_submission_id=new.first_submission_id,
            second_submission_id=new.second_submission_id,
            asked_by=new.asked_by,
            charge=new.charge,
            state="queued",
            created_at=now,
        )
    )
    transaction.flush()


def queue_again(transaction: Transaction, pair: PairKey, asked_by: str, now: datetime) -> bool:
    """Requeue a comparison that failed or whose result was deleted; return False if it did neither."""
    ended = Comparison.state.in_(("failed", "forgotten"))
    fresh = {"state": "queued", "asked_by": asked_by, "attempts": 0, "explanation": None, "created_at": now}
    return bool(count_changed(transaction, update(Comparison).where(*_is(pair), ended).values(fresh)))


def lock_queue(transaction: Transaction) -> None:
    """Lock the places in the queue of comparisons until the transaction ends."""
    lock_name(transaction, "queue of comparisons")


def count_waiting(transaction: Transaction) -> dict[str, int]:
    """Return requester → number of comparisons that they wait for."""
    query = select(Comparison.asked_by, func.count()).where(Comparison.state.in_(_OPEN)).group_by(Comparison.asked_by)
    return {row[0]: row[1] for row in transaction.execute(query)}


def count_charged(transaction: Transaction, charge: str) -> int:
    """Return how many pairs of submissions have used an allowance."""
    columns = Comparison.first_submission_id, Comparison.second_submission_id
    pairs = select(*columns).where(Comparison.charge == charge).distinct().subquery()
    return transaction.scalar(select(func.count()).select_from(pairs)) or 0


def is_charged(transaction: Transaction, new: NewComparison) -> bool:
    """Return whether this pair already used the allowance, possibly with earlier evaluations."""
    query = select(Comparison.id).where(
        Comparison.charge == new.charge,
        Comparison.first_submission_id == new.first_submission_id,
        Comparison.second_submission_id == new.second_submission_id,
    )
    return transaction.scalar(query.limit(1)) is not None


def list_with_outcomes(transaction: Transaction, evaluation_ids: tuple[int, ...]) -> frozenset[int]:
    """Return which of some evaluations have stored outcomes."""
    query = select(Outcome.evaluation_id).where(Outcome.evaluation_id.in_(evaluation_ids))
    return frozenset(transaction.scalars(query))


def find_first_open(transaction: Transaction) -> Lease | None:
    """Return the lease of the next comparison: they run one at a time."""
    return LEASES.find_first(transaction, "comparison", Comparison.created_at, Comparison.id)


def claim_comparison(transaction: Transaction, current: Lease, lease: Lease) -> ComparisonRecord | None:
    """Lease a comparison in the state in which it was read; return None if another evaluator has leased it since."""
    if not LEASES.claim(transaction, current, lease, state="running"):
        return None
    row = transaction.scalar(select(Comparison).where(Comparison.id == current.id))
    return _to_record(row) if row else None


def end_comparison(
    transaction: Transaction, lease: Lease, now: datetime, result: Mapping[str, Any] | None, explanation: str | None
) -> None:
    """Store the result of a comparison, or why it failed.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    state = "failed" if result is None else "done"
    LEASES.end(transaction, lease, state=state, result=result, explanation=explanation, finished_at=now)


def drop_oldest(transaction: Transaction, keep: int) -> None:
    """Delete all but the newest results. Pairs that count against an allowance are kept without their results."""
    ended = Comparison.state.in_(("done", "failed"))
    newest = select(Comparison.id).where(ended).order_by(Comparison.finished_at.desc(), Comparison.id.desc())
    too_many = list(transaction.scalars(newest.offset(keep)))
    if not too_many:
        return
    old = Comparison.id.in_(too_many)
    transaction.execute(delete(Comparison).where(old, Comparison.charge.is_(None)))
    transaction.execute(update(Comparison).where(old).values(state="forgotten", result=None))


def _is(pair: PairKey) -> tuple[ColumnElement[bool], ...]:
    return (
        Comparison.first_evaluation_id == pair.first_evaluation_id,
        Comparison.second_evaluation_id == pair.second_evaluation_id,
        Comparison.rule == pair.rule,
    )


def _to_record(row: Comparison) -> ComparisonRecord:
    pair = PairKey(row.first_evaluation_id, row.second_evaluation_id, row.rule)
    names = row.first_submission_id, row.second_submission_id
    return ComparisonRecord(row.id, pair, *names, row.state, row.explanation, row.result, row.finished_at)
