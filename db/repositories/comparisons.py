"""Comparisons of two scorings: asked for by the web process, carried out by an evaluator under a lease."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, update

from db.comparison_records import ComparisonLease, ComparisonRecord, NewComparison, OpenComparison, PairKey
from db.models import Comparison, Outcome
from db.repositories.changing import count_changed
from db.repositories.evaluations import LeaseLostError
from db.session import Transaction

_OPEN = ("queued", "running")


def find_comparison(transaction: Transaction, pair: PairKey) -> ComparisonRecord | None:
    """Return the comparison of a pair."""
    row = transaction.scalar(select(Comparison).where(*_is(pair)))
    return _to_record(row) if row else None


def add_comparison(transaction: Transaction, new: NewComparison, now: datetime) -> None:
    """Write down what somebody waits for; an evaluator will find it."""
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
    """Let an evaluator take up a comparison that failed or whose result was dropped; False when it was neither."""
    ended = Comparison.state.in_(("failed", "forgotten"))
    fresh = {"state": "queued", "asked_by": asked_by, "attempts": 0, "explanation": None, "created_at": now}
    return bool(count_changed(transaction, update(Comparison).where(*_is(pair), ended).values(fresh)))


def count_waiting(transaction: Transaction) -> dict[str, int]:
    """Return who waits → for how many comparisons."""
    query = select(Comparison.asked_by, func.count()).where(Comparison.state.in_(_OPEN)).group_by(Comparison.asked_by)
    return {row[0]: row[1] for row in transaction.execute(query)}


def count_charged(transaction: Transaction, charge: str) -> int:
    """Return how many pairs of submissions an allowance was used for."""
    columns = Comparison.first_submission_id, Comparison.second_submission_id
    pairs = select(*columns).where(Comparison.charge == charge).distinct().subquery()
    return transaction.scalar(select(func.count()).select_from(pairs)) or 0


def is_charged(transaction: Transaction, new: NewComparison) -> bool:
    """Tell whether the allowance was used for this pair before, be it for earlier scorings of it."""
    query = select(Comparison.id).where(
        Comparison.charge == new.charge,
        Comparison.first_submission_id == new.first_submission_id,
        Comparison.second_submission_id == new.second_submission_id,
    )
    return transaction.scalar(query.limit(1)) is not None


def list_with_outcomes(transaction: Transaction, evaluation_ids: tuple[int, ...]) -> frozenset[int]:
    """Return which scorings have kept what happened to each item."""
    query = select(Outcome.evaluation_id).where(Outcome.evaluation_id.in_(evaluation_ids))
    return frozenset(transaction.scalars(query))


def find_first_open(transaction: Transaction) -> OpenComparison | None:
    """Return the comparison whose turn it is: they are made one after the other."""
    query = (
        select(Comparison.id, Comparison.lease_token, Comparison.worker, Comparison.lease_expires_at)
        .where(Comparison.state.in_(_OPEN))
        .order_by(Comparison.created_at, Comparison.id)
        .limit(1)
    )
    row = transaction.execute(query).first()
    return OpenComparison(*row) if row else None


def claim(
    transaction: Transaction, found: OpenComparison, *, worker: str, token: str, expires_at: datetime
) -> ComparisonLease | None:
    """Take a comparison as it was found; None when somebody else has taken it since."""
    held = Comparison.lease_token.is_(None) if found.token is None else Comparison.lease_token == found.token
    statement = update(Comparison).where(Comparison.id == found.id, Comparison.state.in_(_OPEN), held)
    taken = {"state": "running", "lease_token": token, "worker": worker, "lease_expires_at": expires_at}
    if not count_changed(transaction, statement.values(attempts=Comparison.attempts + 1, **taken)):
        return None
    row = transaction.scalar(select(Comparison).where(Comparison.id == found.id))
    if row is None:
        return None
    names = row.first_submission_id, row.second_submission_id
    return ComparisonLease(row.id, *names, _to_pair(row), token, row.attempts)


def end_comparison(
    transaction: Transaction,
    lease: ComparisonLease,
    now: datetime,
    *,
    result: Mapping[str, Any] | None = None,
    explanation: str | None = None,
) -> None:
    """Write what was found, or why nothing could be.

    Raises:
        LeaseLostError: Another evaluator has it now.
    """
    statement = update(Comparison).where(Comparison.id == lease.id, Comparison.lease_token == lease.token)
    values: dict[str, Any] = {
        "state": "failed" if result is None else "done",
        "result": None if result is None else dict(result),
        "explanation": explanation,
        "finished_at": now,
        "lease_token": None,
        "lease_expires_at": None,
        "worker": None,
    }
    if not count_changed(transaction, statement.values(values)):
        raise LeaseLostError(f"Comparison {lease.id} was taken over.")


def drop_oldest(transaction: Transaction, keep: int) -> None:
    """Keep the newest results only. A pair that counts against an allowance is remembered without its result."""
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


def _to_pair(row: Comparison) -> PairKey:
    return PairKey(row.first_evaluation_id, row.second_evaluation_id, row.rule)


def _to_record(row: Comparison) -> ComparisonRecord:
    return ComparisonRecord(row.id, _to_pair(row), row.state, row.explanation, row.result, row.finished_at)
