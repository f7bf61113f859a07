"""Load test of the page: requests per second at 1, 20 and 100 clients, and the time to the first row."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, sync_playwright

from bench.chromium import find_chromium, launch_chromium
from bench.sample_boards import fill_board
from bench.web_process import Load, serve
from db.session import Database
from evaluation.benchmarks import get_benchmark

N_ROWS = 1_000
CLIENTS = (1, 20, 100)
SECONDS = 5.0
VISITS = 5
_TIMEOUT_MS = 60_000
# The content that a visitor came for is there with the first row of a table.
VIEWS = {"overview": "/", "a board": "/?tab=audio-motion-bench"}
_FIRST_ROW = "[data-testid=overview-row], [data-testid=board-row]"


def measure() -> list[dict[str, object]]:
    """Return requests per second and latencies for the page and the API, and the time to the first row in a browser."""
    benchmark = get_benchmark("audio-motion-bench")
    with tempfile.TemporaryDirectory() as folder:
        with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
            database.upgrade()
            fill_board(database, benchmark, N_ROWS, [(c.slice, c.metric) for c in benchmark.columns if c.shown])
        default_keys = ",".join(column.key for column in benchmark.columns if column.shown)
        with serve(Path(folder)) as url:
            addresses = {
                "trivial JSON": f"{url}/healthz",
                "page": f"{url}/",
                "board of the API": f"{url}/api/v1/leaderboards/{benchmark.id}?columns={default_keys}",
                "overview of the API": f"{url}/api/v1/overview",
            }
            rows = [row for name, address in addresses.items() for row in _measure_served(name, address)]
            return rows + list(_measure_views(url))


def _measure_served(name: str, address: str) -> Iterator[dict[str, object]]:
    for n_clients in CLIENTS:
        load = Load.measure(address, n_clients=n_clients, seconds=SECONDS)
        yield {
            "what": f"{name}, {n_clients} client{'s' if n_clients > 1 else ''}",
            "value": round(load.per_second),
            "unit": "requests/s",
            "target": "≥ 300" if name.startswith("board") and n_clients > 1 else "–",
            "note": f"p50 {load.p50_ms:.3g} ms, p99 {load.p99_ms:.3g} ms, {SECONDS:.0f} s",
        }


def _measure_views(url: str) -> Iterator[dict[str, object]]:
    """Open the page as a new and as a returning visitor: from navigation to the first visible row."""
    if find_chromium() is None:
        yield {"what": "first view", "value": "–", "unit": "s", "target": "≤ 1.5", "note": "there is no Chromium"}
        return
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        for name, path in VIEWS.items():
            first, again = zip(*(_visit_twice(browser, url + path) for _ in range(VISITS)), strict=True)
            for who, seconds in (("a new visitor", first), ("one who comes again", again)):
                note = f"median of {VISITS}, {min(seconds):.2f} to {max(seconds):.2f}"
                what = f"first row of {name} seen by {who}"
                yield {"what": what, "value": round(statistics.median(seconds), 2), "unit": "s"} | {
                    "target": "≤ 1.5",
                    "note": note,
                }
        browser.close()


def _visit_twice(browser: Browser, address: str) -> tuple[float, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        return _visit(context, address), _visit(context, address)
    finally:
        context.close()


def _visit(context: BrowserContext, address: str) -> float:
    page = context.new_page()
    began = time.perf_counter()
    page.goto(address, wait_until="commit", timeout=_TIMEOUT_MS)
    page.locator(_FIRST_ROW).first.wait_for(state="visible", timeout=_TIMEOUT_MS)
    seconds = time.perf_counter() - began
    page.close()
    return seconds
