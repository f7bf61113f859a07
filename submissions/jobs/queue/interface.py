"""Queue interface. Delivery is at least once; effects happen once because results are written under a lease."""

import threading
from collections.abc import Callable
from typing import Protocol

from db.lease_records import SubmissionJob


class Queue(Protocol):
    """Hands out submissions under leases, and takes back those whose evaluator is gone."""

    def claim(self) -> SubmissionJob | None:
        """Take the next submission; None when none waits."""

    def renew_lease(self, job: SubmissionJob, progress: float) -> None:
        """Say that the work on a submission goes on.

        Raises:
            LeaseLostError: Somebody else has it now.
        """

    def watch(self, turn: Callable[[], bool], stop: threading.Event) -> None:
        """Call `turn` whenever there may be something to do, until told to stop; a turn that goes on is finished first.

        Args:
            turn: Does one thing and lets no error out; False when there was nothing to do.
            stop: Set to end this.
        """

    def requeue_dropped(self) -> int:
        """Queue again what was claimed last through this object, whose caller is no longer at it; return how many."""

    def requeue_lost(self) -> int:
        """Queue again, or end, every submission whose evaluator is gone; return how many there were."""
