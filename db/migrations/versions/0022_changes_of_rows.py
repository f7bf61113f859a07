"""Maintainers' corrections to reported rows, which override the release's data."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0022"
down_revision: str | None = "0021"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "row_changes",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("row_key", sa.String(200), nullable=False),
        sa.Column("submission_id", sa.String(40), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.Column("actor", sa.String(100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("undone_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_row_changes_row_key", "row_changes", ["row_key"])
    op.create_index("ix_row_changes_submission_id", "row_changes", ["submission_id"])


def downgrade() -> None:
    """Revert the migration. Corrected rows keep their scores until an evaluator starts and loads the release's data."""
    op.drop_table("row_changes")
