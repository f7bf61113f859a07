"""Who makes a page, and who waits: one after the other, or they are in each other's way.

Ten threads that make a page each, at once, make fewer in a second than one does. Those who wait for their turn hold no
thread and no connection, and find the page kept where one before them wanted the same. Searches, of which every one is
made anew, have a line of their own.
"""

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from fastapi import Request
from starlette.concurrency import run_in_threadpool

from leaderboard.boards.board_pages import BoardPage
from submissions.errors import TooManyWaitingError

# Who comes later would have given up, and asked again, before his turn came.
MAX_WAITING = 100


class _Line:
    """One whose turn it is, and those who wait behind him."""

    def __init__(self) -> None:
        self._turn = CapacityLimiter(1)
        self._n_in_line = 0

    async def make(self, make: Callable[[], BoardPage]) -> BoardPage:
        if self._n_in_line > MAX_WAITING:
            reason = f"{MAX_WAITING} requests for similar pages are already waiting. Try again in a few seconds."
            raise TooManyWaitingError(reason)
        self._n_in_line += 1
        try:
            return await to_thread.run_sync(make, limiter=self._turn)
        finally:
            self._n_in_line -= 1


class SingleFlight:
    """The lines of one app."""

    def __init__(self) -> None:
        """Begin with nobody in them."""
        self._pages, self._searches = _Line(), _Line()

    async def make(self, make: Callable[[], BoardPage], *, is_search: bool) -> BoardPage:
        """Make a page when it is its turn.

        Raises:
            TooManyWaitingError: Its line is too long.
        """
        return await (self._searches if is_search else self._pages).make(make)


async def read_page(
    request: Request, find: Callable[[], BoardPage | None], make: Callable[[], BoardPage], *, is_search: bool
) -> BoardPage:
    """Return a page that is kept, or make it.

    Args:
        request: What came.
        find: Returns the page where it is kept; takes a moment.
        make: Makes it.
        is_search: Whether it is about a stranger's own words.

    Raises:
        TooManyWaitingError: Too many wait for theirs.
    """
    turns: SingleFlight = request.app.state.turns
    return await run_in_threadpool(find) or await turns.make(make, is_search=is_search)
