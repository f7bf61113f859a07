"""A real Chromium, and a page in it that reports everything that should not happen."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.serving import Server

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# How long a test waits for what it expects: a machine that runs two tests at once is slow.
expect.set_options(timeout=60_000)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@dataclass
class Watched:
    """A page and what went wrong in it."""

    page: Page
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


# Not for the session: while it runs, no other test can run an event loop of its own.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = next((path for name in NAMES if (path := shutil.which(name))), None)
    if executable is None:
        pytest.skip("there is no Chromium on this machine (see tests/install-browser.sh)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def watched(browser: Browser, server: Server) -> Iterator[Watched]:
    """A fresh visitor; at the end nothing may have left the origin and no script may have failed."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    watched = Watched(context.new_page())
    watched.page.set_default_timeout(60_000)
    watched.page.on("pageerror", lambda error: watched.errors.append(str(error)))
    watched.page.on("request", lambda request: _note_foreign(watched, request.url, server.url))
    yield watched
    context.close()
    assert not watched.foreign, "requests left the origin"
    assert not watched.errors, "a script failed"


def _note_foreign(watched: Watched, url: str, origin: str) -> None:
    if not url.startswith((origin, "data:", "blob:")):
        watched.foreign.append(url)
