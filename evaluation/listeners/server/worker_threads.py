"""Worker threads with a bounded queue."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from evaluation.listeners.server.server_replies import ServerReply

Work = Callable[[], ServerReply]


class OverloadedError(Exception):
    """The queue is full."""


class Workers:
    """A few threads that process a queue.

    They are daemon threads: a slow answer does not prevent shutdown, unlike in the standard library's pools.
    """

    def __init__(self, n_threads: int, max_waiting: int) -> None:
        """Start the threads."""
        self._most_waiting = max_waiting
        self._line: deque[tuple[Future[ServerReply], Work]] = deque()
        self._changed = threading.Condition()
        for number in range(n_threads):
            threading.Thread(target=self._work, name=f"listener-{number}", daemon=True).start()

    async def run(self, work: Work) -> ServerReply:
        """Return the result of work run by a thread. Cancelled work is not started.

        Raises:
            OverloadedError: The queue is full.
        """
        job = (Future[ServerReply](), work)
        with self._changed:
            if len(self._line) >= self._most_waiting:
                raise OverloadedError
            self._line.append(job)
            self._changed.notify()
        try:
            return await asyncio.wrap_future(job[0])
        except asyncio.CancelledError:
            # Leave the queue at once, or it would keep the whole request in memory until its turn.
            with self._changed, suppress(ValueError):
                self._line.remove(job)
            raise

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._line)
                future, work = self._line.popleft()
            if future.set_running_or_notify_cancel():
                _fulfil(future, work)
            # Keep no reference to a request while the thread waits for the next one.
            del future, work


def _fulfil(future: Future[ServerReply], work: Work) -> None:
    try:
        reply = work()
    except Exception as error:  # noqa: BLE001 - handed on to the one who waits
        future.set_exception(error)
    else:
        future.set_result(reply)
