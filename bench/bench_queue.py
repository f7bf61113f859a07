"""Throughput of the queue, and the latency of a claim and a position with ten thousand waiting submissions."""

import io
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import insert

from db.models import Submission
from db.records import NewModel, NewSubmission, UserRecord
from db.repositories import evaluations, queue_order, submissions, users
from db.session import Database
from evaluation import get_benchmark
from evaluation.answer_keys import find_key
from evaluation.packs import example_predictions
from submissions.accounts.credentials import Accounts
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.catalogues import Catalogues
from submissions.intake.submission_limits import NO_LIMITS
from submissions.jobs.queue import SubmissionQueue
from submissions.jobs.registration import register_all
from submissions.jobs.worker_names import worker_name
from submissions.scoring.evaluator import Evaluator
from submissions.service import Request, SubmissionService

N_DRAINED = 200
N_WAITING = 10_000
ROUNDS = 50
_OWNERS = 100


def measure() -> list[dict[str, object]]:
    """Return submissions drained per second, and milliseconds of a claim and of a position in a long queue."""
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
            database.upgrade()
            register_all(database, folder / "answer-keys")
            with database.write() as transaction:
                owner = users.get_or_add_user(transaction, "ann", datetime.now(UTC))
            drained = _drain(database, folder, owner)
            return [drained, *_measure_lookup(database)]


def _drain(database: Database, folder: Path, owner: UserRecord) -> dict[str, object]:
    benchmark = get_benchmark("star-bench", "demo")
    store = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    service = SubmissionService(database, store, Catalogues(database), Accounts(database, ()), 10**8, NO_LIMITS)
    key = find_key(folder / "answer-keys", benchmark.id, benchmark.version, "test")
    assert key is not None
    rows = list(example_predictions(benchmark.content(key)))
    for number in range(N_DRAINED):
        rows[0] = {**rows[0], "response": f"A {number}"}
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        service.submit(owner, Request(benchmark, "default", NewModel("Bench")), io.BytesIO(data))
    evaluator = Evaluator(database, SubmissionQueue(database, worker_name()), store, folder / "answer-keys")
    evaluator.run_next()
    began = time.perf_counter()
    while evaluator.run_next():
        pass
    rate = (N_DRAINED - 1) / (time.perf_counter() - began)
    note = f"{N_DRAINED} files of {len(rows)} predictions, one evaluator, SQLite with full sync"
    return _row("queue drained", round(rate, 1), "submissions/s", "–", note)


def _measure_lookup(database: Database) -> list[dict[str, object]]:
    now = datetime.now(UTC)
    with database.write() as transaction:
        owners = [users.get_or_add_user(transaction, f"o{number}", now) for number in range(_OWNERS)]
        new = NewSubmission(
            "s", "b", "1", "s", "submitted", owners[0].id, NewModel("m"), "private", False, "0", 1, None
        )  # fmt: skip
        submissions.add_submission(transaction, new, "queued", now)
        first = transaction.get(Submission, "s")
        assert first is not None
        like = {column.name: getattr(first, column.name) for column in Submission.__table__.columns}
        rows = [
            like | {"id": f"s-{number:05}", "owner_id": owners[number % _OWNERS].id, "turn": number // _OWNERS}
            for number in range(N_WAITING)
        ]
        transaction.execute(insert(Submission), rows)
    names = iter(range(ROUNDS))

    def claim() -> None:
        with database.write() as transaction:
            evaluations.claim_next(transaction, worker="w", token=str(next(names)), now=now, expires_at=now)

    def look_up_position() -> None:
        with database.read() as transaction:
            queue_order.count_ahead(transaction, f"s-{N_WAITING - 1:05}", now)

    note = f"{N_WAITING:,} wait, {_OWNERS} owners, median of {ROUNDS}"
    return [
        _row("claim of the next submission", _median_ms(claim), "ms", "≤ 5", f"{note}, commit included"),
        _row("position of the last in line", _median_ms(look_up_position), "ms", "–", note),
    ]


def _median_ms(work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return round(1_000 * statistics.median(seconds), 2)


def _row(what: str, value: float, unit: str, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": value, "unit": unit, "target": target, "note": note}
