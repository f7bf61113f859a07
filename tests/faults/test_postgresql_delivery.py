"""Delivery on PostgreSQL with evaluators that are woken, killed, late or cut off: each submission has one result."""

import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text

import submissions.jobs.queue.distributed as distributed
from db.errors import DatabaseError
from db.records import SubmissionRecord
from db.repositories import tickets
from db.session import Database
from submissions.jobs.queue import DistributedQueue, SubmissionQueue, open_queue
from submissions.jobs.registration import register_all
from submissions.jobs.worker_names import worker_name
from submissions.scoring.evaluator import Evaluator
from tests.support.servers.installation import Installation, answers
from tests.support.servers.live_site import Site, run_site
from tests.support.servers.postgres import Databases
from tests.support.servers.server import ROOT, wait_for

LISTENING = "select count(*) from pg_stat_activity where datname = current_database() and query like 'LISTEN%'"


@pytest.fixture
def url(databases: Databases, tmp_path: Path) -> Iterator[str]:
    with databases.lend("postgresql", tmp_path) as lent:
        yield lent


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with closing(Database(url)) as opened:
        yield opened


@pytest.fixture(scope="module")
def installed(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Installation with every benchmark registered; each test submits its own files."""
    folder = tmp_path_factory.mktemp("installed")
    with databases.lend("postgresql", folder) as lent:
        made = Installation(folder, lent)
        register_all(made.database, made.keys_dir)
        with closing(made.database):
            yield made


@pytest.fixture
def place(installed: Installation) -> Iterator[Installation]:
    """The installation; connections opened by a test do not remain in the pool."""
    yield installed
    installed.database.engine.dispose()


def ask(database: Database, sql: str) -> object:
    with database.read() as transaction:
        return transaction.scalar(text(sql))


def run(database: Database, sql: str) -> None:
    with database.write() as transaction:
        transaction.execute(text(sql))


def leave_ticket(database: Database) -> None:
    with database.write() as transaction:
        tickets.leave_ticket(transaction)


@contextmanager
def watching(queue: SubmissionQueue, turn: Callable[[], bool]) -> Iterator[threading.Event]:
    """Run an evaluator that waits for tickets; it has stopped at the end of the block."""
    stop = threading.Event()
    thread = threading.Thread(target=queue.watch, args=(turn, stop))
    thread.start()
    try:
        yield stop
    finally:
        stop.set()
        thread.join(60)
        assert not thread.is_alive()


def test_ticket_wakes_an_evaluator_that_does_not_poll(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distributed, "_LOOK_SECONDS", 3_600.0)
    turns: list[bool] = []

    def turn() -> bool:
        turns.append(True)
        return True

    with watching(open_queue(database, "w"), turn):
        wait_for(lambda: ask(database, LISTENING), "listening")
        leave_ticket(database)
        wait_for(lambda: turns, "a turn")
    assert len(turns) == 1
    assert ask(database, "select count(*) from procrastinate_jobs") == 0


def test_running_step_is_finished_before_the_evaluator_stops(database: Database) -> None:
    began, may_end, ended = threading.Event(), threading.Event(), threading.Event()

    def turn() -> bool:
        began.set()
        assert may_end.wait(60)
        ended.set()
        return True

    leave_ticket(database)
    with watching(open_queue(database, "w"), turn) as stop:
        assert began.wait(60)
        stop.set()
        threading.Timer(0.5, may_end.set).start()
    assert ended.is_set()


def claim_all(queue: SubmissionQueue, claimed: list[str]) -> Callable[[], bool]:
    """Return a step that claims submissions, as an evaluator whose connection may break does."""
    dropped = threading.Event()

    def turn() -> bool:
        try:
            if dropped.is_set():
                queue.requeue_dropped()
                dropped.clear()
            job = queue.claim()
        except DatabaseError:
            dropped.set()
            return False
        if job is not None:
            claimed.append(job.work.id)
        return job is not None

    return turn


# An evaluator that receives tickets and kills itself at a label.
DYING = textwrap.dedent("""
    import os, signal, sys, threading
    from pathlib import Path
    from db.session import Database
    from submissions.intake.artifacts import ArtifactStore
    from submissions.scoring.evaluator import Evaluator
    from submissions.jobs.queue import open_queue
    from submissions.jobs.worker_names import worker_name

    url, folder, label, name = sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4]

    def checkpoint(reached):
        if reached == label:
            os.kill(os.getpid(), signal.SIGKILL)

    database = Database(url)
    queue = open_queue(database, name or worker_name())
    store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    queue.watch(Evaluator(database, queue, store, folder / "answer-keys", checkpoint).run_next, threading.Event())
