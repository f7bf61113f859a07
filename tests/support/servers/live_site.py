"""Web server on a loopback port with a SQLite file, filled with a miniature of AudioMotionBench."""

import json
import socket
import ssl
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from db.records import BenchmarkRecord, ItemRecord, NewModel, NewResult, NewSubmission, ScoreRecord
from db.repositories import boards, catalogue, evaluations, submissions, users
from db.repositories.boards import BoardKey
from db.session import Database
from evaluation.benchmarks import get_benchmark
from leaderboard.services import Services, build_services
from leaderboard.web import create_app
from settings import Settings
from submissions.intake.identifiers import new_submission_id
from submissions.ranking.standings import refresh_board
from tests.support.servers.quick_server import QuickServer, run_in_thread
from tests.support.servers.shared_splits import LAST_DAY

BENCHMARK = get_benchmark("audio-motion-bench")
BOARD = BoardKey(BENCHMARK.id, BENCHMARK.version, "default")
RANKING = "ranking-of-today"
ITEMS = ("amb-1", "amb-2", "amb-3", "amb-4")
DIGEST = "ab" * 32
# Limits are off, except in tests about limits.
UNLIMITED = {"submissions_per_day": 0, "submissions_per_month": 0, "submissions_in_all": 0}
SHARED = {"shared_splits_until": LAST_DAY}
PACK = "audio-motion-bench-1.0-test-abababababababab.zip"
# Sites speak plain HTTP: loading CA certificates would dominate the run time of these tests.
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
_RUNNING: list[QuickServer] = []
_HANG_UP_SECONDS = 1.0


@dataclass(frozen=True)
class Site:
    """A running server with its services."""

    client: httpx2.Client
    services: Services
    port: int

    def get(self, path: str, token: str | None = None, **headers: str) -> httpx2.Response:
        return self.client.get(path, headers=_authorised(headers, token))

    def post(self, path: str, token: str | None = None, **arguments: Any) -> httpx2.Response:
        headers = _authorised(arguments.pop("headers", {}), token)
        return self.client.post(path, headers=headers, **arguments)

    def token(self, name: str) -> str:
        return self.services.accounts.create_token(name)

    def submit(self, token: str | None, data: bytes | None = None, **fields: Any) -> httpx2.Response:
        headers = fields.pop("headers", {})
        values = {"benchmark": BENCHMARK.id, "model": '{"name": "A model"}'} | fields
        values = {name: value for name, value in values.items() if value is not None}
        files = {"file": ("p.jsonl", predictions() if data is None else data)}
        return self.post("/api/v1/submissions", token, files=files, data=values, headers=headers)


def _authorised(headers: dict[str, str], token: str | None) -> dict[str, str]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return named | ({"Authorization": f"Bearer {token}"} if token else {})


def predictions(items: Sequence[str] = ITEMS) -> bytes:
    return "".join(json.dumps({"id": item, "run": 0, "response": "A"}) + "\n" for item in items).encode()


@contextmanager
def run_site(folder: Path, page: Any = None, **settings: Any) -> Iterator[Site]:
    put_database(folder)
    services = build_services(Settings(**{"data_dir": folder, **UNLIMITED, **SHARED, **settings}))
    with closing(services.database):
        if not services.database.is_sqlite:
            register(services.database)
        yield from _serve(services, page)


def _serve(services: Services, page: Any) -> Iterator[Site]:
    # The redirect URI, and thus the port, must be known in advance.
    wanted = services.settings.port if services.settings.public_url else 0
    with (
        run_server(create_app(services, page), wanted) as port,
        httpx2.Client(
            base_url=f"http://127.0.0.1:{port}",
            trust_env=False,
            timeout=120,
            verify=NO_CERTIFICATES,
            # A kept-alive connection belongs to no test, and would look like a leak of the test that opened it.
            limits=httpx2.Limits(max_keepalive_connections=0),
        ) as client,
    ):
        yield Site(client, services, port)


@contextmanager
def run_server(app: Any, port: int = 0) -> Iterator[int]:
    """Serve an application on a loopback port, and yield that port."""
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="warning", server_header=False, proxy_headers=False, ws="none"
    )
    server = QuickServer(config)
    _RUNNING.append(server)
    try:
        with run_in_thread(server):
            assert server.has_started.wait(300)
            yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        _RUNNING.remove(server)


