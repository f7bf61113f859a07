"""Claims and results: each submission claimed once, each result written once and only under its lease."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from db.lease_records import SubmissionJob
from db.models import Outcome, StoredScore
from db.records import (
    ScoreRecord,
    SealedOutcomes,
)
from db.repositories import evaluations, submissions
from db.repositories.evaluations import RunningLease
from db.repositories.leases import LeaseLostError
from db.session import Database
from tests.support.samples.database_rows import (
    MINUTE,
    NOW,
    RESULT,
    add_row,
    add_submission,
    claim_submission,
    get_lease,
    get_state,
    list_running,
)
from tests.support.servers.postgres import KINDS, Databases


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def test_claim_returns_the_longest_waiting_submission(database: Database) -> None:
    add_submission(database, "s-delayed", now=NOW - MINUTE)
    add_submission(database, "s-early", now=NOW)
    add_submission(database, "s-late", now=NOW + MINUTE)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-delayed", ["queued"], NOW, not_before=NOW + 5 * MINUTE)
    order = [get_lease(database, now=NOW + MINUTE).work.id for _ in range(2)]
    assert order == ["s-early", "s-late"]
    assert claim_submission(database, now=NOW + 4 * MINUTE) is None
    assert get_lease(database, now=NOW + 5 * MINUTE).work.id == "s-delayed"


@pytest.mark.parametrize("state", ["received", "running", "scored", "failed", "withdrawn", "awaiting-approval"])
def test_claim_returns_only_queued_submissions(database: Database, state: str) -> None:
    add_submission(database, "s-1", state=state)
    with database.read() as transaction:
        assert not evaluations.has_waiting(transaction, NOW)
    assert claim_submission(database) is None


def test_claim_counts_attempts_and_opens_one_evaluation(database: Database) -> None:
    add_submission(database, "s-1")
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
        add_submission(database, f"s-{number:02}")
    start = threading.Barrier(n_threads)
    claimed: list[tuple[str, str]] = []

    def work(worker: str) -> None:
        start.wait()
        while (job := claim_submission(database, worker)) is not None:
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
    add_submission(database, "s-1")
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
    before = get_state(database, job.work.id), list_running(database)
    with pytest.raises(LeaseLostError), database.write() as transaction:
        evaluations.record_result(transaction, job, result, NOW)
    assert (get_state(database, job.work.id), list_running(database)) == before
    with database.read() as transaction:
        assert transaction.scalars(select(StoredScore)).all() == []
        assert transaction.scalars(select(Outcome)).all() == []


def revoke(database: Database) -> bool:
    (running,) = list_running(database)
    with database.write() as transaction:
        return evaluations.revoke_lease(transaction, running)


def test_result_under_a_lost_lease_is_refused_and_not_written(database: Database) -> None:
    add_submission(database, "s-1")
    job = get_lease(database)
    assert revoke(database)
    expect_refused_result(database, job)


def test_late_result_is_refused_and_that_of_the_successor_is_written(database: Database) -> None:
    add_submission(database, "s-1")
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
    assert get_state(database, "s-1") == "scored"


def test_result_recorded_twice_is_written_once(database: Database) -> None:
    add_submission(database, "s-1")
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
    add_submission(database, "s-1")
    job = get_lease(database)
    with database.write() as transaction:
        submissions.change_state(transaction, "s-1", ["running"], NOW, state="withdrawn")
    expect_refused_result(database, job)


def test_renewed_lease_has_a_new_end_and_progress(database: Database) -> None:
    add_submission(database, "s-1")
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
    add_submission(database, "s-1")
    job = get_lease(database)
    assert revoke(database)
    with pytest.raises(LeaseLostError, match="s-1 was taken over"), database.write() as transaction:
        evaluations.LEASES.renew(transaction, job.lease, NOW + MINUTE, progress=0.5)


def test_lease_is_taken_over_once(database: Database) -> None:
    add_submission(database, "s-1")
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
