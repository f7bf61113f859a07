"""Users and their tokens. Secrets arrive as digests and are never returned."""

from datetime import datetime

from sqlalchemy import and_, select, update

from db.models import ApiToken, Identity, User
from db.records import TokenRecord, UserRecord
from db.repositories.changing import add_unless_there, count_changed
from db.repositories.converting import to_identity, to_user
from db.session import Transaction


def get_or_add_user(transaction: Transaction, name: str, now: datetime) -> UserRecord:
    """Return the user with a name; create them if nobody has it."""
    user = find_user(transaction, name)
    if user is not None:
        return user
    add_unless_there(transaction, User(name=name, created_at=now))
    return to_user(transaction.scalars(select(User).where(User.name == name)).one())


def lock_user(transaction: Transaction, user_id: int) -> None:
    """Lock a user until the transaction ends. SQLite has a single writer anyway."""
    # Other transactions can still write rows that refer to the user: they need the key only.
    transaction.execute(select(User.id).where(User.id == user_id).with_for_update(key_share=True))


def find_user(transaction: Transaction, name: str) -> UserRecord | None:
    """Return the user with a name, if there is one."""
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
    """Store the digest of a new token and return the ID under which it is listed.

    Raises:
        DuplicateError: At the end of the transaction, if the provider's token was exchanged before.
    """
    row = ApiToken(user_id=user_id, label=label, digest=digest, created_at=now, exchange_digest=exchange_digest)
    transaction.add(row)
    transaction.flush()
    return row.id


def list_tokens(transaction: Transaction, user_id: int) -> list[TokenRecord]:
    """Return a user's valid tokens, oldest first."""
    query = select(ApiToken).where(ApiToken.user_id == user_id, ApiToken.revoked_at.is_(None)).order_by(ApiToken.id)
    return [TokenRecord(row.id, row.label, row.created_at) for row in transaction.scalars(query)]


def revoke_token(transaction: Transaction, user_id: int, token_id: int, now: datetime) -> bool:
    """Revoke a token of a user; return False if they have no such valid token."""
    statement = (
        update(ApiToken)
        .where(ApiToken.id == token_id, ApiToken.user_id == user_id, ApiToken.revoked_at.is_(None))
        .values(revoked_at=now)
    )
    return bool(count_changed(transaction, statement))


def find_user_by_token(transaction: Transaction, digest: str, issuer: str | None = None) -> UserRecord | None:
    """Return the owner of a valid token, with their identity if a provider is given."""
    query = (
        select(User, Identity)
        .join(ApiToken)
        .outerjoin(Identity, and_(Identity.user_id == User.id, Identity.issuer == issuer))
        .where(ApiToken.digest == digest, ApiToken.revoked_at.is_(None))
    )
    row = transaction.execute(query).first()
    if row is None:
        return None
    user, identity = row
    return to_user(user, to_identity(identity) if identity else None)
