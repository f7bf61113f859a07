"""A visitor's way through the whole page: overview, board, model, two side by side, and the files one takes along."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def save(page: Page, link: Locator, folder: Path) -> str:
    """Follow a link to a file, and return what it holds."""
    with page.expect_download() as download:
        link.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_text()


def test_visitor_goes_from_the_overview_to_two_models_side_by_side(
    watched: Watched, server: Server, tmp_path: Path
) -> None:
    page = watched.page
    page.goto(server.url)
    expect(page.get_by_test_id("overview-row").filter(has_text="Gemini 2.5 Pro")).to_contain_text("0.46")
    page.get_by_test_id("overview").get_by_role("link", name="STAR-Bench").first.click()
    page.wait_for_url(re.compile("tab=star-bench"))
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_contain_text("Gemini 2.5 Pro")
    expect(board.get_by_test_id("pinned-human")).to_contain_text("79.1")
    board.get_by_test_id("board-search").fill("flamingo")
    expect(board.get_by_test_id("board-row")).to_have_count(2)
    shared = page.url
    board.get_by_test_id("export-menu").locator("summary").click()
    latex = save(page, board.get_by_test_id("export-panel").get_by_role("link", name="LaTeX"), tmp_path)
    assert r"\toprule" in latex
    assert latex.count("Audio Flamingo 3") >= 2
    assert "Gemini" not in latex
    page.keyboard.press("Escape")
    for box in board.get_by_test_id("compare-box").all():
        box.click()
    # Both are of a paper: their figures are subtracted, and the page says why there is no more.
    expect(page.get_by_test_id("verdict")).to_contain_text("Overall")
    expect(page.get_by_test_id("comparison")).to_contain_text("reported")
    page.get_by_test_id("side-a").get_by_role("link").first.click()
    expect(page.get_by_test_id("model-name")).to_contain_text("Audio Flamingo 3")
    expect(page.locator("#radar-plot .js-plotly-plot .polar")).to_be_visible()
    # What was looked at is found again by its address alone.
    page.goto(shared)
    expect(board.get_by_test_id("board-search")).to_have_value("flamingo")
    expect(board.get_by_test_id("board-row")).to_have_count(2)
