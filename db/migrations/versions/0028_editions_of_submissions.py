"""The edition that a submission answers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0028"
down_revision: str | None = "0027"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. Earlier submissions answer the test split that all share."""
    # No batch operation: it would copy the largest table.
    op.add_column("submissions", sa.Column("edition", sa.String(length=20), nullable=True))
    op.create_index(
        "ix_submissions_edition",
        "submissions",
        ["edition", "state"],
        sqlite_where=sa.text("edition IS NOT NULL"),
        postgresql_where=sa.text("edition IS NOT NULL"),
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_submissions_edition", table_name="submissions")
    op.drop_column("submissions", "edition")
