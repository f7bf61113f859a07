"""Concurrency on PostgreSQL: no duplicates, no lost updates, no deadlocks."""

import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError

import submissions.accounts.credentials as submissions_accounts
from db.admin_records import Scope
from db.lease_records import SubmissionJob
from db.models import Board, ItemMetadata, Reevaluation, ReevaluationRow, Submission, User
from db.records import (
    BenchmarkRecord,
    ItemRecord,
    NewModel,
    NewResult,
    NewSubmission,
    ScoreRecord,
    StandingRecord,
    UserRecord,
)
from db.repositories import audit, boards, catalogue, evaluations, reevaluations, submissions, users
from db.repositories.boards import BoardKey
from db.repositories.evaluations import RunningLease
from db.repositories.leases import LeaseLostError
from db.session import Database
from evaluation import get_benchmark
from submissions.accounts.credentials import Accounts
from submissions.endpoints import runner
from submissions.errors import BadRequestError, StateError, SubmissionError
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import open_queue
from submissions.jobs.registration import PUBLISHED_DIR, load_published
from submissions.operations.maintenance import Maintenance, ReevaluationRequest
from submissions.rescoring.reevaluator import list_changes
from submissions.scoring.evaluator import Evaluator
from submissions.service import SubmissionService
from tests.support.servers.postgres import Databases
from tests.support.servers.shared_splits import make_shared_catalogues

pytestmark = pytest.mark.postgres

BENCHMARK = get_benchmark("audio-motion-bench")
KEY = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
NOW = datetime(2026, 1, 2, tzinfo=UTC)
RESULT = NewResult("sig", "rank", (), 1, 1, 0, 0, {}, (ScoreRecord("all", "accuracy", 0.5, 1),))
N_THREADS = 8


