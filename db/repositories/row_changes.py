"""Maintainers' changes to reported rows. The newest change that is not undone applies."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, or_, select, update

from db.models import Model, RowChange, Submission, SubmissionEvent, User
from db.paper_records import RowChangeRecord
from db.records import SubmissionRecord
from db.repositories.converting import to_submission
from db.session import Transaction


def add_change(
    transaction: Transaction,
    row_key: str,
    submission_id: str,
    content: Mapping[str, Any],
    *,
    actor: str,
    reason: str,
    now: datetime,
) -> None:
    """Store a change of a row."""
    transaction.add(
        RowChange(
            row_key=row_key, submission_id=submission_id, content=dict(content), actor=actor, reason=reason, at=now
        )
    )
    transaction.flush()


def list_overridden(transaction: Transaction) -> set[str]:
    """Return the keys of rows with a change."""
    return set(transaction.scalars(select(RowChange.row_key).where(RowChange.undone_at.is_(None)).distinct()))


def list_changes(transaction: Transaction, row_keys: Sequence[str]) -> list[RowChangeRecord]:
    """Return the changes of some rows that are not undone, newest first."""
    query = select(RowChange).where(RowChange.row_key.in_(row_keys), RowChange.undone_at.is_(None))
    return [
        RowChangeRecord(row.id, row.row_key, row.submission_id, row.content, row.actor, row.reason, row.at)
        for row in transaction.scalars(query.order_by(RowChange.id.desc()))
    ]


def undo_change(transaction: Transaction, change_id: int, now: datetime) -> None:
    """Undo a change."""
    transaction.execute(update(RowChange).where(RowChange.id == change_id).values(undone_at=now))


def list_printed(
    transaction: Transaction, owner_id: int, sources: Sequence[str], *, limit: int, after: str | None = None
) -> list[tuple[str, SubmissionRecord]]:
    """Return reported rows with their keys, hidden ones included, by ID; with `after`, only those with later IDs."""
    query = _select_printed(owner_id, sources).order_by(Submission.id).limit(limit)
    if after is not None:
        query = query.where(Submission.id > after)
    return [(row[0].idempotency_key or "", to_submission(*row)) for row in transaction.execute(query)]


def find_printed(
    transaction: Transaction, owner_id: int, sources: Sequence[str], submission_id: str
) -> tuple[str, SubmissionRecord] | None:
    """Return one reported row."""
    row = transaction.execute(_select_printed(owner_id, sources).where(Submission.id == submission_id)).first()
    return (row[0].idempotency_key or "", to_submission(*row)) if row else None


def list_last_events(
    transaction: Transaction, submission_ids: Sequence[str], beginnings: Sequence[str]
) -> dict[str, tuple[datetime, str, str]]:
    """Return submission ID → time, actor and text of its last event whose text starts with one of some prefixes."""
    is_meant = or_(*(SubmissionEvent.text.startswith(beginning, autoescape=True) for beginning in beginnings))
    query = select(SubmissionEvent).where(SubmissionEvent.submission_id.in_(submission_ids), is_meant)
    events = transaction.scalars(query.order_by(SubmissionEvent.id))
    return {event.submission_id: (event.at, event.actor, event.text) for event in events}


def _select_printed(owner_id: int, sources: Sequence[str]) -> Select[Submission, User, Model]:
    joined = select(Submission, User, Model).join(User, Submission.owner_id == User.id)
    return joined.join(Model, Submission.model_id == Model.id).where(
        Submission.owner_id == owner_id, Submission.source.in_(sources), Submission.printed_in.is_not(None)
    )
