"""Pages that are kept, sent without reading the request again: what was asked before in these very bytes.

Most requests for boards are the same few. To take one apart, check its words and choose a route takes many times as
long as to see that nothing was written since, and to send the bytes that are kept.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import NamedTuple

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from db.errors import DatabaseUnableError
from db.session import Database
from leaderboard.boards.board_pages import BoardPage
from leaderboard.http.caching.etags import answer_unless_known, matches, read_known_tags

_MAX_REQUESTS = 500
_LONGEST_QUERY = 4_000


class CachedPage(NamedTuple):
    """How a page is found again without its request.

    Attributes:
        shown: What its entity tag is of; the same for all pages of a board.
        find_etag: Returns the tag as it is now; it asks the database, so it is called in a thread.
        find_body: Entity tag → the bytes, from memory, where they are kept.
    """

    shown: Hashable
    find_etag: Callable[[], str]
    find_body: Callable[[str], bytes | None]


class _Tag(NamedTuple):
    """An entity tag, here or on its way, and the version of the database that it is not older than."""

    version: int
    etag: asyncio.Future[str]


class ResponseCache:
    """How requests for pages were answered, those used last; only the event loop's thread may use it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[tuple[str, bytes], CachedPage] = OrderedDict()
        self._tags: dict[Hashable, _Tag] = {}

    def remember_page(self, scope: Scope, page: CachedPage) -> None:
        """Remember a request that was answered. Searches are a stranger's own words and not to be handed in."""
        if len(scope["query_string"]) > _LONGEST_QUERY:
            return
        self._known.setdefault(_name(scope), page)
        while len(self._known) > _MAX_REQUESTS:
            self._known.popitem(last=False)

    async def find_page(self, scope: Scope) -> BoardPage | None:
        """Return the page that a request asks for as it is now, where it is known and kept."""
        page = self._known.get(_name(scope))
        if page is None:
            return None
        self._known.move_to_end(_name(scope))
        etag = await self._find_etag(page)
        if matches(read_known_tags(scope), etag):
            return BoardPage(etag, None)
        body = page.find_body(etag)
        return BoardPage(etag, body) if body is not None else None

    async def _find_etag(self, page: CachedPage) -> str:
        # Asked for before the tag is read: what is written in between gives the next request another number.
        version = self._database.find_version()
        if version is None:
            return await run_in_threadpool(page.find_etag)
        tag = self._tags.get(page.shown)
        if tag is None or tag.version != version or _has_failed(tag.etag):
            # A crowd that comes after a change waits for the one who sees to it.
            tag = _Tag(version, asyncio.ensure_future(run_in_threadpool(page.find_etag)))
            # Looked at, or asyncio would complain of a failure that all who wanted to know of have left.
            tag.etag.add_done_callback(_has_failed)
            self._tags[page.shown] = tag
        # Shielded: one who goes away must not take the answer from the others.
        return await asyncio.shield(tag.etag)


def _has_failed(etag: asyncio.Future[str]) -> bool:
    return etag.done() and (etag.cancelled() or etag.exception() is not None)


class ResponseCacheLayer:
    """ASGI layer in front of the API."""

    def __init__(self, app: ASGIApp, asked: ResponseCache) -> None:
        self._app = app
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a page that is kept; all else goes on."""
        page = await self._find_page(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._app if page is None else answer_page(page))(scope, receive, send)

    async def _find_page(self, scope: Scope) -> BoardPage | None:
        try:
            return await self._asked.find_page(scope)
        except (DatabaseUnableError, OSError):
            # It will be no other for those behind, who know what to say of it.
            return None


def cache_responses(api: FastAPI) -> ResponseCacheLayer:
    """Return an API with this layer in front of it."""
    return ResponseCacheLayer(api, api.state.response_cache)


def remember(request: Request, page: CachedPage) -> None:
    """Have the next request of these very bytes answered without reading it."""
    asked: ResponseCache = request.app.state.response_cache
    asked.remember_page(request.scope, page)


def answer_page(page: BoardPage) -> Response:
    """Return a page as an answer; 304 alone where the client has it."""
    return answer_unless_known(page.body, page.etag, None)


def _name(scope: Scope) -> tuple[str, bytes]:
    return scope["path"], scope["query_string"]
