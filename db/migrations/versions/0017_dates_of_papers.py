"""Publication dates of papers for reported rows, in place of the time at which they were loaded."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. The next evaluator that starts dates the reported rows from its files."""
    # One statement that changes no row: a batch operation would copy the largest table.
    op.add_column("submissions", sa.Column("printed_on", sa.String(length=10), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("submissions", "printed_on")
