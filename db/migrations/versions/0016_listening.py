"""Listening rounds on practice questions: their counts, and whether a group is shown."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0016"
down_revision: str | None = "0015"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "listening_results",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("content", sa.String(length=64), nullable=False),
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("n_answers", sa.Integer(), nullable=False),
        sa.Column("n_right", sa.Integer(), nullable=False),
        sa.Column("tasks", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index(op.f("ix_listening_results_benchmark"), "listening_results", ["benchmark"])
    op.create_table(
        "listening_groups",
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("shown", sa.Boolean(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("benchmark", "version"),
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_table("listening_groups")
    op.drop_index(op.f("ix_listening_results_benchmark"), table_name="listening_results")
    op.drop_table("listening_results")
