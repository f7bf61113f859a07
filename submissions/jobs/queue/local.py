"""Submission queue: a table, claimed by a conditional update, checked within half a second of every commit.

Each instance serves one queue (`db.repositories.queue_order`).
"""

import secrets
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from db.lease_records import Lease, SubmissionJob
from db.repositories import evaluations, queue_order, submissions
from db.repositories.evaluations import RunningLease
from db.repositories.queue_order import Lane
from db.session import Database
from submissions.jobs.change_watch import ChangeWatch
from submissions.jobs.leased_jobs import LEASE, is_free, utc_now
from submissions.lifecycle import GiveUp, decide_after_loss

_LOOK_SECONDS = 0.5
# Accepting a submission is one transaction; a state in between that lasts this long was abandoned.
_LONGEST_INTAKE = timedelta(minutes=5)


class SubmissionQueue:
    """Leases submissions to evaluators, and requeues those of lost evaluators.

    Delivery is at least once; effects happen once because results are written under a lease.
    """

    def __init__(
        self, database: Database, worker: str, clock: Callable[[], datetime] = utc_now, lane: Lane = "files"
    ) -> None:
        """Take the database, the name of the claiming process, the clock, and the lane."""
        self._database = database
        self._worker = worker
        self._clock = clock
        self._lane = lane
        self._claimed: str | None = None

    def claim(self) -> SubmissionJob | None:
        """Claim the next submission; None if the queue is empty."""
        now = self._clock()
        with self._database.read() as transaction:
            if not evaluations.has_waiting(transaction, now, self._lane):
                return None
        with self._database.write(acknowledged=False) as transaction:
            job = evaluations.claim_next(
                transaction,
                worker=self._worker,
                token=secrets.token_hex(16),
                now=now,
                expires_at=now + LEASE,
                lane=self._lane,
            )
            if job is not None:
                submissions.add_event(
                    transaction,
                    job.work.id,
                    actor="evaluator",
                    from_state=queue_order.find_waiting_state(self._lane),
                    to_state="running",
                    text=f"Attempt {job.lease.attempts} began.",
                    now=now,
                )
                self._claimed = job.lease.token
        return job

    def renew_lease(self, job: SubmissionJob, progress: float) -> None:
        """Renew a lease, and store the progress.

        Raises:
            LeaseLostError: Another evaluator holds the lease.
        """
        with self._database.write(acknowledged=False) as transaction:
            evaluations.LEASES.renew(transaction, job.lease, self._clock() + LEASE, progress=progress)

    def watch(self, turn: Callable[[], bool], stop: threading.Event) -> None:
        """Call `turn` whenever there may be work, until stopped; the current turn is completed first.

        Args:
            turn: Does one job without raising; False if there was nothing to do.
            stop: Ends the loop when set.
        """
        changes = ChangeWatch(self._database)
        while not stop.wait(_LOOK_SECONDS):
            if not changes.may_find_work():
                continue
            while not stop.is_set() and turn():
                pass

    def requeue_dropped(self) -> int:
        """Requeue what was last claimed and is still held because an error prevented its release; return the number."""
        return self._requeue_all(lambda lease, _now: lease.token == self._claimed)

    def requeue_lost(self) -> int:
        """Requeue, or end, the submissions of lost evaluators, and queue what was never queued; return the number."""
        with self._database.read() as transaction:
            left = submissions.list_received(transaction, self._clock() - _LONGEST_INTAKE)
        return self._requeue_all(is_free) + sum(self._queue(one) for one in left)

    def _requeue_all(self, is_lost: Callable[[Lease, datetime], bool]) -> int:
        now = self._clock()
        with self._database.read() as transaction:
            lost = [one for one in evaluations.list_running(transaction) if is_lost(one.lease, now)]
        return sum(self._requeue(one, now) for one in lost)

    def _queue(self, submission_id: str) -> bool:
        now = self._clock()
        with self._database.write(acknowledged=False) as transaction:
            if not submissions.join_line(transaction, submission_id, ["received"], now):
                return False
            submissions.add_event(
                transaction,
                submission_id,
                actor="scheduler",
                from_state="received",
                to_state="queued",
                text="Queued.",
                now=now,
            )
        return True

    def _requeue(self, lost: RunningLease, now: datetime) -> bool:
        decision = decide_after_loss(lost.lease.attempts, now)
        with self._database.write(acknowledged=False) as transaction:
            # Two processes may requeue: the one that removes the lease also changes the state.
            if not evaluations.revoke_lease(transaction, lost):
                return False
            if isinstance(decision, GiveUp):
                state = "failed"
                text = f"The evaluator stopped {lost.lease.attempts} times during this submission. "
                text += "This is our error and does not use up a submission."
                values: dict[str, object] = {
                    "reason_code": "evaluator-lost",
                    "reason": text,
                    "retryable": decision.retryable,
                    "fault": "ours",
                }
            else:
                state, text = queue_order.find_waiting_state(lost.lane), "The evaluator stopped. Queued again."
                values = {"not_before": decision.at}
            return submissions.leave_running(
                transaction, lost.submission_id, now, actor="scheduler", text=text, state=state, **values
            )
