"""Identities at OpenID providers, user names that are never reassigned, and sessions that can be listed."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from db.column_types import UtcDateTime

revision: str = "0023"
down_revision: str | None = "0022"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration. It links no user to an identity: only an operator can do that, one by one."""
    op.create_table(
        "identities",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("issuer", sa.String(500), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("handle", sa.String(100), nullable=True),
        sa.Column("maintainer_org", sa.String(255), nullable=True),
        sa.Column("maintainer_until", UtcDateTime(), nullable=True),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("signed_in_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("issuer", "subject"),
        sa.UniqueConstraint("user_id", "issuer"),
    )
    op.create_table(
        "former_names",
        sa.Column("folded", sa.String(100), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("folded"),
    )
    op.create_index("ix_former_names_user_id", "former_names", ["user_id"])
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("identity_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("last_used_at", UtcDateTime(), nullable=True))
        batch_op.create_foreign_key("fk_sessions_identity_id", "identities", ["identity_id"], ["id"])
    op.add_column("api_tokens", sa.Column("exchange_digest", sa.String(64), nullable=True))
    op.create_index("ix_api_tokens_exchange_digest", "api_tokens", ["exchange_digest"], unique=True)


def downgrade() -> None:
    """Revert the migration. Users who signed in with a provider keep their rows but can no longer sign in."""
    op.drop_index("ix_api_tokens_exchange_digest", table_name="api_tokens")
    with op.batch_alter_table("api_tokens", schema=None) as batch_op:
        batch_op.drop_column("exchange_digest")
    # A provider session would pass for a sign-in by name.
    op.execute("delete from sessions where identity_id is not null")
    with op.batch_alter_table("sessions", schema=None) as batch_op:
        batch_op.drop_constraint("fk_sessions_identity_id", type_="foreignkey")
        batch_op.drop_column("last_used_at")
        batch_op.drop_column("identity_id")
    op.drop_table("former_names")
    op.drop_table("identities")
