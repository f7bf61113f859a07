"""Queues on both databases: jobs of a dead evaluator are retried a limited number of times."""

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

import submissions as package
from db.lease_records import SubmissionJob
from db.models import Evaluation
from db.records import EventRecord, NewResult, SubmissionRecord
from db.repositories import evaluations, submissions
from db.repositories.leases import LeaseLostError
from db.session import Database
from submissions.jobs.leased_jobs import LEASE
from submissions.jobs.queue import SubmissionQueue, open_queue
from submissions.jobs.worker_names import worker_name
from submissions.lifecycle import MAX_ATTEMPTS
from tests.support.samples.database_rows import add_submission
from tests.support.servers.postgres import KINDS, Databases

NOW = datetime(2026, 1, 2, tzinfo=UTC)
ELSEWHERE = "another-machine/pid:[1]/1/1"
ROOT = Path(package.__file__).parent.parent


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def get(database: Database, submission_id: str = "s-1") -> SubmissionRecord:
    with database.read() as transaction:
        submission = submissions.find_submission(transaction, submission_id)
    assert submission is not None
    return submission


def list_events(database: Database, submission_id: str = "s-1") -> list[EventRecord]:
    with database.read() as transaction:
        return submissions.list_events(transaction, submission_id)


def claim(queue: SubmissionQueue) -> SubmissionJob:
    job = queue.claim()
    assert job is not None
    return job


def expire(database: Database) -> None:
    """Expire every lease."""
    with database.write() as transaction:
        transaction.execute(update(Evaluation).values(lease_expires_at=NOW))


def test_claim_of_an_empty_queue_is_none_and_takes_no_lock(database: Database) -> None:
    with database.write():
        assert open_queue(database, "w").claim() is None


