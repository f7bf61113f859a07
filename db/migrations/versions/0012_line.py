"""Queue of submissions in which owners take turns."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0012"
down_revision: str | None = "0011"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

# Waiting submissions get turns from the first on, in each owner's order of arrival.
_NUMBER = """
    update submissions set turn = (
        select count(*) from submissions as earlier
        where earlier.owner_id = submissions.owner_id and earlier.state in ('queued', 'running')
        and (earlier.created_at < submissions.created_at
             or (earlier.created_at = submissions.created_at and earlier.id < submissions.id))
    ) where state in ('queued', 'running')
"""


def upgrade() -> None:
    """Apply the migration."""
    op.add_column("submissions", sa.Column("turn", sa.Integer(), nullable=False, server_default="0"))
    op.execute(_NUMBER)
    op.drop_index("ix_submissions_queue", table_name="submissions")
    op.drop_index("ix_submissions_owner_id", table_name="submissions")
    op.create_index("ix_submissions_line", "submissions", ["state", "turn", "created_at", "id", "not_before"])
    op.create_index("ix_submissions_owner", "submissions", ["owner_id", "state", "turn"])


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_submissions_owner", table_name="submissions")
    op.drop_index("ix_submissions_line", table_name="submissions")
    op.create_index("ix_submissions_owner_id", "submissions", ["owner_id"])
    op.create_index("ix_submissions_queue", "submissions", ["state", "not_before", "created_at"])
    with op.batch_alter_table("submissions", schema=None) as batch_op:
        batch_op.drop_column("turn")
