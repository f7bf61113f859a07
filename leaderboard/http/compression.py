"""Compressed responses: gzip for pages, scripts, styles and JSON, each body compressed once.

Starlette's middleware compresses every response again. A board of 200 kB takes several milliseconds, and a few bodies
make up most responses. Only GET is compressed: responses to events and sign-ins may hold a new token beside text that a
visitor typed, which would let an attacker guess the token from compressed sizes.
"""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Iterable

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_MIN_BYTES, _MAX_BYTES = 1_400, 8_000_000
# Compressing larger bodies would block the event loop.
_MAX_BYTES_IN_LOOP = 20_000
_LEVEL = 6
_CACHE_BYTES = 32_000_000
_TYPES = (b"text/", b"application/json", b"application/javascript", b"image/svg+xml")
_Header = tuple[bytes, bytes]


class CompressedBodies:
    """Least-recently-used cache of compressed bodies, by the digest of their content."""

    def __init__(self, max_bytes: int = _CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._n_bytes = 0
        self._bodies: OrderedDict[bytes, bytes] = OrderedDict()

    async def compress(self, body: bytes) -> bytes:
        """Return a body compressed with gzip."""
        digest = hashlib.blake2b(body, digest_size=16).digest()
        compressed = self._bodies.get(digest)
        if compressed is None:
            is_short = len(body) <= _MAX_BYTES_IN_LOOP
            compressed = _compress(body) if is_short else await run_in_threadpool(_compress, body)
            self._store_body(digest, compressed)
        else:
            self._bodies.move_to_end(digest)
        return compressed

    def _store_body(self, digest: bytes, compressed: bytes) -> None:
        # Another request may have compressed the same body while this one was in its thread.
        self._n_bytes += len(compressed) - len(self._bodies.pop(digest, b""))
        self._bodies[digest] = compressed
        while self._n_bytes > self._max_bytes:
            self._n_bytes -= len(self._bodies.popitem(last=False)[1])


class Compression:
    """ASGI layer that compresses responses for clients that accept it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._bodies = CompressedBodies()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and compress the response if the client accepts it and it is large enough."""
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and accepts_gzip(scope["headers"]):
            send = _Response(send, self._bodies, scope).send
        await self._app(scope, receive, send)


class _Response:
    """A response that is held back until its body is complete if it is to be compressed."""

    def __init__(self, send: Send, bodies: CompressedBodies, scope: Scope) -> None:
        self._send = send
        self._bodies = bodies
        self._is_head = scope["method"] == "HEAD"
        # A client that sends a weak entity tag has the compressed body.
        self._has_weak = any(b"W/" in value for name, value in scope["headers"] if name == b"if-none-match")
        self._start: Message | None = None
        self._pieces: list[bytes] = []

    async def send(self, message: Message) -> None:
        """Send a message, or hold it back."""
        if message["type"] == "http.response.start":
            if _is_worth_it(message) and not self._is_head:
                self._start = message
                return
            if (message["status"] == 304 and self._has_weak) or _is_worth_it(message):
                message = {**message, "headers": [_weaken(header) for header in message["headers"]]}
            await self._send(message)
        elif self._start is None:
            await self._send(message)
        else:
            self._pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._finish(self._start)

    async def _finish(self, start: Message) -> None:
        body = await self._bodies.compress(b"".join(self._pieces))
        await self._send({**start, "headers": _describe(start["headers"], len(body))})
        await self._send({"type": "http.response.body", "body": body})


def accepts_gzip(headers: Iterable[_Header]) -> bool:
    """Tell whether a client accepts gzip (RFC 9110: `gzip;q=0` refuses it)."""
    for name, value in headers:
        for coding in value.lower().split(b",") if name == b"accept-encoding" else ():
            token, *parameters = (part.replace(b" ", b"") for part in coding.split(b";"))
            if token in (b"gzip", b"x-gzip"):
                return not any(parameter.rstrip(b"0.") == b"q=" for parameter in parameters)
    return False


def _is_worth_it(start: Message) -> bool:
    headers = dict(start.get("headers", ()))
    length = headers.get(b"content-length", b"")
    is_text = headers.get(b"content-type", b"").startswith(_TYPES)
    is_plain = start["status"] == 200 and b"content-encoding" not in headers and b"content-range" not in headers
    return is_plain and is_text and length.isdigit() and _MIN_BYTES <= int(length) <= _MAX_BYTES


def _describe(headers: Iterable[_Header], length: int) -> list[_Header]:
    """Return the headers of the compressed response, with a weak entity tag: other bytes, the same content."""
    kept: list[_Header] = []
    vary = [b"Accept-Encoding"]
    for name, value in headers:
        lower = name.lower()
        if lower == b"vary":
            vary.insert(0, value)
        elif lower not in (b"content-length", b"accept-ranges"):
            kept.append(_weaken((name, value)))
    added = {b"content-encoding": b"gzip", b"content-length": str(length).encode(), b"vary": b", ".join(vary)}
    return [*kept, *added.items()]


def _weaken(header: _Header) -> _Header:
    name, value = header
    return (name, b"W/" + value) if name.lower() == b"etag" and not value.startswith(b"W/") else header


def _compress(body: bytes) -> bytes:
    # Without a timestamp, so that equal bodies give equal bytes.
    return gzip.compress(body, _LEVEL, mtime=0)
