"""Every tab, empty and with something chosen, fits the narrowest screen: only tables scroll, inside their own box."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import TABS
from tests.support.pages.answers import keep_revision, rewrite
from tests.support.pages.opening import expect_drawn, expect_settled, open_board, visit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

_WIDTH, _WIDE = 360, 1440
SCHEMES: tuple[Literal["dark"], Literal["light"]] = ("dark", "light")
# What reaches beyond the window, though no box of its own lets one scroll to it and nothing says that it was cut off.
_FIND_WIDE = """() => {
  const edge = document.documentElement.clientWidth + 1;
  const style = (one) => getComputedStyle(one);
  const isReached = (one) =>
    one !== null && one !== document.body && (/auto|scroll/.test(style(one).overflowX)
      || style(one).textOverflow === "ellipsis" || isReached(one.parentElement));
  const says = (one) => /^(INPUT|SELECT|BUTTON|TEXTAREA|IMG|CANVAS)$/.test(one.tagName)
    || [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && says(one))
    .filter((one) => one.getBoundingClientRect().right > edge && one.getBoundingClientRect().left < 2 * edge)
    .filter((one) => !isReached(one.parentElement) && !one.closest(".visually-hidden, .es-hidden"))
    .slice(0, 5).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 40)}`);
}"""
_OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def narrow(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": _WIDTH, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def list_places(server: Server) -> dict[str, str]:
    """Return what is looked at, with the sign that it is drawn: tabs, a model, two rows compared."""
    first, second = server.json("/api/v1/leaderboards/star-bench?source=reported")["rows"][:2]
    rows = f"benchmark=star-bench&a={first['submission']}&b={second['submission']}"
    places = {f"tab={tab}": f"#tab-{tab} :is({sign})" for tab, sign in TABS.items()}
    places[f"tab=model&model={first['model']['id']}"] = "[data-testid=model-name]"
    return {**places, f"tab=compare&{rows}": "[data-testid=verdict]"}


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})


def test_every_tab_fits_the_narrowest_screen(narrow: Page, server: Server, subtests: pytest.Subtests) -> None:
    narrow.goto(server.url)
    expect_settled(narrow)
    for address, sign in list_places(server).items():
        with subtests.test(address=address):
            # In a wide window all tabs are in the bar. A link to one that is in the menu loads the page anew.
            resize(narrow, _WIDE)
            expect(narrow.locator("#tab-account-button")).to_be_visible()
            visit(narrow, f"/?{address}")
            expect_drawn(narrow, sign)
            resize(narrow, _WIDTH)
            for scheme in SCHEMES:
                narrow.emulate_media(color_scheme=scheme)
                # Charts take their new width a moment later.
                narrow.wait_for_function(f"() => ({_FIND_WIDE})().length === 0 && ({_OVERFLOW}) <= 0")
    with subtests.test("what is too wide is found, and a page that is loaded in a narrow window fits"):
        narrow.goto(f"{server.url}/?tab=about")
        expect_settled(narrow)
        expect_drawn(narrow, TABS["about"])
        assert narrow.evaluate(_FIND_WIDE) == []
        narrow.locator("#about-metrics").evaluate("heading => { heading.style.width = '700px'; }")
        assert len(narrow.evaluate(_FIND_WIDE)) == 1


# Text that a cell cuts off, or that another cell covers at its first or last character.
# A name is cut where its text is wider than its box, or its box leaves its cell.
_FIND_CUT_NAMES = """names => names.filter((name) => {
  const cell = name.closest("th").getBoundingClientRect(), box = name.getBoundingClientRect();
  return name.scrollWidth > name.clientWidth + 1 || box.right > cell.right || box.height < 20;
}).map((name) => name.textContent)"""
_FIND_CUT_RANKS = """(cells, n) => cells.slice(0, n).filter((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  const { left, right, top, bottom } = text.getBoundingClientRect();
  const isOnTop = (x) => document.elementFromPoint(x, (top + bottom) / 2) === cell;
  return cell.scrollWidth > cell.clientWidth || !isOnTop(left + 1) || !isOnTop(right - 1);
}).map((cell) => cell.textContent)"""
_RANGES = (("10–12", 10, 12), ("100–120", 100, 120), ("1000–1200", 1000, 1200))


def rank_far_down(body: dict[str, Any]) -> dict[str, Any]:
    """Return rows as a board of a thousand models has them."""
    for row, (_, low, high) in zip(body["rows"], _RANGES, strict=False):
        row |= {"rank": low, "rank_low": low, "rank_high": high}
    return body


def test_rank_ranges_and_names_of_baselines_are_shown_whole(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    keep_revision(page)
    rewrite(page, "**/api/v1/leaderboards/audio-motion-bench?*", rank_far_down)
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    expect_settled(page)
    ranks = board.get_by_test_id("board-row").locator("td.es-rank")
    for at, (words, _, _) in enumerate(_RANGES):
        expect(ranks.nth(at)).to_have_text(words)
    names = board.locator(".es-baseline .es-title")
    expect(names.first).to_have_text("Best constant answer")
    table = board.locator(".es-frame")
    for width in (1440, 390, 320):
        page.set_viewport_size({"width": width, "height": 900})
        table.evaluate("frame => frame.scrollTo(0, 0)")
        with subtests.test("names", width=width):
            names.first.scroll_into_view_if_needed()
            assert names.evaluate_all(_FIND_CUT_NAMES) == []
            assert page.evaluate(_OVERFLOW) <= 0
        for side in ("left", "right"):
            table.evaluate("(frame, side) => frame.scrollTo(side === 'left' ? 0 : 10_000, 0)", side)
            with subtests.test("ranks", width=width, side=side):
                ranks.first.scroll_into_view_if_needed()
                assert ranks.evaluate_all(_FIND_CUT_RANKS, len(_RANGES)) == []
                assert page.evaluate(_OVERFLOW) <= 0
