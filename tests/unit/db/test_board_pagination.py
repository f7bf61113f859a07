"""Boards: pagination without gaps or repeats, standings of one state, notes of scores."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.exc import IntegrityError

from db.records import (
    NewModel,
    ScoreRecord,
    StandingRecord,
)
from db.repositories import boards, evaluations, submissions
from db.repositories.boards import PageQuery
from db.session import Database
from tests.support.samples.database_rows import (
    KEY,
    MINUTE,
    NOW,
    RESULT,
    add_row,
    add_submission,
    read_page,
    write_standings,
)
from tests.support.servers.postgres import KINDS, Databases


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def read_all(database: Database, query: PageQuery) -> list[str]:
    """Follow the cursor through all pages."""
    ids: list[str] = []
    while True:
        with database.read() as transaction:
            page = boards.read_page(transaction, KEY, query, ["all|accuracy"])
        ids += [row.submission.id for row in page.rows]
        assert len(page.rows) <= query.limit
        if page.after is None:
            return ids
        assert len(page.rows) == query.limit
        query = replace(query, after=page.after)


# Ties, zeros, a None in the standings, and rows without any standing (absent from the second table).
VALUES: dict[str, float | None] = {
    "s-a": 0.5,
    "s-b": 0.5,
    "s-c": None,
    "s-d": 0.25,
    "s-e": 0.5,
    "s-f": 0.0,
    "s-g": None,
    "s-h": 1.0,
    "s-i": None,
    "s-j": 1 / 3,
    "s-k": 1 / 3,
}
UNRANKED = ("s-i", "s-c")


@pytest.fixture(scope="module", params=KINDS)
def board(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Database]:
    """Read-only board."""
    folder = tmp_path_factory.mktemp("board")
    with databases.lend(request.param, folder) as url, closing(Database(url)) as database:
        fill_board(database)
        yield database


def fill_board(database: Database) -> None:
    names = ["Alpha", "beta", "Alpha", "GAMMA", "alpha-2", "Beta_2", "100%", "a\\b", "Zeta", "zeta 2", "äther"]
    evaluation_ids = {}
    for number, (name, value) in enumerate(VALUES.items()):
        evaluation_ids[name] = add_row(
            database,
            name,
            value,
            model=NewModel(names[number], organisation="Org" if number % 2 else None),
            source="human" if name == "s-h" else "submitted",
            now=NOW + (number // 3) * MINUTE,
        )
    write_standings(database, {name: value for name, value in VALUES.items() if name not in UNRANKED}, evaluation_ids)


@pytest.mark.parametrize("sort", ["all|accuracy", "model", "date", "no-such|figure"])
def test_pagination_by_cursor_returns_every_row_once(board: Database, sort: str, soak: bool) -> None:
    for descending in (True, False):
        single_page = read_all(board, PageQuery(sort, descending, limit=100))
        assert sorted(single_page) == sorted(VALUES), descending
        for limit in (1, 2, 3, 4, 5, 10, 11, 12) if soak else (1, 4, 10, 11):
            assert read_all(board, PageQuery(sort, descending, limit=limit)) == single_page, (descending, limit)


@pytest.mark.parametrize("descending", [True, False])
def test_rows_without_the_score_come_last_in_either_direction(board: Database, descending: bool) -> None:
    ids = read_all(board, PageQuery("all|accuracy", descending, limit=3))
    assert ids[-3:] == ["s-c", "s-g", "s-i"]
    expected = sorted(((value, name) for name, value in VALUES.items() if value is not None), reverse=descending)
    assert ids[:-3] == [name for _, name in expected], "ties are in the order of their ids, as in the index"


@pytest.fixture(scope="module", params=KINDS)
def shared(
    request: pytest.FixtureRequest, databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Database, dict[str, int]]]:
    folder = tmp_path_factory.mktemp("shared")
    with databases.lend(request.param, folder) as url, closing(Database(url)) as opened:
        yield opened, {f"s-{n}": add_row(opened, f"s-{n}", None) for n in range(8)}


@given(
    st.lists(st.sampled_from([None, 0.0, 0.1, 0.2, 1 / 3, 1.0, "absent"]), min_size=8, max_size=8),
    st.booleans(),
    st.integers(1, 9),
)
def test_pagination_of_any_scores_returns_every_row_once(
    shared: tuple[Database, dict[str, int]], values: list[float | str | None], descending: bool, limit: int
) -> None:
    database, evaluation_ids = shared
    pairs = zip(evaluation_ids, values, strict=True)
    write_standings(database, {name: value for name, value in pairs if not isinstance(value, str)}, evaluation_ids)
    ids = read_all(database, PageQuery("all|accuracy", descending, limit=limit))
    assert sorted(ids) == sorted(evaluation_ids)


@pytest.mark.parametrize(
    ("search", "names"),
    [
        ("alpha", ["Alpha", "Alpha", "alpha-2"]),
        ("ALPHA-", ["alpha-2"]),
        ("org", ["Beta_2", "GAMMA", "a\\b", "beta", "zeta 2"]),
        ("%", ["100%"]),
        ("_", ["Beta_2"]),
        ("\\", ["a\\b"]),
        ("' or 1=1 --", []),
        ("nothing", []),
    ],
)
def test_search_finds_parts_of_names_and_has_no_wildcards(board: Database, search: str, names: list[str]) -> None:
    assert sorted(row.submission.model.name for row in read_page(board, search=search).rows) == sorted(names)


@pytest.mark.parametrize(("sources", "n_rows"), [((), 11), (("human",), 1), (("submitted", "human"), 11), (("x",), 0)])
def test_sources_narrow_a_page(board: Database, sources: tuple[str, ...], n_rows: int) -> None:
    assert len(read_page(board, sources=sources).rows) == n_rows


def test_page_has_only_the_requested_scores(board: Database) -> None:
    rows = {row.submission.id: row for row in read_page(board).rows}
    assert rows["s-a"].standings["all|accuracy"].value == 0.5
    assert rows["s-g"].standings["all|accuracy"].value is None
    assert rows["s-i"].standings == {}
    assert rows["s-a"].evaluation.submission_id == "s-a"
    with board.read() as transaction:
        page = boards.read_page(transaction, KEY, PageQuery("all|accuracy", True), ["all|tpr"])
    assert all(row.standings == {} for row in page.rows)


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": "private"},
        {"visibility": "hidden"},
        {"setting": "other"},
        {"version": "2"},
        {"benchmark": "other"},
    ],
)
def test_private_row_or_row_of_another_board_is_on_no_page(database: Database, fields: dict[str, str]) -> None:
    add_row(database, "s-1", 0.5)
    add_row(database, "s-2", 0.5, **fields)
    assert [row.submission.id for row in read_page(database).rows] == ["s-1"]
    with database.read() as transaction:
        candidates = boards.list_candidates(transaction, KEY, ["all|accuracy"], least=1)
    assert [candidate.standing.submission_id for candidate in candidates] == ["s-1"]


@pytest.mark.parametrize("state", ["queued", "running", "failed", "withdrawn"])
def test_unscored_row_is_on_no_page(database: Database, state: str) -> None:
    add_row(database, "s-1", 0.5)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["scored"], NOW, state=state)
    assert read_page(database).rows == ()


def test_unknown_visibility_is_refused_by_the_database(database: Database) -> None:
    with pytest.raises(IntegrityError):
        add_submission(database, "s-1", visibility="everywhere")


def test_candidates_are_the_requested_current_scores(database: Database) -> None:
    add_row(database, "s-1", 0.5)
    newer = replace(
        RESULT,
        ranking="newer",
        scores=(ScoreRecord("all", "accuracy", 0.75, 4, 0.1), ScoreRecord("all", "tpr", 1.0, 2)),
    )
    with database.write() as transaction:
        evaluation_id = evaluations.add_finished_evaluation(transaction, "s-1", newer, NOW)
    with database.read() as transaction:
        (candidate,) = boards.list_candidates(transaction, KEY, ["all|accuracy"], least=1)
    assert (candidate.standing.evaluation_id, candidate.ranking) == (evaluation_id, "newer")
    assert (candidate.standing.value, candidate.standing.std, candidate.source) == (0.75, 0.1, "submitted")


def standing(evaluation_id: int, value: float) -> StandingRecord:
    return StandingRecord("s-1", evaluation_id, "all", "accuracy", value, rank=1)


def value_on_board(database: Database) -> float | None:
    (row,) = read_page(database).rows
    return row.standings["all|accuracy"].value


def test_standings_from_an_outdated_snapshot_are_refused(database: Database) -> None:
    evaluation_id = add_row(database, "s-1", 0.5)
    for _ in range(3):
        with database.write() as transaction:
            boards.touch_board(transaction, KEY, NOW)
    for seen, is_newer in ((2, True), (1, False), (2, False), (3, True), (3, False)):
        with database.write() as transaction:
            new = [standing(evaluation_id, seen / 10)]
            assert boards.replace_standings(transaction, KEY, new, seen=seen, rule="", now=NOW) is is_newer
        with database.read() as transaction:
            current = boards.find_board(transaction, KEY)
        assert current is not None
        assert value_on_board(database) == pytest.approx(current.revision / 10)
        assert (current.revision, current.changes) == (max(2, current.revision), 3)


def test_standings_of_an_unknown_board_are_refused(database: Database) -> None:
    with database.write() as transaction:
        assert not boards.replace_standings(transaction, KEY, [], seen=1, rule="", now=NOW)


def test_standings_of_one_board_do_not_affect_the_others(database: Database) -> None:
    evaluation_id = add_row(database, "s-1", 0.5)
    other = replace(KEY, setting="other")
    for key in (KEY, other):
        with database.write() as transaction:
            boards.touch_board(transaction, key, NOW)
            boards.replace_standings(transaction, key, [standing(evaluation_id, 0.5)], seen=1, rule="", now=NOW)
    with database.write() as transaction:
        boards.touch_board(transaction, other, NOW)
        boards.replace_standings(transaction, other, [], seen=2, rule="", now=NOW)
    assert value_on_board(database) == 0.5


def test_board_is_stale_from_a_change_to_its_next_revision(database: Database) -> None:
    def list_stale() -> list[str]:
        with database.read() as transaction:
            return [entry.setting for entry in boards.list_stale_boards(transaction)]

    assert list_stale() == []
    with database.write() as transaction:
        boards.touch_board(transaction, KEY, NOW)
    assert list_stale() == ["s"]
    with database.write() as transaction:
        boards.replace_standings(transaction, KEY, [], seen=1, rule="", now=NOW)
    assert list_stale() == []
    with database.read() as transaction:
        (entry,) = boards.list_boards(transaction)
    assert (entry.revision, entry.changes) == (1, 1)


def test_board_built_under_another_rule_is_requested_again_once_built(database: Database) -> None:
    def touch(rule: str) -> bool:
        with database.write() as transaction:
            return boards.touch_outdated_board(transaction, KEY, rule, NOW)

    assert not touch("today"), "there is no board yet"
    write_standings(database, {}, {})
    assert touch("today")
    with database.write() as transaction:
        assert boards.replace_standings(transaction, KEY, [], seen=2, rule="today", now=NOW)
    assert not touch("today")
    assert touch("tomorrow")
    with database.read() as transaction:
        (stale,) = boards.list_stale_boards(transaction)
    assert (stale.revision, stale.changes, stale.rule) == (2, 3, "today")


def test_page_has_the_notes_of_the_requested_scores(database: Database) -> None:
    add_submission(database, "s-1", state="scored")
    scores = (
        ScoreRecord("all", "accuracy", 0.5, note="Table 1."),
        ScoreRecord("all", "tpr", 0.5, note="Table 2."),
        ScoreRecord("part", "accuracy", 0.5),
    )
    with database.write() as transaction:
        evaluations.add_finished_evaluation(transaction, "s-1", replace(RESULT, scores=scores), NOW)
    with database.read() as transaction:
        (row,) = boards.read_page(transaction, KEY, PageQuery("date", True), ["all|accuracy", "part|accuracy"]).rows
    assert row.score_notes == {"all|accuracy": "Table 1."}
