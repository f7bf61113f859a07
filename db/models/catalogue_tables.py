"""Tables of what is evaluated, and on what."""

from datetime import datetime

from sqlalchemy import (
    Boolean,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.table_base import Base


class Model(Base):
    """A system that was evaluated; one for all benchmarks and settings.

    What submissions say of it stands with them. What stands here was said by a maintainer and goes before that.
    """

    __tablename__ = "models"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    # The name without regard to case and spacing, folded here because databases fold only some alphabets.
    name_key: Mapped[str] = mapped_column(String(400), unique=True)
    # What visitors see of `id`: numbers in a row would tell how many models there are that nobody may see.
    public_id: Mapped[str] = mapped_column(String(40), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # The model that a maintainer joined this one to, and, derived from it, the one at the end of that way, under whose
    # name this one is shown. Both are None where nobody joined it.
    joined_to_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"))
    shown_as_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"), index=True)
    organisation: Mapped[str | None] = mapped_column(String(120))
    kind: Mapped[str | None] = mapped_column(String(40))
    size_billions: Mapped[float | None] = mapped_column(Float)
    open_weights: Mapped[bool | None] = mapped_column(Boolean)
    links: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))

    # Maintainers describe few models; a filter of a board asks which.
    __table_args__ = tuple(
        Index(f"ix_models_{name}", name, sqlite_where=one.is_not(None), postgresql_where=one.is_not(None))
        for name, one in {
            "kind": kind,
            "organisation": organisation,
            "open_weights": open_weights,
            "size_billions": size_billions,
        }.items()
    )


class BenchmarkVersion(Base):
    """A benchmark version as the evaluator registered it."""

    __tablename__ = "benchmarks"
    id: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    content_digest: Mapped[str] = mapped_column(String(64))
    pack: Mapped[str] = mapped_column(String(200))
    n_items: Mapped[int] = mapped_column(Integer)
    n_clips: Mapped[int] = mapped_column(Integer)
    registered_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # Of the answer key that it was registered with; None where an earlier release did that.
    key_fingerprint: Mapped[str | None] = mapped_column(String(64))


class ItemMetadata(Base):
    """Public metadata of a test item. There is no column for an answer."""

    __tablename__ = "items"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    id: Mapped[str] = mapped_column(String(200), primary_key=True)
    position: Mapped[int] = mapped_column(Integer)
    part: Mapped[str] = mapped_column(String(60))
    task: Mapped[str] = mapped_column(String(200))
    answer_format: Mapped[str] = mapped_column(String(20))
    runs: Mapped[list[int]] = mapped_column(JSON)
    n_steps: Mapped[int | None] = mapped_column(Integer)
