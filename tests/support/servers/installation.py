"""Installation without processes: database, keys, uploads, services, and an evaluator, on one disk."""

import atexit
import io
import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from db.admin_records import ReevaluationRecord
from db.records import NewModel, SubmissionRecord, UserRecord
from db.repositories import boards, users
from db.repositories.boards import PageQuery
from db.session import Database
from evaluation import Benchmark, get_benchmark
from evaluation.answer_keys import AnswerKey, find_key, replace_key
from evaluation.benchmarks.audio_motion_bench.design import design_items
from submissions.accounts.credentials import SYSTEM_USER, Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import open_queue
from submissions.jobs.registration import load_published, register_all, submit_chance
from submissions.jobs.worker_names import worker_name
from submissions.operations.maintenance import Maintenance, ReevaluationRequest
from submissions.rescoring.reevaluator import Reevaluator
from submissions.scoring.evaluator import Evaluator
from submissions.service import Request, SubmissionService, board_of
from submissions.statuses import Status
from tests.support.servers.shared_splits import make_shared_catalogues

BENCHMARK = get_benchmark("audio-motion-bench")
HEADLINE = BENCHMARK.headline.key


class KilledError(BaseException):
    """Simulated SIGKILL: nothing after the checkpoint runs."""


class Installation:
    """An installation; `at` maps a checkpoint to the action of its next pass."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        self.folder = folder
        self.keys_dir = folder / "answer-keys"
        self.database = Database(url or f"sqlite:///{folder}/earshot.db")
        self.store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        accounts = Accounts(self.database, ("may",))
        self.catalogues = catalogues = make_shared_catalogues(self.database)
        self.service = SubmissionService(self.database, self.store, catalogues, accounts, 100_000_000, NO_LIMITS)
        self.maintenance = Maintenance(self.database, catalogues, accounts)
        self.passed: list[str] = []
        self.at: dict[str, Callable[[], None]] = {}
        self.queue = open_queue(self.database, worker_name())
        self.evaluator = Evaluator(self.database, self.queue, self.store, self.keys_dir, self._pass)
        self.reevaluator = Reevaluator(self.database, self.evaluator, worker_name(), self._pass)
        with self.database.write() as transaction:
            now = datetime.now(UTC)
            self.ann: UserRecord = users.get_or_add_user(transaction, "ann", now)
            self.may: UserRecord = users.get_or_add_user(transaction, "may", now)

    def _pass(self, label: str) -> None:
        self.passed.append(label)
        self.at.pop(label, lambda: None)()

    @property
    def key(self) -> AnswerKey:
        key = find_key(self.keys_dir, BENCHMARK.id, BENCHMARK.version, "test")
        assert key is not None
        return key

    def key_of(self, benchmark: Benchmark) -> AnswerKey:
        key = find_key(self.keys_dir, benchmark.id, benchmark.version, "test")
        assert key is not None
        return key

    def submit(self, data: bytes, name: str = "m", *, publish: bool = True) -> SubmissionRecord:
        request = Request(BENCHMARK, "default", NewModel(name), allow_missing=True, publish=publish)
        return self.service.submit(self.ann, request, io.BytesIO(data))

    def score_all(self) -> None:
        while self.evaluator.run_next() or self.evaluator.refresh_stale_boards():
            pass

    def correct(self, n: int = 4) -> list[str]:
        """Invert the answers of the first statements, as a maintainer's correction does; return their ids."""
        key = self.key
        ids = statements(key)[:n]
        replace_key(
            self.keys_dir, replace(key, answers={**key.answers, **{name: not key.answers[name] for name in ids}}), key
        )
        register_all(self.database, self.keys_dir)
        return ids

    def request_reevaluation(
        self, *, dry_run: bool, submission: str | None = None, reason: str = "Four keys."
    ) -> ReevaluationRecord:
        benchmark = None if submission else BENCHMARK.id
        return self.maintenance.request_reevaluation(
            self.may, ReevaluationRequest(submission, benchmark, None, dry_run, reason)
        )

    def run_reevaluations(self) -> None:
        while self.reevaluator.run_next():
            pass
        self.score_all()

    def reevaluate(self, *, dry_run: bool, submission: str | None = None) -> ReevaluationRecord:
        asked = self.request_reevaluation(dry_run=dry_run, submission=submission)
        self.run_reevaluations()
        return self.find_reevaluation(asked)

    def find_reevaluation(self, asked: ReevaluationRecord) -> ReevaluationRecord:
        return self.maintenance.get_reevaluation(self.may, asked.id)

    def status(self, submission: SubmissionRecord) -> Status:
        return self.service.status(submission.id, self.may)

    def headline(self, submission: SubmissionRecord) -> float | None:
        found = {f"{score.slice}|{score.metric}": score.value for score in self.status(submission).scores}
        return found[HEADLINE]

    def ranks(self, submission: SubmissionRecord) -> dict[str, int | None]:
        query = PageQuery(HEADLINE, descending=True)
        with self.database.read() as transaction:
            rows = boards.read_page(transaction, board_of(submission), query, [HEADLINE]).rows
        return {row.submission.model.name: row.standings[HEADLINE].rank for row in rows}

    def change_rows(self, sql: str) -> None:
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql(sql)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with self.database.engine.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]


def install(folder: Path) -> Path:
    """Put keys and schema into a folder. A process creates them once, because that takes a second."""
    shutil.copytree(_make_installation(), folder, dirs_exist_ok=True)
    return folder


@cache
def _make_installation() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="earshot-installed-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
        database.upgrade()
        register_all(database, folder / "answer-keys")
    return folder


def install_with_chance(folder: Path) -> Path:
    """Run an evaluator's first start until every board is ranked."""
    place = Installation(install(folder))
    with closing(place.database) as database:
        with database.write() as transaction:
            owner = users.get_or_add_user(transaction, SYSTEM_USER, datetime.now(UTC))
        load_published(database)
        submit_chance(place.service, place.keys_dir, owner)
        place.score_all()
    return folder


def copy_installation(source: Path, target: Path) -> Installation:
    shutil.copytree(source, target, dirs_exist_ok=True)
    return Installation(target)


def statements(key: AnswerKey) -> list[str]:
    """Return the ids of the true/false items in pack order."""
    return [designed.item.id for designed in design_items("test", key.seed) if designed.form == "tf"]


def answers(key: AnswerKey, *, wrong: frozenset[str] = frozenset(), options_right: bool = True) -> bytes:
    """Return a file that is correct except for the given statements and, if requested, the options."""
    return _make_answers(key.seed, wrong, options_right)


@cache
def _make_answers(seed: str, wrong: frozenset[str], options_right: bool) -> bytes:
    lines = []
    for designed in design_items("test", seed):
        if designed.form == "tf":
            response = str(bool(designed.answer) is (designed.item.id not in wrong))
        else:
            assert isinstance(designed.answer, int)
            response = "ABCD"[(designed.answer + (not options_right)) % 4]
        lines.append(json.dumps({"id": designed.item.id, "response": response}))
    return "\n".join(lines).encode()
