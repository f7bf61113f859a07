"""Screenshots of every tab: `python -m bench.screenshots --url URL --out screenshots/`.

Each tab at two widths, light and dark, and tabs with a selection: the boards of further versions, a model, two compared
rows, a listening question. Prints the browser's console errors and every request to another origin; there should be
none.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode, urlsplit
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, sync_playwright

from bench.chromium import launch_chromium
from evaluation import all_benchmarks

TABS = {
    "overview": "[data-testid=overview-row]",
    **{
        name: f"#board-{name} [data-testid=board-row]"
        for name in dict.fromkeys(benchmark.id for benchmark in all_benchmarks())
    },
    "model": "[data-testid=found-models]",
    "compare": "[data-testid=choose-two]",
    "submit": "#submit-check",
    "listen": "[data-testid=start]",
    "about": "#about-place-metrics",
    "account": "#account-who a, #account-who [data-testid=account-name]",
}


class PagePicture(NamedTuple):
    """A screenshot: its address, an element to wait for, and controls to press first."""

    query: str
    drawn: str
    pressed: str | None = None


WIDTHS = {1440: 900, 390: 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_TIMEOUT_MS = 30_000
# Charts are drawn when they become visible, and plotly takes a moment.
_SETTLE_MS = 2_500


def main() -> int:
    """Take the screenshots; return 1 if there were console errors or requests to other origins."""
    parser = argparse.ArgumentParser(prog="python -m bench.screenshots", description=__doc__)
    parser.add_argument("--url", default="http://127.0.0.1:7860")
    parser.add_argument("--out", type=Path, default=Path("screenshots"))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = launch_chromium(playwright)
        complaints = list(take_all(browser, options.url.rstrip("/"), options.out))
        browser.close()
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


def take_all(browser: Browser, url: str, out: Path) -> Iterator[str]:
    """Take every screenshot and yield the problems."""
    views = list_views(url)
    for (width, height), scheme, (name, view) in product(WIDTHS.items(), SCHEMES, views.items()):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        complaints = watch(page, url)
        page.goto(f"{url}/?{view.query}")
        if view.pressed is not None:
            page.click(view.pressed, timeout=_TIMEOUT_MS)
        page.wait_for_selector(view.drawn, timeout=_TIMEOUT_MS)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        page.wait_for_timeout(_SETTLE_MS)
        page.evaluate("scrollTo(0, 0)")
        target = out / f"{name}-{width}-{scheme}.png"
        page.screenshot(path=target, full_page=True)
        print(target)
        yield from (f"{target.name}: {complaint}" for complaint in complaints)
        context.close()


def list_views(url: str) -> dict[str, PagePicture]:
    """Return name → view: all tabs, and selections that the server's rows and packs allow."""
    views = {tab: PagePicture(f"tab={tab}", drawn) for tab, drawn in TABS.items()}
    views["admin"] = PagePicture("tab=admin", "[data-testid=admin-refused]")
    seen: set[str] = set()
    for benchmark in _fetch(url, "benchmarks")["benchmarks"]:
        name, version = benchmark["id"], benchmark["version"]
        board = urlencode({"version": version, "source": "verified,submitted"})
        rows = _fetch(url, f"leaderboards/{name}?{board}")["rows"]
        if name in seen and rows:
            query = urlencode({"tab": name, "version": version})
            views[f"{name}-{version}"] = PagePicture(query, TABS[name])
        seen.add(name)
        if len(rows) > 1:
            first, second = rows[:2]
            views["model-chosen"] = PagePicture(f"tab=model&model={first['model']['id']}", "[data-testid=model-name]")
            chosen = {"tab": "compare", "benchmark": name, "version": version}
            query = urlencode({**chosen, "a": first["submission"], "b": second["submission"]})
            views["compare-chosen"] = PagePicture(query, "[data-testid=verdict]")
        if "practice" in benchmark["packs"] and "listen-question" not in views:
            query = urlencode({"tab": "listen", "benchmark": name, "version": version, "n": 10, "seed": 1})
            views["listen-question"] = PagePicture(query, "[data-testid=progress]", "[data-testid=start]")
    return views


def _fetch(url: str, path: str) -> Any:
    with urlopen(f"{url}/api/v1/{path}", timeout=_TIMEOUT_MS / 1000) as answer:  # noqa: S310 - the address of --url
        return json.load(answer)


def watch(page: Page, url: str) -> list[str]:
    """Return a list that collects console errors and requests to other origins."""
    complaints: list[str] = []
    origin = urlsplit(url).netloc
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))

    def check(address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.netloc != origin:
            complaints.append(f"request to {address}")

    page.on("request", lambda request: check(request.url))
    return complaints


if __name__ == "__main__":
    sys.exit(main())
