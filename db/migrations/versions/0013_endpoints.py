"""Separate queues, model endpoints and their responses."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0013"
down_revision: str | None = "0012"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("submissions", sa.Column("lane", sa.String(length=20), nullable=False, server_default="files"))
    # After a downgrade and upgrade, endpoint submissions in the file queue would be scored without responses.
    op.execute("update submissions set lane = 'endpoints' where source = 'verified'")
    op.drop_index("ix_submissions_line", table_name="submissions")
    op.create_index("ix_submissions_line", "submissions", ["state", "lane", "turn", "created_at", "id", "not_before"])
    op.create_table(
        "endpoints",
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("base_url", sa.String(length=500), nullable=False),
        sa.Column("model_name", sa.String(length=200), nullable=False),
        sa.Column("sealed_key", sa.LargeBinary(), nullable=True),
        sa.Column("wants_key", sa.Boolean(), nullable=False),
        sa.Column("concurrency", sa.Integer(), nullable=False),
        sa.Column("multi_audio", sa.Boolean(), nullable=False),
        sa.Column("audio_form", sa.String(length=20), nullable=False),
        sa.Column("parts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("findings", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("progress", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"]),
        sa.PrimaryKeyConstraint("submission_id"),
    )
    op.create_table(
        "responses",
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("item", sa.String(length=200), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("finish", sa.String(length=20), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=True),
        sa.Column("tokens_out", sa.Integer(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("sent", sa.String(length=64), nullable=False),
        sa.Column("n_calls", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"]),
        sa.PrimaryKeyConstraint("submission_id", "item", "run"),
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_table("responses")
    op.drop_table("endpoints")
    op.drop_index("ix_submissions_line", table_name="submissions")
    op.create_index("ix_submissions_line", "submissions", ["state", "turn", "created_at", "id", "not_before"])
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("lane")
