"""Tickets: every way into the queue creates one in its own transaction, and missing tickets are replaced."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from db.admin_records import Scope
from db.lease_records import Lease
from db.repositories import reevaluations, submissions, tickets
from db.session import Database
from tests.support.samples.database_rows import add_submission
from tests.support.servers.postgres import Databases

pytestmark = pytest.mark.postgres

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture
def database(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend("postgresql", tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def list_tickets(database: Database) -> list[tuple[Any, ...]]:
    with database.read() as transaction:
        return [tuple(row) for row in transaction.execute(text("select status, scheduled_at from procrastinate_jobs"))]


def run(database: Database, sql: str) -> None:
    with database.write() as transaction:
        transaction.execute(text(sql))


@pytest.mark.parametrize(("state", "n_tickets"), [("queued", 1), ("scored", 0), ("awaiting-approval", 0)])
def test_added_submission_has_a_ticket_if_it_is_queued(database: Database, state: str, n_tickets: int) -> None:
    add_submission(database, "s-1", state=state, now=NOW)
    assert list_tickets(database) == [("todo", None)] * n_tickets


@pytest.mark.parametrize("not_before", [None, NOW + timedelta(days=400)])
def test_requeued_submission_has_a_ticket_for_its_due_time(database: Database, not_before: datetime | None) -> None:
    add_submission(database, "s-1", state="failed", now=NOW)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["failed"], NOW, state="queued", not_before=not_before)
    assert list_tickets(database) == [("todo", not_before)]


def test_submission_that_does_not_become_queued_has_no_ticket(database: Database) -> None:
    add_submission(database, "s-1", state="failed", now=NOW)
    with pytest.raises(RuntimeError), database.write() as transaction:
        assert submissions.change_state(transaction, "s-1", ["failed"], NOW, state="queued")
        raise RuntimeError
    with database.write() as transaction:
        assert not submissions.change_state(transaction, "s-1", ["running"], NOW, state="queued")
        assert submissions.change_state(transaction, "s-1", ["failed"], NOW, state="withdrawn")
    assert list_tickets(database) == []


def test_reevaluation_creates_a_ticket_for_each_step_but_the_last(database: Database) -> None:
    scope = Scope("b", "1", None)
    with database.write() as transaction:
        reevaluations.add_reevaluation(transaction, scope, requested_by="may", reason="r", dry_run=True, now=NOW)
    assert len(list_tickets(database)) == 1

    def claim() -> Lease:
        with database.write() as transaction:
            found = reevaluations.find_first_open(transaction)
            assert found is not None
            lease = replace(found, worker="w", token="t", expires_at=NOW)
            assert reevaluations.claim_step(transaction, found, lease) is not None
        return lease

    lease = claim()
    add_submission(database, "s-1", state="scored", now=NOW)
    with database.write() as transaction:
        transaction.execute(
            text(
                "insert into evaluations (id, submission_id, started_at, progress, ranking, parts, unreadable_reasons,"
                " notes) values (1, 's-1', now(), 1, '', '[]', '{}', '[]')"
            )
        )
        run_now = text("update submissions set current_evaluation_id = 1, artifact_sha256 = 'x'")
        transaction.execute(run_now)
        affected = reevaluations.list_scored_files(transaction, scope)
        reevaluations.begin(transaction, lease, {}, affected, NOW)
    assert len(list_tickets(database)) == 2
    lease = claim()
    with database.write() as transaction:
        row = reevaluations.find_waiting_row(transaction, lease.id)
        assert row is not None
        reevaluations.end_row(transaction, lease, row)
    assert len(list_tickets(database)) == 3
    lease = claim()
    with database.write() as transaction:
        reevaluations.end_reevaluation(transaction, lease, "done", NOW)
    assert len(list_tickets(database)) == 3


def test_missing_tickets_are_added_without_duplicates(database: Database) -> None:
    with database.write() as transaction:
        tickets.leave_ticket(transaction)
        tickets.leave_ticket(transaction, datetime.now(UTC) + timedelta(hours=1))
        assert tickets.add_missing(transaction, 3) == 2, "the one of later is of no use now"
        assert tickets.add_missing(transaction, 3) == 0
        assert tickets.add_missing(transaction, 0) == 0
    assert len(list_tickets(database)) == 4


@pytest.mark.parametrize(
    ("worker", "heard", "is_taken_back"),
    [("null", "now()", True), ("1", "now()", False), ("1", "now() - interval '40 seconds'", True)],
)
def test_ticket_of_an_unresponsive_evaluator_is_reassigned(
    database: Database, worker: str, heard: str, is_taken_back: bool
) -> None:
    values = f"overriding system value values (1, {heard})"
    run(database, f"insert into procrastinate_workers (id, last_heartbeat) {values}")
    with database.write() as transaction:
        tickets.leave_ticket(transaction)
    run(database, f"update procrastinate_jobs set status = 'doing', worker_id = {worker}")  # noqa: S608 - of this test
    with database.write() as transaction:
        assert tickets.take_back_stalled(transaction, 30.0) == is_taken_back
    ((status, _),) = list_tickets(database)
    assert status == ("todo" if is_taken_back else "doing")
