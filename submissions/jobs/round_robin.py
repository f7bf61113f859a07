"""Taking turns: one thing after another is done, and no error in one keeps the next from being done."""

import logging
import threading
from collections.abc import Callable, Sequence

from submissions.jobs.queue import Queue

_LOG = logging.getLogger(__name__)


class RoundRobin:
    """Does what can be done each time it is called."""

    def __init__(self, queue: Queue, acts: Sequence[Callable[[], bool]]) -> None:
        self._queue = queue
        self._acts = acts
        self._may_have_dropped = False

    def __call__(self) -> bool:
        """Try everything once; False when nothing was to be done."""
        try:
            if self._may_have_dropped:
                self._queue.requeue_dropped()
                self._may_have_dropped = False
            return sum(act() for act in self._acts) > 0  # all of them, whatever the first found
        except Exception:  # noqa: BLE001 - the outer edge: the next turn is taken whatever happens in this one
            _LOG.exception("an evaluator task failed")
            self._may_have_dropped = True
            return False


def start_queue_thread(
    name: str, queue: Queue, acts: Sequence[Callable[[], bool]], stop: threading.Event
) -> threading.Thread:
    """Take turns in a thread of their own, so that what takes hours holds up nothing else.

    Args:
        name: Of the thread.
        queue: That of the lane.
        acts: What is tried in each turn.
        stop: Ends it, after the turn that goes on.
    """
    thread = threading.Thread(target=queue.watch, args=(RoundRobin(queue, acts), stop), name=name, daemon=True)
    thread.start()
    return thread
