"""A real Chromium, and a page in it that reports everything that should not happen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from bench.chromium import find_chromium, launch_chromium
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

# How long a test waits for what it expects: a machine that runs two tests at once is slow.
expect.set_options(timeout=60_000)


# Not for the session: while it runs, no test of another folder can run an event loop of its own. There can be only one,
# so that tests which need a browser with other flags launch it with this one.
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
    """Where visitors come from: what one of them has loaded, the next need not."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    yield context
    context.close()


@pytest.fixture
def watched(context: BrowserContext, server: Server) -> Iterator[Watched]:
    """A visitor whom nobody knows; at the end nothing may have left the origin and no script may have failed."""
    watched = Watched(context.new_page())
    watched.page.set_default_timeout(60_000)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: _note_foreign(watched, request.url, server.url))
    yield watched
    _forget(context, watched.page, server.url)
    assert not watched.foreign, "requests left the origin"
    assert not watched.errors, "a script failed"


def _forget(context: BrowserContext, page: Page, origin: str) -> None:
    """Leave nothing of a visitor but the files that any visitor is sent."""
    kept = "cookies,local_storage,indexeddb,service_workers,cache_storage"
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kept})
    context.clear_permissions()
    for one in context.pages:
        # What a test answers itself may be asked for up to the end.
        one.unroute_all(behavior="ignoreErrors")
        one.close()


def _note_foreign(watched: Watched, url: str, origin: str) -> None:
    if not url.startswith((origin, "data:", "blob:")):
        watched.foreign.append(url)
