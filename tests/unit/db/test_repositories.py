"""Repositories: pagination without gaps or repeats, exclusive claims, results written once."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from db.errors import DuplicateError
from db.lease_records import SubmissionJob
from db.models import Outcome, StoredScore
from db.paper_records import PrintedRow
from db.records import (
    BenchmarkRecord,
    ItemRecord,
    JudgeRecord,
    ModelRecord,
    NewModel,
    NewResult,
    NewSubmission,
    ScoreRecord,
    SealedOutcomes,
    StandingRecord,
    SubmissionRecord,
)
from db.repositories import boards, catalogue, evaluations, sessions, submissions, users, workers
from db.repositories.boards import BoardKey, Page, PageQuery
from db.repositories.evaluations import RunningLease
from db.repositories.leases import LeaseLostError
from db.session import Database
from tests.support.servers.postgres import KINDS, Databases

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
KEY = BoardKey("b", "1", "s")
RESULT = NewResult("signature", "ranking", ("p",), 1, 4, 1, 2, {"empty": 2}, (ScoreRecord("all", "accuracy", 0.5, 4),))


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def add(
    database: Database,
    submission_id: str,
    *,
    state: str = "queued",
    model: NewModel | str = "model",
    owner: str = "owner",
    now: datetime = NOW,
    **fields: Any,
) -> None:
    """Add a submission."""
    with database.write() as transaction:
        model = NewModel(model) if isinstance(model, str) else model
        new = NewSubmission(
            id=submission_id,
            benchmark="b",
            version="1",
            setting="s",
            source="submitted",
            owner_id=users.get_or_add_user(transaction, owner, now).id,
            model=model,
            visibility="public",
            allow_missing=False,
            artifact_sha256="0" * 64,
            artifact_bytes=1,
            idempotency_key=None,
        )
        submissions.add_submission(transaction, replace(new, **fields), state, now)


def add_row(database: Database, submission_id: str, value: float | None, **fields: Any) -> int:
    """Add a scored submission with one score, and return its evaluation."""
    add(database, submission_id, state="scored", **fields)
    result = replace(RESULT, scores=(ScoreRecord("all", "accuracy", value, 4),))
    with database.write() as transaction:
        return evaluations.add_finished_evaluation(transaction, submission_id, result, NOW)


def rank(database: Database, values: dict[str, float | None], evaluation_ids: dict[str, int]) -> None:
    """Write standings for some of the rows."""
    standings = [StandingRecord(name, evaluation_ids[name], "all", "accuracy", value) for name, value in values.items()]
    with database.write() as transaction:
        boards.touch_board(transaction, KEY, NOW)
        current = boards.find_board(transaction, KEY)
        assert current is not None
        assert boards.replace_standings(transaction, KEY, standings, seen=current.changes, rule="", now=NOW)


def claim(database: Database, worker: str = "w", now: datetime = NOW) -> SubmissionJob | None:
    with database.write() as transaction:
        return evaluations.claim_next(
            transaction, worker=worker, token=f"token of {worker}", now=now, expires_at=now + MINUTE
        )


def get_lease(database: Database, worker: str = "w", now: datetime = NOW) -> SubmissionJob:
    job = claim(database, worker, now)
    assert job is not None
    return job


def find(database: Database, submission_id: str) -> SubmissionRecord:
    with database.read() as transaction:
        submission = submissions.find_submission(transaction, submission_id)
    assert submission is not None
    return submission


def state_of(database: Database, submission_id: str) -> str:
    return find(database, submission_id).state


def list_running(database: Database) -> list[RunningLease]:
    with database.read() as transaction:
        return evaluations.list_running(transaction)


# --- boards ---------------------------------------------------------------------------------------------------------


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
    rank(database, {name: value for name, value in VALUES.items() if name not in UNRANKED}, evaluation_ids)


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
    rank(database, {name: value for name, value in pairs if not isinstance(value, str)}, evaluation_ids)
    ids = read_all(database, PageQuery("all|accuracy", descending, limit=limit))
    assert sorted(ids) == sorted(evaluation_ids)


def read_page(database: Database, **fields: Any) -> Page:
    with database.read() as transaction:
        query = replace(PageQuery("all|accuracy", True), **fields)
        return boards.read_page(transaction, KEY, query, ["all|accuracy"])


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
        add(database, "s-1", visibility="everywhere")


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
    rank(database, {}, {})
    assert touch("today")
    with database.write() as transaction:
        assert boards.replace_standings(transaction, KEY, [], seen=2, rule="today", now=NOW)
    assert not touch("today")
    assert touch("tomorrow")
    with database.read() as transaction:
        (stale,) = boards.list_stale_boards(transaction)
    assert (stale.revision, stale.changes, stale.rule) == (2, 3, "today")


def test_page_has_the_notes_of_the_requested_scores(database: Database) -> None:
    add(database, "s-1", state="scored")
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


# --- claiming and results -------------------------------------------------------------------------------------------


def test_claim_returns_the_longest_waiting_submission(database: Database) -> None:
    add(database, "s-delayed", now=NOW - MINUTE)
    add(database, "s-early", now=NOW)
    add(database, "s-late", now=NOW + MINUTE)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-delayed", ["queued"], NOW, not_before=NOW + 5 * MINUTE)
    order = [get_lease(database, now=NOW + MINUTE).work.id for _ in range(2)]
    assert order == ["s-early", "s-late"]
    assert claim(database, now=NOW + 4 * MINUTE) is None
    assert get_lease(database, now=NOW + 5 * MINUTE).work.id == "s-delayed"


@pytest.mark.parametrize("state", ["received", "running", "scored", "failed", "withdrawn", "awaiting-approval"])
def test_claim_returns_only_queued_submissions(database: Database, state: str) -> None:
    add(database, "s-1", state=state)
    with database.read() as transaction:
        assert not evaluations.has_waiting(transaction, NOW)
    assert claim(database) is None


def test_claim_counts_attempts_and_opens_one_evaluation(database: Database) -> None:
    add(database, "s-1")
    with database.read() as transaction:
        assert evaluations.has_waiting(transaction, NOW)
    job = get_lease(database)
    assert (job.work.state, job.work.attempts, job.work.not_before) == ("running", 1, None)
    (running,) = list_running(database)
    assert running == RunningLease("s-1", "files", job.lease)
    with database.read() as transaction:
        open_evaluation = evaluations.find_open_evaluation(transaction, "s-1")
    assert open_evaluation is not None
    assert (open_evaluation.id, open_evaluation.progress, open_evaluation.finished_at) == (job.lease.id, 0.0, None)


def test_concurrent_claims_return_each_submission_once(database: Database) -> None:
    n_submissions, n_threads = 20, 4
    for number in range(n_submissions):
        add(database, f"s-{number:02}")
    start = threading.Barrier(n_threads)
    claimed: list[tuple[str, str]] = []

    def work(worker: str) -> None:
        start.wait()
        while (job := claim(database, worker)) is not None:
            claimed.append((job.work.id, worker))

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(name for name, _ in claimed) == [f"s-{number:02}" for number in range(n_submissions)]
    assert {lease.submission_id: lease.lease.worker for lease in list_running(database)} == dict(claimed)


def list_scores(database: Database, evaluation_id: int) -> list[ScoreRecord]:
    with database.read() as transaction:
        return evaluations.list_scores(transaction, evaluation_id)


def test_recorded_result_is_current_and_readable(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    sealed = SealedOutcomes(2, 2, b"nobody's")
    result = replace(RESULT, outcomes=sealed, notes=("odd",))
    with database.write() as transaction:
        evaluations.record_result(transaction, job, result, NOW + MINUTE)
    with database.read() as transaction:
        submission = submissions.find_submission(transaction, "s-1")
        evaluation = evaluations.find_evaluation(transaction, job.lease.id)
        assert evaluations.find_outcomes(transaction, job.lease.id) == sealed
        assert evaluations.find_outcomes(transaction, 999) is None
    assert submission is not None
    assert (submission.state, submission.current_evaluation_id) == ("scored", job.lease.id)
    assert evaluation is not None
    assert (evaluation.signature, evaluation.ranking, evaluation.parts) == ("signature", "ranking", ("p",))
    assert (evaluation.expected, evaluation.missing, evaluation.unreadable) == (4, 1, 2)
    assert (evaluation.unreadable_reasons, evaluation.notes) == ({"empty": 2}, ("odd",))
    assert (evaluation.progress, evaluation.finished_at) == (1.0, NOW + MINUTE)
    assert list_scores(database, job.lease.id) == list(RESULT.scores)


def expect_refused_result(database: Database, job: SubmissionJob) -> None:
    result = replace(RESULT, outcomes=SealedOutcomes(1, 1, b"x"))
    before = state_of(database, job.work.id), list_running(database)
    with pytest.raises(LeaseLostError), database.write() as transaction:
        evaluations.record_result(transaction, job, result, NOW)
    assert (state_of(database, job.work.id), list_running(database)) == before
    with database.read() as transaction:
        assert transaction.scalars(select(StoredScore)).all() == []
        assert transaction.scalars(select(Outcome)).all() == []


def revoke(database: Database) -> bool:
    (running,) = list_running(database)
    with database.write() as transaction:
        return evaluations.revoke_lease(transaction, running)


def test_result_under_a_lost_lease_is_refused_and_not_written(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    assert revoke(database)
    expect_refused_result(database, job)


def test_late_result_is_refused_and_that_of_the_successor_is_written(database: Database) -> None:
    add(database, "s-1")
    late = get_lease(database, "zombie")
    assert revoke(database)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["running"], NOW, state="queued")
    successor = get_lease(database, "successor")
    assert successor.lease.id == late.lease.id, "the unfinished scoring is taken over"
    assert successor.lease.attempts == 2
    expect_refused_result(database, late)
    with database.write() as transaction:
        evaluations.record_result(transaction, successor, RESULT, NOW)
    assert state_of(database, "s-1") == "scored"


def test_result_recorded_twice_is_written_once(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    with database.write() as transaction:
        evaluations.record_result(transaction, job, RESULT, NOW)
    with pytest.raises(LeaseLostError), database.write() as transaction:
        evaluations.record_result(transaction, job, replace(RESULT, signature="late"), NOW)
    with database.read() as transaction:
        evaluation = evaluations.find_evaluation(transaction, job.lease.id)
    assert evaluation is not None
    assert evaluation.signature == "signature"
    assert list_scores(database, job.lease.id) == list(RESULT.scores)


def test_result_of_a_withdrawn_submission_is_refused_and_not_written(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["running"], NOW, state="withdrawn")
    expect_refused_result(database, job)


def test_renewed_lease_has_a_new_end_and_progress(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    with database.write() as transaction:
        evaluations.LEASES.renew(transaction, job.lease, NOW + 9 * MINUTE, progress=0.5)
    (running,) = list_running(database)
    assert running.lease.expires_at == NOW + 9 * MINUTE
    with database.read() as transaction:
        open_evaluation = evaluations.find_open_evaluation(transaction, "s-1")
    assert open_evaluation is not None
    assert open_evaluation.progress == 0.5


def test_lost_lease_cannot_be_renewed(database: Database) -> None:
    add(database, "s-1")
    job = get_lease(database)
    assert revoke(database)
    with pytest.raises(LeaseLostError, match="s-1 was taken over"), database.write() as transaction:
        evaluations.LEASES.renew(transaction, job.lease, NOW + MINUTE, progress=0.5)


def test_lease_is_taken_over_once(database: Database) -> None:
    add(database, "s-1")
    get_lease(database)
    (running,) = list_running(database)
    for expected in (True, False):
        with database.write() as transaction:
            assert evaluations.revoke_lease(transaction, running) is expected


def test_reported_scores_are_current_without_a_lease(database: Database) -> None:
    evaluation_id = add_row(database, "s-1", 0.5)
    with database.read() as transaction:
        submission = submissions.find_submission(transaction, "s-1")
    assert submission is not None
    assert submission.current_evaluation_id == evaluation_id
    assert list_running(database) == []


# --- submissions, users, catalogue, workers
# ----------------------------------------------------------------------------


def test_state_changes_only_from_the_named_states(database: Database) -> None:
    add(database, "s-1")
    with database.write() as transaction:
        assert not submissions.change_state(transaction, "s-1", ["running"], NOW, state="scored")
        assert submissions.change_state(transaction, "s-1", ["running", "queued"], NOW, state="withdrawn")
        assert not submissions.change_state(transaction, "nobody", ["queued"], NOW, state="withdrawn")
    assert state_of(database, "s-1") == "withdrawn"


def test_idempotency_key_belongs_to_its_owner(database: Database) -> None:
    add(database, "s-1", owner="ann", idempotency_key="k")
    add(database, "s-2", owner="bob", idempotency_key="k")
    add(database, "s-3", owner="ann")
    add(database, "s-4", owner="ann")
    with pytest.raises(DuplicateError):
        add(database, "s-5", owner="ann", idempotency_key="k")
    with database.read() as transaction:
        for owner, expected in (("ann", "s-1"), ("bob", "s-2")):
            user = users.get_or_add_user(transaction, owner, NOW)
            submission = submissions.find_by_idempotency_key(transaction, user.id, "k")
            assert submission is not None
            assert submission.id == expected
            assert submissions.find_by_idempotency_key(transaction, user.id, "other") is None


def test_owner_sees_their_submissions_newest_first(database: Database) -> None:
    for number in range(3):
        add(database, f"s-{number}", owner="ann", now=NOW + number * MINUTE)
    add(database, "s-other", owner="bob")
    with database.read() as transaction:
        ann = users.get_or_add_user(transaction, "ann", NOW)
        assert [submission.id for submission in submissions.list_by_owner(transaction, ann.id)] == ["s-2", "s-1", "s-0"]
        assert [submission.id for submission in submissions.list_by_owner(transaction, ann.id, limit=1)] == ["s-2"]


def test_submissions_are_counted_by_state(database: Database) -> None:
    for number, state in enumerate(("running", "scored", "queued", "queued")):
        add(database, f"s-{number}", state=state)
    with database.read() as transaction:
        assert submissions.count_by_state(transaction) == {"running": 1, "scored": 1, "queued": 2}


def test_events_are_listed_in_order(database: Database) -> None:
    add(database, "s-1")
    with database.write() as transaction:
        for number in range(3):
            submissions.add_event(
                transaction, "s-1", actor="a", from_state=None, to_state="queued", text=str(number), now=NOW
            )
    with database.read() as transaction:
        assert [event.text for event in submissions.list_events(transaction, "s-1")] == ["0", "1", "2"]


def test_model_names_are_case_insensitive_and_boards_use_the_first_spelling(database: Database) -> None:
    add_row(database, "s-1", 0.5, model="Model A")
    add_row(database, "s-2", 0.5, model=" MODEL  a")
    first, second = (find(database, name).model for name in ("s-1", "s-2"))
    assert (first.id, first.public_id) == (second.id, second.public_id)
    assert (first.name, second.name) == ("Model A", " MODEL  a"), "each submission keeps its own spelling"
    assert {row.model.name for row in read_page(database).rows} == {"Model A"}


def test_each_submission_has_its_own_description_of_the_model(database: Database) -> None:
    first = NewModel("A", "X", "LALM", 7.0, open_weights=True, url="https://x", links=("https://y",))
    add(database, "s-1", model=first, owner="ann", visibility="private")
    add(database, "s-2", model=NewModel("a"), owner="bob")
    add(database, "s-3", model=NewModel("a", "Y", size_billions=8.0), owner="bob")
    described = {name: find(database, name).model for name in ("s-1", "s-2", "s-3")}
    bare = ModelRecord(described["s-1"].id, "a", public_id=described["s-1"].public_id)
    assert described == {
        "s-1": replace(bare, **asdict(first)),
        "s-2": bare,
        "s-3": replace(bare, organisation="Y", size_billions=8.0),
    }
    printed = PrintedRow("A paper", ("Ann Lee",), 2026, "https://paper.example", ("Table 1",), "A")
    with database.write() as transaction:
        submissions.update_description(transaction, "s-1", NewModel("ignored", "Z"), "2026-06", printed)
    after = find(database, "s-1")
    assert after.model == replace(bare, name="A", organisation="Z")
    assert (after.printed_on, after.created_at) == ("2026-06", datetime(2026, 6, 1, tzinfo=UTC))
    assert (after.printed_in, find(database, "s-2").printed_in) == (printed, None)


def test_search_for_an_organisation_finds_the_rows_that_name_it(database: Database) -> None:
    add_row(database, "s-1", 0.5, model=NewModel("A", "Secret Lab"), visibility="private")
    add_row(database, "s-2", 0.5, model=NewModel("a"))
    assert read_page(database, search="secret").rows == ()


def test_token_and_session_are_found_until_they_expire(database: Database) -> None:
    with database.write() as transaction:
        ann = users.get_or_add_user(transaction, "ann", NOW)
        users.add_token(transaction, ann.id, "label", "digest of token", NOW)
        sessions.add_session(transaction, ann.id, "digest of cookie", NOW, NOW + MINUTE)
    with database.read() as transaction:
        assert users.find_user_by_token(transaction, "digest of token") == ann
        assert users.find_user_by_token(transaction, "digest of cookie") is None
        assert sessions.find_user_by_session(transaction, "digest of cookie", NOW) == (ann, False)
        assert sessions.find_user_by_session(transaction, "digest of cookie", NOW + MINUTE) is None
    with database.write() as transaction:
        sessions.revoke_session(transaction, "digest of cookie", NOW)
    with database.read() as transaction:
        assert sessions.find_user_by_session(transaction, "digest of cookie", NOW) is None


BENCHMARK = BenchmarkRecord("b", "1", "digest", "pack.zip", 2, 1)
ITEMS = [ItemRecord("i-2", "p", "p/t", "choice", (0, 1)), ItemRecord("i-1", "p", "p/t", "boolean", (0,))]


def test_registered_benchmark_is_found_with_its_items_in_order(database: Database) -> None:
    with database.write() as transaction:
        catalogue.register_benchmark(transaction, BENCHMARK, ITEMS, NOW)
    with database.read() as transaction:
        assert catalogue.list_registered(transaction) == [BENCHMARK]
        assert catalogue.list_items(transaction, "b", "1") == ITEMS
        assert catalogue.list_items(transaction, "b", "2") == []


@pytest.mark.parametrize(("digest", "expected"), [("digest", ITEMS), ("another", ITEMS[:1])])
def test_registered_benchmark_is_replaced_only_if_its_content_changed(
    database: Database, digest: str, expected: list[ItemRecord]
) -> None:
    with database.write() as transaction:
        catalogue.register_benchmark(transaction, BENCHMARK, ITEMS, NOW)
    with database.write() as transaction:
        catalogue.register_benchmark(transaction, replace(BENCHMARK, content_digest=digest), ITEMS[:1], NOW)
    with database.read() as transaction:
        assert catalogue.list_items(transaction, "b", "1") == expected


def test_workers_are_listed_last_seen_first_and_removed(database: Database) -> None:
    with database.write() as transaction:
        workers.record_heartbeat(transaction, "old", {"b": "1"}, NOW, NOW)
        workers.record_heartbeat(transaction, "new", {}, NOW, NOW + MINUTE)
        workers.record_heartbeat(transaction, "old", {"b": "2"}, NOW, NOW + 2 * MINUTE)
    with database.read() as transaction:
        assert [(w.name, w.keys, w.seen_at) for w in workers.list_workers(transaction, NOW + 3 * MINUTE)] == [
            ("old", {"b": "2"}, NOW + 2 * MINUTE),
            ("new", {}, NOW + MINUTE),
        ]
    with database.write() as transaction:
        workers.forget_workers(transaction, NOW + 2 * MINUTE)
    with database.read() as transaction:
        assert [worker.name for worker in workers.list_workers(transaction, NOW)] == ["old"]


def test_heartbeat_from_before_the_clock_was_set_back_is_no_recent_one(database: Database) -> None:
    judge = JudgeRecord("lab/judge", "j", 100)
    with database.write() as transaction:
        workers.record_heartbeat(transaction, "dead", {}, NOW, NOW + 60 * MINUTE, judge)
    with database.read() as transaction:
        assert [worker.is_active(NOW) for worker in workers.list_workers(transaction, NOW)] == [False]
        assert workers.find_judge(transaction, NOW) is None
        assert workers.find_judge(transaction, NOW + 60 * MINUTE) == judge
    with database.write() as transaction:
        workers.record_heartbeat(transaction, "alive", {}, NOW, NOW)
    with database.read() as transaction:
        found = workers.list_workers(transaction, NOW)
        assert [(worker.name, worker.is_active(NOW)) for worker in found] == [("alive", True), ("dead", False)]


def test_list_measured_returns_the_last_scorings_of_a_benchmark_by_evaluators(database: Database) -> None:
    add_row(database, "s-paper", 0.5)
    with database.read() as transaction:
        assert workers.list_measured(transaction, "b", "1") == []
    for number, seconds in enumerate((1, 2, 6)):
        add(database, f"s-{number}")
        job = get_lease(database)
        with database.write() as transaction:
            evaluations.record_result(transaction, job, RESULT, NOW + timedelta(seconds=seconds))
    with database.read() as transaction:
        assert [measured.seconds for measured in workers.list_measured(transaction, "b", "1")] == [6.0, 2.0, 1.0]
        assert [measured.seconds for measured in workers.list_measured(transaction, "b", "1", last=1)] == [6.0]
        assert workers.list_measured(transaction, "b", "2") == []
        assert workers.find_last_movement(transaction) == NOW + timedelta(seconds=6)
