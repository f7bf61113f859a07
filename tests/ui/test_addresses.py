"""The address bar: what it says is what is seen, on the way back too, whatever was done on other tabs meanwhile."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.support.pages.answers import hold
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

PAGE_OF_BOARD = re.compile(r"/api/v1/leaderboards/star-bench\?.*limit=50")


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def serve_small_pages(page: Page) -> None:
    """Let the server answer with eight rows a page, so that there are more pages."""
    page.route(PAGE_OF_BOARD, lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=8")))


def test_search_that_the_address_does_not_name_is_over(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(server.url)
    rows = page.get_by_test_id("overview-row")
    expect(rows.filter(has_text="Qwen2-Audio-7B")).to_have_count(1)
    expect(page.locator("#es-first")).to_have_count(0)
    page.get_by_test_id("overview-search").fill("gemini")
    expect(rows.filter(has_text="Qwen2-Audio-7B")).to_have_count(0)
    open_tab(page, "MDAR")
    page.wait_for_url(lambda url: "tab=mdar" in url and "q=" not in url)
    open_tab(page, "Overview")
    expect(rows.filter(has_text="Qwen2-Audio-7B")).to_have_count(1)
    expect(page.get_by_test_id("overview-search")).to_have_value("")


def test_contents_of_the_about_tab_lead_within_it(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=about")
    link = page.get_by_role("navigation", name="On this page").get_by_role("link").last
    link.click()
    anchor = page.evaluate("location.hash.slice(1)")
    assert anchor
    expect(page.locator(f"#{anchor}")).to_be_in_viewport()
    expect(page.locator("#tab-about-button")).to_have_attribute("aria-selected", "true")


def test_tab_that_does_not_exist_is_the_overview(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=typo")
    expect(page.get_by_test_id("overview-row").first).to_be_visible(timeout=8_000)
    page.wait_for_url(lambda url: "typo" not in url)


def test_pages_of_a_board_are_loaded_once_and_stay_on_the_way_back(watched: Watched, server: Server) -> None:
    page = watched.page
    serve_small_pages(page)
    page.goto(f"{server.url}/?tab=star-bench")
    rows = page.locator("#board-star-bench").get_by_test_id("board-row")
    more = page.locator("#board-star-bench").get_by_test_id("show-more")
    expect(rows).to_have_count(8)
    more.evaluate("(button) => { button.click(); button.click(); }")
    expect(rows).to_have_count(16)
    names = [name.strip() for name in rows.locator(".es-title").all_inner_texts()]
    assert len(set(names)) == 16
    more.press("Enter")
    expect(rows).not_to_have_count(16)
    n_rows = rows.count()
    rows.nth(12).locator("a[data-visit]").first.click()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    expect(page.locator("#tab-model-button")).to_be_focused()
    page.go_back()
    expect(rows).to_have_count(n_rows)
    expect(page.locator("#tab-star-bench-button")).to_have_attribute("aria-selected", "true")


def test_board_without_columns_is_shared_as_such(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=star-bench&columns=")
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    # The figure that rows are sorted by is always there.
    expect(board.locator("thead th", has_text="Overall AA")).to_have_count(1)
    expect(board.locator("thead th", has_text="Perception")).to_have_count(0)
    board.get_by_test_id("board-search").fill("gemini")
    page.wait_for_url(lambda url: "q=gemini" in url and "columns=" in url)


def test_charts_are_those_of_the_board_whatever_tab_was_open_when_its_rows_came(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-process-bench")
    charts = page.locator("#charts-audio-process-bench")
    expect(charts.locator(".js-plotly-plot").first).to_be_visible()
    let = hold(page, re.compile(r"/api/v1/leaderboards/audio-process-bench\?"))
    page.locator("#board-audio-process-bench").get_by_test_id("board-version").select_option("synthetic-1")
    page.wait_for_url(re.compile("version=synthetic-1"))
    open_tab(page, "MDAR")
    expect(page.locator("#board-mdar").get_by_test_id("board-row").first).to_be_visible()
    with page.expect_response(re.compile(r"/api/v1/leaderboards/audio-process-bench\?.*version=synthetic-1")):
        let()
    open_tab(page, "AudioProcessBench")
    page.wait_for_url(re.compile("version=synthetic-1"))
    # Only this version has generators that were invented.
    expect(page.locator("#chart-audio-process-bench-generators-0")).to_contain_text("Alder-Audio-3B")


def test_way_back_leads_through_the_tabs_that_were_opened(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=nonsense")
    expect(page.get_by_test_id("overview-row").first).to_be_visible()
    page.wait_for_url(f"{server.url}/")
    expect(page).to_have_title("Earshot")
    for name in ("STAR-Bench", "About"):
        open_tab(page, name)
        expect(page).to_have_title(f"{name} · Earshot")
    page.wait_for_url(re.compile("tab=about$"))
    page.go_back()
    expect(page.locator("#board-star-bench").get_by_test_id("board-row").first).to_be_visible()
    page.wait_for_url(re.compile("tab=star-bench$"))
    page.go_back()
    expect(page.get_by_test_id("overview-row").first).to_be_visible()
    page.wait_for_url(f"{server.url}/")
    page.go_forward()
    expect(page).to_have_title("STAR-Bench · Earshot")


def test_way_back_works_where_tabs_are_in_a_menu(watched: Watched, server: Server) -> None:
    page = watched.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/?tab=star-bench")
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    expect(page.locator("#es-first")).to_have_count(0)
    board.get_by_test_id("board-row").first.locator("a[data-visit]").first.click()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    page.get_by_test_id("model").get_by_role("link", name="Board").first.click()
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    page.wait_for_url(re.compile("tab=model"))


def test_rows_of_the_charts_come_back_with_their_tab(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    tokens = page.locator("#chart-models-mdar .token")
    expect(tokens).to_have_count(4)
    tokens.first.get_by_role("button").click()
    page.wait_for_url(re.compile("models="))
    address = page.url
    open_tab(page, "About")
    page.wait_for_url(re.compile("tab=about$"))
    open_tab(page, "MDAR")
    page.wait_for_url(address)
    # Whoever was sent the address, too, though he has chosen nothing himself.
    page.reload()
    expect(tokens).to_have_count(3)
    open_tab(page, "About")
    page.wait_for_url(re.compile("tab=about$"))
    open_tab(page, "MDAR")
    page.wait_for_url(address)


def open_charts_of(page: Page, model: str) -> None:
    """Go from a row of a board to its model's page, and from there back to the board with the charts of that row."""
    page.locator("#board-mdar").get_by_test_id("board-row").filter(has_text=model).get_by_test_id("row-link").click()
    expect(page.get_by_test_id("model-name")).to_have_text(model)
    page.get_by_test_id("model").locator('a[href*="tab=mdar"][href*="setting=default&models="]').click()
    page.wait_for_url(re.compile(r"\?tab=mdar&models="))


