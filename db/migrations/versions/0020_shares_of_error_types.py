"""Error-type shares per part, with their confidence intervals."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0020"
down_revision: str | None = "0019"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Delete shares that pooled the parts; their answers are classified again, part by part."""
    # No batch operation: it would copy the largest table.
    op.add_column("scores", sa.Column("low", sa.Float(), nullable=True))
    op.add_column("scores", sa.Column("high", sa.Float(), nullable=True))
    op.execute("delete from scores where slice like 'errors/%'")
    op.execute("delete from error_sortings")


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("scores", "high")
    op.drop_column("scores", "low")
