"""Entity tags: `no-cache` responses to GET get a digest of their bytes, and 304 if the client has them; HEAD works too.

Responses that have an entity tag already (a board's page, a pack) and responses that must not be stored pass unchanged.
"""

import hashlib
from collections.abc import Iterable, Mapping

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SENT_AS_IT_IS = "/pack"  # a file, which is not read for HEAD
_Header = tuple[bytes, bytes]


class Conditional:
    """ASGI layer around the API."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer HEAD as GET without a body, and a repeated GET with 304."""
        is_head = scope["type"] == "http" and scope["method"] == "HEAD" and not scope["path"].endswith(_SENT_AS_IT_IS)
        if not is_head and (scope["type"] != "http" or scope["method"] != "GET"):
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, read_known_tags(scope), is_head=is_head)
        await self._app({**scope, "method": "GET"} if is_head else scope, receive, answer.send)


class _Answer:
    """A response that is held back until its entity tag is known."""

    def __init__(self, send: Send, known: str, *, is_head: bool) -> None:
        self._send = send
        self._known = known
        self._is_head = is_head
        self._start: Message | None = None
        self._pieces: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            if _wants_tag(message):
                self._start = message
                return
        elif message["type"] == "http.response.body":
            if self._start is not None:
                await self._hold(self._start, message)
                return
            if self._is_head:
                message = {**message, "body": b""}
        await self._send(message)

    async def _hold(self, start: Message, message: Message) -> None:
        self._pieces.append(message.get("body", b""))
        if message.get("more_body", False):
            return
        body = b"".join(self._pieces)
        etag = make_etag(body)
        headers = [*start["headers"], (b"etag", etag.encode())]
        if matches(self._known, etag):
            await self._send({**start, "status": 304, "headers": _without_body(headers)})
            await self._send({"type": "http.response.body", "body": b""})
            return
        await self._send({**start, "headers": headers})
        await self._send({"type": "http.response.body", "body": b"" if self._is_head else body})


def make_etag(body: bytes) -> str:
    """Return the entity tag of an answer: a digest of its bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def read_known_tags(scope: Scope) -> str:
    """Return the entity tags that a request names in If-None-Match."""
    return b",".join(value for name, value in scope["headers"] if name == b"if-none-match").decode("latin-1")


def answer_unless_known(
    body: bytes | None,
    etag: str,
    known: str | None,
    *,
    media_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an answer with its entity tag, or 304 alone where the client has it.

    Args:
        body: None if the caller already knows that the client has it.
        etag: Entity tag of the body.
        known: The request's If-None-Match header.
        media_type: Media type of the body.
        headers: Further headers; `Cache-Control` is `no-cache` unless given.
    """
    sent = {"ETag": etag, "Cache-Control": "no-cache", **(headers or {})}
    if body is None or matches(known, etag):
        return Response(status_code=304, headers=sent)
    return Response(body, headers=sent, media_type=media_type)


def matches(if_none_match: str | None, etag: str) -> bool:
    """Tell whether an If-None-Match header names an entity tag; weak tags count, as RFC 9110 has it."""
    tags = {tag.strip().removeprefix("W/") for tag in (if_none_match or "").split(",")}
    return etag in tags or "*" in tags


def _wants_tag(start: Message) -> bool:
    headers = dict(start["headers"])
    return start["status"] == 200 and b"no-cache" in headers.get(b"cache-control", b"") and b"etag" not in headers


def _without_body(headers: Iterable[_Header]) -> list[_Header]:
    return [(name, value) for name, value in headers if name not in (b"content-length", b"content-type")]
