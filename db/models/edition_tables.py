"""Table of editions: test splits that are rendered for one submitter each."""

from datetime import datetime

from sqlalchemy import Boolean, Float, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from db.column_types import UtcDateTime
from db.models.lease_columns import JobColumns
from db.models.table_base import Base


class Edition(JobColumns, Base):
    """An edition, without its seed and answers; a job while `pack_wanted_at` requests its question pack.

    `items` are its public items, which the web process checks files against.
    """

    __tablename__ = "editions"
    __table_args__ = (
        UniqueConstraint("owner_id", "idempotency_key"),
        Index("ix_editions_owner", "owner_id", "benchmark", "version", "state"),
        Index("ix_editions_pack_wanted", "pack_wanted_at", "number"),
    )
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    id: Mapped[str] = mapped_column(String(20), unique=True)
    benchmark: Mapped[str] = mapped_column(String(60))
    version: Mapped[str] = mapped_column(String(40))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    state: Mapped[str] = mapped_column(String(20))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    opened_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    design: Mapped[str | None] = mapped_column(String(64))
    content_digest: Mapped[str | None] = mapped_column(String(64))
    n_items: Mapped[int] = mapped_column(Integer, default=0)
    items: Mapped[bytes | None] = mapped_column(LargeBinary)
    pack: Mapped[str | None] = mapped_column(String(200))
    pack_wanted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    progress: Mapped[float] = mapped_column(Float, default=0.0)
    # Known once a file of the closed edition is scored; until then only evaluators can derive it.
    seed: Mapped[str | None] = mapped_column(String(120))
    # Whether anybody may see its gallery.
    is_public: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    # When a visitor of its gallery last caused its pack to be rendered again.
    visitors_wanted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    explanation: Mapped[str | None] = mapped_column(Text)
