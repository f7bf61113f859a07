"""Health checks and metrics for monitoring."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

from db.errors import DatabaseError
from db.records import BoardRecord
from db.repositories import boards, submissions, workers
from db.session import Database
from db.worker_records import WorkerRecord
from leaderboard.api.auth import ServicesOfApp
from leaderboard.durability import check_durability

_NO_STORE = {"Cache-Control": "no-store"}
_METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"

router = APIRouter(tags=["health"])


class Readiness(NamedTuple):
    """Answer of `/readyz` about database and evaluators."""

    is_ready: bool
    database: str
    evaluator_seen_seconds: float | None
    keys: Mapping[str, str]
    has_judge: bool
    problem: str | None = None


@router.get("/healthz", summary="Liveness probe")
def show_health() -> Response:
    """Return 200 whenever the process responds."""
    return _json({"status": "ok"})


@router.get("/readyz", summary="Readiness probe: database, evaluator, answer keys")
def show_readiness(services: ServicesOfApp) -> Response:
    """Return 200 if submissions are accepted and scored, else 503 and the reason."""
    check = check_readiness(services.database)
    durability = check_durability(services)
    body = {
        "ready": check.is_ready,
        "database": check.database,
        "evaluator_seen_seconds": check.evaluator_seen_seconds,
        "keys": dict(check.keys),
        "judge": check.has_judge,
        "problem": check.problem,
        "durable": durability.is_durable,
        "replica_lag_seconds": durability.lag_seconds,
    }
    return _json(body, 200 if check.is_ready else 503)


def check_readiness(database: Database) -> Readiness:
    """Return whether submissions are accepted and scored, and what is missing."""
    try:
        if database.revision() != database.newest_revision:
            return Readiness(False, "schema is outdated", None, {}, has_judge=False)
        now = datetime.now(UTC)
        with database.read() as transaction:
            known = workers.list_workers(transaction, now)
            judge = workers.find_judge(transaction, now)
    except DatabaseError:
        # The driver's message may contain hosts and users.
        return Readiness(False, "unreachable", None, {}, has_judge=False)
    seen = _seconds_since_seen(known, now)
    is_evaluating = bool(known) and known[0].is_active(now)
    keys = known[0].keys if known else {}
    problem = known[0].problem if is_evaluating else None
    return Readiness(is_evaluating and bool(keys) and problem is None, "ok", seen, keys, judge is not None, problem)


def _seconds_since_seen(known: list[WorkerRecord], now: datetime) -> float | None:
    return abs(now - known[0].seen_at).total_seconds() if known else None


@router.get("/metrics", summary="Prometheus metrics")
def show_metrics(request: Request, services: ServicesOfApp) -> Response:
    """Return metrics for a monitoring system."""
    now = datetime.now(UTC)
    with services.database.read() as transaction:
        by_state = submissions.count_by_state(transaction)
        all_boards = boards.list_boards(transaction)
        seen = _seconds_since_seen(workers.list_workers(transaction, now), now)
    lines = [
        *_family("earshot_submissions", "gauge", "Submissions by state.", _by_state(by_state)),
        *_family("earshot_board_revision", "gauge", "Revision of a board.", _by_board(all_boards, "revision")),
        *_family("earshot_board_changes", "gauge", "Changes a board has seen.", _by_board(all_boards, "changes")),
        *_family("earshot_evaluator_seen_seconds", "gauge", "Seconds since an evaluator was seen.", _one(seen)),
        *_family("earshot_requests_total", "counter", "Answers by status.", _by_status(request.app.state.counts)),
    ]
    return Response("\n".join(lines) + "\n", headers=_NO_STORE, media_type=_METRICS_TYPE)


_Sample = tuple[str, float]


def _family(name: str, kind: str, explanation: str, samples: Iterable[_Sample]) -> Iterator[str]:
    yield f"# HELP {name} {explanation}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        yield f"{name}{labels} {value:g}" if isinstance(value, float) else f"{name}{labels} {value}"


def _by_state(counts: Mapping[str, int]) -> Iterator[_Sample]:
    return ((f'{{state="{state}"}}', n) for state, n in sorted(counts.items()))


def _by_board(found: Iterable[BoardRecord], field: str) -> Iterator[_Sample]:
    # Benchmark ids and settings are ours: they contain no quotes or line breaks.
    for board in found:
        labels = f'{{benchmark="{board.benchmark}",version="{board.version}",setting="{board.setting}"}}'
        yield labels, getattr(board, field)


def _one(value: float | None) -> Iterator[_Sample]:
    return iter(() if value is None else (("", value),))


def _by_status(counts: Mapping[int, int]) -> Iterator[_Sample]:
    # A copy: the guard keeps counting meanwhile.
    return ((f'{{status="{status}"}}', n) for status, n in sorted(dict(counts).items()))


def _json(value: Mapping[str, Any], status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, _NO_STORE, "application/json")
