"""Run loop of leased jobs, the same for every kind of work: claim, attempt limit, work, ending.

Each kind says how to find and claim its next job, what to do, and how to record a result or a failure. An evaluator may
die anywhere: every write presents the token of the lease, and once that has expired, another evaluator starts again.
"""

import logging
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import ClassVar, Generic, TypeVar

from db.lease_records import Job, Lease, Work
from db.repositories.leases import JobTable, LeaseLostError
from db.session import Database, Transaction
from evaluation.errors import AnswerKeyError
from evaluation.incidents import log_incident
from submissions.jobs.worker_names import is_known_dead

_LOG = logging.getLogger(__name__)
LEASE = timedelta(seconds=60)
Ending = TypeVar("Ending")

# Called with the label of every point at which tests kill the process.
Checkpoint = Callable[[str], None]


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def is_free(lease: Lease, now: datetime) -> bool:
    """Return whether another evaluator may take over: the lease is free or expired, or its holder has ended."""
    if lease.token is None or lease.expires_at is None or lease.expires_at < now:
        return True
    return lease.worker is not None and is_known_dead(lease.worker)


class LeasedJob(ABC, Generic[Work, Ending]):
    """Does jobs of one kind, one at a time.

    Attributes:
        claimed_label: Label of the kill point after the claim.
    """

    claimed_label: ClassVar[str]

    def __init__(self, database: Database, checkpoint: Checkpoint) -> None:
        self._database = database
        self._checkpoint = checkpoint

    def run_next(self) -> bool:
        """Do the next job, or a step of it; return False if none is queued, or other evaluators hold them."""
        job = self._claim_next()
        if job is None:
            return False
        self._checkpoint(self.claimed_label)
        try:
            ending = self._attempt(job)
            if ending is not None:
                self._end(job, ending)
        except LeaseLostError as error:
            _LOG.warning("%s", error)
        return True

    def _attempt(self, job: Job[Work]) -> Ending | None:
        try:
            return self._work(job)
        except LeaseLostError:
            raise
        except Exception as error:  # noqa: BLE001 - the outer edge of the evaluator: whatever happens, the job moves on
            return self._explain(job, error)

    @abstractmethod
    def _claim_next(self) -> Job[Work] | None:
        """Claim the next job."""

    @abstractmethod
    def _work(self, job: Job[Work]) -> Ending | None:
        """Do a job; return the ending that is left to record, if any."""

    @abstractmethod
    def _explain(self, job: Job[Work], error: Exception) -> Ending:
        """Log an error, and return the ending of the job."""

    @abstractmethod
    def _end(self, job: Job[Work], ending: Ending) -> None:
        """Record the ending of a job."""


class RequestedJob(LeasedJob[Work, Ending]):
    """Does jobs that have a table of their own; gives up after too many attempts whose evaluator died."""

    leases: ClassVar[JobTable]
    max_attempts: ClassVar[int]

    def __init__(self, database: Database, worker: str, checkpoint: Checkpoint) -> None:
        """Take the database, the name of this evaluator, and what is called at each kill point."""
        super().__init__(database, checkpoint)
        self._worker = worker

    def _claim_next(self) -> Job[Work] | None:
        now = utc_now()
        with self._database.read() as transaction:
            current = self._find_next(transaction, now)
        if current is None or not is_free(current, now):
            return None
        token, attempts = secrets.token_hex(16), current.attempts + 1
        lease = replace(current, token=token, worker=self._worker, expires_at=now + LEASE, attempts=attempts)
        with self._database.write() as transaction:
            work = self._claim(transaction, current, lease)
        return None if work is None else Job(work, lease)

    def _attempt(self, job: Job[Work]) -> Ending | None:
        return self._give_up(job) if job.lease.attempts > self.max_attempts else super()._attempt(job)

    def _extend_lease(self, job: Job[Work]) -> None:
        """Renew the lease of a job.

        Raises:
            LeaseLostError: Another evaluator holds it now.
        """
        with self._database.write() as transaction:
            self.leases.renew(transaction, job.lease, utc_now() + LEASE)

    @abstractmethod
    def _find_next(self, transaction: Transaction, now: datetime) -> Lease | None:
        """Return the lease of the next job, whether or not an evaluator holds it."""

    @abstractmethod
    def _claim(self, transaction: Transaction, current: Lease, lease: Lease) -> Work | None:
        """Claim a job that still has its current lease; return None if another evaluator was first."""

    @abstractmethod
    def _give_up(self, job: Job[Work]) -> Ending | None:
        """Return the ending of a job whose evaluators keep dying."""


def explain_failure(kind: str, lease: Lease, error: Exception) -> str:
    """Log why a requested job failed, and return the explanation for the person who requested it."""
    if isinstance(error, AnswerKeyError):
        _LOG.error("%s: %s", lease.name, error)
        return "The answer key is missing or unusable. The evaluator's log has details."
    return f"The {kind} failed on our side. Reference {log_incident(f'{lease.name} failed', error)}."
