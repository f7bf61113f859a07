"""Initial tables."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "benchmarks",
        sa.Column("id", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("content_digest", sa.String(length=64), nullable=False),
        sa.Column("pack", sa.String(length=200), nullable=False),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("n_clips", sa.Integer(), nullable=False),
        sa.Column("registered_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", "version", name=op.f("pk_benchmarks")),
    )
    op.create_table(
        "boards",
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("setting", sa.String(length=60), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changes", sa.Integer(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("benchmark", "version", "setting", name=op.f("pk_boards")),
    )
    op.create_table(
        "items",
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("id", sa.String(length=200), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(length=60), nullable=False),
        sa.Column("task", sa.String(length=200), nullable=False),
        sa.Column("answer_format", sa.String(length=20), nullable=False),
        sa.Column("runs", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("benchmark", "version", "id", name=op.f("pk_items")),
    )
    op.create_table(
        "models",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=120), nullable=False),
        sa.Column("organisation", sa.String(length=120), nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=True),
        sa.Column("size_billions", sa.Float(), nullable=True),
        sa.Column("open_weights", sa.Boolean(), nullable=True),
        sa.Column("url", sa.String(length=500), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_models")),
        sa.UniqueConstraint("name", name=op.f("uq_models_name")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "workers",
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("keys", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_workers")),
    )
    op.create_table(
        "api_tokens",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=100), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_api_tokens_digest")),
    )
    with op.batch_alter_table("api_tokens", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_tokens_user_id"), ["user_id"], unique=False)

    op.create_table(
        "sessions",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("revoked_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id")),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_sessions_user_id"), ["user_id"], unique=False)

    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=40), nullable=False),
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("setting", sa.String(length=60), nullable=False),
        sa.Column("source", sa.String(length=20), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("model_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("visibility", sa.String(length=20), nullable=False),
        sa.Column("allow_missing", sa.Boolean(), nullable=False),
        sa.Column("artifact_sha256", sa.String(length=64), nullable=True),
        sa.Column("artifact_bytes", sa.BigInteger(), nullable=True),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("updated_at", UtcDateTime(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=True),
        sa.Column("reason_code", sa.String(length=60), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("retryable", sa.Boolean(), nullable=True),
        sa.Column("whose_fault", sa.String(length=10), nullable=True),
        sa.Column("current_evaluation_id", sa.Integer(), nullable=True),
        sa.CheckConstraint("visibility in ('private', 'public', 'hidden')", name=op.f("ck_submissions_visibility")),
        sa.ForeignKeyConstraint(["model_id"], ["models.id"], name=op.f("fk_submissions_model_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_submissions_owner_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint("owner_id", "idempotency_key", name=op.f("uq_submissions_owner_id_idempotency_key")),
    )
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.create_index(
            "ix_submissions_board", ["benchmark", "version", "setting", "visibility", "state"], unique=False
        )
        batch_op.create_index(batch_op.f("ix_submissions_model_id"), ["model_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_submissions_owner_id"), ["owner_id"], unique=False)
        batch_op.create_index("ix_submissions_queue", ["state", "not_before", "created_at"], unique=False)

    op.create_table(
        "evaluations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("lease_token", sa.String(length=40), nullable=True),
        sa.Column("lease_expires_at", UtcDateTime(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("signature", sa.String(length=400), nullable=True),
        sa.Column("ranking", sa.String(length=400), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=True),
        sa.Column("expected", sa.Integer(), nullable=True),
        sa.Column("missing", sa.Integer(), nullable=True),
        sa.Column("unreadable", sa.Integer(), nullable=True),
        sa.Column("unreadable_reasons", sa.JSON(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_evaluations_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_evaluations")),
    )
    with op.batch_alter_table("evaluations", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_evaluations_submission_id"), ["submission_id"], unique=False)

    op.create_table(
        "submission_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("actor", sa.String(length=100), nullable=False),
        sa.Column("from_state", sa.String(length=20), nullable=True),
        sa.Column("to_state", sa.String(length=20), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_submission_events_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission_events")),
    )
    with op.batch_alter_table("submission_events", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_submission_events_submission_id"), ["submission_id"], unique=False)

    op.create_table(
        "outcomes",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("n_runs", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_outcomes_evaluation_id")),
        sa.PrimaryKeyConstraint("evaluation_id", name=op.f("pk_outcomes")),
    )
    op.create_table(
        "scores",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("slice", sa.String(length=120), nullable=False),
        sa.Column("metric", sa.String(length=60), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("n", sa.Integer(), nullable=True),
        sa.Column("std", sa.Float(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_scores_evaluation_id")),
        sa.PrimaryKeyConstraint("evaluation_id", "slice", "metric", name=op.f("pk_scores")),
    )
    op.create_table(
        "standings",
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("setting", sa.String(length=60), nullable=False),
        sa.Column("slice", sa.String(length=120), nullable=False),
        sa.Column("metric", sa.String(length=60), nullable=False),
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("value", sa.Float(), nullable=True),
        sa.Column("std", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("rank_low", sa.Integer(), nullable=True),
        sa.Column("rank_high", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"], name=op.f("fk_standings_evaluation_id")),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_standings_submission_id")),
        sa.PrimaryKeyConstraint(
            "benchmark", "version", "setting", "slice", "metric", "submission_id", name=op.f("pk_standings")
        ),
    )
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.create_index(
            "ix_standings_order",
            ["benchmark", "version", "setting", "slice", "metric", "value", "submission_id"],
            unique=False,
        )


def downgrade() -> None:
    """Drop the tables."""
    with op.batch_alter_table("standings", schema=None) as batch_op:
        batch_op.drop_index("ix_standings_order")

    op.drop_table("standings")
    op.drop_table("scores")
    op.drop_table("outcomes")
    with op.batch_alter_table("submission_events", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_submission_events_submission_id"))

    op.drop_table("submission_events")
    with op.batch_alter_table("evaluations", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_evaluations_submission_id"))

    op.drop_table("evaluations")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_index("ix_submissions_queue")
        batch_op.drop_index(batch_op.f("ix_submissions_owner_id"))
        batch_op.drop_index(batch_op.f("ix_submissions_model_id"))
        batch_op.drop_index("ix_submissions_board")

    op.drop_table("submissions")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_sessions_user_id"))

    op.drop_table("sessions")
    with op.batch_alter_table("api_tokens", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_tokens_user_id"))

    op.drop_table("api_tokens")
    op.drop_table("workers")
    op.drop_table("users")
    op.drop_table("models")
    op.drop_table("items")
    op.drop_table("boards")
    op.drop_table("benchmarks")
