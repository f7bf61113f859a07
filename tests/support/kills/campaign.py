"""An installation under repeated kills: uploads, acknowledgements, and final states."""

import hashlib
import json
import random
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from db.records import NewModel, NewSubmission, UserRecord
from db.repositories import quotas, submissions, users
from db.session import Database, Transaction
from evaluation import get_benchmark
from evaluation.answer_keys import find_key
from evaluation.packs import example_predictions
from tests.support.kills import invariants
from tests.support.kills.forking import Warm
from tests.support.kills.warm import LIMITS
from tests.support.servers.installation import install

OWNERS = ("ann", "bob", "eve")
# The small benchmarks, the smallest most often, so that each kill is cheap.
BENCHMARKS = (("mdar", "demo"), ("star-bench", "demo"))
WEIGHTS = (9, 1)
_PUBLISHED = 0.3


def prepare(folder: Path) -> Path:
    """Make schema, keys, catalogues, users and files once; tests copy them."""
    install(folder)
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as database, database.write() as transaction:
        for name in OWNERS:
            users.get_or_add_user(transaction, name, datetime.now(UTC))
    for name, version in BENCHMARKS:
        write_file(folder, name, version)
    return folder


def write_file(folder: Path, name: str, version: str) -> None:
    """Write a complete answer file, except for open answers; `NOTE` makes the bytes of each submission unique."""
    key = find_key(folder / "answer-keys", name, version, "test")
    assert key is not None
    content = get_benchmark(name, version).content(key)
    open_ones = {item.id for item in content.items if item.answer_format == "text"}
    rows = [row for row in example_predictions(content) if row["id"] not in open_ones]
    rows[0] = {**rows[0], "response": f"{rows[0]['response']}. NOTE"}
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@dataclass
class Campaign:
    """Expected state of an installation, and the number of kills by place."""

    folder: Path
    warm: Warm
    rng: random.Random
    sent: dict[str, bytes] = field(default_factory=dict)
    acknowledged: dict[str, tuple[str, str]] = field(default_factory=dict)
    kills: Counter[str] = field(default_factory=Counter)
    n_boards: int = 0
    made_again: list[str] = field(default_factory=list)

    def make_sends(self, n: int, owner: str | None = None) -> list[dict[str, Any]]:
        """Draw some uploads that were never sent before."""
        return [self._make_send(owner) for _ in range(n)]

    def _make_send(self, owner: str | None) -> dict[str, Any]:
        (benchmark,) = self.rng.choices(BENCHMARKS, WEIGHTS)
        key = f"key-{len(self.sent):05}"
        file = f"{benchmark[0]}.jsonl"
        self.sent[key] = (self.folder / file).read_bytes().replace(b"NOTE", key.encode())
        publish = self.rng.random() < _PUBLISHED
        return {
            "key": key,
            "owner": owner or self.rng.choice(OWNERS),
            "benchmark": benchmark,
            "file": file,
            "publish": publish,
        }

    def send(self, sends: list[dict[str, Any]], where: str | None = None, **death: object) -> dict[str, Any]:
        """Send uploads, record acknowledgements, and check the invariants after a kill."""
        answer = self.warm.run("submit", self.folder, sends=sends, **death)
        for key, name, sha256 in answer["acknowledged"]:
            assert self.acknowledged.setdefault(key, (name, sha256)) == (name, sha256), "I2: another id for a key"
        self.note(answer, where)
        return answer

    def evaluate(self, where: str | None = None, **death: object) -> dict[str, Any]:
        """Run an evaluator, and check the invariants after a kill."""
        answer = self.warm.run("evaluate", self.folder, **death)
        self.note(answer, where)
        return answer

    def note(self, answer: Mapping[str, Any], where: str | None) -> None:
        if answer["killed"]:
            self.kills[where or "?"] += 1
            self.check()

    def check(self) -> None:
        """Check I1 to I6, and I9 for boards that changed since the last check."""
        invariants.check_rows(self.folder, self.sent, self.acknowledged, LIMITS.in_all)
        boards = invariants.read_boards(self.folder)
        if boards != self.made_again:
            self.n_boards += invariants.check_boards(self.folder)
            self.made_again = boards

    def warm_up(self) -> tuple[float, int]:
        """Warm up parsing and compilation, and return the time an evaluator then takes for one file."""
        self.send(self.make_sends(1), here=True)
        self.evaluate(here=True)
        self.send(self.make_sends(1))
        whole = self.evaluate()
        return whole["seconds"], whole["statements"]

    def drain(self) -> dict[str, int]:
        """Let a healthy evaluator process everything, check all invariants, and return the number of submissions by
        state.
        """
        assert not self.evaluate()["killed"]
        self.check()
        ends = invariants.check_drained(self.folder)
        assert sum(ends.values()) >= len(self.acknowledged)
        invariants.check_whole(self.folder)
        self.n_boards += invariants.check_boards(self.folder)
        return ends


def draw_death(rng: random.Random, seconds: float, n_statements: int) -> tuple[str, dict[str, object]]:
    """Draw a kill: at a random time, or before a random SQL statement, which is reproducible."""
    if rng.random() < 0.5:
        return "any moment", {"seconds": rng.uniform(0, seconds)}
    return "before a statement", {"statement": rng.randrange(1, n_statements + 1)}


def fill_queue(campaign: Campaign, owner: str, n: int) -> None:
    """Queue some submissions of one owner in a single transaction. Kills of the intake are tested separately and are
    slow.
    """
    folder = campaign.folder
    now = datetime.now(UTC)
    with closing(Database(f"sqlite:///{folder}/earshot.db")) as database, database.write() as transaction:
        user = users.get_or_add_user(transaction, owner, now)
        for send in campaign.make_sends(n, owner):
            data = campaign.sent[send["key"]]
            sha256 = hashlib.sha256(data).hexdigest()
            path = folder / "artifacts" / sha256[:2] / sha256
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            add_queued(transaction, send, user, sha256, now)
            campaign.acknowledged[send["key"]] = (name_of(send), sha256)


def name_of(send: Mapping[str, Any]) -> str:
    return f"s-{send['key']}"


def add_queued(transaction: Transaction, send: Mapping[str, Any], user: UserRecord, sha256: str, now: datetime) -> None:
    benchmark = get_benchmark(*send["benchmark"])
    new = NewSubmission(
        id=name_of(send),
        benchmark=benchmark.id,
        version=benchmark.version,
        setting=benchmark.settings[0],
        source="submitted",
        owner_id=user.id,
        model=NewModel(send["key"]),
        visibility="public" if send["publish"] else "private",
        allow_missing=True,
        artifact_sha256=sha256,
        artifact_bytes=1_000,
        idempotency_key=send["key"],
    )
    submissions.add_submission(transaction, new, "queued", now)
    for before, after in ((None, "received"), ("received", "queued")):
        submissions.add_event(
            transaction, new.id, actor=user.name, from_state=before, to_state=after, text="Queued.", now=now
        )
    added = submissions.find_submission(transaction, new.id)
    assert added is not None
    quotas.add_use(transaction, added, now)
