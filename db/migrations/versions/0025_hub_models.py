"""Model repositories on the Hub, and pull requests that propose results to them."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0025"
down_revision: str | None = "0024"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("submissions", sa.Column("hub_model", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("submissions", sa.Column("hub_pull_request", sa.String(400), nullable=True))


def downgrade() -> None:
    """Revert the migration. Repositories and links to pull requests are lost."""
    op.drop_column("submissions", "hub_pull_request")
    op.drop_column("submissions", "hub_model")
