"""Audited actions: which are in the audit log, and that refused ones are not."""

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
from submissions.intake.catalogues import Catalogues
from submissions.intake.submission_limits import NO_LIMITS
from submissions.service import Request, SubmissionService

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
            self.database, store, Catalogues(self.database), self.accounts, 10_000, NO_LIMITS
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

    def acts(self) -> list[AuditRecord]:
        with self.database.read() as transaction:
            assert audit.verify(transaction).broken_at is None
            return audit.list_entries(transaction, limit=100)[::-1]


@pytest.fixture
def world(empty: Path, tmp_path: Path) -> Iterator[World]:
    shutil.copy(empty, tmp_path)
    made = World(tmp_path)
    with closing(made.database):
        yield made


def test_publishing_withdrawing_and_retrying_are_written_down(world: World) -> None:
    one = world.submit(world.ann)
    assert world.acts() == []
    world.service.publish(one, world.ann)
    world.fail(one)
    world.service.retry(one, world.boss)
    world.service.withdraw(one, world.ann)
    acts = world.acts()
    assert [(act.actor, act.action, act.subject) for act in acts] == [
        ("ann", "publish", one),
        ("boss", "retry", one),
        ("ann", "withdraw", one),
    ]
    about = {"benchmark": BENCHMARK.id, "owner": "ann"}
    assert [act.details for act in acts] == [
        about | {"state": "queued", "visibility": "private"},
        about | {"state": "failed", "visibility": "public"},
        about | {"state": "queued", "visibility": "public"},
    ]


def test_file_sent_to_be_published_is_a_publication(world: World) -> None:
    one = world.submit(world.ann, publish=True)
    assert [(act.actor, act.action, act.subject) for act in world.acts()] == [("ann", "publish", one)]


def test_act_that_is_refused_or_changes_nothing_is_not_written_down(world: World) -> None:
    one = world.submit(world.ann)
    world.service.withdraw(one, world.ann)
    for act in (world.service.publish, world.service.withdraw, world.service.retry):
        with pytest.raises(StateError):
            act(one, world.ann)
    assert [act.action for act in world.acts()] == ["withdraw"]


def test_token_is_written_down_with_who_made_it_and_without_itself(world: World) -> None:
    own = world.accounts.create_token("ann", "laptop")
    other = world.accounts.create_token("bob", actor=OPERATOR)
    acts = world.acts()
    assert [(act.actor, act.action, act.subject, act.details) for act in acts] == [
        ("ann", "create-token", "ann", {"label": "laptop"}),
        ("system", "create-token", "bob", {"label": ""}),
    ]
    assert not any(token[-20:] in repr(acts) for token in (own, other))


def test_nobody_may_pass_for_the_operator() -> None:
    assert OPERATOR in RESERVED_NAMES
