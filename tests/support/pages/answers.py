"""Interception of responses to a page: delay and rewrite."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route

_UNCHANGED = 304
EVENTS = re.compile(r"/gradio_api/run/")
# Responses may be held for longer than the page's own timeout on a slow machine.
_WAIT_FOR_EVER = "AbortSignal.timeout = () => new AbortController().signal"


def hold(page: Page, urls: str | re.Pattern[str]) -> Callable[[], None]:
    """Hold the responses of these addresses until the returned function is called; later ones pass through."""
    page.add_init_script(_WAIT_FOR_EVER)
    page.evaluate(_WAIT_FOR_EVER)
    held: list[Route] = []
    is_let: list[bool] = []

    def answer(route: Route) -> None:
        if is_let:
            route.continue_()
        else:
            held.append(route)

    page.route(urls, answer)

    def let() -> None:
        is_let.append(True)
        for route in held:
            route.continue_()
        # Routes turn the browser's cache off.
        page.unroute(urls, answer)

    return let


def hold_first(page: Page, act: Callable[[], object]) -> Callable[[], None]:
    """Trigger an event whose request is held, with all requests before it, until the returned function is called."""
    let = hold(page, EVENTS)
    with page.expect_request(EVENTS):
        act()
    return let


def keep_revision(page: Page) -> None:
    """Report an unchanged revision to the page, so that it does not redraw tables; call it after `rewrite`.

    The shared server may still rank submissions of earlier tests.
    """

    def answer(route: Route) -> None:
        if "if-none-match" in route.request.headers:
            route.fulfill(status=_UNCHANGED)
        else:
            route.fallback()

    page.route("**/api/v1/**", answer)


def rewrite(page: Page, urls: str | re.Pattern[str], change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Pass every JSON response of these addresses through a function."""

    def answer(route: Route) -> None:
        response = route.fetch(max_retries=3)
        # The page revalidates cached responses from time to time.
        if response.status == _UNCHANGED:
            route.fulfill(response=response)
        else:
            route.fulfill(response=response, json=change(response.json()))

    page.route(urls, answer)