def test_claim_is_recorded_as_an_event(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    job = claim(open_queue(database, "w"))
    (event,) = list_events(database)
    assert (event.from_state, event.to_state, event.actor) == ("queued", "running", "evaluator")
    assert event.text == "Attempt 1 began."
    assert len(job.lease.token or "") == 32


def test_lease_expires_a_minute_after_claim_and_renewal(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    queue = open_queue(database, ELSEWHERE)
    job = claim(queue)
    for progress in (0.0, 0.5):
        before = datetime.now(UTC)
        if progress:
            queue.renew_lease(job, progress)
        with database.read() as transaction:
            (running,) = evaluations.list_running(transaction)
        expires_at = running.lease.expires_at
        assert expires_at is not None
        assert expires_at - before < LEASE + timedelta(seconds=10)
        assert expires_at > datetime.now(UTC) + LEASE / 2


@pytest.mark.parametrize("worker", [ELSEWHERE, worker_name()], ids=["elsewhere", "here"])
def test_submission_of_a_live_evaluator_is_not_requeued(database: Database, worker: str) -> None:
    add_submission(database, "s-1", now=NOW)
    claim(open_queue(database, worker))
    assert open_queue(database, "scheduler").requeue_lost() == 0
    assert get(database).state == "running"


def test_submission_with_an_expired_lease_is_requeued(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    queue = open_queue(database, ELSEWHERE)
    job = claim(queue)
    expire(database)
    scheduler = open_queue(database, "scheduler")
    assert scheduler.requeue_lost() == 1
    assert scheduler.requeue_lost() == 0
    assert get(database).state == "queued"
    last = list_events(database)[-1]
    assert (last.from_state, last.to_state, last.actor) == ("running", "queued", "scheduler")
    assert last.text == "The evaluator stopped. Queued again."
    with pytest.raises(LeaseLostError):
        queue.renew_lease(job, 0.5)
    assert claim(scheduler).lease.attempts == 2


def test_submission_lost_too_often_fails_as_a_system_error_and_can_be_retried(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    queue = open_queue(database, ELSEWHERE)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert claim(queue).lease.attempts == attempt
        expire(database)
        assert queue.requeue_lost() == 1
    submission = get(database)
    assert (submission.state, submission.reason_code, submission.fault, submission.retryable) == (
        "failed",
        "evaluator-lost",
        "ours",
        True,
    )
    assert submission.reason == (
        "The evaluator stopped 5 times during this submission. This is our error and does not use up a submission."
    )
    assert queue.claim() is None
    assert [event.to_state for event in list_events(database)].count("running") == MAX_ATTEMPTS
    assert list_events(database)[-1].to_state == "failed"


def test_result_written_in_time_is_not_requeued(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    job = claim(open_queue(database, ELSEWHERE))
    with database.write() as transaction:
        result = NewResult("sig", "rank", (), 1, 1, 0, 0, {}, ())
        evaluations.record_result(transaction, job, result, datetime.now(UTC))
    expire(database)
    assert open_queue(database, "scheduler").requeue_lost() == 0
    assert get(database).state == "scored"


def test_requeue_takes_only_lost_submissions(database: Database) -> None:
    for number in (1, 2, 3):
        add_submission(database, f"s-{number}", now=NOW)
    for worker in (ELSEWHERE, ELSEWHERE, worker_name().replace(f"/{os.getpid()}/", "/999999999/")):
        claim(open_queue(database, worker))
    assert open_queue(database, "scheduler").requeue_lost() == 1
    assert [get(database, f"s-{number}").state for number in (1, 2, 3)] == ["running", "running", "queued"]


def test_two_schedulers_requeue_a_lost_submission_once(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    # Force the race: the second scheduler reads the leases before the first one requeues the submission.
    add_submission(database, "s-1", now=NOW)
    claim(open_queue(database, ELSEWHERE))
    expire(database)
    with database.read() as transaction:
        leases = evaluations.list_running(transaction)
    assert open_queue(database, "first").requeue_lost() == 1
    monkeypatch.setattr(evaluations, "list_running", lambda _transaction: leases)
    assert open_queue(database, "second").requeue_lost() == 0
    assert [event.to_state for event in list_events(database)] == ["running", "queued"]


def test_dropped_claim_is_requeued_only_by_its_own_process(database: Database) -> None:
    add_submission(database, "s-1", now=NOW)
    queue = open_queue(database, "w")
    claim(queue)
    assert open_queue(database, "other").requeue_dropped() == 0
    assert queue.requeue_dropped() == 1
    assert get(database).state == "queued"
    assert claim(queue).lease.attempts == 2


def test_concurrent_evaluators_claim_each_submission_once(database: Database) -> None:
    names = [f"s-{number}" for number in range(6)]
    claimed_ids: list[str] = []
    stop = threading.Event()

    def watch(worker: str) -> None:
        queue = open_queue(database, worker)

        def claim_next() -> bool:
            job = queue.claim()
            if job is not None:
                claimed_ids.append(job.work.id)
            if len(claimed_ids) >= len(names):
                stop.set()
            return job is not None

        queue.watch(claim_next, stop)

    threads = [threading.Thread(target=watch, args=(f"w{number}",)) for number in range(2)]
    for thread in threads:
        thread.start()
    for name in names:
        add_submission(database, name, now=NOW)
    assert stop.wait(60)
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert sorted(claimed_ids) == names


class Clock:
    """Clock that moves only when a test sets it."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.mark.parametrize(("minutes", "is_lost"), [(0.9, False), (1.1, True)])
def test_lease_that_is_not_renewed_is_lost_after_a_minute(database: Database, minutes: float, is_lost: bool) -> None:
    clock = Clock()
    queue = open_queue(database, ELSEWHERE, clock)
    add_submission(database, "s-1", now=NOW)
    job = claim(queue)
    clock.now += timedelta(seconds=50)
    queue.renew_lease(job, 0.5)
    clock.now += timedelta(minutes=minutes)
    assert queue.requeue_lost() == is_lost
    assert get(database).state == ("queued" if is_lost else "running")


def test_submission_left_as_received_is_queued_within_minutes(database: Database) -> None:
    clock = Clock()
    queue = open_queue(database, "scheduler", clock)
    add_submission(database, "s-1", now=NOW)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["queued"], NOW, state="received")
        submissions.add_event(transaction, "s-1", actor="a", from_state=None, to_state="received", text="", now=NOW)
    assert (queue.requeue_lost(), get(database).state) == (0, "received")
    clock.now += timedelta(minutes=6)
    assert (queue.requeue_lost(), get(database).state) == (1, "queued")
    assert [event.to_state for event in list_events(database)] == ["received", "queued"]
    assert queue.requeue_lost() == 0
    assert claim(queue).work.id == "s-1"
