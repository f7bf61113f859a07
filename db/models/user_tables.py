"""Tables of users and their credentials."""

from datetime import datetime

from sqlalchemy import (
    ForeignKey,
    String,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.column_types import UtcDateTime
from db.models.table_base import Base


class User(Base):
    """A user, identified by name."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Identity(Base):
    """Identity of a user at an OpenID provider."""

    __tablename__ = "identities"
    __table_args__ = (UniqueConstraint("issuer", "subject"), UniqueConstraint("user_id", "issuer"))
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    issuer: Mapped[str] = mapped_column(String(500))
    subject: Mapped[str] = mapped_column(String(255))
    handle: Mapped[str | None] = mapped_column(String(100))
    maintainer_org: Mapped[str | None] = mapped_column(String(255))
    maintainer_until: Mapped[datetime | None] = mapped_column(UtcDateTime)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    signed_in_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class FormerName(Base):
    """A user's former name, with case folded. It is never reassigned."""

    __tablename__ = "former_names"
    folded: Mapped[str] = mapped_column(String(100), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)


class ApiToken(Base):
    """A personal access token, stored as its digest."""

    __tablename__ = "api_tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    label: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Digest of the provider token that it was exchanged for: each can be exchanged once.
    exchange_digest: Mapped[str | None] = mapped_column(String(64), unique=True, index=True)


class Session(Base):
    """A signed-in browser session, stored as the digest of its cookie."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Identity that its owner signed in with; None for a sign-in by name.
    identity_id: Mapped[int | None] = mapped_column(ForeignKey("identities.id", name="fk_sessions_identity_id"))
    last_used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
