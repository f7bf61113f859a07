"""Pages of boards that are kept, sent without reading the request again: what was asked before in these very bytes.

Most requests for a board are the same few. To take one apart, check its words and choose a route takes many times as
long as to ask the database for the board's revision and to send the bytes that are kept under it.
"""

from collections import OrderedDict

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from evaluation.benchmarks import Benchmark
from leaderboard.board_pages import BoardPage, BoardPages
from leaderboard.board_query import BoardQuery

_MOST_REQUESTS = 500
_LONGEST_QUERY = 4_000
_Asked = tuple[str, bytes]


class AskedBefore:
    """What requests for a page were understood as, those used last; only the event loop's thread may use it."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: OrderedDict[_Asked, tuple[Benchmark, BoardQuery]] = OrderedDict()

    def remember(self, scope: Scope, benchmark: Benchmark, query: BoardQuery) -> None:
        """Remember a request that was answered. Searches are a stranger's own words, so none is."""
        asked = _read(scope)
        if query.page.has_free_words or len(asked[1]) > _LONGEST_QUERY:
            return
        self._known[asked] = benchmark, query
        while len(self._known) > _MOST_REQUESTS:
            self._known.popitem(last=False)

    def find(self, scope: Scope) -> tuple[Benchmark, BoardQuery] | None:
        """Return what a request was understood as before."""
        asked = _read(scope)
        found = self._known.get(asked)
        if found is not None:
            self._known.move_to_end(asked)
        return found


class KeptPages:
    """ASGI layer in front of the API."""

    def __init__(self, app: ASGIApp, asked: AskedBefore, pages: BoardPages) -> None:
        """Take what it stands in front of, what was asked before, and the pages."""
        self._app = app
        self._asked = asked
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page that is kept; all else goes on."""
        known = self._asked.find(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        page = await run_in_threadpool(self._pages.find_kept, *known, _read_tags(scope)) if known is not None else None
        if page is None:
            await self._app(scope, receive, send)
        else:
            await answer_page(page)(scope, receive, send)


def keep_pages(api: FastAPI) -> KeptPages:
    """Return an API with this layer in front of it."""
    return KeptPages(api, api.state.asked_before, api.state.board_pages)


def answer_page(page: BoardPage) -> Response:
    """Return a page as an answer; 304 alone where the asker has it."""
    headers = {"ETag": page.etag, "Cache-Control": "no-cache"}
    if page.body is None:
        return Response(status_code=304, headers=headers)
    return Response(page.body, headers=headers, media_type="application/json")


def _read(scope: Scope) -> _Asked:
    return scope["path"], scope["query_string"]


def _read_tags(scope: Scope) -> str:
    return b",".join(value for name, value in scope["headers"] if name == b"if-none-match").decode("latin-1")
