"""Detectable difference in the headline score of a board."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. Evaluators rebuild the boards, which adds confidence intervals and rank ranges."""
    op.add_column("boards", sa.Column("detectable", sa.Float(), nullable=True))
    op.execute("update boards set rule = ''")


def downgrade() -> None:
    """Revert the migration."""
    with op.batch_alter_table("boards", schema=None) as batch_op:
        batch_op.drop_column("detectable")
