"""Single-flight page builder: pages are built one after the other, and concurrent misses for a page share one build.

Ten threads that each build a page build fewer in a second than one thread does. Requests that wait for their turn hold
no thread and no connection, and find the page in the cache where an earlier request built it. Searches are built for
every request, and have a queue of their own.
"""

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from starlette.concurrency import run_in_threadpool

from leaderboard.boards.board_pages import BoardPage
from submissions.errors import TooManyWaitingError

# A client that comes later would give up, and retry, before its turn came.
MAX_WAITING = 100


class _BuildQueue:
    """One build that runs, and the requests that wait behind it."""

    def __init__(self) -> None:
        self._turn = CapacityLimiter(1)
        self._n_waiting = 0

    async def build_page(self, make: Callable[[], BoardPage]) -> BoardPage:
        if self._n_waiting > MAX_WAITING:
            reason = f"{MAX_WAITING} requests for similar pages are already waiting. Try again in a few seconds."
            raise TooManyWaitingError(reason)
        self._n_waiting += 1
        try:
            return await to_thread.run_sync(make, limiter=self._turn)
        finally:
            self._n_waiting -= 1


class SingleFlight:
    """The builds of one app: one queue for pages, one for searches."""

    def __init__(self) -> None:
        self._pages, self._searches = _BuildQueue(), _BuildQueue()

    async def build_page(self, make: Callable[[], BoardPage], *, is_search: bool) -> BoardPage:
        """Build a page when its turn comes.

        Raises:
            TooManyWaitingError: The queue is too long.
        """
        return await (self._searches if is_search else self._pages).build_page(make)


async def read_page(
    request: Request, find: Callable[[], BoardPage | None], make: Callable[[], BoardPage], *, is_search: bool
) -> BoardPage:
    """Return a page from the cache, or build it.

    Args:
        request: The request.
        find: Returns the page if it is cached; fast.
        make: Builds the page.
        is_search: Whether the page is a search, whose text the visitor chose.

    Raises:
        TooManyWaitingError: The queue is too long.
    """
    builder: SingleFlight = request.app.state.single_flight
    return await run_in_threadpool(find) or await builder.build_page(make, is_search=is_search)
