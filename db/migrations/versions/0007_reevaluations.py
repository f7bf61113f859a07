"""Re-evaluations, and the visibility of a submission before it was hidden."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("submissions", sa.Column("visibility_before_hiding", sa.String(length=20), nullable=True))
    op.create_table(
        "reevaluations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("submission_id", sa.String(length=40), nullable=True),
        sa.Column("requested_by", sa.String(length=100), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("dry_run", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("target", sa.JSON(), nullable=False),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("n_rows", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_token", sa.String(length=40), nullable=True),
        sa.Column("lease_expires_at", UtcDateTime(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_reevaluations_submission_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reevaluations")),
    )
    op.create_index(op.f("ix_reevaluations_state"), "reevaluations", ["state"])
    op.create_table(
        "reevaluation_rows",
        sa.Column("reevaluation_id", sa.Integer(), nullable=False),
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("old_evaluation_id", sa.Integer(), nullable=False),
        sa.Column("new_evaluation_id", sa.Integer(), nullable=True),
        sa.Column("signature", sa.String(length=400), nullable=True),
        sa.Column("ranking", sa.String(length=400), nullable=False),
        sa.Column("figures", sa.JSON(), nullable=False),
        sa.Column("n_figures", sa.Integer(), nullable=False),
        sa.Column("n_changed", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["old_evaluation_id"], ["evaluations.id"], name=op.f("fk_reevaluation_rows_old_evaluation_id")
        ),
        sa.ForeignKeyConstraint(
            ["reevaluation_id"], ["reevaluations.id"], name=op.f("fk_reevaluation_rows_reevaluation_id")
        ),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_reevaluation_rows_submission_id")),
        sa.PrimaryKeyConstraint("reevaluation_id", "submission_id", name=op.f("pk_reevaluation_rows")),
        sa.UniqueConstraint("new_evaluation_id", name=op.f("uq_reevaluation_rows_new_evaluation_id")),
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_table("reevaluation_rows")
    op.drop_index(op.f("ix_reevaluations_state"), table_name="reevaluations")
    op.drop_table("reevaluations")
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("visibility_before_hiding")
