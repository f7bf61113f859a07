"""Requests of a page that are answered only when a test says so."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route


def hold(page: Page, urls: str | re.Pattern[str]) -> Callable[[], None]:
    """Let nothing of these addresses be answered until what is returned is called; from then on, everything is."""
    held: list[Route] = []
    is_let: list[bool] = []
    page.route(urls, lambda route: route.continue_() if is_let else held.append(route))

    def let() -> None:
        is_let.append(True)
        for route in held:
            route.continue_()

    return let
