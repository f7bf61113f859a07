"""Response writer: stores responses in a thread as they arrive, so that querying does not wait for the disk."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from submissions.endpoints.querying.query_records import ItemResponse, Progress

Keep = Callable[[Sequence[ItemResponse]], None]
"""Stores responses durably; called by one thread at a time with all that arrived since the last call."""

Report = Callable[[Progress], None]
"""Called with the progress regularly, even when nothing arrives; whatever it raises ends the run after the responses
received so far have been stored."""


class ResponseWriter:
    """Collects responses while earlier ones are being stored."""

    def __init__(
        self,
        keep: Keep,
        report: Report,
        snapshot: Callable[[], Progress],
        every_seconds: float,
        stop: Callable[[], None],
        max_unkept: int,
    ) -> None:
        """Take the callbacks; `stop` is called when a report failed: no more questions are sent, and `close` follows.

        It accepts responses while fewer than `max_unkept` are unstored, because a killed process loses those.
        """
        self._keep = keep
        self._report = report
        self._snapshot = snapshot
        self._every_seconds = every_seconds
        self._stop = stop
        self._error: Exception | None = None
        self._most_unkept = max_unkept
        self._waiting: list[ItemResponse] = []
        self._n_in_hand = 0
        self._came = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._is_closed = False

    def add_response(self, response: ItemResponse) -> None:
        """Accept a response."""
        self._waiting.append(response)
        self._came.set()
        if self._n_in_hand + len(self._waiting) >= self._most_unkept:
            self._has_room.clear()

    async def wait_for_room(self) -> None:
        """Wait while so many responses are unstored that a kill would lose more than promised."""
        await self._has_room.wait()

    def close(self) -> None:
        """Announce that nothing more will come."""
        self._is_closed = True
        self._came.set()

    async def run(self) -> None:
        """Store responses until closed, and then the rest.

        Raises:
            Exception: What `keep` raised, at once; what `report` raised, after everything has been stored.
        """
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "keeper") as thread:
            reported_at = loop.time()
            while not (self._is_closed and not self._waiting):
                await self._wait_until(reported_at + self._every_seconds)
                batch, self._waiting = self._waiting, []
                if batch:
                    await self._hand_over(thread, batch)
                if loop.time() >= reported_at + self._every_seconds:
                    reported_at = loop.time()
                    await self._tell(thread)
            await self._tell(thread)
        if self._error is not None:
            raise self._error

    async def _hand_over(self, thread: ThreadPoolExecutor, batch: Sequence[ItemResponse]) -> None:
        self._n_in_hand = len(batch)
        try:
            await asyncio.get_running_loop().run_in_executor(thread, self._keep, batch)
        except Exception as error:
            if self._error is None:
                raise
            # The error that ended the run takes precedence.
            raise self._error from error
        self._n_in_hand = 0
        if len(self._waiting) < self._most_unkept:
            self._has_room.set()

    async def _tell(self, thread: ThreadPoolExecutor) -> None:
        """Report the progress, unless a report failed before."""
        if self._error is not None:
            return
        try:
            await asyncio.get_running_loop().run_in_executor(thread, self._report, self._snapshot())
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised
            # Raised later: responses that arrived meanwhile are paid for and must be stored.
            self._error = error
            self._stop()

    async def _wait_until(self, time: float) -> None:
        try:
            async with asyncio.timeout_at(time):
                await self._came.wait()
        except TimeoutError:
            return
        self._came.clear()
