"""Galleries of editions that their owners published."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0030"
down_revision: str | None = "0029"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. No gallery is public yet."""
    op.add_column("editions", sa.Column("is_public", sa.Boolean(), nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("editions", "is_public")
