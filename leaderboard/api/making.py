"""Threads that make pages: few, or they are in each other's way.

Ten that make a page each, at once, make fewer in a second than one does. Those who wait for their turn hold no thread
and no connection; searches, of which every one is made anew, have a turn of their own and keep nobody else waiting.
"""

from collections.abc import Callable

from anyio import CapacityLimiter, to_thread

from leaderboard.board_pages import BoardPage

_PAGES, _SEARCHES = CapacityLimiter(2), CapacityLimiter(1)


async def make_page(read: Callable[[], BoardPage], *, is_search: bool = False) -> BoardPage:
    """Return what is read in a thread.

    Args:
        read: Reads or makes a page.
        is_search: Whether it looks for a stranger's own words.
    """
    return await to_thread.run_sync(read, limiter=_SEARCHES if is_search else _PAGES)
