"""Connections: silent ones are closed or make room, one client leaves room for others, and proxies are no clients."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from ipaddress import IPv4Network

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from leaderboard.http import connections
from leaderboard.http.connections import make_protocol
from tests.support.servers.quick_server import QuickServer, run_in_thread
from tests.support.servers.server import wait_for

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
OTHER = "127.0.0.2"
LONG = b"x" * 30_000_000


async def answer(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    if scope["path"] == "/long":
        await PlainTextResponse(LONG)(scope, receive, send)
        return
    await PlainTextResponse(b"done %d" % len(body))(scope, receive, send)


@dataclass
class Place:
    """A server.

    Attributes:
        port: Its port.
        opened: Closes connections at the end.
    """

    port: int
    opened: ExitStack

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30, source_address=(source, 0))
        return self.opened.enter_context(connection)

    def send(self, source: str = "127.0.0.1", request: bytes = REQUEST) -> bytes:
        connection = self.connect(source)
        connection.sendall(request)
        found = connection.recv(10_000)
        connection.close()
        return found


@contextmanager
def run_server(proxies: tuple[IPv4Network, ...] = ()) -> Iterator[Place]:
    config = uvicorn.Config(answer, log_level="error", http=make_protocol(proxies), lifespan="off")
    with (
        socket.create_server(("127.0.0.1", 0), backlog=512) as listening,
        run_in_thread(QuickServer(config), [listening]),
        ExitStack() as opened,
    ):
        yield Place(listening.getsockname()[1], opened)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_MAX_OF_CLIENT", 3)
    monkeypatch.setattr(connections, "_MAX_CONNECTIONS", 6)
    monkeypatch.setattr(connections, "_FEWEST_CONNECTIONS", 6)


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_client_with_too_many_connections_is_told_so_and_others_are_served() -> None:
    with run_server() as place:
        held = [place.connect() for _ in range(3)]
        refused = place.connect()
        found = refused.recv(10_000)
        assert found.startswith(b"HTTP/1.1 503 ")
        assert b"retry-after: 5" in found
        assert b"Your address has too many connections" in found
        assert is_closed(refused)
        assert b"200 OK" in place.send(OTHER)
        held[0].close()
        wait_for(lambda: b"200 OK" in place.send(), "room", seconds=30)


def test_longest_silent_connection_makes_room_where_none_is_left() -> None:
    with run_server() as place:
        silent = [place.connect(f"127.0.0.{2 + n // 2}") for n in range(6)]
        busy = silent[0]
        busy.sendall(REQUEST[:-2] + b"Content-Length: 5\r\n\r\n")
        silent[1].sendall(REQUEST)
        assert b"200 OK" in silent[1].recv(10_000)
        assert b"200 OK" in place.send("127.0.0.9")
        assert is_closed(silent[2]), "the first that waits; the one before has just been served"
        busy.sendall(b"12345")
        assert b"done 5" in busy.recv(10_000), "a request in progress is not interrupted"


def test_connections_of_a_proxy_are_those_of_many_clients() -> None:
    with run_server((IPv4Network("127.0.0.1/32"),)) as place:
        held = [place.connect() for _ in range(5)]
        assert b"200 OK" in place.send()
        assert len(held) == 5


@pytest.mark.parametrize("beginning", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_headers_that_do_not_arrive_in_time_end_the_connection(
    beginning: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", 0.3)
    with run_server() as place:
        first, later = place.connect(), place.connect()
        first.sendall(beginning)
        later.sendall(REQUEST)
        assert b"200 OK" in later.recv(10_000)
        assert is_closed(first)
        if beginning:
            later.sendall(beginning)
            assert is_closed(later), "also for a further request of a connection"


def test_idle_connection_that_was_served_is_kept_longer_than_headers_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_HEADER_SECONDS", 0.2)
    with run_server() as place:
        connection = place.connect()
        for _ in range(2):
            connection.sendall(REQUEST)
            assert b"200 OK" in connection.recv(10_000)
            time.sleep(0.5)
        connection.sendall(REQUEST * 3)
        found = b""
        while found.count(b"done 0") < 3:
            found += connection.recv(10_000)


def test_client_that_does_not_read_its_answer_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_READING_SECONDS", 0.5)
    with run_server() as place:
        silent = place.connect()
        silent.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(2)
        assert read_whole(silent) < len(LONG), "the connection ended before the answer"


def test_client_that_reads_slowly_gets_the_whole_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_READING_SECONDS", 0.5)
    with run_server() as place:
        slow = place.connect()
        slow.sendall(b"GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert read_whole(slow, pause=0.05) > len(LONG)


def read_whole(connection: socket.socket, pause: float = 0) -> int:
    """Read until the connection ends, with a pause after each megabyte, and return the number of bytes."""
    n_read = n_of_pause = 0
    try:
        while data := connection.recv(1_000_000):
            n_read += len(data)
            n_of_pause += len(data)
            if n_of_pause >= 1_000_000:
                time.sleep(pause)
                n_of_pause = 0
    except ConnectionResetError:
        pass
    return n_read
