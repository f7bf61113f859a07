"""Pre-imported process that forks children and kills them, so that a kill costs milliseconds.

`python -m tests.support.kills.warm` reads one task per line and writes one reply per line. It holds no connection
itself, so a child begins like a freshly started evaluator or web process. A child is killed with SIGKILL, either by
this process after a delay or by itself at a label or before its n-th SQL statement.
"""

import gc
import io
import json
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from sqlalchemy import event

from db.records import NewModel
from db.repositories import users
from db.session import Database
from evaluation import get_benchmark
from submissions.accounts.credentials import Accounts
from submissions.comparisons.comparer import Comparer
from submissions.intake.artifacts import ArtifactStore, Incoming
from submissions.intake.submission_limits import SubmissionLimits
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.worker_names import worker_name
from submissions.operations.backup import make_backup
from submissions.operations.restore import restore_backup
from submissions.ranking import rank_ranges
from submissions.rescoring.reevaluator import Reevaluator
from submissions.scoring.evaluator import Evaluator
from submissions.service import Request, SubmissionService
from tests.support.servers.installed import FEW_RESAMPLES
from tests.support.servers.shared_splits import make_shared_catalogues
from tests.support.servers.vaults import places_in

_PIECE_BYTES = 128
_MAX_BYTES = 10_000_000
LIMITS = SubmissionLimits(0, 0, 5_000)
COMPILED: dict[Any, Any] = {}


class Death:
    """Point at which a child kills itself."""

    def __init__(self, task: dict[str, Any]) -> None:
        self._label, self._times = task.get("label"), task.get("times", 1)
        self._statements = task.get("statement")
        self.n_statements = 0

    def pass_label(self, label: str) -> None:
        self._times -= label == self._label
        if self._times == 0:
            die()

    def pass_statement(self) -> None:
        self.n_statements += 1
        if self.n_statements == self._statements:
            die()

    def watch(self, database: Database) -> None:
        # Statements already compiled by this process are not compiled again in each child.
        database.engine.update_execution_options(compiled_cache=COMPILED)
        event.listen(database.engine, "before_cursor_execute", lambda *_: self.pass_statement())


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class LabelledStore(ArtifactStore):
    """Store that passes a label between the steps of an upload."""

    def __init__(self, folder: Path, death: Death) -> None:
        super().__init__(str(folder / "artifacts"), folder / "incoming")
        self._death = death

    @contextmanager
    def receive(self, source: BinaryIO, max_bytes: int) -> Iterator[Incoming]:
        with super().receive(source, max_bytes) as incoming:
            self._death.pass_label("arrived")
            yield incoming

    def store_artifact(self, incoming: Incoming) -> None:
        super().store_artifact(incoming)
        self._death.pass_label("kept")


class SlowUpload(io.BytesIO):
    """Upload that arrives a few bytes at a time, as over a network."""

    def __init__(self, data: bytes, death: Death) -> None:
        super().__init__(data)
        self._death = death

    def read(self, _size: int | None = -1) -> bytes:
        self._death.pass_label("arriving")
        return super().read(_PIECE_BYTES)


def evaluate(folder: Path, _task: dict[str, Any], death: Death, _out: int) -> None:
    """Run an evaluator until the queue is empty."""
    database = Database(f"sqlite:///{folder / 'earshot.db'}")
    death.watch(database)
    artifacts = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    queue = SubmissionQueue(database, worker_name())
    evaluator = Evaluator(database, queue, artifacts, folder / "answer-keys", death.pass_label)
    reevaluator = Reevaluator(database, evaluator, worker_name(), death.pass_label)
    queue.requeue_lost()
    while evaluator.run_next() or reevaluator.run_next() or evaluator.refresh_stale_boards():
        pass
    database.close()


