"""Indexes for paginating boards in any order."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_BOARD = ["benchmark", "version", "setting", "visibility", "state"]
_HAS_NOTE = sa.text("note IS NOT NULL")


def upgrade() -> None:
    """Apply the migration."""
    op.drop_index("ix_submissions_board", "submissions")
    op.create_index("ix_submissions_board", "submissions", [*_BOARD, "id"])
    op.create_index("ix_submissions_date", "submissions", [*_BOARD, "created_at", "id"])
    op.create_index("ix_submissions_found", "submissions", [*_BOARD, "source", "organisation", "model_id", "id"])
    op.create_index("ix_standings_row", "standings", ["submission_id", "slice"])
    op.create_index("ix_scores_noted", "scores", ["evaluation_id"], sqlite_where=_HAS_NOTE, postgresql_where=_HAS_NOTE)


def downgrade() -> None:
    """Revert the migration."""
    op.drop_index("ix_scores_noted", "scores")
    op.drop_index("ix_standings_row", "standings")
    op.drop_index("ix_submissions_found", "submissions")
    op.drop_index("ix_submissions_date", "submissions")
    op.drop_index("ix_submissions_board", "submissions")
    op.create_index("ix_submissions_board", "submissions", _BOARD)
