"""SIGKILL of the evaluator at labels: there is exactly one result, and it is correct."""

import io
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

from db.records import NewModel
from db.repositories import users
from db.session import Database
from evaluation import get_benchmark
from evaluation.answer_keys import find_key
from evaluation.packs import example_predictions
from evaluation.predictions import read_predictions
from submissions.accounts.credentials import Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.registration import register_all
from submissions.jobs.worker_names import worker_name
from submissions.scoring.evaluator import Evaluator
from submissions.service import Request, SubmissionService
from tests.support.kills.forking import Warm
from tests.support.servers.shared_splits import make_shared_catalogues

BENCHMARK = get_benchmark("audio-motion-bench")
LABELS = ("claimed", "read", "scored", "recording", "recorded", "ranked")


@dataclass(frozen=True)
class Installation:
    folder: Path
    database: Database
    warm: Warm

    def run_dying_evaluator(self, label: str) -> None:
        self.warm.kill("evaluate", self.folder, label=label)

    def run_healthy_evaluator(self) -> None:
        queue = SubmissionQueue(self.database, worker_name())
        artifacts = ArtifactStore(str(self.folder / "artifacts"), self.folder / "incoming")
        evaluator = Evaluator(self.database, queue, artifacts, self.folder / "answer-keys")
        queue.requeue_lost()
        while evaluator.run_next() or evaluator.refresh_stale_boards():
            pass

    def query(self, sql: str) -> list[tuple[object, ...]]:
        with sqlite3.connect(self.folder / "earshot.db") as connection:
            rows = connection.execute(sql).fetchall()
        connection.close()
        return rows


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A queued submission; every test copies it."""
    folder = tmp_path_factory.mktemp("sent")
    with closing(Database(f"sqlite:///{folder / 'earshot.db'}")) as database:
        database.upgrade()
        register_all(database, folder / "answer-keys")
        artifacts = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        service = SubmissionService(
            database,
            artifacts,
            make_shared_catalogues(database),
            Accounts(database, ()),
            10**8,
            NO_LIMITS,
        )
        with database.write() as transaction:
            owner = users.get_or_add_user(transaction, "ada", datetime.now(UTC))
        key = find_key(folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test")
        assert key is not None
        rows = example_predictions(BENCHMARK.content(key))
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        service.submit(owner, Request(BENCHMARK, "default", NewModel("Killed"), publish=True), io.BytesIO(data))
    return folder


@pytest.fixture
def installation(sent: Path, tmp_path: Path, warm: Warm) -> Iterator[Installation]:
    shutil.copytree(sent, tmp_path, dirs_exist_ok=True)
    with closing(Database(f"sqlite:///{tmp_path / 'earshot.db'}")) as database:
        yield Installation(tmp_path, database, warm)


def check_exactly_one_result(installation: Installation) -> None:
    """One completed scoring with exact scores, valid transitions only, one use of the quota, one row on the board."""
    query = installation.query
    assert query("select count(*), count(refunded_at) from quota_uses") == [(1, 0)]
    assert query("select state from submissions") == [("scored",)]
    assert query("select count(*), count(finished_at) from evaluations") == [(1, 1)]
    assert query("select count(*) from outcomes") == [(1,)]
    assert query("select count(*) from submission_events where to_state = 'scored'") == [(1,)]
    steps = query("select from_state, to_state from submission_events order by id")
    assert steps[:3] == [(None, "received"), ("received", "queued"), ("queued", "running")]
    assert all(before == step[0] for (_, before), step in pairwise(steps))
    stored = {(str(s), str(m)): v for s, m, v in query("select slice, metric, value from scores")}
    assert stored == expected_figures(installation)
    assert query("select count(*) from standings where slice = 'overall' and metric = 'accuracy'") == [(1,)]


def expected_figures(installation: Installation) -> dict[tuple[str, str], float | None]:
    key = find_key(installation.folder / "answer-keys", BENCHMARK.id, BENCHMARK.version, "test")
    assert key is not None
    (artifact,) = (path for path in (installation.folder / "artifacts").rglob("*") if path.is_file())
    report = BENCHMARK.score(key, read_predictions(artifact, BENCHMARK))
    return {(slice_name, metric): score.value for slice_name, metric, score in BENCHMARK.disclose(report)}


@pytest.mark.parametrize("label", LABELS)
def test_evaluator_killed_at_a_label_gives_exactly_one_result(installation: Installation, label: str) -> None:
    installation.run_dying_evaluator(label)
    installation.run_healthy_evaluator()
    check_exactly_one_result(installation)


def test_evaluator_killed_at_every_label_in_turn_gives_exactly_one_result(installation: Installation) -> None:
    for label in LABELS[:4]:
        installation.run_dying_evaluator(label)
        assert installation.query("select count(*) from outcomes") == [(0,)]
    installation.run_healthy_evaluator()
    check_exactly_one_result(installation)
    assert installation.query("select attempts from submissions") == [(5,)]


def test_late_evaluator_writes_nothing_after_losing_its_lease(installation: Installation) -> None:
    """An evaluator that was suspended wakes up long after another one has taken over."""
    taken_over = False

    def checkpoint(label: str) -> None:
        nonlocal taken_over
        if label == "scored" and not taken_over:
            taken_over = True
            installation.query("update evaluations set lease_expires_at = '2000-01-01 00:00:00.000000'")
            installation.run_healthy_evaluator()
            check_exactly_one_result(installation)

    queue = SubmissionQueue(installation.database, worker_name())
    artifacts = ArtifactStore(str(installation.folder / "artifacts"), installation.folder / "incoming")
    late = Evaluator(installation.database, queue, artifacts, installation.folder / "answer-keys", checkpoint)
    assert late.run_next()
    assert taken_over
    check_exactly_one_result(installation)


def test_submission_fails_with_a_reason_after_five_evaluator_deaths(installation: Installation) -> None:
    for _ in range(5):
        installation.run_dying_evaluator("claimed")
    installation.run_healthy_evaluator()
    ((state, code, fault, retryable),) = installation.query(
        "select state, reason_code, whose_fault, retryable from submissions"
    )
    assert (state, code, fault, retryable) == ("failed", "evaluator-lost", "ours", 1)
    assert installation.query("select refund_reason from quota_uses") == [("evaluator-lost",)]


def test_evaluator_killed_while_recording_a_failure_refunds_it_in_the_same_transaction(
    installation: Installation,
) -> None:
    """Failure and refund are one transaction: both or neither."""
    refund = "select state, refunded_at is not null, refund_reason from submissions, quota_uses"
    shutil.rmtree(installation.folder / "answer-keys")
    for _ in range(4):
        installation.query("update submissions set not_before = null")
        installation.run_healthy_evaluator()
    assert installation.query(refund) == [("queued", 0, None)]
    installation.query("update submissions set not_before = null, attempts = 3")
    installation.run_dying_evaluator("failing")
    assert installation.query(refund) == [("running", 0, None)]
    installation.run_healthy_evaluator()
    assert installation.query(refund) == [("failed", 1, "internal")]
