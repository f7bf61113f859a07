"""Breakdown charts in a real browser: charts of published rows, their tables, and their rows in the address."""

import re

import pytest
from playwright.sync_api import Page

from tests.support.pages.answers import hold
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_settled, open_charts, open_tab, visit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

# Panels for which the published rows have scores, by chart.
PANELS = {
    "audio-motion-bench": {"snr": 3, "forms": 2, "true-false": 1, "directions": 0},
    "star-bench": {
        "sensitivity": 0,
        "hearing": 0,
        "aa-acr": 3,
        "concentration": 0,
        "settings": 5,
        "errors": 1,
        "errors-spatial": 0,
        "regions": 0,
        "audiogram": 0,
    },
    "mdar": {
        "main": 2,
        "multi": 4,
        "concentration": 0,
        "listening": 0,
        "cascaded": 1,
        "errors": 1,
        "errors-multi": 0,
        "errors-open": 0,
    },
    "audio-process-bench": {
        "types": 1,
        "few-shot": 4,
        "chains": 1,
        "generators": 0,
        "positions": 0,
        "rates": 0,
        "generation": 0,
        "sources": 0,
        "generator-types": 0,
        "position-types": 0,
    },
}
APB = "audio-process-bench"
HAS_PLOTS = "([selector, n]) => document.querySelectorAll(selector).length === n"


def expect_plots(page: Page, benchmark: str, panels: dict[str, int]) -> None:
    page.wait_for_function(HAS_PLOTS, arg=[f"#charts-{benchmark} .js-plotly-plot", sum(panels.values())])
    for chart, n in panels.items():
        drawn = page.locator(f'[id^="chart-{benchmark}-{chart}-"] .js-plotly-plot')
        expect(drawn).to_have_count(n)


def test_charts_include_human_and_random_baselines_and_keep_their_rows(
    watched: Watched, server: Server, soak: bool, subtests: pytest.Subtests
) -> None:
    page = watched.page
    if soak:
        with subtests.test("further boards"):
            draw_further_boards(page, server)
    with subtests.test("people and chance, and a table of the same"):
        # No chart shows random baselines unless they are selected.
        found = server.json("/api/v1/leaderboards/star-bench?source=random")["rows"]
        guesses = next(row["submission"] for row in found if row["signature"])
        page.goto(f"{server.url}/?tab=star-bench&models={guesses}&map={guesses}")
        open_charts(page, "star-bench")
        chosen = {"aa-acr": 1, "concentration": 2}
        expect_plots(page, "star-bench", PANELS["star-bench"] | chosen)
        hidden = page.locator("#note-star-bench-sensitivity")
        expect(hidden).to_contain_text("scores over fewer than 100 test items are hidden")
        expect(page.locator("#note-star-bench-errors")).to_contain_text("Showing the top models that do")
        page.locator("#as-table-star-bench-aa-acr").get_by_role("button").click()
        table = page.locator("#table-star-bench-aa-acr table")
        expect(table.locator("tr", has_text="Human")).to_contain_text("75.6")
    with subtests.test("models that nobody chose"):
        open_tab(page, "MDAR")
        open_charts(page, "mdar")
        expect_plots(page, "mdar", PANELS["mdar"])
    with subtests.test("a chart without rows says why"):
        note = page.locator("#note-mdar-listening")
        expect(note).to_contain_text("No model has public rows with audio and with noise")
        expect(page.locator("#as-table-mdar-listening")).to_be_hidden()
    with subtests.test("rows of the charts come back with their tab"):
        come_back(page)
    with subtests.test("a link shows the charts of a row on a board that was open before"):
        follow_links_to_charts(page)


def draw_further_boards(page: Page, server: Server) -> None:
    """Draw the charts of two more boards."""
    page.goto(f"{server.url}/?tab=star-bench")
    open_charts(page, "star-bench")
    expect_plots(page, "star-bench", PANELS["star-bench"])
    expect(page.locator("#note-star-bench-aa-acr")).to_have_text("Values: reported in the paper.")
    # Selected explicitly, because other tests publish rows on this board, which the charts would select automatically.
    reported = [row["submission"] for row in server.rows(source="reported")]
    visit(page, f"/?tab=audio-motion-bench&models={','.join(reported)}&map={reported[0]}")
    expect_plots(page, "audio-motion-bench", PANELS["audio-motion-bench"])


