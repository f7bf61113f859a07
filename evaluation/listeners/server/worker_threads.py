"""Threads that answer, and the line in front of them, which is bounded."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress

from evaluation.listeners.server.server_replies import ServerReply

Work = Callable[[], ServerReply]


class OverloadedError(Exception):
    """As many wait as may."""


class Workers:
    """A few threads that work off a line.

    They are daemons: an answer that takes long does not keep a server from stopping, which a pool of the standard
    library would.
    """

    def __init__(self, n_threads: int, max_waiting: int) -> None:
        """Start the threads."""
        self._most_waiting = max_waiting
        self._line: deque[tuple[Future[ServerReply], Work]] = deque()
        self._changed = threading.Condition()
        for number in range(n_threads):
            threading.Thread(target=self._work, name=f"listener-{number}", daemon=True).start()

    async def run(self, work: Work) -> ServerReply:
        """Return what work returns once a thread has done it. Work that nobody waits for any more is not begun.

        Raises:
            OverloadedError: The line is full.
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
            # Out of the line at once, or it would keep the whole request in memory until its turn.
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
            # Nothing of a request outlives its answer while the thread waits for the next one.
            del future, work


def _fulfil(future: Future[ServerReply], work: Work) -> None:
    try:
        reply = work()
    except Exception as error:  # noqa: BLE001 - handed on to the one who waits
        future.set_exception(error)
    else:
        future.set_result(reply)
