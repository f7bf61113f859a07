"""Identities at OpenID providers, and their user names."""

from datetime import datetime

from sqlalchemy import exists, or_, select, update

from db.identity_records import IdentityRecord
from db.models import ApiToken, FormerName, Identity, Submission, User
from db.records import UserRecord
from db.repositories.changing import add_unless_there, lock_name
from db.repositories.converting import to_identity, to_user
from db.repositories.look_alikes import fold_column, fold_name
from db.session import Transaction


def lock_names(transaction: Transaction) -> None:
    """Lock user names and identities until the transaction ends."""
    lock_name(transaction, "user names")


def find_identity(transaction: Transaction, issuer: str, subject: str) -> IdentityRecord | None:
    """Return the identity with an issuer and subject."""
    row = transaction.scalar(select(Identity).where(Identity.issuer == issuer, Identity.subject == subject))
    return to_identity(row) if row else None


def find_identity_of(transaction: Transaction, user_id: int, issuer: str) -> IdentityRecord | None:
    """Return the identity of a user at a provider."""
    row = transaction.scalar(select(Identity).where(Identity.user_id == user_id, Identity.issuer == issuer))
    return to_identity(row) if row else None


def get_user(transaction: Transaction, identity: IdentityRecord) -> UserRecord:
    """Return the user of an identity."""
    return to_user(transaction.get_one(User, identity.user_id), identity)


def add_identity(transaction: Transaction, user_id: int, issuer: str, subject: str, now: datetime) -> IdentityRecord:
    """Add an identity to a user who has not signed in with it yet."""
    row = Identity(user_id=user_id, issuer=issuer, subject=subject, created_at=now)
    transaction.add(row)
    transaction.flush()
    return to_identity(row)


def update_identity(
    transaction: Transaction,
    identity_id: int,
    *,
    handle: str,
    maintainer_org: str | None,
    maintainer_until: datetime | None,
    now: datetime,
) -> IdentityRecord:
    """Store what a provider reported at a sign-in."""
    row = transaction.get_one(Identity, identity_id, with_for_update=True)
    row.handle, row.maintainer_org, row.maintainer_until = handle, maintainer_org, maintainer_until
    row.signed_in_at = now
    transaction.flush()
    return to_identity(row)


def move_identity(transaction: Transaction, identity_id: int, user_id: int) -> None:
    """Move an identity to another user."""
    transaction.execute(update(Identity).where(Identity.id == identity_id).values(user_id=user_id))


def is_name_taken(transaction: Transaction, name: str, user_id: int | None = None) -> bool:
    """Return whether another user has or had a name, or one that looks like it."""
    folded = fold_name(name)
    query = select(
        or_(
            exists().where(fold_column(User.name) == folded, User.id != (user_id or 0)),
            exists().where(fold_column(FormerName.folded) == folded, FormerName.user_id != (user_id or 0)),
        )
    )
    return bool(transaction.scalar(query))


def find_former_holder(transaction: Transaction, name: str) -> UserRecord | None:
    """Return the user who once had a name, or one that looks like it."""
    query = select(User).join(FormerName).where(fold_column(FormerName.folded) == fold_name(name)).limit(1)
    row = transaction.scalar(query)
    return to_user(row) if row else None


def find_look_alike(transaction: Transaction, name: str) -> UserRecord | None:
    """Return the oldest user whose name looks like a name."""
    query = select(User).where(fold_column(User.name) == fold_name(name)).order_by(User.id).limit(1)
    row = transaction.scalar(query)
    return to_user(row) if row else None


def rename_user(transaction: Transaction, user_id: int, name: str) -> None:
    """Rename a user; the former name is never reassigned."""
    row = transaction.get_one(User, user_id, with_for_update=True)
    add_unless_there(transaction, FormerName(folded=row.name.lower(), user_id=user_id))
    row.name = name
    transaction.flush()


def has_left_traces(transaction: Transaction, user_id: int) -> bool:
    """Return whether a user has submissions or tokens."""
    query = select(
        or_(
            exists().where(Submission.owner_id == user_id),
            exists().where(ApiToken.user_id == user_id, ApiToken.revoked_at.is_(None)),
        )
    )
    return bool(transaction.scalar(query))
