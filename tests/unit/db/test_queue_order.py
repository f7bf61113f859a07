"""Order of the queue: round robin over owners, and displayed positions match the order of execution."""

import random
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, insert, update

from db.models import Evaluation, Submission
from db.records import NewModel, NewSubmission
from db.repositories import evaluations, queue_order, submissions, tickets, users
from db.session import Database

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SECOND = timedelta(seconds=1)
STATES = ("running", "queued")


@pytest.fixture(scope="module")
def opened(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    path = shutil.copy(empty, tmp_path_factory.mktemp("line"))
    with closing(Database(f"sqlite:///{path}")) as database:
        yield database


@pytest.fixture
def database(opened: Database) -> Database:
    with opened.write() as transaction:
        transaction.execute(delete(Evaluation))
        transaction.execute(delete(Submission))
    return opened


def add(database: Database, name: str, now: datetime = NOW, *, benchmark: str = "b", n_bytes: int = 10) -> None:
    """Submit as the owner at the beginning of the name: `ann-1` belongs to ann."""
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, name.partition("-")[0], now)
        new = NewSubmission(
            name, benchmark, "1", "s", "submitted", owner.id, NewModel("m"), "private", False, "0", n_bytes, None
        )
        submissions.add_submission(transaction, new, "queued", now)


def claim(database: Database, now: datetime = NOW) -> str | None:
    with database.write() as transaction:
        job = evaluations.claim_next(transaction, worker="w", token="t", now=now, expires_at=now)
    return None if job is None else job.work.id


def end(database: Database, name: str) -> None:
    with database.write() as transaction:
        submissions.change_state(transaction, name, STATES, NOW, state="scored")


def postpone(database: Database, name: str, until: datetime) -> None:
    with database.write() as transaction:
        submissions.change_state(transaction, name, ["running"], NOW, state="queued", not_before=until)


def list_waiting(database: Database, now: datetime = NOW) -> list[str]:
    """Return the queue as a maintainer sees it, after checking that every position matches."""
    with database.read() as transaction:
        entries = submissions.list_queue(transaction, STATES, 10**6, now)
        states = [entry.submission.state for entry in entries]
        n_running = states.count("running")
        assert states == ["running"] * n_running + ["queued"] * (len(states) - n_running)
        waiting = [entry.submission.id for entry in entries[n_running:]]
        positions = [queue_order.count_ahead(transaction, name, now) for name in waiting]
    assert positions == list(range(n_running, n_running + len(waiting)))
    return waiting


def drain(database: Database, now: datetime = NOW) -> list[str]:
    order = []
    while (name := claim(database, now)) is not None:
        order.append(name)
        end(database, name)
    return order


def test_submissions_of_one_owner_run_in_order_of_arrival(database: Database) -> None:
    for number in range(4):
        add(database, f"ann-{number}", NOW + number * SECOND)
    assert list_waiting(database) == drain(database) == [f"ann-{number}" for number in range(4)]


def test_many_submissions_delay_another_owner_by_the_running_one(database: Database) -> None:
    for number in range(50):
        add(database, f"ann-{number:02}", NOW + number * SECOND)
    for _ in range(7):
        end(database, str(claim(database)))
    assert claim(database) == "ann-07"
    add(database, "bob-0", NOW + 100 * SECOND)
    assert list_waiting(database)[0] == "bob-0"


def test_many_submissions_delay_another_owner_by_one_while_none_runs(database: Database) -> None:
    for number in range(5):
        add(database, f"ann-{number}", NOW + number * SECOND)
    end(database, str(claim(database)))
    add(database, "bob-0", NOW + 100 * SECOND)
    assert list_waiting(database) == ["ann-1", "bob-0", "ann-2", "ann-3", "ann-4"]


def test_owners_are_served_round_robin(database: Database) -> None:
    for owner in ("ann", "bob", "eve"):
        for number in range(3):
            add(database, f"{owner}-{number}")
    expected = [f"{owner}-{number}" for number in range(3) for owner in ("ann", "bob", "eve")]
    assert list_waiting(database) == drain(database) == expected


def test_owner_who_used_an_empty_queue_is_not_delayed_for_it_later(database: Database) -> None:
    for number in range(20):
        add(database, f"ann-{number:02}", NOW + number * SECOND)
    drain(database)
    add(database, "bob-0", NOW + 30 * SECOND)
    add(database, "bob-1", NOW + 31 * SECOND)
    add(database, "ann-20", NOW + 32 * SECOND)
    assert list_waiting(database) == ["bob-0", "ann-20", "bob-1"]


