"""Audited actions: entries of the audit log; refused actions leave none."""

import io
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.audit_records import AuditRecord
from db.records import BenchmarkRecord, ItemRecord, NewModel, UserRecord
from db.repositories import audit, catalogue, submissions, users
from db.session import Database
from evaluation import get_benchmark
from submissions.accounts.credentials import OPERATOR, RESERVED_NAMES, Accounts
from submissions.errors import StateError
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.service import Request, SubmissionService
from tests.support.servers.shared_splits import make_shared_catalogues

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BENCHMARK = get_benchmark("audio-motion-bench")
ITEMS = [ItemRecord(f"amb-{n}", "sct", "sct/clean/tf", "boolean", (0, 1, 2)) for n in range(3)]
GOOD = "".join(json.dumps({"id": item.id, "response": "True"}) + "\n" for item in ITEMS).encode()


class World:
    def __init__(self, folder: Path) -> None:
        self.database = Database(f"sqlite:///{folder}/earshot.db")
        self.accounts = Accounts(self.database, ("boss",))
        store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        self.service = SubmissionService(
            self.database,
            store,
            make_shared_catalogues(self.database),
            self.accounts,
            10_000,
            NO_LIMITS,
        )
        record = BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, "digest", "pack.zip", len(ITEMS), 1)
        with self.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, ITEMS, NOW)
            self.ann, self.boss = (users.get_or_add_user(transaction, name, NOW) for name in ("ann", "boss"))

    def submit(self, owner: UserRecord, *, publish: bool = False) -> str:
        request = Request(BENCHMARK, "default", NewModel("A model"), publish=publish)
        return self.service.submit(owner, request, io.BytesIO(GOOD)).id

    def fail(self, submission_id: str) -> None:
        with self.database.write() as transaction:
            submissions.change_state(transaction, submission_id, ["queued"], NOW, state="failed", retryable=True)

    def list_entries(self) -> list[AuditRecord]:
        with self.database.read() as transaction:
            assert audit.verify(transaction).broken_at is None
            return audit.list_entries(transaction, limit=100)[::-1]


@pytest.fixture
def world(empty: Path, tmp_path: Path) -> Iterator[World]:
    shutil.copy(empty, tmp_path)
    opened = World(tmp_path)
    with closing(opened.database):
        yield opened


def test_publishing_withdrawing_and_retrying_are_audited(world: World) -> None:
    submission_id = world.submit(world.ann)
    assert world.list_entries() == []
    world.service.publish(submission_id, world.ann)
    world.fail(submission_id)
    world.service.retry(submission_id, world.boss)
    world.service.withdraw(submission_id, world.ann)
    entries = world.list_entries()
    assert [(entry.actor, entry.action, entry.subject) for entry in entries] == [
        ("ann", "publish", submission_id),
        ("boss", "retry", submission_id),
        ("ann", "withdraw", submission_id),
    ]
    shared = {"benchmark": BENCHMARK.id, "owner": "ann"}
    assert [entry.details for entry in entries] == [
        shared | {"state": "queued", "visibility": "private"},
        shared | {"state": "failed", "visibility": "public"},
        shared | {"state": "queued", "visibility": "public"},
    ]


def test_submission_sent_for_publication_is_audited_as_a_publication(world: World) -> None:
    submission_id = world.submit(world.ann, publish=True)
    assert [(entry.actor, entry.action, entry.subject) for entry in world.list_entries()] == [
        ("ann", "publish", submission_id)
    ]


def test_refused_or_ineffective_act_is_not_audited(world: World) -> None:
    submission_id = world.submit(world.ann)
    world.service.withdraw(submission_id, world.ann)
    for act in (world.service.publish, world.service.withdraw, world.service.retry):
        with pytest.raises(StateError):
            act(submission_id, world.ann)
    assert [act.action for act in world.list_entries()] == ["withdraw"]


def test_token_is_audited_with_its_creator_and_without_its_secret(world: World) -> None:
    own = world.accounts.create_token("ann", "laptop")
    other = world.accounts.create_token("bob", actor=OPERATOR)
    entries = world.list_entries()
    assert [(entry.actor, entry.action, entry.subject, entry.details) for entry in entries] == [
        ("ann", "create-token", "ann", {"label": "laptop"}),
        ("system", "create-token", "bob", {"label": ""}),
    ]
    assert not any(token[-20:] in repr(entries) for token in (own, other))


def test_name_of_the_operator_is_reserved() -> None:
    assert OPERATOR in RESERVED_NAMES
