"""A page that is open while its whole server stops and starts again."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from leaderboard.assets import STATIC_PATH
from tests.support.pages.opening import expect_settled, fill, open_board, open_tab
from tests.support.pages.watched import Watched
from tests.support.servers.installation import install_with_chance
from tests.support.servers.server import Server, wait_for

KEY = "sk-canary-of-a-restart"
BENCHMARK = "star-bench"


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an evaluator leaves behind: every board is ranked, and nothing changes any more."""
    return install_with_chance(tmp_path_factory.mktemp("ranked"))


@pytest.fixture
def server(ranked: Path, tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop."""
    shutil.copytree(ranked, tmp_path / "data")
    server = Server(tmp_path, arguments=("--no-packs", "--no-references", "--no-evaluator")).start()
    try:
        yield wait_until_healthy(server)
    finally:
        server.stop()


def wait_until_healthy(server: Server) -> Server:
    wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
    return server


def stop_launcher(server: Server) -> None:
    server.stop()


def kill_launcher(server: Server) -> None:
    """Kill it; the web process ends with it."""
    web = server.child("leaderboard")
    assert web is not None
    server.kill()
    web.wait(60)


def kill_web_process(server: Server) -> None:
    """Kill the process that answers; the launcher starts another one."""
    web = server.child("leaderboard")
    assert web is not None
    web.kill()
    web.wait(60)


def test_form_is_kept_whenever_the_server_is_stopped_and_started_again(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    page.get_by_role("tab", name="Have a model asked").click()
    key_field = page.get_by_label("API key, if it needs one")
    key_field.fill(KEY)
    page.evaluate("window.isSamePage = true")
    away = page.get_by_test_id("away")
    typed = {"Qwen2-Aud": stop_launcher, "Kimi-Aud": kill_web_process, "Audio Flam": kill_launcher}
    for name, stop in typed.items():
        stop(server)
        fill(page, "model-name", name)  # an event recognises the name
        if stop is not kill_web_process:
            expect(away).to_be_visible()
            server.start()
        wait_until_healthy(server)
        expect(away).to_have_count(0)
        # The event that had to wait and one that follows are answered.
        expect(page.locator("#model-naming")).to_contain_text(name)
        open_tab(page, "A file of answers")
        page.locator("#submit-check").click()
        expect(page.locator("#submit-feedback").get_by_role("alert")).to_be_visible()
        expect(page.get_by_label("Model (required)")).to_have_value(name)
        expect(key_field).to_have_value(KEY)
        assert page.evaluate("window.isSamePage")
        open_tab(page, "Have a model asked")
    assert KEY not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_script_that_keeps_events_is_asked_for_until_it_is_there(watched: Watched, server: Server) -> None:
    """Without it, Gradio would load the page anew after a restart, and what was typed would be lost."""
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


def test_tab_that_is_opened_while_the_server_is_away_is_drawn_when_it_is_back(watched: Watched, server: Server) -> None:
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


def test_pages_show_after_a_restart_what_was_asked_for_meanwhile(watched: Watched, server: Server) -> None:
    url = server.url
    rows = server.json(f"/api/v1/leaderboards/{BENCHMARK}?source=reported")["rows"]
    a, b = (row["submission"] for row in rows[:2])
    on_board, on_overview, on_compare = pages = [watched.page, *(watched.page.context.new_page() for _ in range(2))]
    board = open_board(on_board, f"{url}/?tab={BENCHMARK}")
    on_overview.goto(url)
    on_compare.goto(f"{url}/?tab=compare&benchmark={BENCHMARK}&a={a}&b={b}")
    expect(on_overview.get_by_test_id("overview-row").nth(1)).to_be_visible()
    side = on_compare.get_by_test_id("side-a")
    expect(side).not_to_be_empty()
    name = on_compare.get_by_test_id("side-b").get_by_role("link").first.inner_text()
    for page in pages:
        expect_settled(page)
        page.wait_for_load_state("networkidle")
        page.evaluate("window.isSamePage = true")
    server.stop()
    heading = board.locator("thead th").filter(has=on_board.locator("[data-sort=model]"))
    heading.get_by_role("button").click()
    expect(board.get_by_test_id("try-again")).to_be_visible()
    on_overview.get_by_test_id("overview-search").fill("flamingo")
    expect(on_overview.get_by_test_id("overview-again")).to_be_visible()
    on_compare.locator("#compare-swap").click()
    expect(on_compare.get_by_test_id("away")).to_be_visible()
    wait_until_healthy(server.start())
    expect(heading).to_have_attribute("aria-sort", "ascending")
    expect(board.get_by_role("alert")).to_have_count(0)
    models = on_overview.get_by_test_id("overview-row")
    expect(models.filter(has_not_text=re.compile("flamingo", re.IGNORECASE))).to_have_count(0)
    expect(models).not_to_have_count(0)
    expect(on_overview.get_by_test_id("overview-again")).to_have_count(0)
    expect(side).to_contain_text(name)
    expect(on_compare.get_by_test_id("away")).to_have_count(0)
    assert [page.evaluate("window.isSamePage") for page in pages] == [True] * 3