def test_postponed_submission_is_behind_all_due_ones_until_it_is_due(database: Database) -> None:
    for name in ("ann-0", "ann-1", "bob-0"):
        add(database, name)
    assert claim(database) == "ann-0"
    postpone(database, "ann-0", NOW + 60 * SECOND)
    assert claim(database) == "bob-0"
    postpone(database, "bob-0", NOW + 30 * SECOND)
    assert list_waiting(database) == ["ann-1", "bob-0", "ann-0"]
    assert list_waiting(database, NOW + 59 * SECOND) == ["bob-0", "ann-1", "ann-0"]
    assert list_waiting(database, NOW + 60 * SECOND) == ["ann-0", "bob-0", "ann-1"]
    assert drain(database) == ["ann-1"]


def test_submission_postponed_for_minutes_does_not_delay_its_owner(database: Database) -> None:
    for number in range(4):
        add(database, f"ann-{number}")
    postpone(database, str(claim(database)), NOW + 600 * SECOND)
    for _ in range(2):
        end(database, str(claim(database)))
    assert claim(database) == "ann-3"
    for name in ("bob-0", "bob-1", "ann-4"):
        add(database, name, NOW + SECOND)
    assert list_waiting(database) == ["bob-0", "ann-4", "bob-1", "ann-0"]


def test_queue_for_maintainers_ends_with_submissions_that_wait_for_something_else(database: Database) -> None:
    for name in ("ann-0", "ann-1", "bob-0"):
        add(database, name)
    with database.write() as transaction:
        submissions.change_state(transaction, "ann-0", ["queued"], NOW, state="awaiting-judge")
    with database.read() as transaction:
        entries = submissions.list_queue(transaction, ("queued", "awaiting-judge"), 10, NOW)
        assert queue_order.list_ahead(transaction, "ann-0", NOW) == []
    assert [entry.submission.id for entry in entries] == ["bob-0", "ann-1", "ann-0"]


def test_submissions_ahead_are_counted_by_benchmark_with_their_bytes(database: Database) -> None:
    for name, benchmark, n_bytes in (("ann-0", "b", 5), ("bob-0", "c", 7), ("eve-0", "b", 9), ("max-0", "c", 1)):
        add(database, name, benchmark=benchmark, n_bytes=n_bytes)
    with database.read() as transaction:
        counts = queue_order.list_ahead(transaction, "max-0", NOW)
    assert sorted(counts) == [("b", "1", 2, 14), ("c", "1", 1, 7)]


@pytest.mark.parametrize("seed", range(3))
def test_position_is_the_order_of_the_claims_after_any_history(database: Database, seed: int) -> None:
    rng = random.Random(seed)
    for step in range(40):
        now = NOW + step * SECOND
        match rng.choice(("add", "add", "add", "claim", "end", "put off")):
            case "add":
                add(database, f"{rng.choice(('ann', 'ann', 'bob', 'eve'))}-{step:02}", now)
            case "claim":
                claim(database, now)
            case action:
                with database.read() as transaction:
                    entries = submissions.list_queue(transaction, ("running",), 100, now)
                if entries and action == "end":
                    end(database, rng.choice(entries).submission.id)
                elif entries:
                    postpone(database, rng.choice(entries).submission.id, now + rng.randrange(40) * SECOND)
        if step % 10 == 9:
            list_waiting(database, now)
    with database.write() as transaction:
        transaction.execute(update(Submission).where(Submission.state == "running").values(state="scored"))
    now = NOW + 1000 * SECOND
    shown = list_waiting(database, now)
    assert shown
    assert drain(database, now) == shown


def test_claim_and_position_are_read_by_index_only_at_any_queue_length(database: Database) -> None:
    """The query plan is checked, because run times would depend on the machine."""
    add(database, "ann-0")
    with database.write() as transaction:
        template = transaction.get(Submission, "ann-0")
        assert template is not None
        row = {column.key: getattr(template, column.key) for column in Submission.__table__.columns}
        rows = [row | {"id": f"ann-{number:05}", "turn": number} for number in range(1, 2_000)]
        transaction.execute(insert(Submission), rows)
    statements: list[tuple[str, Any]] = []
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda _c, _k, sql, parameters, *_: statements.append((sql, parameters)),
    )
    with database.read() as transaction:
        transaction.scalar(queue_order.first_in_line(NOW))
        queue_order.find_turn(transaction, template.owner_id, "files")
        queue_order.count_ahead(transaction, "ann-01000", NOW)
    queries = [(sql, parameters) for sql, parameters in statements if sql.startswith("SELECT")]
    assert len(queries) == 8
    with database.engine.connect() as connection:
        for sql, parameters in queries:
            plan = connection.exec_driver_sql(f"explain query plan {sql}", parameters).all()
            steps = [str(step[-1]) for step in plan if "GROUP BY" not in str(step[-1])]
            assert all("USING INDEX" in step or "USING COVERING INDEX" in step for step in steps), (sql, steps)
            assert not any(step.startswith("SCAN") for step in steps), (sql, steps)


def test_waiting_submission_needs_no_ticket_on_sqlite(database: Database) -> None:
    add(database, "ann-0")
    with database.write() as transaction:
        assert tickets.add_missing(transaction, 5) == tickets.take_back_stalled(transaction, 0.0) == 0
