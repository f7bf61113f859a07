"""Queue interface. Delivery is at least once; effects happen once because results are written under a lease."""

import threading
from collections.abc import Callable
from typing import Protocol

from db.lease_records import SubmissionJob


class Queue(Protocol):
    """Leases submissions to evaluators, and requeues those of lost evaluators."""

    def claim(self) -> SubmissionJob | None:
        """Claim the next submission; None if the queue is empty."""

    def renew_lease(self, job: SubmissionJob, progress: float) -> None:
        """Renew a lease, and store the progress.

        Raises:
            LeaseLostError: Another evaluator holds the lease.
        """

    def watch(self, turn: Callable[[], bool], stop: threading.Event) -> None:
        """Call `turn` whenever there may be work, until stopped; the current turn is completed first.

        Args:
            turn: Does one job without raising; False if there was nothing to do.
            stop: Ends the loop when set.
        """

    def requeue_dropped(self) -> int:
        """Requeue what was last claimed through this object but is no longer being worked on; return the number."""

    def requeue_lost(self) -> int:
        """Requeue, or end, every submission of a lost evaluator; return the number."""
