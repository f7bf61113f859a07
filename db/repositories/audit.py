"""Append-only audit log. Each entry contains the digest of the previous one."""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime

from sqlalchemy import select

from db.audit_records import AuditRecord, AuditVerdict
from db.models import AuditEntry, AuditHead
from db.session import Transaction

FIRST_PREVIOUS = "0" * 64
_HEAD_ID = 1
_READ_AT_ONCE = 1_000


def append(
    transaction: Transaction, actor: str, action: str, subject: str, details: Mapping[str, object], now: datetime
) -> AuditRecord:
    """Append an entry in the transaction of the action itself, so that both are stored or neither.

    Args:
        transaction: A write transaction. No other entry can be added until it ends, so the chain cannot fork.
        actor: Name of the user, or `system` for an operator at the machine.
        action: The action in one word: `publish`, `withdraw`.
        subject: What the action changed: a submission ID, a user name.
        details: Further facts as JSON values. Never a secret: maintainers can read them.
        now: The time.
    """
    head = transaction.scalars(select(AuditHead).where(AuditHead.id == _HEAD_ID).with_for_update()).one()
    entry = AuditEntry(
        number=head.number + 1,
        at=now.astimezone(UTC).isoformat(timespec="microseconds"),
        actor=actor,
        action=action,
        subject=subject,
        details=_canonical(details),
        previous=head.digest,
    )
    entry.digest = _digest(entry)
    head.number, head.digest = entry.number, entry.digest
    transaction.add(entry)
    transaction.flush()
    return _to_record(entry)


def list_entries(transaction: Transaction, *, limit: int, before: int | None = None) -> list[AuditRecord]:
    """Return entries, newest first; with `before`, only those with a lower number."""
    query = select(AuditEntry).order_by(AuditEntry.number.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditEntry.number < before)
    return [_to_record(row) for row in transaction.scalars(query)]


def verify(transaction: Transaction) -> AuditVerdict:
    """Verify the whole log.

    It detects every alteration unless all later digests and the head were recomputed too.
    """
    digest, number = FIRST_PREVIOUS, 0
    query = select(AuditEntry).order_by(AuditEntry.number).execution_options(yield_per=_READ_AT_ONCE)
    for entry in transaction.scalars(query):
        if entry.number != number + 1 or entry.previous != digest or entry.digest != _digest(entry):
            return AuditVerdict(number, digest, broken_at=number + 1)
        number, digest = entry.number, entry.digest
        transaction.expunge(entry)
    head = transaction.get(AuditHead, _HEAD_ID)
    if head is None or head.number != number:
        return AuditVerdict(number, digest, broken_at=number + 1)
    return AuditVerdict(number, digest, broken_at=None if head.digest == digest else number)


def _digest(entry: AuditEntry) -> str:
    # A list, so that no two entries have the same text. Values other than strings are serialised as they are.
    fields = (entry.previous, entry.number, entry.at, entry.actor, entry.action, entry.subject, entry.details)
    return hashlib.sha256(json.dumps(fields, separators=(",", ":"), default=repr).encode()).hexdigest()


def _canonical(details: Mapping[str, object]) -> str:
    return json.dumps(details, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _to_record(row: AuditEntry) -> AuditRecord:
    return AuditRecord(
        row.number, row.at, row.actor, row.action, row.subject, json.loads(row.details), row.previous, row.digest
    )
