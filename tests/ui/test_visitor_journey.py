"""Visitor journey through the whole page: overview, board, comparison, model, and exported files."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def words_of(address: str | None) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address or "").query).items()}


def save(page: Page, link: Locator, folder: Path) -> str:
    """Follow a download link, and return the content of the file."""
    with page.expect_download() as download:
        link.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path.read_text()


def test_visitor_goes_from_the_overview_to_two_models_side_by_side(
    watched: Watched, server: Server, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.goto(server.url)
    expect_settled(page)
    expect(page.get_by_test_id("overview-row").filter(has_text="Gemini 2.5 Pro")).to_contain_text("0.46")
    page.get_by_test_id("overview").get_by_role("link", name="STAR-Bench").first.click()
    page.wait_for_url(re.compile("tab=star-bench"))
    board = page.locator("#board-star-bench")
    rows = board.get_by_test_id("board-row")
    expect(rows.first).to_contain_text("Gemini 2.5 Pro")
    expect(board.get_by_test_id("pinned-human")).to_contain_text("79.1")
    with subtests.test("ticked rows"):
        tick_rows(page, board)
    with subtests.test("a row leads to its model"):
        follow_row(page, board)
    page.go_back()
    board.get_by_test_id("board-search").fill("flamingo")
    expect(rows).to_have_count(2)
    page.wait_for_url(re.compile("q=flamingo"))
    shared = page.url
    with subtests.test("files"):
        board.get_by_test_id("export-menu").locator("summary").click()
        latex = save(page, board.get_by_test_id("export-panel").get_by_role("link", name="LaTeX"), tmp_path)
        assert r"\toprule" in latex
        assert latex.count("Audio Flamingo 3") >= 2
        assert "Gemini" not in latex
        page.keyboard.press("Escape")
    for at in range(2):
        rows.nth(at).get_by_test_id("compare-box").click()
    expect(page.get_by_test_id("side-a")).to_contain_text("Audio Flamingo 3")
    # Both rows are from papers: their scores are subtracted, and the page explains why there is nothing more.
    expect(page.get_by_test_id("verdict")).to_contain_text("Overall")
    expect(page.get_by_test_id("comparison")).to_contain_text("reported")
    page.get_by_test_id("side-a").get_by_role("link").first.click()
    expect(page.get_by_test_id("model-name")).to_contain_text("Audio Flamingo 3")
    expect_drawn(page, "#radar-plot .js-plotly-plot .polar")
    # The address alone restores the view.
    page.goto(shared)
    expect(board.get_by_test_id("board-search")).to_have_value("flamingo")
    expect(rows).to_have_count(2)


def tick_rows(page: Page, board: Locator) -> None:
    """A selection survives sorting; the second one opens the comparison, and none remains afterwards."""
    rows, bar = board.get_by_test_id("board-row"), board.get_by_test_id("compare-bar")
    ids = [rows.nth(at).get_attribute("data-submission") for at in range(3)]
    names = board.get_by_test_id("row-link").all_inner_texts()
    rows.nth(0).get_by_role("checkbox", name=f"Compare {names[0]}").check()
    expect(bar).to_contain_text(f"{names[0]} selected. Select a second row")
    board.locator("thead [data-sort=model]").click()
    expect(rows.first.get_by_test_id("row-link")).not_to_have_text(names[0])
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="Cancel").click()
    expect(bar).to_be_hidden()
    board.locator(f"[data-tick='{ids[2]}']").click()
    expect(bar).to_contain_text(names[2])
    board.locator(f"[data-tick='{ids[1]}']").click()
    compared = {"tab": "compare", "benchmark": "star-bench", "a": ids[2], "b": ids[1]}
    page.wait_for_url(lambda url: words_of(url) == compared)
    expect(page.get_by_test_id("verdict")).to_be_visible()
    page.go_back()
    expect(rows.first).to_be_visible()
    expect(bar).to_be_hidden()
    expect(board.get_by_role("checkbox", name=re.compile("^Compare "), checked=True)).to_have_count(0)


def follow_row(page: Page, board: Locator) -> None:
    """A click on the row follows its name; clicks on checkbox and arrow do not."""
    row = board.get_by_test_id("board-row").filter(has_text="Gemini 2.5 Pro").first
    href = words_of(row.get_by_test_id("row-link").get_attribute("href"))
    assert href["tab"] == "model"
    assert href["model"].startswith("m-")
    row.get_by_role("button").first.click()
    expect(board.get_by_test_id("board-details")).to_have_count(1)
    row.get_by_role("checkbox").check()
    expect(board.get_by_test_id("compare-bar")).to_be_visible()
    assert words_of(page.url)["tab"] == "star-bench"
    board.get_by_test_id("compare-bar").get_by_role("button", name="Cancel").click()
    row.locator("td.es-date").click()
    page.wait_for_url(lambda url: words_of(url) == href)
    expect(page.get_by_test_id("model-name")).to_contain_text("Gemini 2.5 Pro")
