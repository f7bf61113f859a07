"""Request and response bodies that the guard limits and counts."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple, NoReturn

from starlette.types import Message, Receive, Send

Headers = Sequence[tuple[bytes, bytes]]

# A body may take this long, plus time for every byte received: 20 kB/s is slow, less is not an upload.
_PATIENCE_SECONDS = 30.0
_MIN_BYTES_PER_SECOND = 20_000
# Even a short body takes a thread, a file and memory while it arrives.
_MIN_SHARE_BYTES = 65_536


class Refusal(NamedTuple):
    """Why a request is refused."""

    status: int
    detail: str


class RefusedBodyError(Exception):
    """A body was refused while it was read; `GuardedBody.refusal` says why."""


class GuardedBody:
    """A request body that raises an error when it is too large or too slow, whatever its headers declare."""

    def __init__(self, receive: Receive, cap: int) -> None:
        self._receive = receive
        self._cap = cap
        self._n_bytes = 0
        self._waited_seconds = 0.0
        self._is_whole = False
        self.refusal: Refusal | None = None

    async def receive(self) -> Message:
        """Return the next piece.

        Raises:
            RefusedBodyError: The body is too large or too slow.
        """
        if self._is_whole:
            return await self._receive()
        message = await self._wait()
        self._n_bytes += len(message.get("body", b""))
        self._is_whole = not message.get("more_body", False)
        if self._n_bytes > self._cap:
            self.refusal = Refusal(413, too_large_text(self._cap))
        if self.refusal is not None:
            raise RefusedBodyError
        return message

    async def _wait(self) -> Message:
        began = monotonic()
        patience = _PATIENCE_SECONDS + self._n_bytes / _MIN_BYTES_PER_SECOND - self._waited_seconds
        try:
            async with asyncio.timeout(patience):
                message = await self._receive()
        except TimeoutError:
            self._refuse_slow()
        finally:
            self._waited_seconds += monotonic() - began
        if monotonic() - began > patience:
            self._refuse_slow()  # The body arrived before the event loop's timer fired.
        return message

    def _refuse_slow(self) -> NoReturn:
        self.refusal = Refusal(408, "The request arrived too slowly, so nothing was saved. Send it again.")
        raise RefusedBodyError from None


class GuardedResponse:
    """A response: it gets the security headers and is counted."""

    def __init__(self, send: Send, headers: Headers, counts: Counter[int]) -> None:
        self._send = send
        self._headers = headers
        self._counts = counts
        self.has_started = False
        self.has_ended = False

    async def send(self, message: Message) -> None:
        """Send a piece of it."""
        if message["type"] == "http.response.start":
            self.has_started = True
            self._counts[message["status"]] += 1
            message = {**message, "headers": [*_filter_headers(message.get("headers", ())), *self._headers]}
        elif message["type"] == "http.response.body":
            self.has_ended = not message.get("more_body", False)
        await self._send(message)

    def filter(self, body: GuardedBody) -> Send:
        """Return a `send` that drops the response of an app that mistook our error for a malformed body."""

        async def send(message: Message) -> None:
            if self.has_started or body.refusal is None:
                await self.send(message)

        return send


class UploadGate:
    """Limit of bytes in uploads to one address at once: they stay on disk until they have been processed."""

    def __init__(self, max_bytes: int) -> None:
        self._most_bytes = max_bytes
        self._n_bytes = 0

    @contextmanager
    def enter(self, n_bytes: int) -> Iterator[bool]:
        """Reserve bytes; False if too few are left. Only the event loop's thread may call this."""
        share = max(n_bytes, _MIN_SHARE_BYTES)
        if self._n_bytes + share > self._most_bytes:
            yield False
            return
        self._n_bytes += share
        try:
            yield True
        finally:
            self._n_bytes -= share


def values(headers: Headers, name: bytes) -> list[bytes]:
    """Return every value of a header."""
    return [value for found, value in headers if found == name]


def too_large_text(cap: int) -> str:
    """Return the message for a body that is too large."""
    return f"The request is larger than {cap:,} bytes, the limit of this route. Send a smaller one."


def _filter_headers(headers: Headers) -> Headers:
    # Gradio answers other sites' scripts with Access-Control headers of its own; no other site has business here. Of
    # frames the guard's policy speaks.
    replaced = (b"access-control-", b"x-frame-options")
    return [(name, value) for name, value in headers if not name.lower().startswith(replaced)]
