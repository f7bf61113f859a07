"""Page whose requests fail temporarily while the server runs."""

import pytest
from playwright.sync_api import Page, Route

from leaderboard.assets import STATIC_PATH
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_settled, fill, open_tab
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


@pytest.mark.slow
def test_script_that_resends_events_is_requested_until_it_loads(watched: Watched, server: Server) -> None:
    """Without this script, Gradio would reload the page after a restart, and typed text would be lost."""
    page = watched.page
    asked: list[Route] = []

    def fail_twice(route: Route) -> None:
        asked.append(route)
        if len(asked) <= 2:
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route(f"**{STATIC_PATH}/reconnect.js", fail_twice)
    page.goto(f"{server.url}/?tab=submit")
    fill(page, "model-name", "Typed before")
    page.evaluate("window.isSamePage = true")
    page.route("**/gradio_api/run/**", lambda route: route.abort("connectionreset"), times=1)
    fill(page, "model-name", "Typed meanwhile")
    expect(page.get_by_test_id("away")).to_be_visible()
    expect(page.get_by_test_id("away")).to_have_count(0)
    expect(page.get_by_label("Model (required)")).to_have_value("Typed meanwhile")
    assert len(asked) == 3
    assert page.evaluate("window.isSamePage")


def test_tab_opened_during_an_outage_is_drawn_when_the_server_is_back(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=about")
    expect_settled(page)
    page.wait_for_load_state("networkidle")
    page.evaluate("window.isSamePage = true")
    failed: list[Route] = []

    def fail(route: Route) -> None:
        failed.append(route)
        route.abort("connectionrefused")

    page.route("**/*", fail)
    with page.expect_event("requestfailed"):
        open_tab(page, "STAR-Bench")
    assert failed
    page.unroute("**/*", fail)
    board = page.locator("[data-testid=board]:visible").first
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    assert page.evaluate("window.isSamePage")


@pytest.mark.slow
def test_events_that_fail_while_the_page_opens_are_resent(watched: Watched, server: Server) -> None:
    page = watched.page
    loads: list[Page] = []
    page.on("load", lambda page: loads.append(page))
    failed: list[str | None] = []
    sent_later: list[str | None] = []

    def fail_twice(route: Route) -> None:
        if len(failed) < 2:
            failed.append(route.request.post_data)
            route.abort("connectionreset")
        else:
            sent_later.append(route.request.post_data)
            route.continue_()

    page.route("**/gradio_api/run/**", fail_twice)
    page.goto(f"{server.url}/?tab=submit")
    expect(page.get_by_test_id("away")).to_be_visible()
    expect(page.get_by_test_id("away")).to_have_count(0)
    page.locator("#submit-check").click()
    expect(page.locator("#submit-feedback").get_by_role("alert")).to_be_visible()
    assert set(failed) <= set(sent_later)
    assert (len(failed), len(loads)) == (2, 1)
