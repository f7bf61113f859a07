"""The visitor's journey in a real browser: look, sort, search, filter, choose columns, read the charts."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serving import Server
from tests.ui.conftest import Watched


def rows(page: Page) -> list[str]:
    page.get_by_test_id("board-row").first.wait_for()
    return [text.split("\n")[0] for text in page.get_by_test_id("board-row").locator("th").all_inner_texts()]


def test_board_shows_reported_rows_and_the_pinned_chance_row(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    expect(page.get_by_test_id("board-row").filter(has_text="Qwen2-Audio-7B")).to_contain_text("42.1")
    expect(page.get_by_test_id("pinned-random")).to_contain_text("Chance")
    expect(page.get_by_test_id("board-facts")).to_contain_text("2,016")


def test_click_on_a_heading_sorts_and_the_address_keeps_it(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    header = page.get_by_test_id("board-table").locator("thead th", has_text="TAT")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    page.wait_for_url(re.compile("sort="))
    first = rows(page)
    page.reload()
    assert rows(page) == first
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")


def test_search_and_filter_narrow_the_board(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    page.get_by_test_id("board-search").fill("kimi")
    expect(page.get_by_test_id("board-row")).to_have_count(1)
    page.get_by_test_id("board-search").fill("nobody at all")
    expect(page.get_by_test_id("board-row")).to_have_count(0)
    expect(page.get_by_test_id("board-status")).not_to_be_empty()
    page.get_by_test_id("board-search").fill("")
    expect(page.get_by_test_id("board-row").filter(has_text="Aero-1-Audio")).to_have_count(1)
    page.get_by_test_id("source-reported").uncheck()
    expect(page.get_by_test_id("board-row").filter(has_text="Aero-1-Audio")).to_have_count(0)


def test_unfolded_reported_row_says_where_its_figures_come_from(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    row = page.get_by_test_id("board-row").filter(has_text="Qwen2-Audio-7B")
    row.get_by_role("button").first.click()
    notes = page.get_by_test_id("board-notes")
    expect(notes).to_contain_text("Overall: Not printed; mean of sct, sdt, tat.")
    expect(notes).to_contain_text("SCT; SDT; TAT: Table 3.")
    expect(notes).to_contain_text("below 0.28 points")
    expect(page.get_by_test_id("board-details")).to_contain_text("Taken from a paper")
    expect(page.get_by_test_id("board").locator("[data-place=reported]")).to_be_visible()
    page.get_by_test_id("source-reported").uncheck()
    expect(row).to_have_count(0)
    expect(page.get_by_test_id("board").locator("[data-place=reported]")).to_be_hidden()


def test_column_can_be_chosen(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    page.get_by_test_id("columns-menu").locator("summary").first.click()
    panel = page.get_by_test_id("columns-panel")
    box = panel.get_by_label(re.compile("15 dB")).first
    if not box.is_visible():
        panel.locator("summary").first.click()
    box.check()
    expect(page.get_by_test_id("board-table").locator("thead")).to_contain_text("15 dB")


def test_charts_are_drawn_with_their_tables(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    # Three variants against noise, statements, directions.
    expect(page.locator("#charts-audio-motion-bench .js-plotly-plot")).to_have_count(5, timeout=60_000)
    page.get_by_role("button", name="Show as table").last.click()
    expect(page.locator("#charts-audio-motion-bench table").last).to_contain_text("from ↖ NW")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_page_fits_its_window(browser: Browser, server: Server, scheme: str, width: int) -> None:
    """Nothing but the table may be wider than the window, and the table scrolls inside its own box."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(server.url)
    rows(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    context.close()
    assert overflow <= 0


def test_board_works_by_keyboard(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    button = page.get_by_test_id("board-table").locator("thead th", has_text="SDT").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("board-table").locator("thead th", has_text="SDT")).to_have_attribute(
        "aria-sort", "descending"
    )


def test_tab_of_another_benchmark_shows_its_board_and_keeps_it_in_the_address(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows(page)
    page.get_by_role("tab", name="STAR-Bench").click()
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_contain_text("reported")
    expect(board.get_by_test_id("board-needs")).to_contain_text("Not held by this installation: Perception")
    expect(board.get_by_test_id("pack-test")).to_be_hidden()
    expect(board.get_by_test_id("pinned-human")).to_be_visible()
    board.get_by_test_id("board-version").select_option("demo")
    expect(board.get_by_test_id("pinned-random")).to_contain_text("seeded guesses", timeout=30_000)
    expect(board.get_by_test_id("board-needs")).to_be_empty()
    expect(board.get_by_test_id("pack-test")).to_be_visible()
    page.wait_for_url(re.compile("tab=star-bench.*version=demo"))
    page.reload()
    expect(board.get_by_test_id("board-version")).to_have_value("demo")
    page.get_by_role("tab", name="AudioProcessBench").click()
    expect(page).not_to_have_url(re.compile("version="))
    page.get_by_role("tab", name="STAR-Bench").click()
    page.wait_for_url(re.compile("version=demo"))
