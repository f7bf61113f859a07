"""Where a paper prints a row: the paper, its tables, and how they name the row."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0019"
down_revision: str | None = "0018"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go up. Rows of papers are described by the next evaluator that starts, which has their files."""
    # One statement that touches no row: a batch would copy the largest table there is.
    op.add_column("submissions", sa.Column("printed_in", sa.JSON(), nullable=True))


def downgrade() -> None:
    """Go back."""
    op.drop_column("submissions", "printed_in")
