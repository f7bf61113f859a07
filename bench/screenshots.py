"""Pictures of every tab: `python -m bench.screenshots --url URL --out screenshots/`.

Each tab at two widths, light and dark. What the browser's console complains of, and every request that leaves the
origin, is printed; there should be none.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

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
    "about": "#about-metrics",
    "account": "#account-who",
    "admin": "[data-testid=admin-refused], [data-testid=admin-name]",
}
WIDTHS = {1440: 900, 390: 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
_TIMEOUT_MS = 30_000
# Charts come after the table, and plotly draws for a moment.
_SETTLE_MS = 2_500


def main() -> int:
    """Take the pictures; 1 when the browser complained or something left the origin."""
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
    """Take every picture and yield what went wrong on the way."""
    for (width, height), scheme, tab in product(WIDTHS.items(), SCHEMES, TABS):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        complaints = watch(page, url)
        page.goto(f"{url}/?tab={tab}")
        page.wait_for_selector(TABS[tab], timeout=_TIMEOUT_MS)
        page.wait_for_timeout(_SETTLE_MS)
        target = out / f"{tab}-{width}-{scheme}.png"
        page.screenshot(path=target, full_page=True)
        print(target)
        yield from (f"{target.name}: {complaint}" for complaint in complaints)
        context.close()


def watch(page: Page, url: str) -> list[str]:
    """Return a list that fills with the console's errors and with requests to other origins."""
    found: list[str] = []
    origin = urlsplit(url).netloc
    page.on("console", lambda line: found.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: found.append(str(error)))

    def check(address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme in ("http", "https") and parts.netloc != origin:
            found.append(f"request to {address}")

    page.on("request", lambda request: check(request.url))
    return found


if __name__ == "__main__":
    sys.exit(main())
