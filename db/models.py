"""The tables. Rows of these classes never leave this package; what leaves is in `records.py`."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import JSON

from db.columns import UtcDateTime

# Names for every constraint, so that a migration can drop it on any database.
_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """Root of the tables."""

    metadata = MetaData(naming_convention=_NAMES)


class User(Base):
    """A person, known by name."""

    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ApiToken(Base):
    """A personal token; only its digest is kept."""

    __tablename__ = "api_tokens"
    id: Mapped[int] = mapped_column(primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    label: Mapped[str] = mapped_column(String(100))
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Session(Base):
    """A signed-in browser; only the digest of its cookie is kept."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    expires_at: Mapped[datetime] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Model(Base):
    """A system that was evaluated; one for all benchmarks and settings, and nothing but what identifies it."""

    __tablename__ = "models"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(120))
    # The name without regard to case and spacing, folded here because databases fold only some alphabets.
    name_key: Mapped[str] = mapped_column(String(400), unique=True)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


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


class Item(Base):
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


class Submission(Base):
    """A row of a board, or one on its way there: a file, an endpoint, or figures that a paper reports."""

    __tablename__ = "submissions"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    benchmark: Mapped[str] = mapped_column(String(60))
    version: Mapped[str] = mapped_column(String(40))
    setting: Mapped[str] = mapped_column(String(60))
    source: Mapped[str] = mapped_column(String(20))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"), index=True)
    state: Mapped[str] = mapped_column(String(20))
    visibility: Mapped[str] = mapped_column(String(20))
    allow_missing: Mapped[bool] = mapped_column(Boolean)
    artifact_sha256: Mapped[str | None] = mapped_column(String(64))
    artifact_bytes: Mapped[int | None] = mapped_column(BigInteger)
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    # Its place in the line; see `db.repositories.line`.
    turn: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    not_before: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reason_code: Mapped[str | None] = mapped_column(String(60))
    reason: Mapped[str | None] = mapped_column(Text)
    retryable: Mapped[bool | None] = mapped_column(Boolean)
    whose_fault: Mapped[str | None] = mapped_column(String(10))
    current_evaluation_id: Mapped[int | None] = mapped_column(Integer)
    # Who saw it before a maintainer hid it, and sees it again when it is restored.
    visibility_before_hiding: Mapped[str | None] = mapped_column(String(20))
    # What this submitter says of the model; the next one may say otherwise of his.
    organisation: Mapped[str | None] = mapped_column(String(120))
    kind: Mapped[str | None] = mapped_column(String(40))
    size_billions: Mapped[float | None] = mapped_column(Float)
    open_weights: Mapped[bool | None] = mapped_column(Boolean)
    url: Mapped[str | None] = mapped_column(String(500))

    __table_args__ = (
        UniqueConstraint("owner_id", "idempotency_key"),
        Index("ix_submissions_line", "state", "turn", "created_at", "id", "not_before"),
        Index("ix_submissions_owner", "owner_id", "state", "turn"),
        Index("ix_submissions_board", "benchmark", "version", "setting", "visibility", "state"),
        CheckConstraint("visibility in ('private', 'public', 'hidden')", name="visibility"),
    )


class SubmissionEvent(Base):
    """One change of a submission, never altered."""

    __tablename__ = "submission_events"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    actor: Mapped[str] = mapped_column(String(100))
    from_state: Mapped[str | None] = mapped_column(String(20))
    to_state: Mapped[str] = mapped_column(String(20))
    text: Mapped[str] = mapped_column(Text)


class QuotaUse(Base):
    """A submission that counts against its owner's limits, or did until it ended without a score."""

    __tablename__ = "quota_uses"
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    benchmark: Mapped[str] = mapped_column(String(60))
    version: Mapped[str] = mapped_column(String(40))
    used_at: Mapped[datetime] = mapped_column(UtcDateTime)
    refunded_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    refund_reason: Mapped[str | None] = mapped_column(String(60))

    __table_args__ = (Index("ix_quota_uses_owner", "user_id", "benchmark", "version", "used_at"),)


