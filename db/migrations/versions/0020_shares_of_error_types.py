"""Shares of error types for each part, with intervals of their own."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go up. Shares that pooled the parts are dropped; their answers are sorted again, part by part."""
    # No batch: it would copy the largest table there is.
    op.add_column("scores", sa.Column("low", sa.Float(), nullable=True))
    op.add_column("scores", sa.Column("high", sa.Float(), nullable=True))
    op.execute("delete from scores where slice like 'errors/%'")
    op.execute("delete from error_sortings")


def downgrade() -> None:
    """Go back."""
    op.drop_column("scores", "high")
    op.drop_column("scores", "low")
