"""Open pages while their server is killed and restarted."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose_way, expect_drawn, expect_settled, fill
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, wait_for
from tests.support.servers.warm_processes import WarmPython

KEY = "sk-canary-of-a-restart"
BENCHMARK = "star-bench"


@pytest.fixture
def server(ranked: Path, tmp_path: Path, warm_python: WarmPython) -> Iterator[Server]:
    """Server that a test may stop."""
    shutil.copytree(ranked, tmp_path / "data")
    arguments = ("--no-packs", "--no-references", "--no-evaluator")
    server = Server(tmp_path, arguments=arguments, warm=warm_python).start()
    try:
        yield wait_until_healthy(server)
    finally:
        server.stop()


def wait_until_healthy(server: Server) -> Server:
    wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
    return server


def kill_launcher(server: Server) -> None:
    """Kill the launcher; the web process ends with it."""
    web = server.child("leaderboard")
    assert web is not None
    server.kill()
    web.wait(60)


def kill_web_process(server: Server) -> None:
    """Kill the web process; the launcher restarts it."""
    web = server.child("leaderboard")
    assert web is not None
    web.kill()
    web.wait(60)


def open_page(page: Page, address: str) -> Page:
    page.goto(address)
    expect_settled(page)
    page.evaluate("window.isSamePage = true")
    return page


class Others:
    """Three pages of the same visitor, each with a pending request during the outage."""

    def __init__(self, form: Page, server: Server) -> None:
        rows = server.json(f"/api/v1/leaderboards/{BENCHMARK}?source=reported")["rows"]
        a, b = (row["submission"] for row in rows[:2])
        pair = f"benchmark={BENCHMARK}&a={a}&b={b}"
        queries = (f"tab={BENCHMARK}", "", f"tab=compare&{pair}")
        self.pages = [open_page(form.context.new_page(), f"{server.url}/?{query}") for query in queries]
        on_board, self.overview, self.compare = self.pages
        self.board = on_board.locator(f"#board-{BENCHMARK}")
        self.heading = self.board.locator("thead th").filter(has=on_board.locator("[data-sort=model]"))
        expect_drawn(on_board, f"#board-{BENCHMARK} [data-testid=board-row]")
        expect_drawn(self.overview, "[data-testid=overview-row]")
        # The chart is opened last: a page that lacks a part of Gradio when the server goes away is reloaded.
        expect_drawn(self.compare, "#compare-plot .js-plotly-plot")
        self.second = self.compare.get_by_test_id("side-b").get_by_role("link").first.inner_text()
        for page in self.pages:
            page.wait_for_load_state("networkidle")

    def ask(self) -> None:
        self.heading.get_by_role("button").click()
        expect(self.board.get_by_test_id("try-again")).to_be_visible()
        self.overview.get_by_test_id("overview-search").fill("flamingo")
        expect(self.overview.get_by_test_id("overview-again")).to_be_visible()
        self.compare.locator("#compare-swap").click()
        expect(self.compare.get_by_test_id("away")).to_be_visible()

    def expect_answers(self) -> None:
        expect(self.heading).to_have_attribute("aria-sort", "ascending")
        expect(self.board.get_by_role("alert")).to_have_count(0)
        models = self.overview.get_by_test_id("overview-row")
        expect(models.filter(has_not_text=re.compile("flamingo", re.IGNORECASE))).to_have_count(0)
        expect(models).not_to_have_count(0)
        expect(self.overview.get_by_test_id("overview-again")).to_have_count(0)
        expect(self.compare.get_by_test_id("side-a")).to_contain_text(self.second)
        expect(self.compare.get_by_test_id("away")).to_have_count(0)
        assert [page.evaluate("window.isSamePage") for page in self.pages] == [True] * 3

    def close(self) -> None:
        for page in self.pages:
            page.close()


def test_open_pages_continue_after_the_server_is_killed_and_restarted(
    watched: Watched, server: Server, soak: bool, subtests: pytest.Subtests
) -> None:
    """Starts dominate the run time, so all pages stay open while the whole server is killed."""
    form = open_page(watched.page, f"{server.url}/?tab=submit")
    choose_way(form, "api")
    form.get_by_label("API key (if required)").fill(KEY)
    others = Others(form, server)
    away = form.get_by_test_id("away")
    kill_launcher(server)
    fill(form, "model-name", "Qwen2-Aud")  # an event recognises the name
    expect(away).to_be_visible()
    others.ask()
    wait_until_healthy(server.start())
    with subtests.test("what was typed is kept, and the event that had to wait is answered"):
        expect_form(form, "Qwen2-Aud")
    with subtests.test("what was asked for meanwhile is shown"):
        others.expect_answers()
    others.close()
    if soak:
        with subtests.test("only the web process was killed"):
            kill_web_process(server)
            fill(form, "model-name", "Kimi-Aud")
            wait_until_healthy(server)
            expect_form(form, "Kimi-Aud")
    assert KEY not in form.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def expect_form(form: Page, name: str) -> None:
    """The delayed event and the next one are answered, and the form keeps its typed text."""
    expect(form.get_by_test_id("away")).to_have_count(0)
    expect(form.locator("#model-naming")).to_contain_text(name)
    choose_way(form, "predictions")
    form.locator("#submit-check").click()
    expect(form.locator("#submit-feedback").get_by_role("alert")).to_be_visible()
    expect(form.get_by_label("Model (required)")).to_have_value(name)
    choose_way(form, "api")
    expect(form.get_by_label("API key (if required)")).to_have_value(KEY)
    assert form.evaluate("window.isSamePage")
