"""Browser sessions. Cookies arrive as digests and are never returned."""

from datetime import datetime

from sqlalchemy import delete, or_, select, update

from db.identity_records import SessionRecord
from db.models import Identity, Session, User
from db.records import UserRecord
from db.repositories.changing import count_changed
from db.repositories.converting import to_identity, to_user
from db.session import Transaction

ID_CHARACTERS = 16
"""Length of the digest prefix that identifies a listed session: unique, and useless for signing in."""


def add_session(
    transaction: Transaction,
    user_id: int,
    digest: str,
    now: datetime,
    expires_at: datetime,
    identity_id: int | None = None,
) -> None:
    """Store the digest of a new session's cookie."""
    row = Session(
        user_id=user_id,
        digest=digest,
        created_at=now,
        expires_at=expires_at,
        identity_id=identity_id,
        last_used_at=_start_of_hour(now),
    )
    transaction.add(row)


def find_user_by_session(
    transaction: Transaction, digest: str, now: datetime, issuer: str | None = None
) -> tuple[UserRecord, bool] | None:
    """Return the user of an active session, and whether this is its first use in this hour.

    With a provider, sessions of other providers and sign-ins by name do not count.
    """
    query = (
        select(User, Session, Identity)
        .join(Session, Session.user_id == User.id)
        .outerjoin(Identity, Identity.id == Session.identity_id)
        .where(Session.digest == digest, Session.revoked_at.is_(None), Session.expires_at > now)
    )
    if issuer is not None:
        # Join the owner too: an operator may have linked the identity to another user since.
        query = query.where(Identity.issuer == issuer, Identity.user_id == User.id)
    row = transaction.execute(query).first()
    if row is None:
        return None
    user, session, identity = row
    is_first = session.last_used_at is None or session.last_used_at < _start_of_hour(now)
    return to_user(user, to_identity(identity) if identity else None), is_first


def note_use(transaction: Transaction, digest: str, now: datetime) -> None:
    """Store the hour in which a session was last used."""
    transaction.execute(update(Session).where(Session.digest == digest).values(last_used_at=_start_of_hour(now)))


def list_sessions(transaction: Transaction, user_id: int, now: datetime) -> list[SessionRecord]:
    """Return a user's active sessions, newest first."""
    query = (
        select(Session)
        .where(Session.user_id == user_id, Session.revoked_at.is_(None), Session.expires_at > now)
        .order_by(Session.created_at.desc(), Session.digest)
    )
    return [
        SessionRecord(row.digest[:ID_CHARACTERS], row.created_at, row.last_used_at, row.expires_at)
        for row in transaction.scalars(query)
    ]


def revoke_session(transaction: Transaction, digest: str, now: datetime) -> None:
    """End the session of a cookie."""
    transaction.execute(update(Session).where(Session.digest == digest).values(revoked_at=now))


def revoke_listed_session(transaction: Transaction, user_id: int, session_id: str, now: datetime) -> bool:
    """End a session of a user by its listed ID; return False when they have no such session."""
    statement = (
        update(Session)
        .where(
            Session.user_id == user_id,
            Session.digest.startswith(session_id, autoescape=True),
            Session.revoked_at.is_(None),
            Session.expires_at > now,
        )
        .values(revoked_at=now)
    )
    return bool(count_changed(transaction, statement))


def revoke_sessions_of(transaction: Transaction, identity_id: int, now: datetime) -> None:
    """End all sessions of an identity."""
    statement = update(Session).where(Session.identity_id == identity_id, Session.revoked_at.is_(None))
    transaction.execute(statement.values(revoked_at=now))


def delete_ended_sessions(transaction: Transaction, user_id: int, now: datetime, most: int) -> None:
    """Delete a user's ended sessions, and the oldest beyond a limit."""
    ended = or_(Session.revoked_at.is_not(None), Session.expires_at <= now)
    transaction.execute(delete(Session).where(Session.user_id == user_id, ended))
    query = select(Session.digest).where(Session.user_id == user_id).order_by(Session.created_at.desc()).offset(most)
    transaction.execute(delete(Session).where(Session.digest.in_(transaction.scalars(query).all())))


def _start_of_hour(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)
