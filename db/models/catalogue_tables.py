"""Tables of models and benchmarks."""

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
    """A system under evaluation, in all benchmarks and settings.

    Submitters' descriptions are stored with their submissions. The description here comes from maintainers and takes
    precedence.
    """

    __tablename__ = "models"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    # Name without case and spacing. It is folded here because databases fold only some alphabets.
    name_key: Mapped[str] = mapped_column(String(400), unique=True)
    # Public counterpart of `id`: consecutive numbers would reveal how many private models exist.
    public_id: Mapped[str] = mapped_column(String(40), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # The model that a maintainer merged this one into, and the end of that chain, under whose name this one is shown.
    # Both are None if it is not merged.
    joined_to_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"))
    shown_as_id: Mapped[int | None] = mapped_column(ForeignKey("models.id"), index=True)
    organisation: Mapped[str | None] = mapped_column(String(120))
    kind: Mapped[str | None] = mapped_column(String(40))
    size_billions: Mapped[float | None] = mapped_column(Float)
    open_weights: Mapped[bool | None] = mapped_column(Boolean)
    links: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))

    # Maintainers describe few models, and board filters look these up.
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
    # Fingerprint of the answer key at registration; None if an earlier release registered it.
    key_fingerprint: Mapped[str | None] = mapped_column(String(64))


class ItemMetadata(Base):
    """Public metadata of a test item. Answers have no column."""

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
