"""Users and their tokens. Secrets come in as digests and never leave."""

from datetime import datetime

from sqlalchemy import and_, select, update

from db.models import ApiToken, Identity, User
from db.records import TokenRecord, UserRecord
from db.repositories.changing import add_unless_there, count_changed
from db.repositories.converting import to_identity, to_user
from db.session import Transaction


def get_or_add_user(transaction: Transaction, name: str, now: datetime) -> UserRecord:
    """Return the person of a name, whom it makes when nobody has it."""
    known = find_user(transaction, name)
    if known is not None:
        return known
    add_unless_there(transaction, User(name=name, created_at=now))
    return to_user(transaction.scalars(select(User).where(User.name == name)).one())


def lock_user(transaction: Transaction, user_id: int) -> None:
    """Let nobody else decide about a person until the transaction ends. SQLite has one writer anyway."""
    # Others may meanwhile write rows that point at the person: they need the key alone.
    transaction.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


def find_user(transaction: Transaction, name: str) -> UserRecord | None:
    """Return the person of a name, if anybody has it."""
    row = transaction.scalar(select(User).where(User.name == name))
    return to_user(row) if row else None


def add_token(
    transaction: Transaction,
    user_id: int,
    label: str,
    digest: str,
    now: datetime,
    exchange_digest: str | None = None,
) -> int:
    """Keep the digest of a new token and return the id under which it is listed.

    Raises:
        DuplicateError: At the end of the transaction: the provider's token was exchanged before.
    """
    row = ApiToken(user_id=user_id, label=label, digest=digest, created_at=now, exchange_digest=exchange_digest)
    transaction.add(row)
    transaction.flush()
    return row.id


def list_tokens(transaction: Transaction, user_id: int) -> list[TokenRecord]:
    """Return somebody's tokens that are valid, oldest first."""
    query = select(ApiToken).where(ApiToken.user_id == user_id, ApiToken.revoked_at.is_(None)).order_by(ApiToken.id)
    return [TokenRecord(row.id, row.label, row.created_at) for row in transaction.scalars(query)]


def revoke_token(transaction: Transaction, user_id: int, token_id: int, now: datetime) -> bool:
    """End a token of somebody for good; False when he has no such token that is valid."""
    statement = (
        update(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.user_id == user_id, ApiToken.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    return bool(count_changed(transaction, statement))


def find_user_by_token(transaction: Transaction, digest: str, issuer: str | None = None) -> UserRecord | None:
    """Return whose token this is, unless it was revoked; with their identity at a provider where one is named."""
    query = (
        select(User, Identity)
        .join(ApiToken)
        .outerjoin(Identity, and_(Identity.user_id == User.id, Identity.issuer == issuer))
        .where(ApiToken.digest == digest, ApiToken.revoked_at.is_(None))
    )
    found = transaction.execute(query).first()
    if found is None:
        return None
    user, identity = found
    return to_user(user, to_identity(identity) if identity else None)
