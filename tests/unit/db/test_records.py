"""Submissions, users, tokens, benchmarks and workers in the database."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db.errors import DuplicateError
from db.paper_records import PrintedRow
from db.records import (
    BenchmarkRecord,
    ItemRecord,
    JudgeRecord,
    ModelRecord,
    NewModel,
)
from db.repositories import catalogue, evaluations, sessions, submissions, users, workers
from db.session import Database
from tests.support.samples.database_rows import (
    MINUTE,
    NOW,
    RESULT,
    add_row,
    add_submission,
    get_lease,
    get_state,
    get_submission,
    read_page,
)
from tests.support.servers.postgres import KINDS, Databases


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def test_state_changes_only_from_the_named_states(database: Database) -> None:
    add_submission(database, "s-1")
    with database.write() as transaction:
        assert not submissions.change_state(transaction, "s-1", ["running"], NOW, state="scored")
        assert submissions.change_state(transaction, "s-1", ["running", "queued"], NOW, state="withdrawn")
        assert not submissions.change_state(transaction, "nobody", ["queued"], NOW, state="withdrawn")
    assert get_state(database, "s-1") == "withdrawn"


def test_idempotency_key_belongs_to_its_owner(database: Database) -> None:
    add_submission(database, "s-1", owner="ann", idempotency_key="k")
    add_submission(database, "s-2", owner="bob", idempotency_key="k")
    add_submission(database, "s-3", owner="ann")
    add_submission(database, "s-4", owner="ann")
    with pytest.raises(DuplicateError):
        add_submission(database, "s-5", owner="ann", idempotency_key="k")
    with database.read() as transaction:
        for owner, expected in (("ann", "s-1"), ("bob", "s-2")):
            user = users.get_or_add_user(transaction, owner, NOW)
            submission = submissions.find_by_idempotency_key(transaction, user.id, "k")
            assert submission is not None
            assert submission.id == expected
            assert submissions.find_by_idempotency_key(transaction, user.id, "other") is None


def test_owner_sees_their_submissions_newest_first(database: Database) -> None:
    for number in range(3):
        add_submission(database, f"s-{number}", owner="ann", now=NOW + number * MINUTE)
    add_submission(database, "s-other", owner="bob")
    with database.read() as transaction:
        ann = users.get_or_add_user(transaction, "ann", NOW)
        assert [submission.id for submission in submissions.list_by_owner(transaction, ann.id)] == ["s-2", "s-1", "s-0"]
        assert [submission.id for submission in submissions.list_by_owner(transaction, ann.id, limit=1)] == ["s-2"]


def test_submissions_are_counted_by_state(database: Database) -> None:
    for number, state in enumerate(("running", "scored", "queued", "queued")):
        add_submission(database, f"s-{number}", state=state)
    with database.read() as transaction:
        assert submissions.count_by_state(transaction) == {"running": 1, "scored": 1, "queued": 2}


def test_events_are_listed_in_order(database: Database) -> None:
    add_submission(database, "s-1")
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
    first, second = (get_submission(database, name).model for name in ("s-1", "s-2"))
    assert (first.id, first.public_id) == (second.id, second.public_id)
    assert (first.name, second.name) == ("Model A", " MODEL  a"), "each submission keeps its own spelling"
    assert {row.model.name for row in read_page(database).rows} == {"Model A"}


def test_each_submission_has_its_own_description_of_the_model(database: Database) -> None:
    first = NewModel("A", "X", "LALM", 7.0, open_weights=True, url="https://x", links=("https://y",))
    add_submission(database, "s-1", model=first, owner="ann", visibility="private")
    add_submission(database, "s-2", model=NewModel("a"), owner="bob")
    add_submission(database, "s-3", model=NewModel("a", "Y", size_billions=8.0), owner="bob")
    described = {name: get_submission(database, name).model for name in ("s-1", "s-2", "s-3")}
    bare = ModelRecord(described["s-1"].id, "a", public_id=described["s-1"].public_id)
    assert described == {
        "s-1": replace(bare, **asdict(first)),
        "s-2": bare,
        "s-3": replace(bare, organisation="Y", size_billions=8.0),
    }
    printed = PrintedRow("A paper", ("Ann Lee",), 2026, "https://paper.example", ("Table 1",), "A")
    with database.write() as transaction:
        submissions.update_description(transaction, "s-1", NewModel("ignored", "Z"), "2026-06", printed)
    after = get_submission(database, "s-1")
    assert after.model == replace(bare, name="A", organisation="Z")
    assert (after.printed_on, after.created_at) == ("2026-06", datetime(2026, 6, 1, tzinfo=UTC))
    assert (after.printed_in, get_submission(database, "s-2").printed_in) == (printed, None)


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
        add_submission(database, f"s-{number}")
        job = get_lease(database)
        with database.write() as transaction:
            evaluations.record_result(transaction, job, RESULT, NOW + timedelta(seconds=seconds))
    with database.read() as transaction:
        assert [measured.seconds for measured in workers.list_measured(transaction, "b", "1")] == [6.0, 2.0, 1.0]
        assert [measured.seconds for measured in workers.list_measured(transaction, "b", "1", last=1)] == [6.0]
        assert workers.list_measured(transaction, "b", "2") == []
        assert workers.find_last_movement(transaction) == NOW + timedelta(seconds=6)
