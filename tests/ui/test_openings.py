"""Opening of a page: loading messages first, then no layout shifts and no busy loops."""

import pytest

from tests.support.pages.answers import hold
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled, open_charts
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

MAX_SHIFT = 0.1
SUM_SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });"""
# Animation frames requested by the page, and whether there were none since the last check.
COUNT_FRAMES = """(() => {
  const request = window.requestAnimationFrame.bind(window);
  window.nFrames = 0;
  window.requestAnimationFrame = (callback) => { window.nFrames += 1; return request(callback); };
})()"""
IS_IDLE = "() => { const n = window.nFrames; window.nFrames = 0; return n === 0; }"


@pytest.mark.parametrize(("board", "width"), [("star-bench", 390), pytest.param("mdar", 1440, marks=pytest.mark.slow)])
def test_board_opened_by_its_address_does_not_move_and_becomes_idle(
    watched: Watched, server: Server, board: str, width: int
) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SUM_SHIFTS)
    page.add_init_script(COUNT_FRAMES)
    page.goto(f"{server.url}/?tab={board}")
    expect_drawn(page, f"#board-{board} [data-testid=board-row]")
    expect_settled(page)
    assert page.evaluate("window.shift") < MAX_SHIFT
    page.wait_for_function(IS_IDLE, polling=100)
    plots = page.locator(f"#charts-{board} .js-plotly-plot")
    expect(plots).to_have_count(0)
    open_charts(page, board)
    expect_drawn(page, f"#charts-{board} .js-plotly-plot")
    expect(page.get_by_test_id("tagline")).to_be_visible()
    expect(page.get_by_test_id("tagline")).to_contain_text("The open leaderboard for audio reasoning.")
    page.get_by_test_id("home").click()
    expect(page).to_have_url(f"{server.url}/")
    expect(page.get_by_test_id("overview-row").first).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tab", "mark", "width"), [("submit", "#sign-in-name", 1440), ("about", "#about-place-citations", 390)]
)
def test_tab_opened_by_its_address_does_not_move_and_becomes_idle(
    watched: Watched, server: Server, tab: str, mark: str, width: int
) -> None:
    page = watched.page
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(SUM_SHIFTS)
    page.add_init_script(COUNT_FRAMES)
    page.goto(f"{server.url}/?tab={tab}")
    expect_drawn(page, mark)
    expect_settled(page)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.shift") < MAX_SHIFT
    page.wait_for_function(IS_IDLE, polling=100)


@pytest.mark.slow
def test_tab_shows_a_loading_message_until_it_is_drawn(watched: Watched, server: Server) -> None:
    page = watched.page
    let = hold(page, "**/assets/index-*.js")
    page.goto(f"{server.url}/?tab=submit", wait_until="commit")
    expect(page.locator("#es-first-view")).to_have_text("Loading…")
    expect(page.locator("#es-first-view")).to_be_visible()
    let()
    expect_drawn(page, "#submit-check")
    expect_settled(page)
