"""Judge verdicts, judge costs, held submissions, and the judge of each evaluator."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0014"
down_revision: str | None = "0013"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("workers", sa.Column("judge", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "judgements",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("value", sa.JSON(), nullable=False),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "judge_days",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("calls", sa.BigInteger(), nullable=False),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day"),
    )
    op.create_table(
        "judge_holds",
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("judging", sa.String(length=200), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("faults", sa.JSON(), nullable=False),
        sa.Column("held_at", UtcDateTime(), nullable=False),
        sa.Column("released_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"]),
        sa.PrimaryKeyConstraint("submission_id"),
    )
    op.create_table(
        "error_sortings",
        sa.Column("evaluation_id", sa.Integer(), nullable=False),
        sa.Column("held_until", UtcDateTime(), nullable=False),
        sa.Column("n_wrong", sa.Integer(), nullable=True),
        sa.Column("sorted_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluations.id"]),
        sa.PrimaryKeyConstraint("evaluation_id"),
    )
    for name in ("judge_calls", "most_judge_calls"):
        op.add_column("reevaluation_rows", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    # No submission waited for a judge before this revision.
    op.execute("update submissions set lane = 'judge' where state = 'awaiting-judge'")


def downgrade() -> None:
    """Revert the migration."""
    op.execute("update submissions set lane = 'files' where lane in ('judge', 'held')")
    op.drop_table("error_sortings")
    op.drop_table("judge_holds")
    op.drop_table("judge_days")
    op.drop_table("judgements")
    with op.batch_alter_table("reevaluation_rows", schema=None) as batch_op:
        batch_op.drop_column("most_judge_calls")
        batch_op.drop_column("judge_calls")
    with op.batch_alter_table("workers", schema=None) as batch_op:
        batch_op.drop_column("judge")
