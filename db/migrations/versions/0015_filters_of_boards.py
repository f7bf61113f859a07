"""Indexes for board filters on the model descriptions of rows and of maintainers."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0015"
down_revision: str | None = "0014"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_BOARD = ["benchmark", "version", "setting", "visibility", "state"]
_FACTS: dict[str, str | sa.TextClause] = {
    "kind": sa.text("lower(kind)"),
    "organisation": sa.text("lower(organisation)"),
    "weights": "open_weights",
    "size": "size_billions",
}
_SAID = ("kind", "organisation", "open_weights", "size_billions")


def upgrade() -> None:
    """Apply the migration."""
    for name, fact in _FACTS.items():
        op.create_index(f"ix_submissions_{name}", "submissions", [*_BOARD, fact, "source", "model_id", "id"])
    for name in _SAID:
        is_said = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_models_{name}", "models", [name], sqlite_where=is_said, postgresql_where=is_said)


def downgrade() -> None:
    """Revert the migration."""
    for name in _SAID:
        op.drop_index(f"ix_models_{name}", "models")
    for name in _FACTS:
        op.drop_index(f"ix_submissions_{name}", "submissions")
