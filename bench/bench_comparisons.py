"""Throughput of comparisons: computed by an evaluator, and read from the database by the web process."""

import tempfile
import time
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import orjson

from bench.bench_standings import add_rows
from db.repositories import workers
from db.session import Database
from evaluation.answer_keys import save_key
from evaluation.benchmarks import get_benchmark
from leaderboard.api.routes.comparison_routes import describe_comparison
from submissions.accounts.credentials import Accounts
from submissions.comparisons.comparer import Comparer
from submissions.comparisons.comparison_requests import Comparisons, SubmissionPair
from submissions.intake.artifacts import ArtifactStore
from submissions.intake.catalogues import Catalogues
from submissions.intake.submission_limits import NO_LIMITS
from submissions.service import SubmissionService

_ROWS = 6
_WARM = 200


def measure() -> list[dict[str, object]]:
    """Return a row for computed comparisons, and one for stored ones."""
    benchmark = get_benchmark("audio-motion-bench")
    key = benchmark.make_key("test", "a seed of the bench")
    with tempfile.TemporaryDirectory() as name, closing(Database(f"sqlite:///{name}/earshot.db")) as database:
        folder = Path(name)
        database.upgrade()
        save_key(folder / "answer-keys", key)
        add_rows(database, benchmark, key, range(_ROWS))
        asking = _make_service(database, folder)
        # Pairs of the same owner's rows count against an allowance, which these few do not exceed.
        pairs = [asking.find_pair(benchmark.id, "s-0000", f"s-{other:04}", None) for other in range(1, _ROWS)]
        cold = len(pairs) / _time_computing(database, folder, asking, pairs)
        warm = _WARM / _time_lookup(asking, pairs[0])
    note = f"{len(benchmark.columns)} scores, 2,016 items, 10,000 resamples"
    return [
        {"what": "comparisons made", "value": round(cold, 2), "unit": "/s", "target": "> 1", "note": note},
        {"what": "comparisons found", "value": round(warm), "unit": "/s", "target": "> 50", "note": "kept, as bytes"},
    ]


def _make_service(database: Database, folder: Path) -> Comparisons:
    accounts = Accounts(database, ())
    artifacts = ArtifactStore(str(folder / "artifacts"), folder / "incoming")
    service = SubmissionService(
        database, artifacts, Catalogues(database, shared_splits_until=date.max), accounts, 1, NO_LIMITS
    )
    now = datetime.now(UTC)
    with database.write() as transaction:
        workers.record_heartbeat(transaction, "bench", {}, now, now)
    return Comparisons(database, service, accounts)


def _time_computing(database: Database, folder: Path, asking: Comparisons, pairs: list[SubmissionPair]) -> float:
    comparer = Comparer(database, folder / "answer-keys", "bench")
    began = time.perf_counter()
    for pair in pairs:
        if asking.find_or_ask(pair, None) is not None or not comparer.run_next():
            raise RuntimeError("This comparison was made before, or by somebody else.")
    return time.perf_counter() - began


def _time_lookup(asking: Comparisons, known: SubmissionPair) -> float:
    began = time.perf_counter()
    for _ in range(_WARM):
        # Every request checks permissions again.
        pair = asking.find_pair(known.benchmark.id, known.a.submission.id, known.b.submission.id, None)
        answer = asking.find_or_ask(pair, None)
        if answer is None or answer.reason is not None:
            raise RuntimeError("The comparison is not there.")
        orjson.dumps(describe_comparison(pair, answer, pair.benchmark.headline))
    return time.perf_counter() - began
