"""Address bar: it always matches the visible content, also after going back and after changes on other tabs."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from tests.support.pages.expecting import expect
from tests.support.pages.measuring import FIND_WIDE
from tests.support.pages.opening import expect_settled, open_tab, visit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

PAGE_OF_BOARD = re.compile(r"/api/v1/leaderboards/star-bench\?.*limit=50")


def serve_small_pages(page: Page) -> None:
    """Make the server return eight rows per page, so that there are more pages."""
    page.route(PAGE_OF_BOARD, lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=8")))


def test_address_matches_the_open_view_and_going_back_restores_earlier_views(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=nonsense")
    rows = page.get_by_test_id("overview-row")
    expect_settled(page)
    with subtests.test("a tab that does not exist is the Overview"):
        expect(rows.first).to_be_visible()
        page.wait_for_url(f"{server.url}/")
        expect(page).to_have_title("Earshot")
    with subtests.test("back and forward"):
        for name in ("AudioProcessBench", "About"):
            open_tab(page, name)
            expect(page).to_have_title(f"{name} · Earshot")
        page.wait_for_url(re.compile("tab=about$"))
        page.go_back()
        expect(page.locator("#board-audio-process-bench").get_by_test_id("board-row").first).to_be_visible()
        page.wait_for_url(re.compile("tab=audio-process-bench$"))
        page.go_back()
        expect(rows.first).to_be_visible()
        page.wait_for_url(f"{server.url}/")
        page.go_forward()
        expect(page).to_have_title("AudioProcessBench · Earshot")
    with subtests.test("a search that the address does not name is over"):
        open_tab(page, "Overview")
        one = rows.filter(has_text="Qwen2-Audio-7B")
        expect(one).to_have_count(1)
        page.get_by_test_id("overview-search").fill("gemini")
        expect(one).to_have_count(0)
        page.wait_for_url(re.compile("q=gemini"))
        open_tab(page, "MDAR")
        page.wait_for_url(re.compile("tab=mdar$"))
        open_tab(page, "Overview")
        expect(one).to_have_count(1)
        expect(page.get_by_test_id("overview-search")).to_have_value("")
    with subtests.test("pages of a board are loaded once and stay on the way back"):
        serve_small_pages(page)
        open_tab(page, "STAR-Bench")
        show_more(page)


def show_more(page: Page) -> None:
    board = page.locator("#board-star-bench")
    rows, more = board.get_by_test_id("board-row"), board.get_by_test_id("show-more")
    expect(rows).to_have_count(8)
    more.evaluate("(button) => { button.click(); button.click(); }")
    expect(rows).to_have_count(16)
    names = [name.strip() for name in rows.locator(".es-title").all_inner_texts()]
    assert len(set(names)) == 16
    expect(more).to_be_visible()
    more.press("Enter")
    # The next page may be the last one, with fewer than eight rows.
    expect(rows.nth(16)).to_be_visible()
    n_rows = rows.count()
    rows.nth(12).locator("a[data-visit]").first.click()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    expect(page.locator("#tab-model-button")).to_be_focused()
    page.go_back()
    expect(rows).to_have_count(n_rows)
    expect(page.locator("#tab-star-bench-button")).to_have_attribute("aria-selected", "true")


def test_going_back_works_where_tabs_are_in_a_menu(watched: Watched, server: Server) -> None:
    page = watched.page
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/?tab=star-bench&columns=")
    expect_settled(page)
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    # A board without columns is shared without them; the column of the sort order is always included.
    expect(board.locator("thead th", has_text="Overall AA")).to_have_count(1)
    expect(board.locator("thead th", has_text="Perception")).to_have_count(0)
    page.evaluate("window.isSamePage = true")
    board.get_by_test_id("board-row").first.locator("a[data-visit]").first.click()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    page.get_by_test_id("model").get_by_role("link", name="Board").first.click()
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("model-name")).to_be_visible()
    page.wait_for_url(re.compile("tab=model"))
    assert page.evaluate("window.isSamePage") is True


def expect_at_the_top(page: Page, section: str) -> None:
    """A linked heading is at the top, no matter how long the content above it takes to draw."""
    page.wait_for_function(
        "(id) => Math.abs(document.getElementById(id)?.getBoundingClientRect().top ?? 1e6) < 40", arg=section
    )


def open_section(page: Page) -> None:
    visit(page, "/?__theme=dark&tab=about#about-metrics")
    expect_at_the_top(page, "about-metrics")


def test_section_of_the_about_tab_is_shown_by_its_address_and_by_links(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    contents = page.get_by_role("navigation", name="On this page")
    acts: dict[int, Callable[[Locator], None]] = {360: Locator.click, 1440: lambda link: link.press("Enter")}
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"{server.url}/?__theme=dark&tab=about#about-metrics")
    expect_at_the_top(page, "about-metrics")
    with subtests.test("a page that is loaded in a narrow window fits, and what is too wide would be found"):
        expect_settled(page)
        expect(page.locator("#about-metrics")).to_be_visible()
        assert page.evaluate(FIND_WIDE) == []
        # In one script that also finds the heading, because Gradio may replace it at any time.
        style = "document.getElementById('about-metrics').style"
        widen = f"() => {{ {style}.width = '700px'; const wide = ({FIND_WIDE})(); {style}.width = ''; return wide; }}"
        assert len(page.evaluate(widen)) == 1
    page.evaluate("window.isSamePage = true")
    for width, act in acts.items():
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": 800})
            open_section(page)
            page.evaluate("scrollTo(0, 0)")
            link = contents.get_by_role("link", name="Chance and people")
            act(link)
            expect_at_the_top(page, "about-chance-and-people")
            # Keyboard focus continues from the section.
            expect(page.locator("#about-chance-and-people")).to_be_focused()
            page.wait_for_url(re.compile("__theme=dark.*#about-chance-and-people$"))
            expect(page.locator("#tab-about-button")).to_have_attribute("aria-selected", "true")
            # A section of one tab is ignored on another.
            open_tab(page, "Overview")
            page.wait_for_url(f"{server.url}/?__theme=dark")
            assert page.evaluate("window.isSamePage") is True
