"""Response cache: hits skip request handling, and are never older than a write that changes them."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from starlette.types import Receive, Scope, Send

from db.session import Database
from leaderboard.http.caching.response_cache import CachedPage, ResponseCache, ResponseCacheLayer


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as opened:
        with opened.write() as transaction:
            transaction.execute(text("create table pages (etag text)"))
            transaction.execute(text("insert into pages values ('\"1\"')"))
        yield opened


def change(database: Database, etag: str) -> None:
    with database.write() as transaction:
        transaction.execute(text("update pages set etag = :etag"), {"etag": etag})


class Layer:
    """Cache layer in front of one page, with counters of tag reads and passed-on requests."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.n_tags_read = self.n_passed_on = 0
        self.bodies = {'"1"': b"one"}
        self.cache = ResponseCache(database)
        self.layer = ResponseCacheLayer(self._answer, self.cache)
        self.page = CachedPage("board", self._find_etag, self.bodies.get)

    def _find_etag(self) -> str:
        self.n_tags_read += 1
        with self.database.read() as transaction:
            return str(transaction.scalar(text("select etag from pages")))

    async def _answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.n_passed_on += 1
        self.cache.remember_page(scope, self.page)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"built"})

    async def request(self, query: bytes = b"", tags: bytes = b"", method: str = "GET") -> tuple[int, bytes]:
        messages: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            messages.append(message)

        headers = [(b"if-none-match", tags)] if tags else []
        scope = {"type": "http", "method": method, "path": "/board", "query_string": query, "headers": headers}
        await self.layer(scope, receive, send)
        return messages[0]["status"], messages[1]["body"]


def test_second_request_is_served_from_memory_after_one_database_read(database: Database) -> None:
    layer = Layer(database)

    async def send_requests() -> None:
        assert await layer.request() == (200, b"built")
        for _ in range(5):
            assert await layer.request() == (200, b"one")
        assert await layer.request(tags=b'"0", W/"1"') == (304, b"")
        assert await layer.request(method="POST") == (200, b"built")
        assert await layer.request(query=b"sort=other") == (200, b"built")

    asyncio.run(send_requests())
    assert (layer.n_tags_read, layer.n_passed_on) == (1, 3)


def test_changed_page_is_never_served_stale(database: Database) -> None:
    layer = Layer(database)

    async def send_requests() -> None:
        await layer.request()
        for number in range(2, 30):
            before, now = f'"{number - 1}"', f'"{number}"'
            assert await layer.request(tags=before.encode()) == (304, b"")
            change(database, now)
            assert await layer.request(tags=before.encode()) == (200, b"built"), "its bytes are not cached yet"
            layer.bodies[now] = now.encode()
            assert await layer.request(tags=before.encode()) == (200, now.encode())

    asyncio.run(send_requests())


def test_concurrent_requests_after_a_change_read_the_etag_once(database: Database) -> None:
    layer = Layer(database)

    async def send_requests() -> None:
        await layer.request()
        await layer.request()
        with database.write() as transaction:
            transaction.execute(text("create table others (one int)"))  # the page is unchanged
        answers = await asyncio.gather(*(layer.request() for _ in range(50)))
        assert set(answers) == {(200, b"one")}

    asyncio.run(send_requests())
    assert layer.n_tags_read == 2


def test_cancelled_request_does_not_cancel_the_shared_read(database: Database) -> None:
    layer = Layer(database)
    may_read = threading.Event()
    layer.page = CachedPage("board", lambda: layer._find_etag() if may_read.wait(30) else "", layer.bodies.get)

    async def send_requests() -> None:
        await layer.request()
        first, second = asyncio.create_task(layer.request()), asyncio.create_task(layer.request())
        await asyncio.sleep(0)
        first.cancel()
        may_read.set()
        assert await second == (200, b"one")
        with pytest.raises(asyncio.CancelledError):
            await first

    asyncio.run(send_requests())
    assert layer.n_tags_read == 1


def test_requests_reach_the_handler_if_the_database_is_unreadable(database: Database) -> None:
    layer = Layer(database)
    fails = True

    def find_etag() -> str:
        if fails:
            raise OperationalError("select", {}, Exception("away"))
        return '"1"'

    layer.page = CachedPage("board", find_etag, layer.bodies.get)

    async def send_requests() -> None:
        nonlocal fails
        assert [await layer.request() for _ in range(3)] == [(200, b"built")] * 3
        fails = False
        assert await layer.request() == (200, b"one"), "a failure is not cached"

    asyncio.run(send_requests())
    assert layer.n_passed_on == 3


def test_database_without_version_is_read_for_each_request() -> None:
    with closing(Database("sqlite://")) as database:
        assert database.find_version() is None
        layer = Layer(database)
        layer.page = CachedPage("board", lambda: f'"{len(layer.bodies)}"', layer.bodies.get)

        async def send_requests() -> None:
            await layer.request()
            assert await layer.request() == (200, b"one")
            layer.bodies['"2"'] = b"two"
            assert await layer.request() == (200, b"two")

        asyncio.run(send_requests())


def test_remembered_requests_are_limited_in_number_and_length(database: Database) -> None:
    layer = Layer(database)

    async def send_requests() -> None:
        await layer.request(query=b"x" * 5_000)
        assert await layer.request(query=b"x" * 5_000) == (200, b"built")
        for number in range(501):
            await layer.request(query=b"%d" % number)
        assert await layer.request(query=b"500") == (200, b"one")
        assert await layer.request(query=b"0") == (200, b"built"), "the least recently used request is evicted"

    asyncio.run(send_requests())
