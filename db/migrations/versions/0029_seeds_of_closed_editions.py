"""Seeds of closed editions, which are secret no more: their owners see every answer."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0029"
down_revision: str | None = "0028"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("editions", sa.Column("seed", sa.String(length=120), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("editions", "seed")
