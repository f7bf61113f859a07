"""Breakdowns in a real browser: charts from published rows, their tables, and what the address keeps."""

import re

from playwright.sync_api import Page, expect

from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

# Panels that the published rows and those of seeded guesses have figures for, chart by chart.
PANELS = {
    "audio-motion-bench": {"snr": 3, "forms": 2, "true-false": 1, "directions": 1},
    "star-bench": {
        "sensitivity": 4,
        "hearing": 2,
        "aa-acr": 3,
        "concentration": 2,
        "settings": 5,
        "errors": 1,
        "regions": 1,
        "audiogram": 0,
    },
    "mdar": {"main": 2, "multi": 4, "listening": 0, "cascaded": 1, "errors": 1},
    "audio-process-bench": {"types": 1, "few-shot": 4, "chains": 1, "generators": 0, "positions": 0, "rates": 0},
}
PATIENCE = 120_000


def expect_plots(page: Page, benchmark: str, panels: dict[str, int]) -> None:
    plots = page.locator(f"#charts-{benchmark} .js-plotly-plot")
    expect(plots).to_have_count(sum(panels.values()), timeout=PATIENCE)
    for chart, n in panels.items():
        drawn = page.locator(f'[id^="chart-{benchmark}-{chart}-"] .js-plotly-plot')
        expect(drawn).to_have_count(n)


def test_charts_of_every_benchmark_are_drawn_beside_people_and_chance(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=star-bench")
    expect_plots(page, "star-bench", PANELS["star-bench"])
    sensitivity = page.locator("#chart-star-bench-sensitivity-0")
    for words in ("people, mean", "chance", "cents between two tones"):
        expect(sensitivity).to_contain_text(words)
    expect(page.locator("#note-star-bench-sensitivity")).to_contain_text("Drawn instead")
    page.locator("#as-table-star-bench-aa-acr").get_by_role("button").click()
    table = page.locator("#table-star-bench-aa-acr table")
    expect(table.locator("tr", has_text="Human")).to_contain_text("75.6")
    for title, benchmark in (("AudioMotionBench", "audio-motion-bench"), ("MDAR", "mdar")):
        page.get_by_role("tab", name=title).click()
        expect_plots(page, benchmark, PANELS[benchmark])
    expect(page.locator("#note-mdar-listening")).to_contain_text(
        "No model has public rows with the audio and with noise"
    )
    expect(page.locator("#as-table-mdar-listening")).to_be_hidden()


def test_charts_follow_the_version_and_keep_their_models_in_the_address(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-process-bench")
    expect_plots(page, "audio-process-bench", PANELS["audio-process-bench"])
    models = page.locator("#chart-models-audio-process-bench")
    models.get_by_role("button", name=re.compile("Remove", re.IGNORECASE)).first.click()
    page.wait_for_url(re.compile("models=s"))
    expect(page.locator("#chart-audio-process-bench-types-0")).not_to_contain_text("Gemini-3-Flash", timeout=PATIENCE)
    page.reload()
    expect_plots(page, "audio-process-bench", PANELS["audio-process-bench"])
    expect(models).not_to_contain_text("Gemini-3-Flash")
    expect(models).to_contain_text("Step-Audio-R1")
    page.get_by_test_id("board-version").locator("visible=true").select_option("synthetic-1")
    drawn = {"types": 1, "few-shot": 0, "chains": 1, "generators": 1, "positions": 1, "rates": 1}
    expect_plots(page, "audio-process-bench", drawn)
    expect(page.locator("#chart-audio-process-bench-generators-0")).to_contain_text("Alder-Audio-3B")
