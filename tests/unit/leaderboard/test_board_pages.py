"""Pages of boards as bytes: made once for a revision, whoever asks, and never older than the request."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.board_rows import fill_board
from db.repositories import boards
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import get_benchmark
from leaderboard.board_pages import BoardPages
from leaderboard.board_query import BoardRequest, parse_request

BENCHMARK = get_benchmark("mdar")
HEADLINE = BENCHMARK.headline
N_READERS = 12


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path: Path = tmp_path_factory.mktemp("board") / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
        fill_board(opened, BENCHMARK, 30, [(HEADLINE.slice, HEADLINE.metric)])
        yield opened


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A list that grows with every page that is made of rows."""
    found: list[Any] = []
    read_page = boards.read_page

    def count(*arguments: Any) -> Any:
        found.append(arguments)
        return read_page(*arguments)

    monkeypatch.setattr(boards, "read_page", count)
    return found


def read_together(pages: BoardPages, words: BoardRequest) -> list[bytes | None]:
    start = threading.Barrier(N_READERS)
    query = parse_request(BENCHMARK, words)

    def read(_number: int) -> bytes | None:
        start.wait(30)
        return pages.read(BENCHMARK, query).body

    with ThreadPoolExecutor(N_READERS) as readers:
        return list(readers.map(read, range(N_READERS)))


def test_crowd_that_finds_a_new_revision_has_its_page_made_once(database: Database, made: list[Any]) -> None:
    pages = BoardPages(database)
    bodies = read_together(pages, BoardRequest())
    assert len(made) == 1
    assert bodies[0] and set(bodies) == {bodies[0]}
    with database.write() as transaction:
        key = BoardKey(BENCHMARK.id, BENCHMARK.version, BENCHMARK.settings[0])
        boards.touch_board(transaction, key, datetime(2026, 1, 2, tzinfo=UTC))
    read_together(pages, BoardRequest())
    assert len(made) == 2


def test_searches_wait_for_nobody_and_are_not_kept(database: Database, made: list[Any]) -> None:
    pages = BoardPages(database)
    read_together(pages, BoardRequest(q="model"))
    assert len(made) == N_READERS
    query = parse_request(BENCHMARK, BoardRequest(q="model"))
    assert pages.find_kept(BENCHMARK, query, pages.find_etag(BENCHMARK, query.setting)) is None


def test_reader_who_has_the_page_is_sent_none(database: Database, made: list[Any]) -> None:
    pages = BoardPages(database)
    query = parse_request(BENCHMARK, BoardRequest())
    etag = pages.read(BENCHMARK, query).etag
    assert pages.read(BENCHMARK, query, f'W/"other", {etag}') == (etag, None)
    assert len(made) == 1
