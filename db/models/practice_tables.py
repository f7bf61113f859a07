"""Table of practice answers: a second file of a submission, for comparing practice with test."""

from datetime import datetime

from sqlalchemy import BigInteger, Float, ForeignKey, Index, Integer, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.column_types import UtcDateTime
from db.models.lease_columns import JobColumns
from db.models.table_base import Base


class PracticeAnswers(JobColumns, Base):
    """A file of practice answers with its result; a job until it is compared with the current evaluation.

    The gap is also among the scores of that evaluation, which boards read.
    """

    __tablename__ = "practice_results"
    __table_args__ = (Index("ix_practice_results_state", "state", "attached_at"),)
    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), unique=True)
    state: Mapped[str] = mapped_column(String(20))
    artifact_sha256: Mapped[str] = mapped_column(String(64))
    artifact_bytes: Mapped[int] = mapped_column(BigInteger)
    n_files: Mapped[int] = mapped_column(Integer)
    attached_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Evaluation on the test questions that it was compared with; null before there is one.
    evaluation_id: Mapped[int | None] = mapped_column(ForeignKey("evaluations.id"))
    signature: Mapped[str | None] = mapped_column(String(400))
    figure: Mapped[str | None] = mapped_column(String(200))
    value: Mapped[float | None] = mapped_column(Float)
    standard_error: Mapped[float | None] = mapped_column(Float)
    gap: Mapped[float | None] = mapped_column(Float)
    low: Mapped[float | None] = mapped_column(Float)
    high: Mapped[float | None] = mapped_column(Float)
    n_items: Mapped[int | None] = mapped_column(Integer)
    explanation: Mapped[str | None] = mapped_column(Text)
