"""Round robin: runs several kinds of work in turn, so that an error in one does not stop the others."""

import logging
import threading
from collections.abc import Callable, Sequence

from submissions.jobs.queue import SubmissionQueue

_LOG = logging.getLogger(__name__)


class RoundRobin:
    """Does a unit of work when called."""

    def __init__(self, queue: SubmissionQueue, acts: Sequence[Callable[[], bool]]) -> None:
        self._queue = queue
        self._acts = acts
        self._may_have_dropped = False

    def __call__(self) -> bool:
        """Try every kind once; False if there was nothing to do."""
        try:
            if self._may_have_dropped:
                self._queue.requeue_dropped()
                self._may_have_dropped = False
            return sum(act() for act in self._acts) > 0  # all of them, whatever the first one found
        except Exception:  # noqa: BLE001 - the outer edge: the next turn is taken whatever happens in this one
            _LOG.exception("an evaluator task failed")
            self._may_have_dropped = True
            return False


def start_queue_thread(
    name: str, queue: SubmissionQueue, acts: Sequence[Callable[[], bool]], stop: threading.Event
) -> threading.Thread:
    """Run a round robin in a thread of its own, so that long work blocks nothing else.

    Args:
        name: Name of the thread.
        queue: Queue to watch.
        acts: Kinds of work to try in each turn.
        stop: Ends the thread after the current turn.
    """
    thread = threading.Thread(target=queue.watch, args=(RoundRobin(queue, acts), stop), name=name, daemon=True)
    thread.start()
    return thread
