"""Fingerprint of the answer key of each benchmark version, and problems of evaluators."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0024"
down_revision: str | None = "0023"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. Registered versions adopt the fingerprint of the next key that fits their questions."""
    with op.batch_alter_table("benchmarks") as batch:
        batch.add_column(sa.Column("key_fingerprint", sa.String(64), nullable=True))
    with op.batch_alter_table("workers") as batch:
        batch.add_column(sa.Column("problem", sa.Text(), nullable=True))


def downgrade() -> None:
    """Revert the migration."""
    with op.batch_alter_table("workers") as batch:
        batch.drop_column("problem")
    with op.batch_alter_table("benchmarks") as batch:
        batch.drop_column("key_fingerprint")
