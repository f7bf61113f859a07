"""PostgreSQL tickets: each announces one more job, and wakes an evaluator when it is committed.

Tickets are jobs of procrastinate, in its own tables. A ticket names no submission: its receiver takes the next job.
Surplus tickets are therefore harmless, and `add_missing` replaces lost ones. SQLite has no tickets: evaluators poll.
"""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import text

from db.repositories.changing import is_postgresql
from db.session import Transaction

if TYPE_CHECKING:
    from procrastinate import App

QUEUE = "earshot"
TASK = "earshot:turn"

_TAKE_BACK = text(
    "select count(procrastinate_retry_job_v2(jobs.id, now(), null, null, null)) from procrastinate_jobs jobs "
    "left join procrastinate_workers workers on workers.id = jobs.worker_id "
    "where jobs.status = 'doing' and jobs.queue_name = :queue and (workers.id is null or "
    "workers.last_heartbeat < now() - make_interval(secs => :seconds))"
)
_COUNT_OPEN = text(
    "select count(*) from procrastinate_jobs where status = 'todo' and queue_name = :queue "
    "and (scheduled_at is null or scheduled_at <= now())"
)


def leave_ticket(transaction: Transaction, not_before: datetime | None = None) -> None:
    """Leave a ticket that appears when the transaction commits, and is handed out from `not_before` on."""
    if not is_postgresql(transaction):
        return
    connection = transaction.connection().connection.driver_connection
    _make_office().configure_task(TASK, queue=QUEUE, schedule_at=not_before, connection=connection).defer()


def take_back_stalled(transaction: Transaction, silent_seconds: float) -> int:
    """Release the tickets of evaluators that stopped responding; return how many there were."""
    if not is_postgresql(transaction):
        return 0
    n_tickets = transaction.scalar(_TAKE_BACK, {"queue": QUEUE, "seconds": silent_seconds})
    return n_tickets or 0


def add_missing(transaction: Transaction, n_things: int) -> int:
    """Add tickets until there is one for each job; return how many were added."""
    if not is_postgresql(transaction):
        return 0
    n_open = transaction.scalar(_COUNT_OPEN, {"queue": QUEUE}) or 0
    n_missing = max(0, n_things - n_open)
    for _ in range(n_missing):
        leave_ticket(transaction)
    return n_missing


@cache
def _make_office() -> "App":
    """Return an application that only creates tickets, on connections that it receives; it is never opened."""
    # Every process imports this module. On SQLite, none uses the library, which is a twentieth of the imports.
    from procrastinate import App, SyncPsycopgConnector

    return App(connector=SyncPsycopgConnector())
