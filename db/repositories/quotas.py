"""Uses of submission limits."""

from datetime import datetime

from sqlalchemy import exists, select, update

from db.models import Evaluation, QuotaUse
from db.records import SubmissionRecord
from db.session import Transaction


def add_use(transaction: Transaction, submission: SubmissionRecord, now: datetime) -> None:
    """Count a submission against its owner's limits, for the first time or again after a refund."""
    transaction.merge(
        QuotaUse(
            submission_id=submission.id,
            user_id=submission.owner.id,
            benchmark=submission.benchmark,
            version=submission.version,
            used_at=now,
            refunded_at=None,
            refund_reason=None,
        )
    )


def list_uses(transaction: Transaction, user_id: int, benchmark: str, version: str) -> list[datetime]:
    """Return the times of a user's uses that are not refunded."""
    query = select(QuotaUse.used_at).where(
        QuotaUse.user_id == user_id,
        QuotaUse.benchmark == benchmark,
        QuotaUse.version == version,
        QuotaUse.refunded_at.is_(None),
    )
    return list(transaction.scalars(query))


def is_used(transaction: Transaction, submission_id: str) -> bool:
    """Return whether a submission counts now."""
    query = select(QuotaUse.used_at).where(QuotaUse.submission_id == submission_id, QuotaUse.refunded_at.is_(None))
    return transaction.scalar(query) is not None


def refund_unless_scored(transaction: Transaction, submission_id: str, reason: str, now: datetime) -> None:
    """Refund a submission's use once; submissions that were scored keep it whatever happens later."""
    was_scored = exists().where(Evaluation.submission_id == submission_id, Evaluation.finished_at.is_not(None))
    transaction.execute(
        update(QuotaUse)
        .where(QuotaUse.submission_id == submission_id, ~was_scored, QuotaUse.refunded_at.is_(None))
        .values(refunded_at=now, refund_reason=reason)
    )
