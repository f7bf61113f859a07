"""Tickets: on PostgreSQL each says that there is one more thing to do, and wakes an evaluator when it is committed.

They are jobs of procrastinate, in tables of its own beside ours. A ticket names no submission: whoever receives one
takes what is next. So one too many is harmless, and `add_missing` makes up for one too few. SQLite has none: evaluators
there look by themselves.
"""

from datetime import datetime

from procrastinate import App, SyncPsycopgConnector
from sqlalchemy import text

from db.repositories.changing import is_postgresql
from db.session import Transaction

QUEUE = "earshot"
TASK = "earshot:turn"

# Only makes tickets, on connections that are handed to it: it is never opened.
_OFFICE = App(connector=SyncPsycopgConnector())
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
    """Leave a ticket, which is there when the transaction is committed, and is handed out from a time on."""
    if not is_postgresql(transaction):
        return
    connection = transaction.connection().connection.driver_connection
    _OFFICE.configure_task(TASK, queue=QUEUE, schedule_at=not_before, connection=connection).defer()


def take_back_stalled(transaction: Transaction, silent_seconds: float) -> int:
    """Let the tickets of evaluators that were not heard of for long be handed out again; return how many there were."""
    if not is_postgresql(transaction):
        return 0
    found = transaction.scalar(_TAKE_BACK, {"queue": QUEUE, "seconds": silent_seconds})
    return found or 0


def add_missing(transaction: Transaction, n_things: int) -> int:
    """Leave as many tickets as it takes until there is one for each thing to do; return how many that were."""
    if not is_postgresql(transaction):
        return 0
    n_open = transaction.scalar(_COUNT_OPEN, {"queue": QUEUE}) or 0
    n_missing = max(0, n_things - n_open)
    for _ in range(n_missing):
        leave_ticket(transaction)
    return n_missing
