"""Benchmark versions in competition mode."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0032"
down_revision: str | None = "0031"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. No version is in competition mode yet."""
    op.create_table(
        "competitions",
        sa.Column("benchmark", sa.String(60), primary_key=True),
        sa.Column("version", sa.String(40), primary_key=True),
        sa.Column("started_by", sa.String(100), nullable=False),
        sa.Column("started_at", UtcDateTime(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_table("competitions")
