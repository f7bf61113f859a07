"""Cache of board pages as bytes: stored per revision, never older than the request."""

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
from sqlalchemy import update

from bench.sample_boards import NOW, fill_board
from db.models import Standing, Submission
from db.records import BenchmarkRecord, ItemRecord
from db.repositories import boards, catalogue
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import get_benchmark
from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import BoardQuery, parse_request

BENCHMARK = get_benchmark("mdar")
HEADLINE = BENCHMARK.headline
N_READERS = 12


@pytest.fixture(scope="module")
def database(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = shutil.copy(empty, tmp_path_factory.mktemp("board"))
    with closing(Database(f"sqlite:///{path}")) as opened:
        fill_board(opened, BENCHMARK, 30, [(HEADLINE.slice, HEADLINE.metric)])
        yield opened


@pytest.fixture
def page_reads(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that grows with every page that is built from rows."""
    calls: list[Any] = []
    read_page = boards.read_page

    def count(*arguments: Any) -> Any:
        calls.append(arguments)
        return read_page(*arguments)

    monkeypatch.setattr(boards, "read_page", count)
    return calls


def build_concurrently(pages: BoardPages, query: BoardQuery) -> list[bytes | None]:
    start = threading.Barrier(N_READERS)

    def build(_number: int) -> bytes | None:
        start.wait(30)
        return pages.build_page(BENCHMARK, query).body

    with ThreadPoolExecutor(N_READERS) as readers:
        return list(readers.map(build, range(N_READERS)))


def test_page_is_cached_per_revision_and_rebuilt_for_the_next(database: Database, page_reads: list[Any]) -> None:
    pages = BoardPages(database)
    query = parse_request(BENCHMARK, BoardRequest())
    assert pages.find_page(BENCHMARK, query) is None
    first = pages.build_page(BENCHMARK, query)
    assert pages.build_page(BENCHMARK, query) == pages.find_page(BENCHMARK, query) == first
    assert len(page_reads) == 1
    with database.write() as transaction:
        key = BoardKey(BENCHMARK.id, BENCHMARK.version, BENCHMARK.settings[0])
        boards.touch_board(transaction, key, datetime(2026, 1, 2, tzinfo=UTC))
    assert pages.find_page(BENCHMARK, query) is None
    assert pages.build_page(BENCHMARK, query).etag != first.etag
    assert len(page_reads) == 2


def test_concurrent_builds_of_a_page_return_the_same_bytes(database: Database) -> None:
    bodies = build_concurrently(BoardPages(database), parse_request(BENCHMARK, BoardRequest()))
    assert bodies[0]
    assert set(bodies) == {bodies[0]}


def test_searches_are_not_cached(database: Database, page_reads: list[Any]) -> None:
    pages = BoardPages(database)
    query = parse_request(BENCHMARK, BoardRequest(q="model"))
    first = pages.build_page(BENCHMARK, query)
    assert pages.build_page(BENCHMARK, query) == first
    assert pages.find_page(BENCHMARK, query) is None
    assert len(page_reads) == 2


def test_matching_etag_returns_no_page_and_builds_none(database: Database, page_reads: list[Any]) -> None:
    pages = BoardPages(database)
    for request in (BoardRequest(), BoardRequest(q="model")):
        query = parse_request(BENCHMARK, request)
        etag = pages.find_etag(BENCHMARK, query.setting)
        assert pages.find_page(BENCHMARK, query, f'W/"other", {etag}') == (etag, None)
    assert page_reads == []


@pytest.mark.parametrize(
    ("installed", "column", "opening"),
    [
        ({"perception"}, "perception|aa", "perception|aa"),
        ({"perception"}, "temporal|aa", "overall|aa"),
        ({"perception", "temporal"}, "temporal|aa", "temporal|aa"),
        ({"perception", "temporal", "spatial"}, "perception|aa", "overall|aa"),
        (set(), "perception|aa", "overall|aa"),
    ],
)
def test_board_opens_with_the_first_ranked_part_if_the_headline_cannot_exist(
    empty: Path, tmp_path: Path, installed: set[str], column: str, opening: str
) -> None:
    star = get_benchmark("star-bench", "1.0")
    slice_name, metric = column.split("|")
    with closing(Database(f"sqlite:///{shutil.copy(empty, tmp_path)}")) as database:
        fill_board(database, star, 3, [(slice_name, metric)])
        record = BenchmarkRecord(star.id, star.version, "0" * 64, "pack", len(installed), 0)
        items = [ItemRecord(part, part, part, "choice", (0,)) for part in sorted(installed)]
        with database.write() as transaction:
            transaction.execute(update(Standing).values(rank=1))
            catalogue.register_benchmark(transaction, record, items, NOW)
        body = BoardPages(database).build_page(star, parse_request(star, BoardRequest())).body or b""
        assert orjson.loads(body)["opening"] == opening
        with database.write() as transaction:
            transaction.execute(update(Submission).values(source="reported"))
        body = BoardPages(database).build_page(star, parse_request(star, BoardRequest())).body or b""
        assert orjson.loads(body)["opening"] == "overall|aa", "reported rows alone do not change the opening column"
