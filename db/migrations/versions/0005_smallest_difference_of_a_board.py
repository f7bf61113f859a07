"""Boards: the smallest difference that the headline figure can show."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Go up; boards are made anew, so that they have intervals and ranges of ranks."""
    op.add_column("boards", sa.Column("detectable", sa.Float(), nullable=True))
    op.execute("update boards set rule = ''")


def downgrade() -> None:
    """Go back."""
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.drop_column("detectable")
