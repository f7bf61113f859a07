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
    """The layer with one page behind it, and what was asked of either."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.n_tags_read = self.n_passed_on = 0
        self.bodies = {'"1"': b"one"}
        self.asked = ResponseCache(database)
        self.layer = ResponseCacheLayer(self._answer, self.asked)
        self.page = CachedPage("board", self._find_etag, self.bodies.get)

    def _find_etag(self) -> str:
        self.n_tags_read += 1
        with self.database.read() as transaction:
            return str(transaction.scalar(text("select etag from pages")))

    async def _answer(self, scope: Scope, _receive: Receive, send: Send) -> None:
        self.n_passed_on += 1
        self.asked.remember_page(scope, self.page)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"made"})

    async def ask(self, query: bytes = b"", tags: bytes = b"", method: str = "GET") -> tuple[int, bytes]:
        sent: list[Any] = []

        async def receive() -> Any:
            return {"type": "http.request", "body": b""}

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"if-none-match", tags)] if tags else []
        scope = {"type": "http", "method": method, "path": "/board", "query_string": query, "headers": headers}
        await self.layer(scope, receive, send)
        return sent[0]["status"], sent[1]["body"]


def test_second_request_is_answered_from_memory_and_the_database_is_asked_once(database: Database) -> None:
    layer = Layer(database)

    async def ask() -> None:
        assert await layer.ask() == (200, b"made")
        for _ in range(5):
            assert await layer.ask() == (200, b"one")
        assert await layer.ask(tags=b'"0", W/"1"') == (304, b"")
        assert await layer.ask(method="POST") == (200, b"made")
        assert await layer.ask(query=b"sort=other") == (200, b"made")

    asyncio.run(ask())
    assert (layer.n_tags_read, layer.n_passed_on) == (1, 3)


def test_page_that_was_changed_is_never_sent_as_it_was(database: Database) -> None:
    layer = Layer(database)

    async def ask() -> None:
        await layer.ask()
        for number in range(2, 30):
            before, now = f'"{number - 1}"', f'"{number}"'
            assert await layer.ask(tags=before.encode()) == (304, b"")
            change(database, now)
            assert await layer.ask(tags=before.encode()) == (200, b"made"), "its bytes are not kept yet"
            layer.bodies[now] = now.encode()
            assert await layer.ask(tags=before.encode()) == (200, now.encode())

    asyncio.run(ask())


def test_crowd_that_comes_after_a_change_has_one_of_it_look(database: Database) -> None:
    layer = Layer(database)

    async def ask() -> None:
        await layer.ask()
        await layer.ask()
        with database.write() as transaction:
            transaction.execute(text("create table others (one int)"))  # the page is as it was
        answers = await asyncio.gather(*(layer.ask() for _ in range(50)))
        assert set(answers) == {(200, b"one")}

    asyncio.run(ask())
    assert layer.n_tags_read == 2


def test_one_who_goes_away_takes_the_answer_from_nobody(database: Database) -> None:
    layer = Layer(database)
    may_read = threading.Event()
    layer.page = CachedPage("board", lambda: layer._find_etag() if may_read.wait(30) else "", layer.bodies.get)

    async def ask() -> None:
        await layer.ask()
        first, second = asyncio.create_task(layer.ask()), asyncio.create_task(layer.ask())
        await asyncio.sleep(0)
        first.cancel()
        may_read.set()
        assert await second == (200, b"one")
        with pytest.raises(asyncio.CancelledError):
            await first

    asyncio.run(ask())
    assert layer.n_tags_read == 1


def test_database_that_cannot_be_read_is_left_to_those_who_can_say_so(database: Database) -> None:
    layer = Layer(database)
    fails = True

    def find_etag() -> str:
        if fails:
            raise OperationalError("select", {}, Exception("away"))
        return '"1"'

    layer.page = CachedPage("board", find_etag, layer.bodies.get)

    async def ask() -> None:
        nonlocal fails
        assert [await layer.ask() for _ in range(3)] == [(200, b"made")] * 3
        fails = False
        assert await layer.ask() == (200, b"one"), "a failure is not remembered"

    asyncio.run(ask())
    assert layer.n_passed_on == 3


def test_database_that_tells_no_version_is_asked_each_time() -> None:
    with closing(Database("sqlite://")) as database:
        assert database.find_version() is None
        layer = Layer(database)
        layer.page = CachedPage("board", lambda: f'"{len(layer.bodies)}"', layer.bodies.get)

        async def ask() -> None:
            await layer.ask()
            assert await layer.ask() == (200, b"one")
            layer.bodies['"2"'] = b"two"
            assert await layer.ask() == (200, b"two")

        asyncio.run(ask())


def test_requests_that_are_remembered_are_bounded_in_number_and_length(database: Database) -> None:
    layer = Layer(database)

    async def ask() -> None:
        await layer.ask(query=b"x" * 5_000)
        assert await layer.ask(query=b"x" * 5_000) == (200, b"made")
        for number in range(501):
            await layer.ask(query=b"%d" % number)
        assert await layer.ask(query=b"500") == (200, b"one")
        assert await layer.ask(query=b"0") == (200, b"made"), "the one not used for longest is forgotten"

    asyncio.run(ask())
