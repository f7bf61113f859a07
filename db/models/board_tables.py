"""Tables of boards."""

from datetime import datetime

from sqlalchemy import (
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
)
from sqlalchemy.orm import Mapped, mapped_column

from db.column_types import UtcDateTime
from db.models.table_base import Base


class Standing(Base):
    """One score of one board row, with its rank."""

    __tablename__ = "standings"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    setting: Mapped[str] = mapped_column(String(60), primary_key=True)
    slice: Mapped[str] = mapped_column(String(120), primary_key=True)
    metric: Mapped[str] = mapped_column(String(60), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
    value: Mapped[float | None] = mapped_column(Float)
    std: Mapped[float | None] = mapped_column(Float)
    low: Mapped[float | None] = mapped_column(Float)
    high: Mapped[float | None] = mapped_column(Float)
    rank: Mapped[int | None] = mapped_column(Integer)
    rank_low: Mapped[int | None] = mapped_column(Integer)
    rank_high: Mapped[int | None] = mapped_column(Integer)

    __table_args__ = (
        Index("ix_standings_order", "benchmark", "version", "setting", "slice", "metric", "value", "submission_id"),
        Index("ix_standings_row", "submission_id", "slice"),
    )


class Board(Base):
    """A board with the number of its changes (`changes`) and the change that its standings include (`revision`).

    An evaluator rebuilds the standings if the two differ, or if its own ranking rule differs from `rule`. `relabelled`
    counts changes of model names and facts, which do not affect scores.
    """

    __tablename__ = "boards"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    setting: Mapped[str] = mapped_column(String(60), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    rule: Mapped[str] = mapped_column(String(440), default="")
    relabelled: Mapped[int] = mapped_column(Integer, default=0)
    # Detectable difference of the headline score; None if it cannot be computed.
    detectable: Mapped[float | None] = mapped_column(Float)
