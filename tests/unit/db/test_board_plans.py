"""A page of a board is found by walking an index, whatever its order: no table is read whole, and nothing is sorted."""

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from bench.board_rows import NOW, fill_board
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
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, BoardKey]]:
    with closing(Database(f"sqlite:///{tmp_path_factory.mktemp('plans')}/earshot.db")) as database:
        database.upgrade()
        yield database, fill_board(database, BENCHMARK, N_ROWS, FIGURES)


def read_plans(database: Database, key: BoardKey, query: PageQuery) -> list[str]:
    """Return how the database finds a page, a line for each step."""
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


# Each of the filters with all that goes along: sources, a search, and a second filter.
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
    *({"filters": filters, "sources": ("verified", "submitted", "reported")} for filters in FILTERS),
]
DEEP = {FIGURE: (0.5, "s-7"), "date": (NOW + timedelta(seconds=60), "s-7"), "model": ("model 5", "s-7")}


@pytest.mark.parametrize("after", ["first page", "deep", "rows without the figure"])
@pytest.mark.parametrize("narrowed", NARROWED, ids=str)
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort", [FIGURE, "date", "model"])
@pytest.mark.parametrize("few", [0, 1_000])
def test_page_is_read_along_indexes_alone(
    filled: tuple[Database, BoardKey],
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    descending: bool,
    narrowed: dict[str, Any],
    after: str,
    few: int,
) -> None:
    monkeypatch.setattr(board_order, "FEW_ROWS", few)
    places: dict[str, Any] = {"first page": None, "deep": DEEP[sort], "rows without the figure": (None, "s-7")}
    if after == "rows without the figure" and sort != FIGURE:
        return
    query = PageQuery(sort, descending, limit=10, after=places[after], **narrowed)
    plans = read_plans(*filled, query)
    # Names are walked through as far as the page goes; whatever is scanned besides are lists of ids.
    walked = "SCAN models USING"
    read_whole = [line for line in plans if re.match(rf"SCAN ({TABLES})", line) and not line.startswith(walked)]
    # The primary key begins with the board: with that alone, all figures of all rows would be read.
    half_used = [line for line in plans if re.match(rf"SEARCH ({TABLES}) ", line) and line.endswith("setting=?)")]
    # So do the indexes of what rows are filtered by; where nothing is, some are counted on one, up to a number.
    by_fact = r"SEARCH \w+ USING .*INDEX ix_submissions_(kind|organisation|weights|size|found) .*state=\?\)$"
    half_used += [line for line in plans if narrowed and re.match(by_fact, line)]
    # Sorted is at most what was found by its ids before.
    sorted_whole = [line for line in plans if "ORDER BY" in line] if few == 0 else []
    assert (read_whole, half_used, sorted_whole) == ([], [], [])


@pytest.mark.parametrize("sort", [FIGURE, "date", "model"])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize(
    "narrowed",
    [
        {},
        {"sources": ("human", "reported")},
        {"search": "lab 1"},
        {"search": "L 7"},
        {"filters": Filters(organisation="lab 5")},
        *({"filters": filters, "sources": ("human", "reported", "submitted")} for filters in FILTERS),
        {"filters": Filters(kind="LALM"), "search": "1"},
    ],
    ids=str,
)
def test_rows_are_the_same_whether_sorted_or_walked_to(
    filled: tuple[Database, BoardKey],
    monkeypatch: pytest.MonkeyPatch,
    sort: str,
    descending: bool,
    narrowed: dict[str, object],
) -> None:
    found = []
    for few in (0, 1_000):
        monkeypatch.setattr(board_order, "FEW_ROWS", few)
        query = PageQuery(sort, descending, limit=7, **narrowed)  # type: ignore[arg-type]
        ids: list[str] = []
        while True:
            with filled[0].read() as transaction:
                page = boards.read_page(transaction, filled[1], query, [FIGURE])
            ids += [row.submission.id for row in page.rows]
            if page.after is None:
                break
            query = PageQuery(sort, descending, limit=7, after=page.after, **narrowed)  # type: ignore[arg-type]
        found.append(ids)
    assert found[0] == found[1]
    assert len(found[0]) == len(set(found[0])) > 0