def submit(folder: Path, task: dict[str, Any], death: Death, out: int) -> None:
    """Receive uploads as a web process does, and acknowledge them."""
    database = Database(f"sqlite:///{folder / 'earshot.db'}")
    death.watch(database)
    event.listen(database.engine, "commit", lambda _: death.pass_label("adding"))
    accounts = Accounts(database, ())
    catalogues = make_shared_catalogues(database)
    service = SubmissionService(database, LabelledStore(folder, death), catalogues, accounts, _MAX_BYTES, LIMITS)
    for one in task["sends"]:
        with database.read() as transaction:
            owner = users.find_user(transaction, one["owner"])
        assert owner is not None
        benchmark = get_benchmark(*one["benchmark"])
        model = NewModel(one["key"])
        request = Request(
            benchmark,
            benchmark.settings[0],
            model,
            publish=one["publish"],
            idempotency_key=one["key"],
            allow_missing=True,
        )
        data = (folder / one["file"]).read_bytes().replace(b"NOTE", one["key"].encode())
        found = service.submit(owner, request, cast("BinaryIO", SlowUpload(data, death)))
        death.pass_label("added")
        os.write(out, json.dumps([one["key"], found.id, found.artifact_sha256]).encode() + b"\n")
    database.close()


def compare(folder: Path, _task: dict[str, Any], death: Death, _out: int) -> None:
    """Run the next comparison of two submissions."""
    database = Database(f"sqlite:///{folder / 'earshot.db'}")
    Comparer(database, folder / "answer-keys", worker_name(), death.pass_label).run_next()
    database.close()


def back_up(folder: Path, task: dict[str, Any], death: Death, _out: int) -> None:
    """Write a backup."""
    places = places_in(folder)
    database = Database(f"sqlite:///{places.database}")
    make_backup(database, places, Path(task["file"]), checkpoint=death.pass_label)
    database.close()


def restore(folder: Path, task: dict[str, Any], death: Death, _out: int) -> None:
    """Restore a backup over the existing data."""
    restore_backup(Path(task["file"]), places_in(folder), replaces=True, checkpoint=death.pass_label)


WORKS = {"evaluate": evaluate, "submit": submit, "compare": compare, "back up": back_up, "restore": restore}


def run_child(task: dict[str, Any], out: int) -> None:
    death = Death(task)
    try:
        WORKS[task["work"]](Path(task["folder"]), task, death, out)
    except BaseException:  # noqa: BLE001 - any error is reported to the test
        os.write(out, json.dumps({"error": traceback.format_exc()[-4_000:]}).encode() + b"\n")
        os._exit(1)
    os.write(out, json.dumps({"statements": death.n_statements}).encode() + b"\n")
    os._exit(0)


def run_here(task: dict[str, Any]) -> dict[str, Any]:
    """Do the work once without a fork, so that children inherit imports, parsed files and compiled statements."""
    back, out = os.pipe()
    WORKS[task["work"]](Path(task["folder"]), task, Death(task), out)
    os.close(out)
    with os.fdopen(back, "rb") as file:
        acknowledged = [json.loads(line) for line in file]
    gc.collect()
    gc.freeze()
    return {"killed": False, "acknowledged": acknowledged}


def run(task: dict[str, Any]) -> dict[str, Any]:
    """Fork, kill the child if requested, and return its last output."""
    began = time.monotonic()
    back, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(back)
        run_child(task, out)
    os.close(out)
    if task.get("seconds") is not None:
        time.sleep(task["seconds"])
        os.kill(child, signal.SIGKILL)
    with os.fdopen(back, "rb") as file:
        said = [json.loads(line) for line in file.read().splitlines()]
    _, status, used = os.wait4(child, 0)
    end: dict[str, Any] = {}
    for one in said:
        end |= one if isinstance(one, dict) else {}
    return {
        "killed": os.waitstatus_to_exitcode(status) == -signal.SIGKILL,
        "acknowledged": [one for one in said if isinstance(one, list)],
        "seconds": time.monotonic() - began,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        **end,
    }


def main() -> None:
    rank_ranges.RESAMPLES = FEW_RESAMPLES
    for line in sys.stdin:
        task = json.loads(line)
        sys.stdout.write(json.dumps(run_here(task) if task.get("here") else run(task)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
