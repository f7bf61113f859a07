"""Small installation to back up: a catalogue of three items, files of several users, keys with a sound."""

import hashlib
import io
import json
import sqlite3
import zlib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, ScoreRecord
from db.repositories import boards, catalogue, evaluations, submissions, users
from db.session import Database
from evaluation import get_benchmark
from submissions.accounts.credentials import Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.operations.backup import InstallationPaths
from submissions.operations.integrity import check_installation
from submissions.ranking.standings import refresh_board
from submissions.service import Request, SubmissionService, board_of
from tests.support.servers.shared_splits import make_shared_catalogues

BENCHMARK = get_benchmark("audio-motion-bench")
ITEMS = [ItemRecord(f"amb-{n}", "sct", "sct/clean/tf", "boolean", (0, 1, 2)) for n in range(3)]
RANKING = "ranking-of-today"
KEYS = {"b/1.0/test.json": b'{"seed": "s"}', "b/1.0/test.0123abcd.json": b"{}", "b/1.0/audio/x-1.wav": b"RIFF" * 999}
MAX_BYTES = 10_000_000
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def make_file(note: str) -> bytes:
    """Return a unique prediction file."""
    rows = ({"id": item.id, "response": f"True. {note}"} for item in ITEMS)
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


class Vault:
    """An installation in its own folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.database = Database(f"sqlite:///{folder}/earshot.db")
        self.artifacts = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
        self.accounts = Accounts(self.database, ("boss",))
        self.service = SubmissionService(
            self.database,
            self.artifacts,
            make_shared_catalogues(self.database),
            self.accounts,
            MAX_BYTES,
            NO_LIMITS,
        )
        self.queue = SubmissionQueue(self.database, "worker")

    @property
    def places(self) -> InstallationPaths:
        return places_in(self.folder)

    def make(self) -> "Vault":
        """Create the schema, the catalogue and the keys."""
        self.database.upgrade()
        record = BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, "digest", "pack.zip", len(ITEMS), 1)
        with self.database.write() as transaction:
            catalogue.register_benchmark(transaction, record, ITEMS, NOW)
        for name, data in KEYS.items():
            path = self.folder / "answer-keys" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return self

    def submit(self, note: str, owner: str = "ann", *, publish: bool = True) -> str:
        """Submit a file and return its id."""
        with self.database.write() as transaction:
            user = users.get_or_add_user(transaction, owner, NOW)
        request = Request(BENCHMARK, "default", NewModel(f"Model {note}"), publish=publish)
        return self.service.submit(user, request, io.BytesIO(make_file(note))).id

    def score_next(self) -> bool:
        """Score the oldest waiting submission, as an evaluator does, and refresh the board."""
        job = self.queue.claim()
        if job is None:
            return False
        value = zlib.crc32(job.work.model.name.encode()) % 1_000 / 1_000
        scores = (ScoreRecord("overall", "accuracy", value, 100),)
        now = datetime.now(UTC)
        with self.database.write() as transaction:
            result = NewResult("sig", RANKING, ("sct",), 1, 3, 0, 0, {}, scores)
            evaluations.record_result(transaction, job, result, now)
            submissions.add_event(
                transaction,
                job.work.id,
                actor="evaluator",
                from_state="running",
                to_state="scored",
                text="Scored.",
                now=now,
            )
            boards.touch_board(transaction, board_of(job.work), now)
        refresh_board(self.database, BENCHMARK, "default", (RANKING,), now + timedelta(seconds=1))
        return True

    def score_all(self) -> None:
        while self.score_next():
            pass
        self.rank()

    def rank(self) -> None:
        """Refresh the board: a backup may fall between a result and the refresh."""
        refresh_board(self.database, BENCHMARK, "default", (RANKING,), datetime.now(UTC) + timedelta(seconds=1))

    def close(self) -> None:
        self.database.close()

    def faults(self) -> list[str]:
        """Return the findings of `python -m db check`."""
        return [finding.text for finding in check_installation(self.database, self.artifacts) if not finding.is_good]

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """Run SQL on the database file directly."""
        with closing(sqlite3.connect(self.folder / "earshot.db")) as connection:
            rows = connection.execute(sql, values).fetchall()
            connection.commit()
        return rows


def places_in(folder: Path) -> InstallationPaths:
    return InstallationPaths(folder, folder / "earshot.db", str(folder / "artifacts"), folder / "answer-keys")


def digest_rows(folder: Path) -> str:
    """Return a digest of all rows except those that a restore adds."""
    digest = hashlib.sha256()
    with closing(sqlite3.connect(folder / "earshot.db")) as connection:
        tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        for table in sorted(set(tables) - {"audit_head"}):
            kept = "where action <> 'restore'" if table == "audit_log" else ""
            rows = connection.execute(f"select * from {table} {kept}")  # noqa: S608 - our own tables
            digest.update(repr((table, sorted(map(repr, rows)))).encode())
    return digest.hexdigest()


def list_files(folder: Path) -> dict[str, bytes]:
    """Return the files of uploads and keys."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for name in ("artifacts", "answer-keys")
        for path in sorted((folder / name).rglob("*"))
        if path.is_file()
    }
