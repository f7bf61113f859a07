"""Users, their tokens and their sessions. Secrets come in as digests and never leave."""

from datetime import datetime

from sqlalchemy import select, update

from db.models import ApiToken, Session, User
from db.records import UserRecord
from db.repositories.converting import to_user
from db.session import Transaction


def get_or_add_user(transaction: Transaction, name: str, now: datetime) -> UserRecord:
    """Return the person of a name, whom it makes when nobody has it."""
    row = transaction.scalar(select(User).where(User.name == name))
    if row is None:
        row = User(name=name, created_at=now)
        transaction.add(row)
        transaction.flush()
    return to_user(row)


def add_token(transaction: Transaction, user_id: int, label: str, digest: str, now: datetime) -> None:
    """Keep the digest of a new token."""
    transaction.add(ApiToken(user_id=user_id, label=label, digest=digest, created_at=now))


def find_user_by_token(transaction: Transaction, digest: str) -> UserRecord | None:
    """Return whose token this is, unless it was revoked."""
    query = select(User).join(ApiToken).where(ApiToken.digest == digest, ApiToken.revoked_at.is_(None))
    row = transaction.scalar(query)
    return to_user(row) if row else None


def add_session(transaction: Transaction, user_id: int, digest: str, now: datetime, expires_at: datetime) -> None:
    """Keep the digest of a new session's cookie."""
    transaction.add(Session(user_id=user_id, digest=digest, created_at=now, expires_at=expires_at))


def find_user_by_session(transaction: Transaction, digest: str, now: datetime) -> UserRecord | None:
    """Return who is signed in by this session, unless it ended."""
    query = (
        select(User)
        .join(Session)
        .where(Session.digest == digest, Session.revoked_at.is_(None), Session.expires_at > now)
    )
    row = transaction.scalar(query)
    return to_user(row) if row else None


def revoke_session(transaction: Transaction, digest: str, now: datetime) -> None:
    """End a session for good."""
    transaction.execute(update(Session).where(Session.digest == digest).values(revoked_at=now))
