"""Fixtures of browser tests: a real Chromium, and a page that records errors and foreign requests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from bench.chromium import find_chromium, launch_chromium
from tests.support.pages.policy_violations import note_violations
from tests.support.pages.quick_timers import shorten_intervals
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


# Package scope rather than session scope: while Playwright runs, no test of another folder can run its own event loop.
# Only one instance can exist, so tests that need other browser flags launch their browser with it.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    if find_chromium() is None:
        pytest.skip("there is no Chromium on this machine (see tests/install-browser.sh)")
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    browser = launch_chromium(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Browser context of all visitors: its cache spares each test from loading the same files again."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    shorten_intervals(context)
    yield context
    context.close()


@pytest.fixture
def watched(context: BrowserContext, server: Server) -> Iterator[Watched]:
    """Anonymous visitor; no request may leave the origin, no script may fail or violate the policy."""
    watched = Watched(context.new_page())
    watched.page.set_default_timeout(60_000)
    note_violations(watched.page, watched.errors)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: _note_foreign(watched, request.url, server.url))
    yield watched
    _forget(context, watched.page, server.url)
    assert not watched.foreign, "requests left the origin"
    assert not watched.errors, "a script failed"


def _forget(context: BrowserContext, page: Page, origin: str) -> None:
    """Remove all traces of a visitor except the cached files."""
    kept = "cookies,local_storage,indexeddb,service_workers,cache_storage"
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kept})
    context.clear_permissions()
    for one in context.pages:
        # Requests handled by a test's own route may still be pending.
        one.unroute_all(behavior="ignoreErrors")
        one.close()


def _note_foreign(watched: Watched, url: str, origin: str) -> None:
    if not url.startswith((origin, "data:", "blob:")):
        watched.foreign.append(url)
