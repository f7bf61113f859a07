"""When the paper of a row was published: such a row was not made when it was loaded here."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0017"
down_revision: str | None = "0016"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go up. Rows of papers are dated by the next evaluator that starts, which has their files."""
    # One statement that touches no row: a batch would copy the largest table there is.
    op.add_column("submissions", sa.Column("printed_on", sa.String(length=10), nullable=True))


def downgrade() -> None:
    """Go back."""
    op.drop_column("submissions", "printed_on")
