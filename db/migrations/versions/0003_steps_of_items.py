"""Number of steps of items that are answered with one verdict per step."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("items", sa.Column("n_steps", sa.Integer(), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    with op.batch_alter_table("items", schema=None) as batch_op:
        batch_op.drop_column("n_steps")
