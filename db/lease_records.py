"""Records of leases, the same for every kind of work that evaluators claim."""

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

Work = TypeVar("Work")


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write the result of one job, until another evaluator takes it over.

    Attributes:
        id: The row that holds it.
        name: Of the job, in the log.
        token: What every write must present; None while nobody has the job.
        worker: Who has it, or had it.
        expires_at: When others may take it over.
        attempts: Number of attempts, this one included.
    """

    id: int
    name: str
    token: str | None
    worker: str | None
    expires_at: datetime | None
    attempts: int


@dataclass(frozen=True, slots=True)
class Job(Generic[Work]):
    """Work that an evaluator has claimed, and the lease that lets it write the result."""

    work: Work
    lease: Lease
