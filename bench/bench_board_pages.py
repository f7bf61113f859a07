"""Latency of board pages, from SQL to bytes and served, on boards of 100, 10,000 and 100,000 submissions."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from bench.sample_boards import fill_board
from bench.web_process import Load, serve
from db.session import Database
from evaluation.benchmarks import Benchmark, get_benchmark
from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import BoardQuery, encode_cursor, parse_request
from leaderboard.http.caching.page_cache import PageCache
from leaderboard.http.caching.response_cache import CachedPage, ResponseCache

SIZES = (100, 10_000, 100_000)
ROUNDS = 41
N_CLIENTS = 20
SECONDS = 5.0
_LIMIT_MS, _CACHED_LIMIT_MS = "≤ 5", "≤ 0.1"


def measure() -> list[dict[str, object]]:
    """Return a row for each kind of page and size, and for the requests per second of a server."""
    benchmark = get_benchmark("audio-motion-bench")
    rows: list[dict[str, object]] = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
                database.upgrade()
                default_columns = [(column.slice, column.metric) for column in benchmark.columns if column.shown]
                fill_board(database, benchmark, size, default_columns)
                rows += _measure_pages(database, benchmark, size)
            if size == SIZES[-1]:
                rows += _measure_served(Path(folder), benchmark)
    return rows


def _measure_pages(database: Database, benchmark: Benchmark, size: int) -> Iterator[dict[str, object]]:
    default_keys = [column.key for column in benchmark.columns if column.shown]
    headline = benchmark.headline.key
    deep = encode_cursor(headline, True, (0.1, "s-8"))
    kinds = {
        "first page": BoardRequest(),
        "deep in the board": BoardRequest(cursor=deep),
        "by another column": BoardRequest(sort=default_keys[-1]),
        "by date": BoardRequest(sort="date"),
        "by name": BoardRequest(sort="model"),
        "people alone": BoardRequest(source="human"),
        "search, rare": BoardRequest(q="model 77"),
        "of a common kind": BoardRequest(kind="lalm"),
        "of a rare kind": BoardRequest(kind="listener"),
        "of one organisation": BoardRequest(organisation="lab 5"),
        "open weights of 10 to 40 B": BoardRequest(weights="open", size="10-40"),
    }
    uncached = BoardPages(database, PageCache(0))
    for name, request in kinds.items():
        query = parse_request(
            benchmark, BoardRequest(**{**_list_arguments(request), "columns": ",".join(default_keys)})
        )
        milliseconds, note = _time(lambda query=query: uncached.build_page(benchmark, query).body or b"")  # type: ignore[misc]
        target = "–" if name.startswith(("search", "of", "open")) else _LIMIT_MS
        yield _row(f"board of {size:,}, SQL to bytes: {name}", milliseconds, target, note)
    pages = BoardPages(database)
    query = parse_request(benchmark, BoardRequest(columns=",".join(default_keys)))
    pages.build_page(benchmark, query)

    def find_body() -> bytes:
        page = pages.find_page(benchmark, query)
        assert page is not None, "it was made just now"
        assert page.body is not None, "it was made just now"
        return page.body

    milliseconds, note = _time(find_body)
    yield _row(f"board of {size:,}, kept bytes of the revision that SQL names", milliseconds, "–", note)
    milliseconds, note = _time_kept(database, pages, benchmark, query)
    yield _row(f"board of {size:,}, kept bytes, nothing written since", milliseconds, _CACHED_LIMIT_MS, note)


def _list_arguments(request: BoardRequest) -> dict[str, Any]:
    names = ("cursor", "sort", "source", "q", "kind", "weights", "size", "organisation")
    return {name: getattr(request, name) for name in names}


def _time(work: Callable[[], bytes]) -> tuple[float, str]:
    n_bytes = len(work())
    seconds = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return _sum_up(n_bytes, seconds)


def _sum_up(n_bytes: int, seconds: list[float]) -> tuple[float, str]:
    best, middle = 1e3 * min(seconds), 1e3 * statistics.median(seconds)
    return middle, f"{n_bytes / 1e3:.0f} kB, 50 rows at most, median of {ROUNDS}, least {best:.3g}"


def _time_kept(database: Database, pages: BoardPages, benchmark: Benchmark, query: BoardQuery) -> tuple[float, str]:
    """Time the server's work for a repeated request."""
    cache, scope = ResponseCache(database), {"path": "", "query_string": b"", "headers": []}
    find_etag = partial(pages.find_etag, benchmark, query.setting)
    cache.remember_page(scope, CachedPage(benchmark.id, find_etag, partial(pages.find_kept, benchmark, query)))

    async def time_lookups() -> tuple[int, list[float]]:
        page = await cache.find_page(scope)
        assert page is not None, "it was read just now"
        assert page.body is not None, "it was read just now"
        seconds = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            await cache.find_page(scope)
            seconds.append(time.perf_counter() - began)
        return len(page.body), seconds

    return _sum_up(*asyncio.run(time_lookups()))


def _measure_served(folder: Path, benchmark: Benchmark) -> Iterator[dict[str, object]]:
    """Measure one web process over HTTP: the board, and for comparison a route with a fifteen-byte response."""
    default_keys = ",".join(column.key for column in benchmark.columns if column.shown)
    with serve(folder) as url:
        board = f"{url}/api/v1/leaderboards/{benchmark.id}?columns={default_keys}"
        for name, target, address, limit in (
            ("trivial JSON", "–", f"{url}/healthz", "–"),
            ("cached page of 100,000", "≥ 300", board, "≤ 150"),
        ):
            load = Load.measure(address, n_clients=N_CLIENTS, seconds=SECONDS)
            note = f"{N_CLIENTS} clients for {SECONDS:.0f} s, p50 {load.p50_ms:.0f} ms"
            yield {"what": f"served: {name}", "value": round(load.per_second), "unit": "requests/s"} | {
                "target": target,
                "note": note,
            }
            yield _row(f"served: {name}, p99", load.p99_ms, limit, note)


def _row(what: str, milliseconds: float, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": float(f"{milliseconds:.3g}"), "unit": "ms", "target": target, "note": note}
