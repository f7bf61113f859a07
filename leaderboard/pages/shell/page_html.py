"""HTML of the page on its way out: completed with our opening, and cached.

Gradio renders its whole layout into the HTML of every visit, which takes a tenth of a second. The result depends
neither on the user nor on the query of the address, which the browser reads itself; only on the requested host.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leaderboard.http.caching.etags import answer_unless_known, make_etag, read_known_tags
from leaderboard.http.content_policies import POLICY_HEADER, write_gradio_policy
from leaderboard.http.origin import find_origin, find_request_origin
from leaderboard.pages.shell.opening import Opening, complete, list_inline_scripts

# A client can claim any host, so only the last few are cached: a quarter of a megabyte each.
MAX_ORIGINS = 8


@dataclass(slots=True)
class _Answer:
    """A response of Gradio."""

    messages: list[Message] = field(default_factory=list)

    async def add_message(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def html(self) -> str | None:
        """The page; None for any other response."""
        start, *rest = self.messages
        headers = dict(start.get("headers", ()))
        is_html = headers.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in headers
        if start.get("status") != 200 or not is_html:
            return None
        return b"".join(message.get("body", b"") for message in rest).decode()


@dataclass(frozen=True, slots=True)
class _Page:
    body: bytes
    etag: str
    policy: str


class PageHtml:
    """ASGI layer around the page; only the event loop's thread may use it."""

    def __init__(self, app: ASGIApp, opening: Opening) -> None:
        self._app = app
        self._opening = opening
        self._kept: OrderedDict[str, _Page] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the page; pass everything else through."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] not in ("GET", "HEAD"):
            await self._app(scope, receive, send)
            return
        # Gradio writes the visitor's address into the page, so it is part of the cache key.
        origin = find_request_origin(scope)
        page = self._kept.get(origin)
        if page is None:
            # Without the query: Gradio interprets one of its parameters as the name of a state to read from disk.
            answer = _Answer()
            await self._app({**scope, "method": "GET", "query_string": b""}, receive, answer.add_message)
            if answer.html is None:
                for message in answer.messages:
                    await send(message)
                return
            page = _make(complete(answer.html, self._opening, find_origin(scope)))
            self._store_page(origin, page)
        await _respond(page, scope)(scope, receive, send)

    def _store_page(self, origin: str, page: _Page) -> None:
        if not origin:
            # All invalid hosts share the empty one, while Gradio's part of the page contains each as given.
            return
        self._kept[origin] = page
        while len(self._kept) > MAX_ORIGINS:
            self._kept.popitem(last=False)


def _make(html: str) -> _Page:
    body = html.encode()
    return _Page(body, make_etag(body), write_gradio_policy(list_inline_scripts(html)))


def _respond(page: _Page, scope: Scope) -> Response:
    headers = {POLICY_HEADER: page.policy}
    return answer_unless_known(page.body, page.etag, read_known_tags(scope), media_type="text/html", headers=headers)