def test_link_to_the_charts_of_a_row_shows_it_on_a_board_that_was_open_before(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    tokens = page.locator("#chart-models-mdar .token")
    expect(tokens).to_have_count(4)
    for model in ("MiDashengLM", "GPT-4o Audio"):
        open_charts_of(page, model)
        expect(tokens).to_have_count(1)
        expect(tokens).to_contain_text(model)
    for _ in ("the other model's page", "the board with the charts of the first"):
        page.go_back()
    page.wait_for_url(re.compile(r"\?tab=mdar&models="))
    expect(tokens).to_contain_text("MiDashengLM")


def expect_at_the_top(page: Page, section: str) -> None:
    """A heading is where a link to it leads, however long what stands above it takes to be drawn."""
    page.wait_for_function(
        "(id) => Math.abs(document.getElementById(id)?.getBoundingClientRect().top ?? 1e6) < 40", arg=section
    )


@pytest.mark.parametrize("width", [1440, 390])
def test_section_of_the_about_tab_is_shown_by_its_address_and_by_links(
    watched: Watched, server: Server, width: int
) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{server.url}/?__theme=dark&tab=about#about-metrics")
    expect_at_the_top(page, "about-metrics")
    page.evaluate("window.isSamePage = true")
    page.evaluate("scrollTo(0, 0)")
    link = page.get_by_role("navigation", name="On this page").get_by_role("link", name="Chance and people")
    link.press("Enter")
    expect_at_the_top(page, "about-chance-and-people")
    # The keyboard goes on from the section.
    expect(page.locator("#about-chance-and-people")).to_be_focused()
    assert "__theme=dark" in page.url
    assert page.url.endswith("#about-chance-and-people")
    assert page.evaluate("window.isSamePage") is True
    # What is a section of one tab is nothing on another.
    open_tab(page, "Overview")
    page.wait_for_url(f"{server.url}/?__theme=dark")
