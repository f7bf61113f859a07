"""Run loop of leased jobs, the same for every kind of work: claim, attempt limit, work, ending.

A kind says how its next job is found and claimed, what is done, and how a result or a failure is recorded. An evaluator
may die anywhere: each write presents the token of its lease, and after that expired another evaluator begins again.
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

# Called with the name of every point at which the evaluator may be killed without harm.
Checkpoint = Callable[[str], None]


def is_free(lease: Lease, now: datetime) -> bool:
    """Tell whether others may take a job over: nobody has it, its lease has expired, or its evaluator has ended."""
    if lease.token is None or lease.expires_at is None or lease.expires_at < now:
        return True
    return lease.worker is not None and is_known_dead(lease.worker)


class LeasedJob(ABC, Generic[Work, Ending]):
    """Does jobs of one kind, one at a time.

    Attributes:
        claimed_label: Label of the point after the claim.
    """

    claimed_label: ClassVar[str]

    def __init__(self, database: Database, checkpoint: Checkpoint) -> None:
        self._database = database
        self._checkpoint = checkpoint

    def run_next(self) -> bool:
        """Do the next job, or a step of it, to an end or a pause; False when none waits, or others are at it."""
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
        """Do a job; return what is left to record of its end."""

    @abstractmethod
    def _explain(self, job: Job[Work], error: Exception) -> Ending:
        """Return how a job ends after an error."""

    @abstractmethod
    def _end(self, job: Job[Work], ending: Ending) -> None:
        """Record how a job ended."""


class RequestedJob(LeasedJob[Work, Ending]):
    """Does jobs that have a table of their own: claimed by comparing tokens, and given up after some attempts."""

    leases: ClassVar[JobTable]
    max_attempts: ClassVar[int]

    def __init__(self, database: Database, worker: str, checkpoint: Checkpoint) -> None:
        """Take where jobs are, the name under which this process claims, and what is called at each label."""
        super().__init__(database, checkpoint)
        self._worker = worker

    def _claim_next(self) -> Job[Work] | None:
        now = datetime.now(UTC)
        with self._database.read() as transaction:
            found = self._find_next(transaction, now)
        if found is None or not is_free(found, now):
            return None
        token, attempts = secrets.token_hex(16), found.attempts + 1
        lease = replace(found, token=token, worker=self._worker, expires_at=now + LEASE, attempts=attempts)
        with self._database.write() as transaction:
            work = self._claim(transaction, found, lease)
        return None if work is None else Job(work, lease)

    def _attempt(self, job: Job[Work]) -> Ending | None:
        return self._give_up(job) if job.lease.attempts > self.max_attempts else super()._attempt(job)

    def _extend_lease(self, job: Job[Work]) -> None:
        """Say that the work goes on; raises `LeaseLostError` where somebody else has it now."""
        with self._database.write() as transaction:
            self.leases.renew(transaction, job.lease, datetime.now(UTC) + LEASE)

    def _put_off(self, job: Job[Work], until: datetime) -> None:
        """Let a job rest until a time; when this evaluator ends, it is free at once."""
        with self._database.write() as transaction:
            self.leases.put_off(transaction, job.lease, until)

    @abstractmethod
    def _find_next(self, transaction: Transaction, now: datetime) -> Lease | None:
        """Return the lease of the job whose turn it is, whoever has it."""

    @abstractmethod
    def _claim(self, transaction: Transaction, found: Lease, lease: Lease) -> Work | None:
        """Claim a job as it was found, under a new lease; None when somebody else was first."""

    @abstractmethod
    def _give_up(self, job: Job[Work]) -> Ending | None:
        """Return how a job ends over which evaluators keep dying."""


def explain_failure(kind: str, lease: Lease, error: Exception) -> str:
    """Log why a requested job failed, and return what may be said of that to whoever asked for it."""
    if isinstance(error, AnswerKeyError):
        _LOG.error("%s: %s", lease.name, error)
        return "The answer key is missing or unusable. The evaluator's log has details."
    return f"The {kind} failed on our side. Reference {log_incident(f'{lease.name} failed', error)}."
