"""Waiting times of a visitor for boards of 100 and 100,000 rows: opening, sorting, next page."""

import statistics
import tempfile
import time
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from bench.chromium import find_chromium, launch_chromium
from bench.sample_boards import fill_board
from bench.web_process import serve
from db.session import Database
from evaluation.benchmarks import get_benchmark

SIZES = (100, 100_000)
BENCHMARK = "audio-motion-bench"
_FIRST_VIEW_MS, _RATIO = "≤ 1500", "≤ 1.5"
_N_VIEWS = 5
_ROW = "[data-testid=board]:not([hidden]) [data-testid=board-row]"
# From the click to the frame with the requested content.
_CLICK = """async ([what, awaited]) => {
  const began = performance.now();
  document.querySelector(what).click();
  while (!document.querySelector(awaited)) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


def measure() -> list[dict[str, object]]:
    """Return a row for each kind of waiting and size, with the ratio to the smaller size."""
    if find_chromium() is None:
        return [_row("board in a browser", "–", "", "–", "not measured: there is no Chromium")]
    took = {size: _measure_size(size) for size in SIZES}
    rows = []
    small, large = SIZES
    for what in took[small]:
        target = _FIRST_VIEW_MS if what == "first view" else "–"
        for size in SIZES:
            times = took[size][what]
            middle, note = 1e3 * statistics.median(times), f"median of {len(times)}, least {1e3 * min(times):.0f}"
            rows.append(_row(f"board of {size:,} in Chromium: {what}", round(middle), "ms", target, note))
        ratio = statistics.median(took[large][what]) / statistics.median(took[small][what])
        rows.append(_row(f"{what}, {large:,} against {small:,}", float(f"{ratio:.3g}"), "×", _RATIO, "of the medians"))
    return rows


def _measure_size(size: int) -> dict[str, list[float]]:
    benchmark = get_benchmark(BENCHMARK)
    default_columns = [column for column in benchmark.columns if column.shown]
    with tempfile.TemporaryDirectory() as folder:
        with closing(Database(f"sqlite:///{folder}/earshot.db")) as database:
            database.upgrade()
            fill_board(database, benchmark, size, [(column.slice, column.metric) for column in default_columns])
        with serve(Path(folder)) as url, sync_playwright() as playwright:
            browser = launch_chromium(playwright)
            address = f"{url}/?tab={BENCHMARK}"
            # The server has handled one request before the first measured one.
            views = [_open(browser, address) for _ in range(_N_VIEWS + 1)][1:]
            # Sort by each column once, so that no page is cached.
            sorts, pages = _time_sorting(browser, address, [column.key for column in default_columns[1:]])
            browser.close()
    return {"first view": views, "sorted": sorts, "next page": pages}


def _open(browser: Browser, address: str) -> float:
    context = browser.new_context()
    page = context.new_page()
    began = time.perf_counter()
    _wait_for_rows(page, address)
    seconds = time.perf_counter() - began
    context.close()
    return seconds


def _time_sorting(browser: Browser, address: str, keys: list[str]) -> tuple[list[float], list[float]]:
    context = browser.new_context()
    page = context.new_page()
    _wait_for_rows(page, address)
    page.wait_for_load_state("networkidle")
    sorts, pages = [], []
    for key in keys:
        heading = f'thead [data-sort="{key}"]'
        sorts.append(page.evaluate(_CLICK, [heading, f"thead th:not([aria-sort=none]) [data-sort='{key}']"]) / 1e3)
        after = "[data-testid=board-rows] tr:nth-child(51)"
        pages.append(page.evaluate(_CLICK, ["[data-testid=show-more]", after]) / 1e3)
    context.close()
    return sorts, pages


def _wait_for_rows(page: Page, address: str) -> None:
    page.goto(address, wait_until="commit")
    page.locator(_ROW).first.wait_for()


def _row(what: str, value: object, unit: str, target: str, note: str) -> dict[str, object]:
    return {"what": what, "value": value, "unit": unit, "target": target, "note": note}
