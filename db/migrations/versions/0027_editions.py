"""Editions: test splits that are rendered for one submitter each."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0027"
down_revision: str | None = "0026"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.create_table(
        "editions",
        sa.Column("number", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("id", sa.String(length=20), nullable=False),
        sa.Column("benchmark", sa.String(length=60), nullable=False),
        sa.Column("version", sa.String(length=40), nullable=False),
        sa.Column("owner_id", sa.Integer(), nullable=False),
        sa.Column("idempotency_key", sa.String(length=200), nullable=True),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=True),
        sa.Column("expires_at", UtcDateTime(), nullable=True),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.Column("design", sa.String(length=64), nullable=True),
        sa.Column("content_digest", sa.String(length=64), nullable=True),
        sa.Column("n_items", sa.Integer(), nullable=False),
        sa.Column("items", sa.LargeBinary(), nullable=True),
        sa.Column("pack", sa.String(length=200), nullable=True),
        sa.Column("pack_wanted_at", UtcDateTime(), nullable=True),
        sa.Column("progress", sa.Float(), nullable=False),
        sa.Column("explanation", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("lease_token", sa.String(length=40), nullable=True),
        sa.Column("lease_expires_at", UtcDateTime(), nullable=True),
        sa.Column("worker", sa.String(length=200), nullable=True),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("id"),
        sa.UniqueConstraint("owner_id", "idempotency_key"),
    )
    op.create_index("ix_editions_owner", "editions", ["owner_id", "benchmark", "version", "state"])
    op.create_index("ix_editions_pack_wanted", "editions", ["pack_wanted_at", "number"])


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_editions_pack_wanted", table_name="editions")
    op.drop_index("ix_editions_owner", table_name="editions")
    op.drop_table("editions")
