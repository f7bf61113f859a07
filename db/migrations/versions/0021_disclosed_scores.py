"""Disclosure rule for scores over secret answers: at least 100 items, three decimals."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0021"
down_revision: str | None = "0020"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

# Versions whose test answers were secret when the rule was introduced (evaluation/benchmarks/disclosure_rule.py).
_OF_VERSIONS = (
    "evaluation_id in (select evaluations.id from evaluations join submissions "
    "on submissions.id = evaluations.submission_id where submissions.benchmark || '/' || submissions.version in "
    "('audio-motion-bench/1.0', 'star-bench/1.0', 'audio-process-bench/synthetic-1'))"
)
_WITHHELD = (
    "slice like 'direction/%' or (slice like 'sct/%/%' or slice like 'sdt/%/%' or slice like 'tat/%/%') or "
    "(slice like 'overall/%/%' and metric in ('left_right_confusion', 'front_back_confusion', 'reversal'))"
)


def upgrade() -> None:
    """Apply the migration. Exact scores are rounded or deleted; reported rows, which have no item counts, stay."""
    op.execute(f"delete from scores where {_OF_VERSIONS} and n is not null and (n < 100 or {_WITHHELD})")  # noqa: S608
    scores = sa.table("scores", sa.column("value", sa.Float), sa.column("std", sa.Float), sa.column("n", sa.Integer))
    rounded = {
        name: sa.cast(sa.func.round(sa.cast(scores.c[name], sa.Numeric), 3), sa.Float) for name in ("value", "std")
    }
    op.execute(sa.update(scores).where(sa.text(_OF_VERSIONS), scores.c.n.is_not(None)).values(rounded))


def downgrade() -> None:
    """Revert the migration. Re-scoring a submission restores deleted or rounded scores."""
