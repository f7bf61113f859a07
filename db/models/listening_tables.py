"""Tables of listening rounds on practice questions. They do not identify the listeners."""

from datetime import datetime

from sqlalchemy import Boolean, Integer, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.table_base import Base


class ListeningResult(Base):
    """One round: counts per task group. `digest` is the hash of an ID that only its listener knows."""

    __tablename__ = "listening_results"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    benchmark: Mapped[str] = mapped_column(String(60), index=True)
    version: Mapped[str] = mapped_column(String(40))
    content: Mapped[str] = mapped_column(String(64))
    day: Mapped[str] = mapped_column(String(10))
    seconds: Mapped[int] = mapped_column(Integer)
    n_answers: Mapped[int] = mapped_column(Integer)
    n_right: Mapped[int] = mapped_column(Integer)
    tasks: Mapped[dict[str, list[int]]] = mapped_column(JSON)


class ListeningGroup(Base):
    """Whether the listeners of a version are public; without a row they are not."""

    __tablename__ = "listening_groups"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    shown: Mapped[bool] = mapped_column(Boolean)
    changed_at: Mapped[datetime] = mapped_column(UtcDateTime)
