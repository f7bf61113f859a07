"""Columns that contain values are found identically on SQLite and PostgreSQL."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bench.sample_boards import fill_board
from db.repositories.board_columns import ChanceTag, find_chance_tag, list_chance_columns, list_filled_columns
from db.session import Database
from evaluation.benchmarks import get_benchmark
from tests.support.servers.postgres import KINDS, Databases

BENCHMARK = get_benchmark("mdar")
COLUMNS = [column.key for column in BENCHMARK.columns]


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def test_columns_with_values_are_found_among_the_requested_ones(database: Database) -> None:
    key = fill_board(database, BENCHMARK, 5, [(column.slice, column.metric) for column in BENCHMARK.columns[:3]])
    with database.read() as transaction:
        assert list_filled_columns(transaction, key, COLUMNS[1:]) == set(COLUMNS[1:3])
        assert list_filled_columns(transaction, key, []) == set()


def test_version_without_questions_has_no_chance_tag(database: Database) -> None:
    with database.read() as transaction:
        tag = find_chance_tag(transaction, BENCHMARK.id, BENCHMARK.version, BENCHMARK.settings)
        assert tag == ChanceTag(None, ())
        assert list_chance_columns(transaction, tag) == set()