def find_free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_hang_ups() -> None:
    """Wait until every site has closed the connections that its clients have closed."""
    deadline = time.monotonic() + _HANG_UP_SECONDS
    while any(server.server_state.connections for server in _RUNNING) and time.monotonic() < deadline:
        time.sleep(0.001)


def put_database(folder: Path) -> None:
    """Copy a database with the miniature into a folder: migrations take longer than most tests."""
    path = folder / "earshot.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_make_database())


@cache
def _make_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "earshot.db")
        with closing(Database(f"sqlite:///{path}")) as database:
            database.upgrade()
            register(database)
        return path.read_bytes()


def register(database: Database) -> None:
    items = [ItemRecord(item, "sct", "sct/clean/mcq", "choice", (0, 1, 2)) for item in ITEMS]
    record = BenchmarkRecord(BENCHMARK.id, BENCHMARK.version, DIGEST, PACK, len(items), 2)
    with database.write() as transaction:
        catalogue.register_benchmark(transaction, record, items, datetime.now(UTC))


def result(value: float | None, *, n: int | None = 100, signature: str | None = "s", missing: int = 1) -> NewResult:
    figures = [("overall", "accuracy", value), ("sct", "accuracy", 0.25), ("overall/clean/tf", "yes_bias", value)]
    scores = tuple(ScoreRecord(s, m, v, n, 0.01) for s, m, v in figures if v is not None)
    return NewResult(signature, RANKING, ("sct",), 1, 100, missing, 2, {"empty": 2}, scores)


def add_row(
    services: Services,
    name: str,
    value: float | None,
    *,
    source: str = "submitted",
    organisation: str | None = None,
    owner: str = "ada",
    visibility: str = "public",
    n: int | None = 100,
    url: str | None = None,
    notes: Mapping[str, str] | None = None,
    model: NewModel | None = None,
    ranking: str = RANKING,
    is_reference: bool = False,
) -> str:
    """Publish a scored row, as the evaluator would."""
    now = datetime.now(UTC)
    with services.database.write() as transaction:
        new = NewSubmission(
            id=new_submission_id(),
            benchmark=BENCHMARK.id,
            version=BENCHMARK.version,
            setting="default",
            source=source,
            owner_id=users.get_or_add_user(transaction, owner, now).id,
            model=model or NewModel(name, organisation, url=url),
            visibility=visibility,
            allow_missing=False,
            artifact_sha256=None,
            artifact_bytes=None,
            idempotency_key=None,
            is_reference=is_reference,
        )
        submissions.add_submission(transaction, new, "scored", now)
        found = result(value, n=n)
        scores = tuple(replace(score, note=(notes or {}).get(score.slice)) for score in found.scores)
        found = replace(found, scores=scores, ranking=ranking)
        evaluations.add_finished_evaluation(transaction, new.id, found, now)
        boards.touch_board(transaction, BOARD, now)
    return new.id


def rank(services: Services) -> None:
    refresh_board(services.database, BENCHMARK, "default", (RANKING,), datetime.now(UTC))


def problem_of(response: httpx2.Response, status: int) -> dict[str, Any]:
    """Return the problem of an error response, after checking its format."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert {"type", "title", "status", "detail", "errors"} <= set(problem)
    assert problem["status"] == status
    return problem


def fill_board(site: Site) -> None:
    """Fill a board with ties, rows without the headline score, every source, and one private row."""
    for name, value in (("best", 0.9), ("tied b", 0.5), ("Tied a", 0.5), ("tied c", 0.5), ("worst", 0.1)):
        add_row(site.services, name, value, organisation="Lab & Co")
    add_row(site.services, "without", None)
    add_row(site.services, "without either", None)
    add_row(site.services, "paper", 0.7, source="reported", n=None)
    add_row(site.services, "people", 0.95, source="human")
    add_row(site.services, "dice", 0.25, source="random")
    add_row(site.services, "secret", 0.99, visibility="private")
    rank(site.services)