@pytest.fixture
def database(databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend("postgresql", tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def run_together(work: Callable[[int], object], n_threads: int = N_THREADS) -> list[object]:
    """Run work in threads that start together; return the results or exceptions."""
    start = threading.Barrier(n_threads)

    def body(number: int) -> object:
        start.wait()
        try:
            return work(number)
        except Exception as error:  # noqa: BLE001 - handed to the test
            return error

    with ThreadPoolExecutor(n_threads) as pool:
        return list(pool.map(body, range(n_threads)))


def count_rows(database: Database, table: type) -> int:
    with database.read() as transaction:
        return transaction.scalar(select(func.count()).select_from(table)) or 0


def add_person(database: Database, name: str) -> UserRecord:
    with database.write() as transaction:
        return users.get_or_add_user(transaction, name, NOW)


def describe_new(submission_id: str, owner: UserRecord) -> NewSubmission:
    return NewSubmission(
        id=submission_id,
        benchmark=KEY.benchmark,
        version=KEY.version,
        setting=KEY.setting,
        source="submitted",
        owner_id=owner.id,
        model=NewModel("m"),
        visibility="private",
        allow_missing=False,
        artifact_sha256="0" * 64,
        artifact_bytes=1,
        idempotency_key=None,
    )


def add_scored(database: Database, submission_id: str, owner: UserRecord) -> StandingRecord:
    """Add a scored submission, and return its row on a board."""
    new = describe_new(submission_id, owner)
    with database.write() as transaction:
        submissions.add_submission(transaction, new, "scored", NOW)
        evaluation_id = evaluations.add_finished_evaluation(transaction, submission_id, RESULT, NOW)
    return StandingRecord(submission_id, evaluation_id, "all", "accuracy", 0.5)


def test_person_model_and_board_are_added_once_by_concurrent_writers(database: Database) -> None:
    def add(_number: int) -> tuple[int, int]:
        with database.write() as transaction:
            owner = users.get_or_add_user(transaction, "ann", NOW)
            model = catalogue.get_or_add_model(transaction, "A model", NOW)
            boards.touch_board(transaction, KEY, NOW)
        return owner.id, model

    assert len(set(run_together(add))) == 1
    with database.read() as transaction:
        assert transaction.scalars(select(Board.changes)).all() == [N_THREADS], "no change is lost"
    assert count_rows(database, User) == 1


def test_audit_log_of_many_writers_is_one_chain(database: Database) -> None:
    def act(number: int) -> None:
        for turn in range(4):
            with database.write() as transaction:
                audit.append(transaction, f"u{number}", "act", f"s-{turn}", {}, NOW)

    assert run_together(act) == [None] * N_THREADS
    with database.read() as transaction:
        verdict = audit.verify(transaction)
    assert (verdict.n_entries, verdict.broken_at) == (4 * N_THREADS, None)


@pytest.mark.parametrize("is_same", [True, False])
def test_benchmark_registered_concurrently_has_the_items_of_one_evaluator(database: Database, is_same: bool) -> None:
    def register(number: int) -> None:
        content = "c" if is_same else f"c{number}"
        items = [ItemRecord(f"{content}-{n}", "p", "t", "choice", (0,)) for n in range(20)]
        record = BenchmarkRecord("b", "1", content, "p.zip", len(items), 1)
        with database.write() as transaction:
            catalogue.register_benchmark(transaction, record, items, NOW)

    assert run_together(register) == [None] * N_THREADS
    with database.read() as transaction:
        (known,) = catalogue.list_registered(transaction)
        items = catalogue.list_items(transaction, "b", "1")
    assert [item.id for item in items] == [f"{known.content_digest}-{n}" for n in range(20)]
    assert count_rows(database, ItemMetadata) == 20


def test_published_rows_loaded_concurrently_exist_once(database: Database, tmp_path: Path) -> None:
    smallest = min(PUBLISHED_DIR.glob("*.json"), key=lambda path: path.stat().st_size)
    shutil.copy(smallest, tmp_path)
    added = run_together(lambda _number: load_published(database, tmp_path), 3)
    assert all(isinstance(n_rows, int) for n_rows in added), added
    assert sum(added) == count_rows(database, Submission) > 0  # type: ignore[arg-type]


def test_tokens_created_concurrently_stay_within_the_limit(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions_accounts, "MAX_TOKENS", 3)
    accounts = Accounts(database, ())
    ann = add_person(database, "ann")
    made = run_together(lambda _number: accounts.add_token(ann, ""))
    assert sum(isinstance(one, BadRequestError) for one in made) == N_THREADS - 3
    assert len(accounts.list_tokens(ann)) == 3


def make_services(database: Database, folder: Path) -> tuple[SubmissionService, Maintenance]:
    accounts, catalogues = Accounts(database, ("may",)), make_shared_catalogues(database)
    store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    service = SubmissionService(database, store, catalogues, accounts, 10_000, NO_LIMITS)
    return service, Maintenance(database, catalogues, accounts)


def test_reevaluation_requested_concurrently_is_one(database: Database, tmp_path: Path) -> None:
    _, maintenance = make_services(database, tmp_path)
    may = add_person(database, "may")
    asked = run_together(
        lambda _number: maintenance.request_reevaluation(may, ReevaluationRequest(None, BENCHMARK.id, None, True, "r"))
    )
    assert sum(isinstance(one, StateError) for one in asked) == N_THREADS - 1
    assert count_rows(database, Reevaluation) == 1


def test_step_of_a_reevaluation_is_claimed_once(database: Database) -> None:
    with database.write() as transaction:
        scope = Scope("b", "1")
        reevaluations.add_reevaluation(transaction, scope, requested_by="may", reason="r", dry_run=True, now=NOW)
    with database.read() as transaction:
        found = reevaluations.find_first_open(transaction)
    assert found is not None

    def claim(number: int) -> object:
        with database.write() as transaction:
            return reevaluations.claim_step(
                transaction, found, replace(found, worker="w", token=f"t{number}", expires_at=NOW, attempts=1)
            )

    assert sum(lease is not None for lease in run_together(claim)) == 1
    assert count_rows(database, ReevaluationRow) == 0


def test_judge_cannot_claim_a_submission_while_its_new_scores_become_current(database: Database) -> None:
    standing = add_scored(database, "s-1", add_person(database, "ann"))
    scope = Scope(KEY.benchmark, KEY.version)
    with database.write() as transaction:
        number = reevaluations.add_reevaluation(
            transaction, scope, requested_by="may", reason="r", dry_run=False, now=NOW
        )
        row = ReevaluationRow(
            reevaluation_id=number, submission_id="s-1", old_evaluation_id=standing.evaluation_id, state="scored"
        )
        transaction.add(row)
    with database.read() as transaction:
        asked = reevaluations.find_reevaluation(transaction, number)
    assert asked is not None

    def claim() -> bool:
        with database.write() as judge:
            judge.connection().exec_driver_sql("set local lock_timeout = '100ms'")
            return submissions.change_state(judge, "s-1", ["scored"], NOW, state="running")

    with database.write() as switching:
        assert [change.submission.state for change in list_changes(switching, asked, lock=True)] == ["scored"]
        with pytest.raises(OperationalError, match="lock timeout"):
            claim()
    assert claim(), "free again once the new scores are current"


def test_users_and_maintainers_on_the_same_rows_never_deadlock(database: Database, tmp_path: Path) -> None:
    """Every order of locks is attempted concurrently: a deadlock would be a database error in one of them."""
    service, maintenance = make_services(database, tmp_path)
    ann, may = add_person(database, "ann"), add_person(database, "may")
    ids = [f"s-{number}" for number in range(4)]
    standings = [add_scored(database, submission_id, ann) for submission_id in ids]

    def rank() -> None:
        with database.read() as transaction:
            board = boards.find_board(transaction, KEY)
        if board is not None:
            with database.write() as transaction:
                boards.replace_standings(transaction, KEY, standings, seen=board.changes, rule="", now=NOW)

    def act(number: int) -> list[str]:
        drawn, unexpected = random.Random(number), []
        for _ in range(12):
            submission_id = drawn.choice(ids)
            acts: list[Callable[[], object]] = [
                partial(service.publish, submission_id, ann),
                partial(maintenance.hide, submission_id, may, "r"),
                partial(maintenance.restore, submission_id, may, "r"),
                rank,
            ]
            try:
                drawn.choice(acts)()
            except SubmissionError:
                continue  # another thread was first
            except Exception as error:  # noqa: BLE001 - shown by the test
                unexpected.append(repr(error))
        return unexpected

    assert run_together(act) == [[]] * N_THREADS
    with database.read() as transaction:
        assert audit.verify(transaction).broken_at is None


Write = Callable[[Database, SubmissionJob], object]


def record_result(database: Database, job: SubmissionJob) -> None:
    with database.write() as transaction:
        evaluations.record_result(transaction, job, RESULT, NOW)


def renew_endpoint_lease(database: Database, job: SubmissionJob) -> None:
    with database.write() as transaction:
        runner._hold(transaction, job, 0.5, NOW)


def leave_running(database: Database, job: SubmissionJob) -> None:
    queue = open_queue(database, "w", lane="endpoints")
    evaluator = Evaluator(database, queue, ArtifactStore("memory://", Path()), Path())
    with database.write() as transaction:
        evaluator._leave_running(transaction, job, NOW, "r", state="queued")


def claim_submission(database: Database, submission_id: str) -> tuple[SubmissionJob, RunningLease]:
    new = describe_new(submission_id, add_person(database, "ann"))
    with database.write() as transaction:
        submissions.add_submission(transaction, new, "queued", NOW)
        job = evaluations.claim_next(transaction, worker="w", token="t", now=NOW, expires_at=NOW)
        (running,) = evaluations.list_running(transaction)
    assert job is not None
    return job, running


def wait_for_blocked(database: Database, deadline: float = 30.0) -> None:
    """Return once a statement waits for a lock."""
    query = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        with database.read() as transaction:
            if transaction.scalar(text(query)):
                return
        time.sleep(0.02)
    raise AssertionError("nothing waits for a lock")


@pytest.mark.parametrize("write", [record_result, renew_endpoint_lease, leave_running])
def test_evaluator_and_successor_of_its_lease_never_deadlock(database: Database, write: Write) -> None:
    """All of them lock the submission first: the second one finds that the lease has changed hands."""
    job, running = claim_submission(database, "s-1")
    with ThreadPoolExecutor(1) as pool:
        with database.write() as revoking:
            submissions.lock_submission(revoking, "s-1")
            late = pool.submit(write, database, job)
            wait_for_blocked(database)
            assert evaluations.revoke_lease(revoking, running)
        with pytest.raises(LeaseLostError, match="s-1 was taken over"):
            late.result()


def test_number_beyond_the_column_type_is_not_found(database: Database) -> None:
    with database.read() as transaction:
        assert reevaluations.find_reevaluation(transaction, 2**70) is None
        assert reevaluations.find_reevaluation(transaction, -(2**70)) is None
        assert reevaluations.list_reevaluations(transaction, 5, before=2**70) == []
