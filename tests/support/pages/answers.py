"""Answers to a page that a test holds back or changes."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

_UNCHANGED = 304
_EVENTS = re.compile(r"/gradio_api/run/")
# What is held may be held for longer than the page waits, on a slow machine.
_WAIT_FOR_EVER = "AbortSignal.timeout = () => new AbortController().signal"


def hold(page: Page, urls: str | re.Pattern[str]) -> Callable[[], None]:
    """Let nothing of these addresses be answered until what is returned is called; from then on, everything is."""
    page.add_init_script(_WAIT_FOR_EVER)
    page.evaluate(_WAIT_FOR_EVER)
    held: list[Route] = []
    is_let: list[bool] = []
    page.route(urls, lambda route: route.continue_() if is_let else held.append(route))

    def let() -> None:
        is_let.append(True)
        for route in held:
            route.continue_()

    return let


def hold_first(page: Page, act: Callable[[], object]) -> Callable[[], None]:
    """Do something whose event waits until what is returned is called, and so does whatever is sent before that."""
    let = hold(page, _EVENTS)
    with page.expect_request(_EVENTS):
        act()
    return let


def keep_revision(page: Page) -> None:
    """Let the page find that nothing has changed whenever it looks, so that no table is drawn anew meanwhile.

    The shared server may still rank what an earlier test has sent.
    """

    def answer(route: Route) -> None:
        if "if-none-match" in route.request.headers:
            route.fulfill(status=_UNCHANGED)
        else:
            route.continue_()

    page.route("**/api/v1/**", answer)


def rewrite(page: Page, urls: str | re.Pattern[str], change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Let every JSON that these addresses answer with be what a function makes of it."""

    def answer(route: Route) -> None:
        response = route.fetch(max_retries=3)
        # The page asks now and then whether what it has is still true.
        if response.status == _UNCHANGED:
            route.fulfill(response=response)
        else:
            route.fulfill(response=response, json=change(response.json()))

    page.route(urls, answer)
