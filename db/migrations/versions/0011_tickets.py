"""PostgreSQL: tables of procrastinate, whose jobs notify evaluators of new work."""

from collections.abc import Sequence
from typing import Any

from alembic import op
from procrastinate.schema import SchemaManager

revision: str = "0011"
down_revision: str | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

# All objects of the library share its name prefix. Drop tables first: their triggers go with them.
_DROP = """
do $$
declare found text;
begin
    drop table procrastinate_events, procrastinate_periodic_defers, procrastinate_jobs, procrastinate_workers cascade;
    for found in select oid::regprocedure from pg_proc
        where proname like 'procrastinate\\_%' and pronamespace = current_schema()::regnamespace
    loop
        execute 'drop function ' || found;
    end loop;
    drop type procrastinate_job_to_defer_v1, procrastinate_job_status, procrastinate_job_event_type;
end $$
"""


def upgrade() -> None:
    """Install the library's own schema for its pinned version."""
    if op.get_bind().dialect.name == "postgresql":
        _run(SchemaManager.get_schema())


def downgrade() -> None:
    """Revert the migration."""
    if op.get_bind().dialect.name == "postgresql":
        _run(_DROP)


def _run(statements: str) -> None:
    """Run several statements in the migration's transaction, without parameter substitution."""
    connection: Any = op.get_bind().connection.driver_connection
    connection.execute(statements)
