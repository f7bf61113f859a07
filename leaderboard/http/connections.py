"""Connections: deadlines for sending and reading, and limits in all and per client, so that silent ones leave room."""

import asyncio
import resource
import socket
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network

from uvicorn.protocols.http.h11_impl import H11Protocol

from leaderboard.http.client_turns import name_client, parse_address

# A browser opens six to a host; a university or a conference may share one address.
_MAX_OF_CLIENT = 256
_MAX_CONNECTIONS = 10_000
_FEWEST_CONNECTIONS = 64
# Descriptors for databases, uploads, checks and files that are sent.
_OTHER_DESCRIPTORS = 512
# From the connection, or the first byte of a further request, to the end of the headers.
_HEADER_SECONDS = 20.0
# In this time a client must take something of an answer that waits for it.
_READING_SECONDS = 120.0
_UNSENT_BYTES = 131_072
_TEXT = b'{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"%s"}'
_TOO_MANY = _TEXT % b"Your address has too many connections to this server. Close some, or try again in a moment."
_FULL = _TEXT % b"The server has too many connections. Try again in a moment."


class ConnectionLimits:
    """Counts connections. Where none is left, the one that has waited longest for a request makes room."""

    def __init__(self, max_connections: int, max_of_client: int, proxies: Sequence[IPv4Network | IPv6Network]) -> None:
        """Create limits.

        Args:
            max_connections: Number of connections in all.
            max_of_client: Number of connections of a client: an IPv4 address or an IPv6 network.
            proxies: Addresses of trusted proxies, through which many clients connect.
        """
        self._max_connections = max_connections
        self._max_of_client = max_of_client
        self._proxies = proxies
        self._client_of: dict[H11Protocol, str] = {}
        self._n_of_client: Counter[str] = Counter()
        # In the order in which they began to wait.
        self._waiting: dict[H11Protocol, None] = {}

    def find_refusal(self, connection: H11Protocol, address: str) -> bytes | None:
        """Count a new connection and return None, or return why it is refused."""
        client = "" if self._is_proxy(address) else name_client(address)
        if client and self._n_of_client[client] >= self._max_of_client:
            return _TOO_MANY
        if len(self._client_of) >= self._max_connections and not self._close_waiting():
            return _FULL
        self._client_of[connection] = client
        self._n_of_client[client] += 1
        return None

    def note_end(self, connection: H11Protocol) -> None:
        """Forget a connection."""
        self._waiting.pop(connection, None)
        client = self._client_of.pop(connection, None)
        if client is not None:
            self._n_of_client[client] -= 1
            if not self._n_of_client[client]:
                del self._n_of_client[client]

    def note_state(self, connection: H11Protocol, *, is_waiting: bool) -> None:
        """Note whether a connection waits for a request."""
        if not is_waiting:
            self._waiting.pop(connection, None)
        elif connection in self._client_of:
            self._waiting.setdefault(connection)

    def _close_waiting(self) -> bool:
        connection = next(iter(self._waiting), None)
        if connection is None:
            return False
        self.note_end(connection)
        connection.transport.abort()
        return True

    def _is_proxy(self, address: str) -> bool:
        peer = parse_address(address)
        return peer is not None and any(peer in network for network in self._proxies)


class _LimitedProtocol(H11Protocol):
    """HTTP/1.1 connection that is counted, and closed if its client neither sends a request nor reads its answer."""

    limits: ConnectionLimits
    _deadline: asyncio.TimerHandle | None = None
    _reading_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _bound_unsent_bytes(transport)
        refusal = self.limits.find_refusal(self, self.client[0] if self.client else "")
        if refusal is not None:
            head = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\nretry-after: 5\r\n"
            transport.write(b"%sconnection: close\r\ncontent-length: %d\r\n\r\n%s" % (head, len(refusal), refusal))
            transport.close()
            return
        self.limits.note_state(self, is_waiting=True)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        self._stop_reading_deadline()
        self.limits.note_end(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._start_reading_deadline()

    def resume_writing(self) -> None:
        self._stop_reading_deadline()
        super().resume_writing()

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._is_waiting():
            self._start_deadline()

    def handle_events(self) -> None:
        super().handle_events()
        is_waiting = self._is_waiting()
        self.limits.note_state(self, is_waiting=is_waiting)
        if not is_waiting:
            self._stop_deadline()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self.limits.note_state(self, is_waiting=self._is_waiting())

    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _start_deadline(self) -> None:
        if self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(_HEADER_SECONDS, self.transport.abort)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _start_reading_deadline(self) -> None:
        self._stop_reading_deadline()
        n_unsent = self.transport.get_write_buffer_size()
        self._reading_deadline = self.loop.call_later(_READING_SECONDS, self._close_unread, n_unsent)

    def _close_unread(self, n_unsent_before: int) -> None:
        if self.transport.get_write_buffer_size() < n_unsent_before:
            self._start_reading_deadline()
        else:
            self.transport.abort()

    def _stop_reading_deadline(self) -> None:
        if self._reading_deadline is not None:
            self._reading_deadline.cancel()
            self._reading_deadline = None


def _bound_unsent_bytes(transport: asyncio.Transport) -> None:
    """Keep what a client has not read in our own buffer, where it is noticed, rather than in the kernel's megabytes."""
    connection = transport.get_extra_info("socket")
    option = getattr(socket, "TCP_NOTSENT_LOWAT", None)
    if option is not None and connection is not None and connection.family in (socket.AF_INET, socket.AF_INET6):
        connection.setsockopt(socket.IPPROTO_TCP, option, _UNSENT_BYTES)


def make_protocol(proxies: Sequence[IPv4Network | IPv6Network]) -> type[H11Protocol]:
    """Return the protocol class of a server, with limits of its own.

    The limit of open files is raised as far as this process may; connections leave some of them.

    Args:
        proxies: Addresses of trusted proxies.
    """
    limits = ConnectionLimits(_count_connections(), _MAX_OF_CLIENT, proxies)
    return type("LimitedProtocol", (_LimitedProtocol,), {"limits": limits})


def _count_connections() -> int:
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    most_files = 2 * _MAX_CONNECTIONS if hard_limit == resource.RLIM_INFINITY else hard_limit
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, hard_limit))
    return min(_MAX_CONNECTIONS, max(_FEWEST_CONNECTIONS, most_files - _OTHER_DESCRIPTORS))
