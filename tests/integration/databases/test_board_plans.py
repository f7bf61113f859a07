"""Query plans of board pages: every order walks an index, without full table scans or sorts."""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from bench.sample_boards import NOW, fill_board
from db.repositories import board_order, boards
from db.repositories.boards import BoardKey, Filters, PageQuery
from db.session import Database
from evaluation.benchmarks import get_benchmark

BENCHMARK = get_benchmark("mdar")
FIGURES = [(column.slice, column.metric) for column in BENCHMARK.columns][:3]
FIGURE = "|".join(FIGURES[0])
N_ROWS = 130
TABLES = "submissions|standings|models|evaluations|scores|users"


@pytest.fixture(scope="module")
def filled(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, BoardKey]]:
    path = shutil.copy(empty, tmp_path_factory.mktemp("plans"))
    with closing(Database(f"sqlite:///{path}")) as database:
        yield database, fill_board(database, BENCHMARK, N_ROWS, FIGURES)


def read_plans(database: Database, key: BoardKey, query: PageQuery) -> list[str]:
    """Return the query plan of a page, one line per step."""
    statements: list[tuple[str, object]] = []

    def remember(_connection: object, _cursor: object, statement: str, values: object, *_: object) -> None:
        statements.append((statement, values))

    event.listen(database.engine, "before_cursor_execute", remember)
    try:
        with database.read() as transaction:
            boards.read_page(transaction, key, query, [FIGURE])
    finally:
        event.remove(database.engine, "before_cursor_execute", remember)
    with closing(database.engine.raw_connection()) as connection:
        cursor = connection.cursor()
        asked = [(statement, values) for statement, values in statements if statement.startswith("SELECT")]
        assert len(asked) >= 4
        return [
            row[3]
            for statement, values in asked
            for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()  # type: ignore[arg-type]
        ]


# Each filter with all its combinations: sources, a search, and a second filter.
FILTERS = (
    Filters(kind="olm"),
    Filters(organisation="LAB 5", open_weights=True),
    Filters(open_weights=False),
    Filters(size=(10, 40)),
    Filters(kind="described", size=(7, None)),
)
NARROWED: list[dict[str, Any]] = [
    {},
    {"sources": ("human",)},
    {"sources": ("submitted", "reported")},
    {"references": "only"},
    {"sources": ("human",), "references": "true"},
    *({"filters": filters, "sources": ("verified", "submitted", "reported")} for filters in FILTERS),
]
DEEP = {FIGURE: (0.5, "s-7"), "date": (NOW + timedelta(seconds=60), "s-7"), "model": ("model 5", "s-7")}


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort", [FIGURE, "date", "model"])
@pytest.mark.parametrize("few", [0, 1_000])
def test_page_is_read_by_index_only(
    filled: tuple[Database, BoardKey],
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    descending: bool,
    few: int,
) -> None:
    monkeypatch.setattr(board_order, "FEW_ROWS", few)
    places: dict[str, Any] = {"first page": None, "deep": DEEP[sort]}
    if sort == FIGURE:
        places["rows without the figure"] = (None, "s-7")
    found = {}
    for narrowed, (after, place) in product(NARROWED, places.items()):
        plans = read_plans(*filled, PageQuery(sort, descending, limit=10, after=place, **narrowed))
        found[f"{after}, {narrowed}"] = find_faults(plans, is_narrowed=bool(narrowed), may_sort=few > 0)
    assert {name: faults for name, faults in found.items() if faults} == {}


def find_faults(plans: list[str], *, is_narrowed: bool, may_sort: bool) -> list[str]:
    """Return the steps of plans that scan or sort a whole table."""
    # Names are scanned as far as the page goes; any other scan is over lists of ids.
    walked = "SCAN models USING"
    read_whole = [line for line in plans if re.match(rf"SCAN ({TABLES})", line) and not line.startswith(walked)]
    # The primary key begins with the board: with it alone, all scores of all rows would be read.
    half_used = [line for line in plans if re.match(rf"SEARCH ({TABLES}) ", line) and line.endswith("setting=?)")]
    # So do the indexes of filtered columns; without matches, up to a limited number of entries is counted on one.
    by_fact = r"SEARCH \w+ USING .*INDEX ix_submissions_(kind|organisation|weights|size|found) .*state=\?\)$"
    half_used += [line for line in plans if is_narrowed and re.match(by_fact, line)]
    # Sorts are limited to rows found by their ids before.
    sorted_whole = [] if may_sort else [line for line in plans if "ORDER BY" in line]
    return read_whole + half_used + sorted_whole


WALKED: list[dict[str, Any]] = [
    {},
    {"sources": ("human", "reported")},
    {"search": "lab 1"},
    {"search": "L 7"},
    {"filters": Filters(organisation="lab 5")},
    *({"filters": filters, "sources": ("human", "reported", "submitted")} for filters in FILTERS),
    {"filters": Filters(kind="LALM"), "search": "1"},
]


@pytest.mark.parametrize("sort", [FIGURE, "date", "model"])
@pytest.mark.parametrize("descending", [True, False])
def test_rows_are_the_same_by_sort_or_index_walk(
    filled: tuple[Database, BoardKey], monkeypatch: pytest.MonkeyPatch, soak: bool, sort: str, descending: bool
) -> None:
    n_rows = 7 if soak else 25  # pages end in the middle of equal values either way
    for narrowed in WALKED:
        found = []
        for few in (0, 1_000):
            monkeypatch.setattr(board_order, "FEW_ROWS", few)
            found.append(list_ids(*filled, PageQuery(sort, descending, limit=n_rows, **narrowed)))
        assert found[0] == found[1], narrowed
        assert len(found[0]) == len(set(found[0])) > 0, narrowed


def list_ids(database: Database, key: BoardKey, query: PageQuery) -> list[str]:
    """Follow the cursor through all pages."""
    ids: list[str] = []
    while True:
        with database.read() as transaction:
            page = boards.read_page(transaction, key, query, [FIGURE])
        ids += [row.submission.id for row in page.rows]
        if page.after is None:
            return ids
        query = replace(query, after=page.after)
