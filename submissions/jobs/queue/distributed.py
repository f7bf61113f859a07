"""Distributed queue on PostgreSQL: procrastinate delivers, leases decide.

Every transaction that queues a submission also writes a ticket (`db.repositories.tickets`). On commit PostgreSQL wakes
all evaluators, procrastinate hands the ticket to one of them, and that one claims whatever is next. A lost, late or
duplicate ticket therefore changes when work is done, but never whether or how often.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from datetime import datetime

from db.repositories import evaluations, queue_order, reevaluations, tickets
from db.repositories.queue_order import Lane
from db.session import Database
from submissions.jobs.leased_jobs import utc_now
from submissions.jobs.queue.local import SubmissionQueue

_LOG = logging.getLogger(__name__)
_HEARTBEAT_SECONDS = 5.0
SILENT_SECONDS = 30.0
# Tickets scheduled for later wake nobody, so the queue is also polled.
_LOOK_SECONDS = 1.0
_STOP_LOOK_SECONDS = 0.1
_AGAIN_SECONDS = 0.5
_CONNECT_SECONDS = 5.0


class DistributedQueue(SubmissionQueue):
    """Claims and leases work as on one machine; only the wake-up differs."""

    def watch(self, turn: Callable[[], bool], stop: threading.Event) -> None:
        """Do one turn for every ticket."""
        while not stop.is_set():
            try:
                with self._database.read() as transaction:  # fails immediately if the server is unavailable
                    evaluations.has_waiting(transaction, self._clock())
                asyncio.run(self._receive(turn, stop))
            except Exception as error:  # noqa: BLE001 - the outer edge: whatever ended it, delivery restarts
                _LOG.warning("cannot receive queue notifications (%s); retrying", error)
            stop.wait(_AGAIN_SECONDS)

    def requeue_lost(self) -> int:
        """Requeue the work of lost evaluators, and ensure that there is a ticket for everything queued."""
        n_lost = super().requeue_lost()
        with self._database.write(acknowledged=False) as transaction:
            tickets.take_back_stalled(transaction, SILENT_SECONDS)
            n_things = queue_order.count_waiting(transaction, self._clock())
            n_things += reevaluations.find_first_open(transaction) is not None
            n_missing = tickets.add_missing(transaction, n_things)
        if n_missing:
            _LOG.info("%d tickets were missing", n_missing)
        return n_lost

    async def _receive(self, turn: Callable[[], bool], stop: threading.Event) -> None:
        # Servers on SQLite import this module, too, and never use the library.
        from procrastinate import App, PsycopgConnector

        app = App(
            connector=PsycopgConnector(
                conninfo=self._database.libpq_url, min_size=1, max_size=3, timeout=_CONNECT_SECONDS
            )
        )

        @app.task(name=tickets.TASK, queue=tickets.QUEUE)
        def take_turn() -> None:
            turn()

        async with app.open_async():
            receiving = asyncio.create_task(
                app.run_worker_async(
                    queues=[tickets.QUEUE],
                    concurrency=1,
                    fetch_job_polling_interval=_LOOK_SECONDS,
                    update_heartbeat_interval=_HEARTBEAT_SECONDS,
                    stalled_worker_timeout=SILENT_SECONDS,
                    delete_jobs="always",
                    install_signal_handlers=False,
                )
            )
            while not stop.is_set() and not receiving.done():
                await asyncio.wait({receiving}, timeout=_STOP_LOOK_SECONDS)
            receiving.cancel()  # it ends after the current turn
            with contextlib.suppress(asyncio.CancelledError):
                await receiving


def open_queue(
    database: Database, worker: str, clock: Callable[[], datetime] = utc_now, lane: Lane = "files"
) -> SubmissionQueue:
    """Return the queue for a database.

    Args:
        database: Database of the submissions.
        worker: Name of the claiming process.
        clock: Returns the time.
        lane: Priority of the work. Tickets are for files only: work of minutes or hours is polled, as on one machine.
    """
    kind = SubmissionQueue if database.is_sqlite or lane != "files" else DistributedQueue
    return kind(database, worker, clock, lane)
