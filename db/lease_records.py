"""Records of leases, the same for every kind of work that evaluators claim."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from db.records import SubmissionRecord

Work = TypeVar("Work")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write the result of one job, until another evaluator takes it over.

    Attributes:
        id: Number of the leased row.
        name: Name of the job in the log.
        token: Token that every write must present; None if the lease was never granted or was returned. A token whose
            time has passed holds nothing.
        worker: Evaluator that holds the lease.
        expires_at: When another evaluator may take over.
        attempts: Number of claims so far, including this one once claimed.
    """

    id: int
    name: str
    token: str | None
    worker: str | None
    expires_at: datetime | None
    attempts: int


@dataclass(frozen=True, slots=True)
class Job(Generic[Work]):
    """Work that an evaluator has claimed, and the lease under which it writes the result."""

    work: Work
    lease: Lease


SubmissionJob = Job[SubmissionRecord]
"""A claimed submission; its lease is on its evaluation, which the scores belong to."""
