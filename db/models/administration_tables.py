"""Tables of evaluators, the audit log, and jobs of evaluators other than scoring."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    ForeignKey,
    Integer,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.lease_columns import JobColumns
from db.models.table_base import Base


class WorkerHeartbeat(Base):
    """An evaluator process and its last heartbeat."""

    __tablename__ = "workers"
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    keys: Mapped[dict[str, str]] = mapped_column(JSON)
    judge: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    # Problem that prevents it from working, for operators.
    problem: Mapped[str | None] = mapped_column(Text)


class AuditEntry(Base):
    """One immutable entry of the audit log. Its digest covers this entry and the previous one.

    The time is stored as the text that was hashed, so that no database can round it.
    """

    __tablename__ = "audit_log"
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at: Mapped[str] = mapped_column(String(40))
    actor: Mapped[str] = mapped_column(String(100))
    action: Mapped[str] = mapped_column(String(60))
    subject: Mapped[str] = mapped_column(String(200))
    details: Mapped[str] = mapped_column(Text)
    previous: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(64))


class AuditHead(Base):
    """Head of the audit log: one row, locked while an entry is added. It reveals a truncated log."""

    __tablename__ = "audit_head"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))


class Reevaluation(JobColumns, Base):
    """A request to re-score submissions, and its result. An evaluator runs it.

    `target` maps settings to the signatures that the evaluator would produce now. Only evaluators can compute them,
    because they depend on the answer key.
    """

    __tablename__ = "reevaluations"
    id: Mapped[int] = mapped_column(primary_key=True)
    benchmark: Mapped[str] = mapped_column(String(60))
    version: Mapped[str] = mapped_column(String(40))
    submission_id: Mapped[str | None] = mapped_column(ForeignKey("submissions.id"))
    requested_by: Mapped[str] = mapped_column(String(100))
    reason: Mapped[str] = mapped_column(Text)
    dry_run: Mapped[bool] = mapped_column(Boolean)
    state: Mapped[str] = mapped_column(String(20), index=True)
    explanation: Mapped[str | None] = mapped_column(Text)
    target: Mapped[dict[str, str]] = mapped_column(JSON, default=dict)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    n_rows: Mapped[int] = mapped_column(Integer, default=0)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ReevaluationRow(Base):
    """One submission of a re-evaluation, with its old and new evaluations.

    The primary key ensures that a submission is re-scored once, however often an evaluator crashes on it.
    """

    __tablename__ = "reevaluation_rows"
    reevaluation_id: Mapped[int] = mapped_column(ForeignKey("reevaluations.id"), primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    state: Mapped[str] = mapped_column(String(20))
    old_evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"))
    new_evaluation_id: Mapped[int | None] = mapped_column(Integer, unique=True)
    signature: Mapped[str | None] = mapped_column(String(400))
    ranking: Mapped[str] = mapped_column(String(400), default="")
    figures: Mapped[dict[str, list[float | None]]] = mapped_column(JSON, default=dict)
    n_figures: Mapped[int] = mapped_column(Integer, default=0)
    n_changed: Mapped[int] = mapped_column(Integer, default=0)
    # Judge calls that a dry run would have needed: expected and maximum.
    judge_calls: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    most_judge_calls: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    reason: Mapped[str | None] = mapped_column(Text)


class Comparison(JobColumns, Base):
    """A requested comparison of two evaluations, in the order of their submission IDs, and its result.

    `charge` names the allowance that the pair of submissions counts against for good, so the row outlives its result.
    """

    __tablename__ = "comparisons"
    id: Mapped[int] = mapped_column(primary_key=True)
    first_evaluation_id: Mapped[int] = mapped_column(Integer)
    second_evaluation_id: Mapped[int] = mapped_column(Integer)
    rule: Mapped[str] = mapped_column(String(20))
    first_submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"))
    second_submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"))
    asked_by: Mapped[str] = mapped_column(String(100))
    charge: Mapped[str | None] = mapped_column(String(200), index=True)
    state: Mapped[str] = mapped_column(String(20), index=True)
    explanation: Mapped[str | None] = mapped_column(Text)
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    __table_args__ = (UniqueConstraint("first_evaluation_id", "second_evaluation_id", "rule"),)


class Competition(Base):
    """A benchmark version in competition mode. Ending it deletes the row; the audit log has its history."""

    __tablename__ = "competitions"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    started_by: Mapped[str] = mapped_column(String(100))
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    reason: Mapped[str] = mapped_column(Text)


class RowChange(Base):
    """A maintainer's correction of a reported row. It overrides the release's data until it is undone.

    `row_key` is the submission's idempotency key. `content` has the format of `assets/published/*.json`, with one row.
    """

    __tablename__ = "row_changes"
    id: Mapped[int] = mapped_column(primary_key=True)
    row_key: Mapped[str] = mapped_column(String(200), index=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    actor: Mapped[str] = mapped_column(String(100))
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    undone_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
