"""Response cache: repeated requests are answered from memory, without parsing them again.

Most requests for boards are the same few. Parsing a request, validating its parameters and routing it takes many times
longer than checking that nothing has been written since and sending the cached bytes.
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
    """A page that can be found again without its request.

    Attributes:
        shown: What the entity tag describes; the same for all pages of a board.
        find_etag: Returns the current entity tag; it queries the database, so it is called in a thread.
        find_body: Entity tag → cached bytes, or None.
    """

    shown: Hashable
    find_etag: Callable[[], str]
    find_body: Callable[[str], bytes | None]


class _Tag(NamedTuple):
    """An entity tag, known or being read, and the version of the database that it is at least as new as."""

    version: int
    etag: asyncio.Future[str]


class ResponseCache:
    """Least-recently-used cache of responses; only the event loop's thread may use it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: OrderedDict[tuple[str, bytes], CachedPage] = OrderedDict()
        self._tags: dict[Hashable, _Tag] = {}

    def remember_page(self, scope: Scope, page: CachedPage) -> None:
        """Remember how a request was answered. Do not pass searches: visitors choose their text."""
        if len(scope["query_string"]) > _LONGEST_QUERY:
            return
        self._known.setdefault(_name(scope), page)
        while len(self._known) > _MAX_REQUESTS:
            self._known.popitem(last=False)

    async def find_page(self, scope: Scope) -> BoardPage | None:
        """Return the current page for a request if it is cached."""
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
        # Read before the entity tag: a write in between gives the next request another number.
        version = self._database.find_version()
        if version is None:
            return await run_in_threadpool(page.find_etag)
        tag = self._tags.get(page.shown)
        if tag is None or tag.version != version or _has_failed(tag.etag):
            # After a change, concurrent requests wait for the first one, which reads the new tag.
            tag = _Tag(version, asyncio.ensure_future(run_in_threadpool(page.find_etag)))
            # Retrieved, or asyncio logs an exception whose waiters have all disconnected.
            tag.etag.add_done_callback(_has_failed)
            self._tags[page.shown] = tag
        # Shielded: a client that disconnects must not cancel the answer for the others.
        return await asyncio.shield(tag.etag)


def _has_failed(etag: asyncio.Future[str]) -> bool:
    return etag.done() and (etag.cancelled() or etag.exception() is not None)


class ResponseCacheLayer:
    """ASGI layer in front of the API."""

    def __init__(self, app: ASGIApp, asked: ResponseCache) -> None:
        self._app = app
        self._asked = asked

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a cached page; pass all other requests on."""
        page = await self._find_page(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        await (self._app if page is None else answer_page(page))(scope, receive, send)

    async def _find_page(self, scope: Scope) -> BoardPage | None:
        try:
            return await self._asked.find_page(scope)
        except (DatabaseUnableError, OSError):
            # The next layers fail in the same way, and they know how to report it.
            return None


def cache_responses(api: FastAPI) -> ResponseCacheLayer:
    """Wrap an API in this layer."""
    return ResponseCacheLayer(api, api.state.response_cache)


def remember(request: Request, page: CachedPage) -> None:
    """Answer the next identical request from the cache."""
    asked: ResponseCache = request.app.state.response_cache
    asked.remember_page(request.scope, page)


def answer_page(page: BoardPage) -> Response:
    """Return a page as a response; 304 if the client has it."""
    return answer_unless_known(page.body, page.etag, None)


def _name(scope: Scope) -> tuple[str, bytes]:
    return scope["path"], scope["query_string"]
