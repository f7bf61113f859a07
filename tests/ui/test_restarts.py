"""A page that is open while its whole server stops and starts again."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.pages.opening import fill
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, wait_for

KEY = "sk-canary-of-a-restart"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop."""
    server = Server(tmp_path, arguments=("--no-packs", "--no-references", "--no-evaluator")).start()
    try:
        yield wait_until_healthy(server)
    finally:
        server.stop()


def wait_until_healthy(server: Server) -> Server:
    wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
    return server


def test_form_is_kept_while_the_server_is_stopped_and_started_again(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    page.wait_for_load_state("networkidle")  # each script of the form is there
    page.get_by_role("tab", name="Have a model asked").click()
    key_field = page.get_by_label("API key, if it needs one")
    key_field.fill(KEY)
    page.evaluate("window.isSamePage = true")
    away = page.get_by_test_id("away")
    server.stop()
    fill(page, "model-name", "Typed meanwhile")  # an event recognises the name
    expect(away).to_be_visible()
    wait_until_healthy(server.start())
    expect(away).to_have_count(0)
    # The event that had to wait and one that follows are answered.
    expect(page.locator("#model-naming")).not_to_be_empty()
    page.get_by_role("tab", name="A file of answers").click()
    page.locator("#submit-check").click()
    expect(page.locator("#submit-feedback").get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Model (required)")).to_have_value("Typed meanwhile")
    expect(key_field).to_have_value(KEY)
    assert page.evaluate("window.isSamePage")
    assert KEY not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_events_that_fail_while_the_page_opens_are_sent_again(watched: Watched, server: Server) -> None:
    page = watched.page
    loads: list[Page] = []
    page.on("load", lambda page: loads.append(page))
    failed: list[Route] = []

    def fail_twice(route: Route) -> None:
        if len(failed) < 2:
            failed.append(route)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/gradio_api/run/**", fail_twice)
    page.goto(f"{server.url}/?tab=submit")
    expect(page.get_by_test_id("away")).to_be_visible()
    expect(page.get_by_test_id("away")).to_have_count(0)
    page.locator("#submit-check").click()
    expect(page.locator("#submit-feedback").get_by_role("alert")).to_be_visible()
    assert (len(failed), len(loads)) == (2, 1)