def come_back(page: Page) -> None:
    tokens = page.locator("#chart-models-mdar .token")
    expect(tokens).to_have_count(4)
    tokens.first.get_by_role("button").click()
    page.wait_for_url(re.compile("models="))
    expect(tokens).to_have_count(3)
    address = page.url
    open_tab(page, "About")
    page.wait_for_url(re.compile("tab=about$"))
    open_tab(page, "MDAR")
    page.wait_for_url(address)
    # The recipient of the address sees the same, without a selection of their own.
    page.reload()
    expect_settled(page)
    expect(tokens).to_have_count(3)
    open_tab(page, "About")
    page.wait_for_url(re.compile("tab=about$"))
    open_tab(page, "MDAR")
    page.wait_for_url(address)


def follow_links_to_charts(page: Page) -> None:
    """Follow the link from a row of a board to its model page, and from there back to the board with charts of that
    row.
    """
    rows, tokens = page.locator("#board-mdar").get_by_test_id("board-row"), page.locator("#chart-models-mdar .token")
    expect(tokens).to_have_count(3)
    for model in ("MiDashengLM", "GPT-4o Audio"):
        rows.filter(has_text=model).get_by_test_id("row-link").click()
        expect(page.get_by_test_id("model-name")).to_have_text(model)
        page.get_by_test_id("model").locator('a[href*="tab=mdar"][href*="setting=default&models="]').click()
        page.wait_for_url(re.compile(r"\?tab=mdar&models="))
        expect(tokens).to_have_count(1)
        expect(tokens).to_contain_text(model)
    page.go_back()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    page.go_back()
    page.wait_for_url(re.compile(r"\?tab=mdar&models="))
    expect(tokens).to_contain_text("MiDashengLM")


@pytest.mark.slow
def test_charts_follow_the_version_and_keep_their_models_in_the_address(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab={APB}")
    open_charts(page, APB)
    models = page.locator(f"#chart-models-{APB}")
    version = page.locator(f"#board-{APB}").get_by_test_id("board-version")
    with subtests.test("a removed model"):
        expect_plots(page, APB, PANELS[APB])
        models.get_by_role("button", name=re.compile("Remove", re.IGNORECASE)).first.click()
        page.wait_for_url(re.compile("models=s"))
        expect(page.locator(f"#chart-{APB}-types-0")).not_to_contain_text("Gemini-3-Flash")
        page.reload()
        expect_plots(page, APB, PANELS[APB])
        expect(models).not_to_contain_text("Gemini-3-Flash")
        expect(models).to_contain_text("Step-Audio-R1")
    with subtests.test("another version, whose rows come while another tab is open"):
        let = hold(page, re.compile(rf"/api/v1/leaderboards/{APB}\?"))
        version.select_option("synthetic-3")
        page.wait_for_url(re.compile("version=synthetic-3"))
        open_tab(page, "MDAR")
        expect(page.locator("#board-mdar").get_by_test_id("board-row").first).to_be_visible()
        with page.expect_response(re.compile(rf"/api/v1/leaderboards/{APB}\?.*version=synthetic-3")):
            let()
        open_tab(page, "AudioProcessBench")
        page.wait_for_url(re.compile("version=synthetic-3"))
        draw_guesses(page)


def draw_guesses(page: Page) -> None:
    """A synthetic version has random baselines only, and no chart shows those unless they are selected."""
    drawn = {"types": 2, "few-shot": 0, "chains": 1, "generators": 1, "positions": 1, "rates": 1, "sources": 1}
    expect_plots(page, APB, dict.fromkeys(drawn, 0))
    page.locator(f"#chart-models-{APB} input").click()
    page.get_by_role("option", name="Chance · random").click()
    expect_plots(page, APB, drawn)
    # Only this version has synthetic generators.
    expect(page.locator(f"#chart-{APB}-generators-0")).to_contain_text("Alder-Audio-3B")
