"""What every queue can do. Delivery is at least once; effects happen once because results are written under a lease."""

from typing import Protocol

from db.records import LeaseRecord


class Queue(Protocol):
    """Hands out submissions under leases, and takes back those whose evaluator is gone."""

    def claim(self) -> LeaseRecord | None:
        """Take the next submission; None when none waits."""

    def keep(self, lease: LeaseRecord, progress: float) -> None:
        """Say that the work on a submission goes on.

        Raises:
            LeaseLostError: Somebody else has it now.
        """

    def requeue_lost(self) -> int:
        """Queue again, or end, every submission whose evaluator is gone; return how many there were."""
