"""Uses of submission limits; earlier submissions count as before."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "quota_uses",
        sa.Column("submission_id", sa.String(length=40), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("used_at", UtcDateTime(), nullable=False),
        sa.Column("refunded_at", UtcDateTime(), nullable=True),
        sa.Column("refund_reason", sa.String(length=60), nullable=True),
        sa.ForeignKeyConstraint(["submission_id"], ["submissions.id"], name=op.f("fk_quota_uses_submission_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_quota_uses_user_id")),
        sa.PrimaryKeyConstraint("submission_id", name=op.f("pk_quota_uses")),
    )
    op.create_index("ix_quota_uses_owner", "quota_uses", ["user_id", "benchmark", "version", "used_at"])
    # An upgrade must not reset limits: submissions that are scored, or still may be, count as used.
    op.execute(
        "insert into quota_uses (submission_id, user_id, benchmark, version, used_at) "
        "select id, owner_id, benchmark, version, created_at from submissions "
        "where source = 'submitted' and (current_evaluation_id is not null or state not in ('failed', 'withdrawn'))"
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_quota_uses_owner", table_name="quota_uses")
    op.drop_table("quota_uses")
