"""Board filters match rows by the displayed values, including those of merged and described models."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product

import pytest

from bench.sample_boards import fill_board
from db.records import ModelRecord
from db.repositories import board_order, boards
from db.repositories.boards import BoardKey, Filters, PageQuery
from db.session import Database
from evaluation.benchmarks import get_benchmark
from tests.support.servers.postgres import KINDS, Databases

BENCHMARK = get_benchmark("mdar")
FIGURES = [(column.slice, column.metric) for column in BENCHMARK.columns][:1]
FIGURE = "|".join(FIGURES[0])
LISTED = ("verified", "submitted", "reported")
# Search terms in rows, in maintainers' descriptions, and in neither; overlapping ranges, and one without an upper
# bound.
ASKED = [
    Filters(kind, organisation, open_weights, size)
    for kind, organisation, open_weights, size in product(
        ("", "lalm", "DESCRIBED", "nothing"), ("", "lab 5"), (None, True, False), (None, (0.0, 10.0), (7.0, None))
    )
][1:]
random.Random(1).shuffle(ASKED)
# One fills several pages, the other none.
ALWAYS_ASKED = [Filters(open_weights=True), Filters("nothing")]
SORTS = ((FIGURE, True), (FIGURE, False), ("model", False), ("date", True))
FEW_ROWS = (0, 1_000)
# The soak tests all filters in every case; the suite two, and an eighth of them, a different eighth for each case.
CASES = [(number, *sort, few) for number, (few, sort) in enumerate(product(FEW_ROWS, SORTS))]


@pytest.fixture(scope="module", params=KINDS)
def filled(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, BoardKey]]:
    folder = tmp_path_factory.mktemp("filters")
    with databases.lend(request.param, folder) as url, closing(Database(url)) as database:
        yield database, fill_board(database, BENCHMARK, 120, FIGURES)


def read_all(filled: tuple[Database, BoardKey], query: PageQuery) -> list[tuple[str, ModelRecord]]:
    """Follow the cursor through all pages."""
    found: list[tuple[str, ModelRecord]] = []
    while True:
        with filled[0].read() as transaction:
            page = boards.read_page(transaction, filled[1], query, [])
        found += [(row.submission.id, row.model) for row in page.rows]
        if page.after is None:
            return found
        query = replace(query, after=page.after)


def is_found(model: ModelRecord, asked: Filters) -> bool:
    if asked.kind and (model.kind or "").lower() != asked.kind.lower():
        return False
    if asked.organisation and (model.organisation or "").lower() != asked.organisation.lower():
        return False
    if asked.open_weights is not None and model.open_weights is not asked.open_weights:
        return False
    if asked.size is None:
        return True
    low, high = asked.size
    return model.size_billions is not None and low <= model.size_billions < (high or 1e9)


@pytest.mark.parametrize(("number", "sort", "descending", "few"), CASES)
def test_filters_find_matching_rows_in_board_order(
    filled: tuple[Database, BoardKey],
    monkeypatch: pytest.MonkeyPatch,
    soak: bool,
    number: int,
    sort: str,
    descending: bool,
    few: int,
) -> None:
    everything = read_all(filled, PageQuery(sort, descending, LISTED, limit=500))
    monkeypatch.setattr(board_order, "FEW_ROWS", few)
    n_found = []
    for asked in ASKED if soak else ALWAYS_ASKED + ASKED[number :: len(CASES)]:
        found = read_all(filled, PageQuery(sort, descending, LISTED, filters=asked, limit=25))
        assert found == [row for row in everything if is_found(row[1], asked)], asked
        n_found.append(len(found))
    assert max(n_found) > 25, "some span several pages"
    assert 0 in n_found


def test_filter_combines_with_a_search(filled: tuple[Database, BoardKey]) -> None:
    query = PageQuery("model", descending=False, search="model 1", filters=Filters(kind="olm"), limit=500)
    found = read_all(filled, query)
    assert found == [row for row in read_all(filled, replace(query, search="")) if "Model 1" in row[1].name]
    assert found


def test_facet_counts_match_the_displayed_values(filled: tuple[Database, BoardKey]) -> None:
    rows = read_all(filled, PageQuery("date", descending=True, sources=LISTED, limit=500))
    with filled[0].read() as transaction:
        counted = boards.count_shown_facts(transaction, filled[1], LISTED)
    assert sum(n for _, _, n in counted) == len(rows)
    said = {(kind, organisation): n for kind, organisation, n in counted}
    for fact in said:
        assert said[fact] == sum((model.kind, model.organisation) == fact for _, model in rows)
    assert {"described", None} < {kind for kind, _ in said}
