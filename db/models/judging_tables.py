"""Tables of judge verdicts, judge costs and held submissions."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Integer, String
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.lease_columns import JobColumns
from db.models.table_base import Base


class CachedVerdict(Base):
    """A judge verdict under the digest of all its inputs, so that no request is repeated."""

    __tablename__ = "judgements"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[dict[str, Any]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class JudgeDay(Base):
    """Judge usage of all evaluators on one day in UTC."""

    __tablename__ = "judge_days"
    day: Mapped[str] = mapped_column(String(10), primary_key=True)
    calls: Mapped[int] = mapped_column(BigInteger)
    prompt_tokens: Mapped[int] = mapped_column(BigInteger)
    completion_tokens: Mapped[int] = mapped_column(BigInteger)


class JudgeHold(Base):
    """Why a submission is held, and when a maintainer released it.

    `judging` identifies the judge and protocol: a hold under another judge needs a new review.
    """

    __tablename__ = "judge_holds"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    judging: Mapped[str] = mapped_column(String(200))
    answers: Mapped[dict[str, str]] = mapped_column(JSON)
    faults: Mapped[list[str]] = mapped_column(JSON)
    held_at: Mapped[datetime] = mapped_column(UtcDateTime)
    released_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ErrorSorting(JobColumns, Base):
    """Error classification of an evaluation's wrong answers, running or done. The shares are among its scores."""

    __tablename__ = "error_sortings"
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    attempts: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    n_wrong: Mapped[int | None] = mapped_column(Integer)
    sorted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
