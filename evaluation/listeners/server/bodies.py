"""Reading of request bodies, with limits for each body and for all bodies in memory."""

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
    """The other side has closed the connection."""


def find_header(headers: Sequence[Header], name: bytes) -> str | None:
    """Return the first header of a name."""
    return next((value.decode("latin-1") for known, value in headers if known == name), None)


def refuse_overload() -> RequestRefusedError:
    """Return the refusal of a request for which there is no room now."""
    return RequestRefusedError(
        "The server is at capacity. Try again in a moment.",
        status=503,
        code="overloaded",
        headers=[_RETRY_AFTER],
    )


class BodyBudget:
    """Counts the bytes of all bodies that are held."""

    def __init__(self, max_bytes: int = MAX_BYTES_AT_ONCE) -> None:
        self._free = max_bytes

    @contextmanager
    def share(self) -> Iterator["BodyShare"]:
        """Yield the room for one body, which is given back at the end."""
        share = BodyShare(self)
        try:
            yield share
        finally:
            self._free += share.taken

    def reserve_bytes(self, n_bytes: int) -> None:
        """Take room for bytes that have arrived; what is only announced takes none, or announcing would fill it.

        Raises:
            RequestRefusedError: There is none.
        """
        if n_bytes > self._free:
            raise refuse_overload()
        self._free -= n_bytes


class BodyShare:
    """The room that one body has taken so far."""

    def __init__(self, room: BodyBudget) -> None:
        self._room = room
        self.taken = 0

    def reserve_bytes(self, n_bytes: int) -> None:
        """Take room for more bytes of this body.

        Raises:
            RequestRefusedError: There is none.
        """
        self._room.reserve_bytes(n_bytes)
        self.taken += n_bytes


def check_headers(headers: Sequence[Header]) -> None:
    """Check what a request says of its body.

    Raises:
        RequestRefusedError: It is no plain JSON, or too large.
    """
    kind = (find_header(headers, b"content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        # A page of another site can send any other type to loopback without being asked for leave.
        raise RequestRefusedError("The body must be JSON. Send `Content-Type: application/json`.", status=415)
    if (find_header(headers, b"content-encoding") or "identity").strip().lower() != "identity":
        raise RequestRefusedError("Compressed bodies are not supported. Remove Content-Encoding.", status=415)
    declared = find_header(headers, b"content-length")
    # The server has checked that these are digits; Python makes no number of as many as a header can hold.
    if declared is not None and int(declared[:20]) > MAX_BYTES:
        raise _refuse_size()


async def read_body(receive: Receive, share: BodyShare) -> bytearray:
    """Read a body, taking room for it as it arrives.

    Raises:
        GoneError: The other side closed the connection on the way.
        RequestRefusedError: It is too large or too slow, or there is no room for it.
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
