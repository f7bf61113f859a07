"""Tables of submissions and their evaluations."""

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
    String,
    Text,
    TextClause,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import JSON

from db.column_types import UtcDateTime
from db.models.lease_columns import LeaseColumns
from db.models.table_base import Base

_BOARD = ("benchmark", "version", "setting", "visibility", "state")
# Case-insensitive, as searches are.
_FACTS: dict[str, str | TextClause] = {
    "kind": text("lower(kind)"),
    "organisation": text("lower(organisation)"),
    "weights": "open_weights",
    "size": "size_billions",
}


class Submission(Base):
    """A row or future row of a board: a prediction file, an endpoint, or the scores of a paper."""

    __tablename__ = "submissions"
    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    benchmark: Mapped[str] = mapped_column(String(60))
    version: Mapped[str] = mapped_column(String(40))
    setting: Mapped[str] = mapped_column(String(60))
    source: Mapped[str] = mapped_column(String(20))
    # Whether this is one of Earshot's reference systems; see docs/listeners.md.
    is_reference: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    model_id: Mapped[int] = mapped_column(ForeignKey("models.id"), index=True)
    state: Mapped[str] = mapped_column(String(20))
    visibility: Mapped[str] = mapped_column(String(20))
    allow_missing: Mapped[bool] = mapped_column(Boolean)
    # ID of the edition that it answers; null for the test split that all share.
    edition: Mapped[str | None] = mapped_column(String(20))
    artifact_sha256: Mapped[str | None] = mapped_column(String(64))
    artifact_bytes: Mapped[int | None] = mapped_column(BigInteger)
    idempotency_key: Mapped[str | None] = mapped_column(String(200))
    # Time of submission; for reported rows, the start of the period that `printed_on` names.
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    # The paper's date as precisely as known, empty if unknown; null for submissions.
    printed_on: Mapped[str | None] = mapped_column(String(10))
    # The paper that reports it; null for submissions.
    printed_in: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    attempts: Mapped[int] = mapped_column(Integer, default=0)
    # Its position in a queue; see `db.repositories.queue_order`.
    lane: Mapped[str] = mapped_column(String(20), default="files", server_default="files")
    turn: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    not_before: Mapped[datetime | None] = mapped_column(UtcDateTime)
    reason_code: Mapped[str | None] = mapped_column(String(60))
    reason: Mapped[str | None] = mapped_column(Text)
    retryable: Mapped[bool | None] = mapped_column(Boolean)
    # The column keeps its old name: a new one would need a migration.
    fault: Mapped[str | None] = mapped_column("whose_fault", String(10), key="fault")
    current_evaluation_id: Mapped[int | None] = mapped_column(Integer)
    # Visibility before a maintainer hid it, for restoring it.
    visibility_before_hiding: Mapped[str | None] = mapped_column(String(20))
    # The submitter's description of the model; other submissions may differ. `links` are those besides `url`.
    model_name: Mapped[str] = mapped_column(String(120))
    organisation: Mapped[str | None] = mapped_column(String(120))
    kind: Mapped[str | None] = mapped_column(String(40))
    size_billions: Mapped[float | None] = mapped_column(Float)
    open_weights: Mapped[bool | None] = mapped_column(Boolean)
    url: Mapped[str | None] = mapped_column(String(500))
    links: Mapped[list[str] | None] = mapped_column(JSON(none_as_null=True))
    # The model's Hub repository and revision, and the pull request that proposes the result to it.
    hub_model: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hub_pull_request: Mapped[str | None] = mapped_column(String(400))

    __table_args__ = (
        UniqueConstraint("owner_id", "idempotency_key"),
        Index("ix_submissions_line", "state", "lane", "turn", "created_at", "id", "not_before"),
        Index("ix_submissions_owner", "owner_id", "state", "turn"),
        # Indexes for paginating a board: one per order other than by score, and one to find rare rows.
        Index("ix_submissions_board", "benchmark", "version", "setting", "visibility", "state", "id"),
        Index("ix_submissions_date", "benchmark", "version", "setting", "visibility", "state", "created_at", "id"),
        Index(
            "ix_submissions_found",
            *("benchmark", "version", "setting", "visibility", "state"),
            *("source", "organisation", "model_id", "id"),
        ),
        # Indexes for board filters. Filters always include the source, and a maintainer may have described the model
        # since.
        *(Index(f"ix_submissions_{name}", *_BOARD, fact, "source", "model_id", "id") for name, fact in _FACTS.items()),
        # A board has two or three of them among any number of rows.
        Index(
            "ix_submissions_reference",
            *_BOARD,
            sqlite_where=is_reference.is_(True),
            postgresql_where=is_reference.is_(True),
        ),
        # The files of an edition: few among many.
        Index(
            "ix_submissions_edition",
            *("edition", "state"),
            sqlite_where=edition.is_not(None),
            postgresql_where=edition.is_not(None),
        ),
        CheckConstraint("visibility in ('private', 'public', 'hidden')", name="visibility"),
    )


class SubmissionEvent(Base):
    """One immutable change of a submission."""

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


class Evaluation(LeaseColumns, Base):
    """One evaluation of a submission, leased by one evaluator at a time."""

    __tablename__ = "evaluations"
    id: Mapped[int] = mapped_column(primary_key=True)
    submission_id: Mapped[str] = mapped_column(ForeignKey("submissions.id"), index=True)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    finished_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
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
    """Encrypted per-item outcomes of an evaluation. Reading `data` requires the answer key."""

    __tablename__ = "outcomes"
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    n_items: Mapped[int] = mapped_column(Integer)
    n_runs: Mapped[int] = mapped_column(Integer)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class StoredScore(Base):
    """One score of an evaluation, in the long table behind every breakdown."""

    __tablename__ = "scores"
    evaluation_id: Mapped[int] = mapped_column(ForeignKey("evaluations.id"), primary_key=True)
    slice: Mapped[str] = mapped_column(String(120), primary_key=True)
    metric: Mapped[str] = mapped_column(String(60), primary_key=True)
    value: Mapped[float | None] = mapped_column(Float)
    n: Mapped[int | None] = mapped_column(Integer)
    std: Mapped[float | None] = mapped_column(Float)
    note: Mapped[str | None] = mapped_column(Text)
    low: Mapped[float | None] = mapped_column(Float)
    high: Mapped[float | None] = mapped_column(Float)

    # Few scores have a note; without this index a page would read all scores of its rows to find them.
    __table_args__ = (
        Index("ix_scores_noted", "evaluation_id", sqlite_where=note.is_not(None), postgresql_where=note.is_not(None)),
    )
