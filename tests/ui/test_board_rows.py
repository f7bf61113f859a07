"""Rows of a board in a real browser: ties, intervals, details of scores, and no truncated text."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from tests.support.pages.answers import keep_revision, rewrite
from tests.support.pages.expecting import expect
from tests.support.pages.measuring import OVERFLOW, box_of
from tests.support.pages.opening import expect_settled, open_board, visit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

_BOARD = "**/api/v1/leaderboards/audio-motion-bench?*"
_FIGURE = "overall|accuracy"
# Text truncated by its cell, or covered by another cell at its first or last character. A name is truncated if its text
# is wider than its box, or if its box extends beyond its cell.
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


def test_rows_show_complete_scores_and_their_details_at_any_page_width(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    rewrite(page, _BOARD, fill_rows)
    # A redrawn table closes the card, and its cells have no styles once they are replaced.
    keep_revision(page)
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    expect_settled(page)
    with subtests.test("ties, intervals, shares and the best"):
        check_rows(board)
    with subtests.test("figures are reached by arrows and by a pointer"):
        reach_figures(page, board)
    check_widths(page, board, subtests)


def reach_figures(page: Page, board: Locator) -> None:
    """Scores show their details on keyboard focus and on hover."""
    table = board.get_by_test_id("board-table")
    expect(table.locator("[data-stop][tabindex='0']")).to_have_count(1)
    table.locator("[data-sort=date]").focus()
    page.keyboard.press("Tab")
    expect(table.get_by_test_id("compare-box").first).to_be_focused()
    for key in ("End", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    rows, card = table.get_by_test_id("board-row"), board.get_by_test_id("figure-card")
    expect(rows.first.locator("[data-stop='sct|accuracy']")).to_be_focused()
    expect(card).to_contain_text("SCT")
    expect(card).to_contain_text(rows.first.get_by_test_id("row-link").inner_text())
    expect(card).to_contain_text(re.compile(r"Score\s*\d+\.\d\d"))
    page.keyboard.press("ArrowDown")
    expect(card).to_contain_text(rows.nth(1).get_by_test_id("row-link").inner_text())
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    # Random baselines are below the last row, regardless of the number of rows.
    for _ in range(rows.count() + 2):
        page.keyboard.press("ArrowDown")
    chance = table.get_by_test_id("pinned-random").locator("[data-stop='sct|accuracy']")
    expect(chance).to_be_focused()
    expect(card).to_contain_text(re.compile(r"Items\s*672"))
    expect(card).to_contain_text("audio-motion-bench:1.0")
    page.keyboard.press("Enter")
    expect(card.get_by_role("button", name="Copy the signature")).to_be_focused()
    page.keyboard.press("Escape")
    expect(chance).to_be_focused()
    expect(table.locator("[data-stop][tabindex='0']")).to_have_count(1)
    # On hover, too.
    reported = rows.filter(has_text="Qwen2-Audio-7B").locator("[data-stop='sct|accuracy']")
    page.keyboard.press("Tab")
    expect(card).to_be_hidden()
    rest_on(page, reported)
    expect(card).to_be_visible()
    expect(card).to_contain_text("no item-level answers")
    expect(card).to_contain_text("Table 3.")
    # Near an edge the card stays within the window.
    page.mouse.move(0, 0)
    expect(card).to_be_hidden()
    page.set_viewport_size({"width": 360, "height": 640})
    rest_on(page, rows.first.locator("td.es-main"))
    expect(card).to_be_visible()
    expect(card).to_contain_text(rows.first.get_by_test_id("row-link").inner_text())
    box = box_of(card)
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= 640


def rest_on(page: Page, cell: Locator) -> None:
    """Hover over a cell. Scrolling closes the card, and the browser reports it one frame later."""
    cell.scroll_into_view_if_needed()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    cell.hover()


def fill_rows(body: dict[str, Any]) -> dict[str, Any]:
    """Return rows as on a busy board: two with overlapping rank ranges, and one that is clearly third."""
    values = ((1, (1, 2), 0.6, 0.02), (2, (1, 2), 0.5, 0.005), (3, (3, 3), 0.45, 0.0))
    for row, (rank, (low, high), value, missing) in zip(body["rows"], values, strict=False):
        row |= {"rank": rank, "rank_low": low, "rank_high": high, "missing": missing, "unreadable": 0.0}
        row["scores"][_FIGURE] = {"value": value, "low": value - 0.02, "high": value + 0.02, "std": None}
        row["ranks"][_FIGURE] = rank
    return body


def rank_far_down(body: dict[str, Any]) -> dict[str, Any]:
    """Return rows as on a board of a thousand models."""
    for row, (_, low, high) in zip(body["rows"], _RANGES, strict=False):
        row |= {"rank": low, "rank_low": low, "rank_high": high}
    return body


def style_of(cell: Locator, name: str, pseudo: str | None = None) -> str:
    found: str = cell.evaluate(
        "(cell, [name, pseudo]) => getComputedStyle(cell, pseudo).getPropertyValue(name)", [name, pseudo]
    )
    return found


def check_rows(board: Locator) -> None:
    rows = board.get_by_test_id("board-row")
    places, figures = rows.locator("td.es-rank"), rows.locator(f"[data-stop='{_FIGURE}']")
    expect(places.nth(0)).to_have_text("1–2")
    # A bracket joins the first two rows and excludes the third.
    for place, drawn in ((0, "1px 1px 0px 0px"), (1, "0px 1px 1px 0px"), (2, None)):
        content = style_of(places.nth(place), "content", "::after")
        assert (content != "none") == (drawn is not None)
        assert drawn is None or style_of(places.nth(place), "border-width", "::after") == drawn
    # The format of printed papers.
    assert int(style_of(figures.nth(0).locator("span").first, "font-weight")) >= 600
    assert "underline" in style_of(figures.nth(1).locator("span").first, "text-decoration-line")
    assert int(style_of(figures.nth(2).locator("span").first, "font-weight")) < 600
    # A bar from the lower to the upper bound; better scores have deeper shades.
    assert style_of(figures.nth(0), "content", "::after") == '""'
    assert float(style_of(figures.nth(0), "--low")) < float(style_of(figures.nth(0), "--high"))
    shades = [float(style_of(figures.nth(at), "--heat")) for at in range(3)]
    assert shades[0] > shades[1] > shades[2] > 0
    # Missing answers are mentioned from 1 % on.
    shares = rows.locator("td.es-share")
    expect(shares.nth(0)).to_have_text("2.0")
    assert style_of(shares.nth(0), "content", "::before") == '"▲ "'
    expect(shares.nth(2)).to_have_text("")


def check_widths(page: Page, board: Locator, subtests: pytest.Subtests) -> None:
    """Rank ranges and names of baselines are never truncated, at any page width and scroll position."""
    rewrite(page, _BOARD, rank_far_down)
    keep_revision(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, "/?tab=audio-motion-bench&sort=model")
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
            assert page.evaluate(OVERFLOW) <= 0
        for side in ("left", "right"):
            table.evaluate("(frame, side) => frame.scrollTo(side === 'left' ? 0 : 10_000, 0)", side)
            with subtests.test("ranks", width=width, side=side):
                ranks.first.scroll_into_view_if_needed()
                assert ranks.evaluate_all(_FIND_CUT_RANKS, len(_RANGES)) == []
                assert page.evaluate(OVERFLOW) <= 0
