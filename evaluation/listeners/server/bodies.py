"""Bounded reading of request bodies, with limits per body and for all bodies in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from typing import Any

from evaluation.listeners.server.errors import Header, RequestRefusedError

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

MAX_BYTES = 64_000_000
MAX_BYTES_AT_ONCE = 4 * MAX_BYTES
READING_SECONDS = 60.0
_RETRY_AFTER: Header = (b"retry-after", b"1")


class GoneError(Exception):
    """The client closed the connection."""


def find_header(headers: Sequence[Header], name: bytes) -> str | None:
    """Return the first header with a name."""
    return next((value.decode("latin-1") for header, value in headers if header == name), None)


def refuse_overload() -> RequestRefusedError:
    """Return the error for a request that exceeds the available memory."""
    return RequestRefusedError(
        "The server is at capacity. Try again in a moment.",
        status=503,
        code="overloaded",
        headers=[_RETRY_AFTER],
    )


class BodyBudget:
    """Counts the bytes of all bodies in memory."""

    def __init__(self, max_bytes: int = MAX_BYTES_AT_ONCE) -> None:
        self._free = max_bytes

    @contextmanager
    def share(self) -> Iterator["BodyShare"]:
        """Yield the memory share of one body, which is released at the end."""
        share = BodyShare(self)
        try:
            yield share
        finally:
            self._free += share.taken

    def reserve_bytes(self, n_bytes: int) -> None:
        """Reserve memory for received bytes. Announced bytes reserve nothing, or announcements could exhaust it.

        Raises:
            RequestRefusedError: No memory is left.
        """
        if n_bytes > self._free:
            raise refuse_overload()
        self._free -= n_bytes


class BodyShare:
    """The memory reserved for one body."""

    def __init__(self, room: BodyBudget) -> None:
        self._room = room
        self.taken = 0

    def reserve_bytes(self, n_bytes: int) -> None:
        """Reserve memory for more bytes of this body.

        Raises:
            RequestRefusedError: No memory is left.
        """
        self._room.reserve_bytes(n_bytes)
        self.taken += n_bytes


def check_headers(headers: Sequence[Header]) -> None:
    """Check the headers that describe a body.

    Raises:
        RequestRefusedError: The body is not plain JSON, or too large.
    """
    kind = (find_header(headers, b"content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # Pages of other sites can send other content types to loopback without a preflight request.
        raise RequestRefusedError("The body must be JSON. Send `Content-Type: application/json`.", status=415)
    if (find_header(headers, b"content-encoding") or "identity").strip().lower() != "identity":
        raise RequestRefusedError("Compressed bodies are not supported. Remove Content-Encoding.", status=415)
    declared = find_header(headers, b"content-length")
    # The server has checked that these are digits, but Python does not parse as many as a header can contain.
    if declared is not None and int(declared[:20]) > MAX_BYTES:
        raise _refuse_size()


async def read_body(receive: Receive, share: BodyShare) -> bytearray:
    """Read a body, reserving memory as it arrives.

    Raises:
        GoneError: The client closed the connection before the end.
        RequestRefusedError: The body is too large or too slow, or no memory is left.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(READING_SECONDS):
            more = True
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise GoneError
                piece = message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) + len(piece) > MAX_BYTES:
                    raise _refuse_size()
                share.reserve_bytes(len(piece))
                body += piece
    except TimeoutError:
        raise RequestRefusedError(
            f"The body did not arrive within {READING_SECONDS:.0f} s. Send it again.", status=408
        ) from None
    return body


def _refuse_size() -> RequestRefusedError:
    return RequestRefusedError(
        f"The body is larger than {MAX_BYTES // 1_000_000} MB. Send shorter or fewer clips.",
        status=413,
        code="request_too_large",
    )
