"""Leases of error classifications: token, evaluator and attempts, as for all other jobs."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0026"
down_revision: str | None = "0025"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. Postponed classifications stay postponed: they have no lease until their time."""
    # No batch: it would read the tables behind the foreign key, which have indexes that it does not understand.
    op.add_column("error_sortings", sa.Column("lease_token", sa.String(40), nullable=True))
    op.add_column("error_sortings", sa.Column("lease_expires_at", UtcDateTime(), nullable=True))
    op.add_column("error_sortings", sa.Column("worker", sa.String(200), nullable=True))
    op.add_column("error_sortings", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.execute("update error_sortings set lease_expires_at = held_until")
    op.drop_column("error_sortings", "held_until")


def downgrade() -> None:
    """Revert the migration."""
    long_ago = "1970-01-01 00:00:00"
    op.add_column("error_sortings", sa.Column("held_until", UtcDateTime(), nullable=False, server_default=long_ago))
    op.execute("update error_sortings set held_until = coalesce(lease_expires_at, sorted_at, held_until)")
    for name in ("attempts", "worker", "lease_expires_at", "lease_token"):
        op.drop_column("error_sortings", name)
