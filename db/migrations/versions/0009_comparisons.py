"""Comparisons of two evaluations: requests and results."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "comparisons",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("first_evaluation_id", sa.Integer(), nullable=False),
        sa.Column("second_evaluation_id", sa.Integer(), nullable=False),
        sa.Column("rule", sa.String(length=20), nullable=False),
        sa.Column("first_submission_id", sa.String(length=40), nullable=False),
        sa.Column("second_submission_id", sa.String(length=40), nullable=False),
        sa.Column("asked_by", sa.String(length=100), nullable=False),
        sa.Column("charge", sa.String(length=200), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_token", sa.String(length=40), nullable=True),
        sa.Column("lease_expires_at", UtcDateTime(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["first_submission_id"], ["submissions.id"], name=op.f("fk_comparisons_first_submission_id")
        ),
        sa.ForeignKeyConstraint(
            ["second_submission_id"], ["submissions.id"], name=op.f("fk_comparisons_second_submission_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_comparisons")),
        sa.UniqueConstraint(
            "first_evaluation_id",
            "second_evaluation_id",
            "rule",
            name=op.f("uq_comparisons_first_evaluation_id_second_evaluation_id_rule"),
        ),
    )
    op.create_index(op.f("ix_comparisons_state"), "comparisons", ["state"])
    op.create_index(op.f("ix_comparisons_charge"), "comparisons", ["charge"])


def downgrade() -> None:
    """Revert the migration."""
    op.drop_table("comparisons")
