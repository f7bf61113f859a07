"""Request and response bodies that the guard limits and counts."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import NamedTuple, NoReturn

from starlette.types import Message, Receive, Send

from leaderboard.http.guard.allowlist import security_headers

Headers = Sequence[tuple[bytes, bytes]]

# A body may keep us waiting this long. Every byte gives time back, but never more than this: what arrived fast at first
# does not pay for a trickle. 20 kB/s is slow; less is not an upload.
_PATIENCE_SECONDS = 30.0
_MIN_BYTES_PER_SECOND = 20_000
# Even a short body takes a thread, a file and memory while it arrives.
_MIN_SHARE_BYTES = 65_536
_MAX_OF_CLIENT = 16
# This part of an address's room is kept for bodies that have at most `_SMALL_BYTES` so far.
_SMALL_SHARE = 0.1
_SMALL_BYTES = 1_000_000
BUSY = "The server is receiving too many uploads. Try again in a moment."


class Refusal(NamedTuple):
    """Why a request is refused."""

    status: int
    detail: str


class RefusedBodyError(Exception):
    """A body was refused while it was read; `GuardedBody.refusal` says why."""


class GuardedBody:
    """A request body that raises an error when it is too large or too slow, whatever its headers declare."""

    def __init__(self, receive: Receive, cap: int, reserve: Callable[[int], bool] = lambda _n_bytes: True) -> None:
        """Create the body.

        Args:
            receive: Receives the next message.
            cap: Maximum number of bytes.
            reserve: Reserves room for bytes that have arrived; False if there is none.
        """
        self._receive = receive
        self._cap = cap
        self._reserve = reserve
        self._n_bytes = 0
        self._patience_seconds = _PATIENCE_SECONDS
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
        n_bytes = len(message.get("body", b""))
        self._n_bytes += n_bytes
        self._patience_seconds = min(_PATIENCE_SECONDS, self._patience_seconds + n_bytes / _MIN_BYTES_PER_SECOND)
        self._is_whole = not message.get("more_body", False)
        if self._n_bytes > self._cap:
            self.refusal = Refusal(413, too_large_text(self._cap))
        elif not self._reserve(n_bytes):
            self.refusal = Refusal(503, BUSY)
        if self.refusal is not None:
            raise RefusedBodyError
        return message

    async def _wait(self) -> Message:
        began = monotonic()
        patience = self._patience_seconds
        try:
            async with asyncio.timeout(patience):
                message = await self._receive()
        except TimeoutError:
            self._refuse_slow()
        finally:
            self._patience_seconds -= monotonic() - began
        if monotonic() - began > patience:
            self._refuse_slow()  # The body arrived before the event loop's timer fired.
        return message

    def _refuse_slow(self) -> NoReturn:
        self.refusal = Refusal(408, "The request arrived too slowly, so nothing was saved. Send it again.")
        raise RefusedBodyError from None


class GuardedResponse:
    """A response: it gets the security headers and is counted."""

    def __init__(self, send: Send, frame_ancestors: Iterable[str], counts: Counter[int]) -> None:
        self._send = send
        self._frame_ancestors = frame_ancestors
        self._counts = counts
        self.has_started = False
        self.has_ended = False

    async def send(self, message: Message) -> None:
        """Send a piece of it."""
        if message["type"] == "http.response.start":
            self.has_started = True
            self._counts[message["status"]] += 1
            headers = security_headers(_filter_headers(message.get("headers", ())), self._frame_ancestors)
            message = {**message, "headers": headers}
        elif message["type"] == "http.response.body":
            self.has_ended = not message.get("more_body", False)
        await self._send(message)

    def filter(self, body: GuardedBody) -> Send:
        """Return a `send` that drops the response of an app that mistook our error for a malformed body."""

        async def send(message: Message) -> None:
            if self.has_started or body.refusal is None:
                await self.send(message)

        return send


class Reservation:
    """Room for one body, which grows as its bytes arrive: what a client declares is not reserved."""

    def __init__(self, gate: "UploadGate") -> None:
        self._gate = gate
        self._n_arrived = 0
        self.n_bytes = 0

    def grow(self, n_bytes: int) -> bool:
        """Reserve room for bytes that have arrived; False if there is none."""
        self._n_arrived += n_bytes
        n_more = max(0, max(self._n_arrived, _MIN_SHARE_BYTES) - self.n_bytes)
        if not self._gate.has_room(n_more, self._n_arrived):
            return False
        self._gate.n_bytes += n_more
        self.n_bytes += n_more
        return True


class UploadGate:
    """Room for uploads to one address: bytes of all, which stay on disk until processed, and a few bodies per client.

    Only the event loop's thread may use it.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self.n_bytes = 0
        self._n_of_client: Counter[str] = Counter()

    @contextmanager
    def enter(self, client: str) -> Iterator[Reservation | None]:
        """Reserve room for a body that begins to arrive; None if there is none."""
        reservation = Reservation(self)
        if self._n_of_client[client] >= _MAX_OF_CLIENT or not reservation.grow(0):
            yield None
            return
        self._n_of_client[client] += 1
        try:
            yield reservation
        finally:
            self.n_bytes -= reservation.n_bytes
            self._n_of_client[client] -= 1
            if not self._n_of_client[client]:
                del self._n_of_client[client]

    def has_room(self, n_more: int, n_arrived: int) -> bool:
        """Return whether a body of which some bytes have arrived may have more room. Large ones leave some to small."""
        room = self._max_bytes * (1.0 if n_arrived <= _SMALL_BYTES else 1.0 - _SMALL_SHARE)
        return self.n_bytes + n_more <= room


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
