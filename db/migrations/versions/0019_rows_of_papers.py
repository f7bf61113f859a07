"""Sources of reported rows: the paper, its tables, and the row's name there."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. The next evaluator that starts describes the reported rows from its files."""
    # One statement that changes no row: a batch operation would copy the largest table.
    op.add_column("submissions", sa.Column("printed_in", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("submissions", "printed_in")