class Evaluation(Base):
    """One scoring of a submission, held by one evaluator at a time under a lease."""

    __tablename__ = "evaluations"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    lease_token: Mapped[str | None] = mapped_column(String(40))
    lease_expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    worker: Mapped[str | None] = mapped_column(String(200))
    progress: Mapped[float] = mapped_column(Float, default=0.0)
    signature: Mapped[str | None] = mapped_column(String(400))
    ranking: Mapped[str] = mapped_column(String(400), default="")
    parts: Mapped[list[str]] = mapped_column(JSON, default=list)
    runs: Mapped[int | None] = mapped_column(Integer)
    expected: Mapped[int | None] = mapped_column(Integer)
    missing: Mapped[int | None] = mapped_column(Integer)
    unreadable: Mapped[int | None] = mapped_column(Integer)
    unreadable_reasons: Mapped[dict[str, int]] = mapped_column(JSON, default=dict)
    notes: Mapped[list[str]] = mapped_column(JSON, default=list)


class Outcome(Base):
    """Per-item outcomes of an evaluation, sealed: only who holds the answer key can read `data`."""

    __tablename__ = "outcomes"
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    n_items: Mapped[int] = mapped_column(Integer)
    n_runs: Mapped[int] = mapped_column(Integer)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class Score(Base):
    """One figure of an evaluation: the long table behind every breakdown."""

    __tablename__ = "scores"
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    slice: Mapped[str] = mapped_column(String(120), primary_key=True)
    metric: Mapped[str] = mapped_column(String(60), primary_key=True)
    value: Mapped[float | None] = mapped_column(Float)
    n: Mapped[int | None] = mapped_column(Integer)
    std: Mapped[float | None] = mapped_column(Float)
    note: Mapped[str | None] = mapped_column(Text)


class Standing(Base):
    """One figure of one row of a board, with its place among the others."""

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
    )


class Board(Base):
    """A board: how many changes it has seen, and the change after which its standings were last made (`revision`).

    Where the two differ, an evaluator makes the standings anew; so it does where `rule`, under which it made them, is
    no longer its own.
    """

    __tablename__ = "boards"
    benchmark: Mapped[str] = mapped_column(String(60), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    setting: Mapped[str] = mapped_column(String(60), primary_key=True)
    revision: Mapped[int] = mapped_column(Integer)
    changes: Mapped[int] = mapped_column(Integer)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    rule: Mapped[str] = mapped_column(String(440), default="")
    # The smallest difference that its headline figure can show; None where that cannot be said.
    detectable: Mapped[float | None] = mapped_column(Float)


class Worker(Base):
    """An evaluator process and when it was last seen."""

    __tablename__ = "workers"
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
    keys: Mapped[dict[str, str]] = mapped_column(JSON)


class AuditEntry(Base):
    """One act of a person or of the installation, never altered: its digest covers it and the one before.

    The time is kept as the text that was digested, so that no database can round it.
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
    """The end of the audit log: one row, which who adds an entry holds, and by which a cut end is noticed."""

    __tablename__ = "audit_head"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
    digest: Mapped[str] = mapped_column(String(64))


class Reevaluation(Base):
    """Somebody's wish that what is scored already be scored anew, and what came of it. An evaluator carries it out.

    `target` is setting → today's signature, as the evaluator found it at its start; only it knows the answer key.
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
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    lease_token: Mapped[str | None] = mapped_column(String(40))
    lease_expires_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    worker: Mapped[str | None] = mapped_column(String(200))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    started_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class ReevaluationRow(Base):
    """One submission of a re-evaluation: what it had, and what it would have or has now.

    The primary key is why a submission is scored anew once, however often an evaluator dies over it.
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
    reason: Mapped[str | None] = mapped_column(Text)
