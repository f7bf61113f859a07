"""When visitors of a gallery last caused the pack of its edition to be rendered again."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0031"
down_revision: str | None = "0030"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. No visitor has caused a rendering yet."""
    op.add_column("editions", sa.Column("visitors_wanted_at", UtcDateTime(), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    op.drop_column("editions", "visitors_wanted_at")
