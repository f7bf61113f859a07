"""Marks rows of reference systems, which are never ranked."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0018"
down_revision: str | None = "0017"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Mark the rows that Earshot submitted itself, and request new rankings of their boards."""
    # No batch operation: it would copy the largest table.
    op.add_column("submissions", sa.Column("is_reference", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_index(
        "ix_submissions_reference",
        "submissions",
        ["benchmark", "version", "setting", "visibility", "state"],
        sqlite_where=sa.text("is_reference IS 1"),
        postgresql_where=sa.text("is_reference IS true"),
    )
    # `earshot` is a reserved name: no user can sign in with it or receive a token for it.
    op.execute(
        "update submissions set is_reference = true where source = 'verified' and idempotency_key like 'reference/%' "
        "and owner_id in (select id from users where name = 'earshot')"
    )
    op.execute(
        "update boards set changes = changes + 1 where exists (select 1 from submissions where is_reference = true "
        "and submissions.benchmark = boards.benchmark and submissions.version = boards.version "
        "and submissions.setting = boards.setting)"
    )


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_submissions_reference", table_name="submissions")
    op.drop_column("submissions", "is_reference")
