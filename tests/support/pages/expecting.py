"""Expectations of browser tests: they wait up to a minute, and poll ten times a second all the while."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any, cast, overload

from playwright.sync_api import Locator, Page
from playwright.sync_api import expect as expect_once
from playwright.sync_api._generated import LocatorAssertions, PageAssertions

# Timeout of expectations, for a slow machine that runs two tests at once.
_PATIENCE_SECONDS = 60.0
# Playwright polls twice a second after the first 0.3 s, but ten times if its timeout is below 2.5 s.
_ATTEMPT_MS = 2_400


class PatientAssertions:
    """Assertions of Playwright, each repeated until it holds or patience ends."""

    def __init__(self, assertions: LocatorAssertions | PageAssertions) -> None:
        self._assertions = assertions

    def __getattr__(self, name: str) -> Callable[..., None]:
        return partial(_repeat, getattr(self._assertions, name))


def _repeat(assertion: Callable[..., None], *arguments: Any, **options: Any) -> None:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            assertion(*arguments, **options, timeout=_ATTEMPT_MS)
            return
        except AssertionError:
            if time.monotonic() > deadline:
                raise


@overload
def expect(actual: Locator) -> LocatorAssertions: ...
@overload
def expect(actual: Page) -> PageAssertions: ...
def expect(actual: Locator | Page) -> LocatorAssertions | PageAssertions:
    """Return the assertions about an element or a page, as `playwright.sync_api.expect` does."""
    return cast(LocatorAssertions | PageAssertions, PatientAssertions(expect_once(actual)))