""")


def find_evaluations(place: Installation, record: SubmissionRecord) -> list[str]:
    """Return the evaluator of each scoring of a submission."""
    rows = place.query("select submission_id, worker from evaluations")
    return [worker for submission_id, worker in rows if submission_id == record.id]


def die(place: Installation, label: str, name: str = "") -> None:
    url = place.database.url.render_as_string(hide_password=False)
    command = [sys.executable, "-c", DYING, url, str(place.folder), label, name]
    assert subprocess.run(command, cwd=ROOT, timeout=120, check=False, capture_output=True).returncode == -9


@pytest.mark.parametrize(("label", "name"), [("recording", ""), ("claimed", "another-machine/0-pid:[1]/1/1")])
def test_submission_of_a_killed_evaluator_is_finished_by_another(place: Installation, label: str, name: str) -> None:
    record = place.submit(answers(place.key), label)
    die(place, label, name)
    assert place.status(record).submission.state == "running"
    if name:
        # No process can detect the death; its lease has to expire.
        assert place.queue.requeue_lost() == 0
        run(place.database, "update evaluations set lease_expires_at = now() - interval '1 second'")
    with watching(place.queue, place.evaluator.run_next):
        assert place.queue.requeue_lost() == 1
        wait_for(lambda: place.status(record).submission.state == "scored", "the result")
    assert place.headline(record) == 1.0
    assert [event.to_state for event in place.status(record).events].count("scored") == 1
    (evaluation,) = find_evaluations(place, record)
    assert evaluation == worker_name()


def test_result_of_an_evaluator_that_was_presumed_dead_is_refused(place: Installation) -> None:
    record = place.submit(answers(place.key))
    other_queue = DistributedQueue(place.database, "other")
    other = Evaluator(place.database, other_queue, place.store, place.keys_dir)

    def overtake() -> None:
        run(place.database, "update evaluations set lease_expires_at = now() - interval '1 second'")
        assert other_queue.requeue_lost() == 1
        assert other.run_next()

    place.passed.clear()
    place.at["scored"] = overtake
    assert place.evaluator.run_next()
    assert "recorded" not in place.passed, "the late one has written nothing"
    assert place.headline(record) == 1.0
    assert find_evaluations(place, record) == ["other"]
    assert [event.to_state for event in place.status(record).events].count("scored") == 1


def send(site: Site, token: str, number: int) -> tuple[int, str | None]:
    """Submit a file under its own key; return the status code and the acknowledgement."""
    headers = {"Idempotency-Key": f"k{number}"}
    answer = site.submit(token, model=f'{{"name": "m{number}"}}', allow_missing="true", headers=headers)
    if answer.status_code == 503:
        problem = answer.json()
        assert problem["type"].endswith("#database-away"), problem
        assert "temporarily unavailable" in problem["detail"]
        assert int(answer.headers["retry-after"]) > 0
    return answer.status_code, answer.json().get("id")


def test_server_that_crashes_during_submissions_loses_no_acknowledged_submission(
    databases: Databases, database: Database, url: str, tmp_path: Path
) -> None:
    server, acknowledged, claimed, statuses = databases.server, {}, list[str](), list[int]()
    stop = threading.Event()
    queue = open_queue(database, "w")

    def keep_sending(site: Site, token: str) -> None:
        number = 0
        while not stop.is_set():
            status, submission_id = send(site, token, number)
            statuses.append(status)
            if status == 201:
                acknowledged[number] = submission_id
                number += 1

    with run_site(tmp_path, database_url=url) as site, watching(queue, claim_all(queue, claimed)):
        token = site.token("ann")
        sender = threading.Thread(target=keep_sending, args=(site, token))
        sender.start()
        try:
            wait_for(lambda: len(acknowledged) >= 3, "submissions")
            server.stop("immediate")
            n_before = len(acknowledged)
            wait_for(lambda: 503 in statuses, "a refusal")
            assert site.get("/healthz").status_code == 200
            assert site.get("/readyz").json()["database"] == "unreachable"
            server.start()
            wait_for(lambda: len(acknowledged) >= n_before + 3, "submissions after the restart")
        finally:
            stop.set()
            sender.join(60)
            server.start()
        assert set(statuses) == {201, 503}
        for number, submission_id in acknowledged.items():
            assert send(site, token, number) == (201, submission_id), "the same request again is the same submission"
        wait_for(lambda: queue.requeue_lost() or set(acknowledged.values()) <= set(claimed), "the last claim")


def test_ticket_is_due_immediately_unless_its_submission_is_postponed(database: Database) -> None:
    with database.write() as transaction:
        tickets.leave_ticket(transaction, datetime(2100, 1, 1, tzinfo=UTC))
    turns: list[bool] = []

    def turn() -> bool:
        turns.append(True)
        return True

    with watching(open_queue(database, "w"), turn):
        leave_ticket(database)
        wait_for(lambda: turns, "a turn")
        wait_for(lambda: ask(database, "select count(*) from procrastinate_jobs") == 1, "the end of the turn")
    assert len(turns) == 1
