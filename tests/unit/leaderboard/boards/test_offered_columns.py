"""Offered columns of boards with several settings: entity tags, pages in memory, number of statements."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from sqlalchemy import event, update

from bench.sample_boards import NOW
from db.models import Submission
from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, NewSubmission, ScoreRecord, StandingRecord
from db.repositories import boards, catalogue, evaluations, submissions, users
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import get_benchmark
from evaluation.benchmarks.practice_comparison import PRACTICE_COLUMN
from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import parse_request

BENCHMARK = get_benchmark("star-bench", "1.0")
FIRST, OTHER = (BoardKey(BENCHMARK.id, BENCHMARK.version, setting) for setting in BENCHMARK.settings[:2])
QUERY = parse_request(BENCHMARK, BoardRequest(setting=OTHER.setting, columns="all"))
HIDDEN = [column for column in BENCHMARK.columns if not column.shown]


@pytest.fixture
def database(empty: Path, tmp_path: Path) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{shutil.copy(empty, tmp_path)}")) as opened:
        record = BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, "0" * 64, "pack", 1, 0)
        with opened.write() as transaction:
            catalogue.register_benchmark(
                transaction, record, [ItemRecord("i", "perception", "perception", "choice", (0,))], NOW
            )
            boards.touch_board(transaction, OTHER, NOW)
        yield opened


def score_chance(database: Database, name: str = "s-chance") -> None:
    """Score a chance row under the first setting."""
    scores = (ScoreRecord(HIDDEN[0].slice, HIDDEN[0].metric, 0.25, 100),)
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "ann", NOW).id
        new = NewSubmission(
            name, FIRST.benchmark, FIRST.version, FIRST.setting, "random", owner, NewModel("Chance"), "public", True,
            "0" * 64, 1, None,
        )  # fmt: skip
        submissions.add_submission(transaction, new, "scored", NOW)
        evaluations.add_finished_evaluation(transaction, name, NewResult("s", "r", (), 1, 1, 0, 0, {}, scores), NOW)
        boards.touch_board(transaction, FIRST, NOW)


def read_columns(pages: BoardPages) -> set[str]:
    body = pages.build_page(BENCHMARK, QUERY).body or b""
    return {column["key"] for column in orjson.loads(body)["columns"]}


def test_chance_row_changes_the_page_of_another_setting(database: Database) -> None:
    pages = BoardPages(database)
    before = pages.build_page(BENCHMARK, QUERY)
    assert read_columns(pages) == {column.key for column in BENCHMARK.columns if not column.needs_value}
    score_chance(database)
    assert pages.find_page(BENCHMARK, QUERY, before.etag) is None, "neither 304 nor the cached page"
    offered = read_columns(pages)
    assert HIDDEN[0].key in offered
    assert HIDDEN[1].key not in offered
    with database.write() as transaction:
        transaction.execute(update(Submission).values(visibility="private"))
    assert read_columns(pages) == {column.key for column in BENCHMARK.columns if not column.needs_value}
    assert pages.find_etag(BENCHMARK, OTHER.setting) == before.etag


def test_column_that_needs_a_value_is_offered_once_a_row_has_one(database: Database) -> None:
    pages, key = BoardPages(database), PRACTICE_COLUMN.key
    named = parse_request(BENCHMARK, BoardRequest(setting=OTHER.setting, columns=f"{key},{BENCHMARK.headline.key}"))
    for queries in (QUERY, named):
        assert key not in str(pages.build_page(BENCHMARK, queries).body)
    score_chance(database)
    assert key not in read_columns(pages), "a scored chance row does not change that"
    with database.write() as transaction:
        gap = StandingRecord("s-chance", 1, PRACTICE_COLUMN.slice, PRACTICE_COLUMN.metric, 0.1, low=0.05, high=0.15)
        assert boards.replace_standings(transaction, OTHER, [gap], seen=1, rule="", now=NOW)
    assert key in read_columns(pages)
    assert key in str(pages.build_page(BENCHMARK, named).body)


def test_two_processes_send_equal_bytes_with_an_equal_etag(database: Database) -> None:
    pages = BoardPages(database)
    pages.build_page(BENCHMARK, QUERY)
    score_chance(database)
    assert pages.build_page(BENCHMARK, QUERY) == BoardPages(database).build_page(BENCHMARK, QUERY)


def test_offered_columns_are_queried_once_until_rows_change(database: Database) -> None:
    score_chance(database)
    statements: list[str] = []

    def record_statement(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(database.engine, "before_cursor_execute", record_statement)
    pages = BoardPages(database)
    pages.build_page(BENCHMARK, QUERY)
    assert sum("asked" in statement for statement in statements) == 1
    assert len(statements) < 15
    statements.clear()
    pages.find_etag(BENCHMARK, OTHER.setting)
    assert not any("asked" in statement or "FROM scores" in statement for statement in statements)


def test_offered_columns_change_with_the_rows_of_a_board(database: Database) -> None:
    score_chance(database)
    pages = BoardPages(database)
    assert HIDDEN[1].key not in read_columns(pages)
    with database.write() as transaction:
        value = StandingRecord("s-chance", 1, HIDDEN[1].slice, HIDDEN[1].metric, 0.5)
        none = StandingRecord("s-chance", 1, HIDDEN[2].slice, HIDDEN[2].metric, None)
        assert boards.replace_standings(transaction, OTHER, [value, none], seen=1, rule="", now=NOW)
    assert HIDDEN[1].key in read_columns(pages)
    assert HIDDEN[2].key not in read_columns(pages)
