"""What a row of a board shows beside its figures: places that cannot be told apart, intervals, shares, the best."""

from typing import Any

from playwright.sync_api import Locator, expect

from tests.support.pages.answers import rewrite
from tests.support.pages.opening import open_board
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

_FIGURE = "overall|accuracy"


def fill_rows(body: dict[str, Any]) -> dict[str, Any]:
    """Return rows as a busy board has them: two that share a range of places, and one that is surely third."""
    values = ((1, (1, 2), 0.6, 0.02), (2, (1, 2), 0.5, 0.005), (3, (3, 3), 0.45, 0.0))
    for row, (rank, (low, high), value, missing) in zip(body["rows"], values, strict=False):
        row |= {"rank": rank, "rank_low": low, "rank_high": high, "missing": missing, "unreadable": 0.0}
        row["scores"][_FIGURE] = {"value": value, "low": value - 0.02, "high": value + 0.02, "std": None}
        row["ranks"][_FIGURE] = rank
    return body


def style_of(cell: Locator, name: str, pseudo: str | None = None) -> str:
    found: str = cell.evaluate(
        "(cell, [name, pseudo]) => getComputedStyle(cell, pseudo).getPropertyValue(name)", [name, pseudo]
    )
    return found


def test_rows_show_ties_intervals_shares_and_the_best(watched: Watched, server: Server) -> None:
    page = watched.page
    rewrite(page, "**/api/v1/leaderboards/audio-motion-bench?*", fill_rows)
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    rows = board.get_by_test_id("board-row")
    places, figures = rows.locator("td.es-rank"), rows.locator(f"[data-stop='{_FIGURE}']")
    expect(places.nth(0)).to_have_text("1–2")
    # Joined by a bracket that begins at the first, ends at the second and leaves the third out.
    for place, drawn in ((0, "1px 1px 0px 0px"), (1, "0px 1px 1px 0px"), (2, None)):
        content = style_of(places.nth(place), "content", "::after")
        assert (content != "none") == (drawn is not None)
        assert drawn is None or style_of(places.nth(place), "border-width", "::after") == drawn
    # As papers print it.
    assert int(style_of(figures.nth(0).locator("span").first, "font-weight")) >= 600
    assert "underline" in style_of(figures.nth(1).locator("span").first, "text-decoration-line")
    assert int(style_of(figures.nth(2).locator("span").first, "font-weight")) < 600
    # A bar from the lower to the upper end; the better the figure, the deeper the shade.
    assert style_of(figures.nth(0), "content", "::after") == '""'
    assert float(style_of(figures.nth(0), "--low")) < float(style_of(figures.nth(0), "--high"))
    shades = [float(style_of(figures.nth(at), "--heat")) for at in range(3)]
    assert shades[0] > shades[1] > shades[2] > 0
    # What is missing is worth a word from one in a hundred on.
    shares = rows.locator("td.es-share")
    expect(shares.nth(0)).to_have_text("2.0")
    assert style_of(shares.nth(0), "content", "::before") == '"▲ "'
    expect(shares.nth(2)).to_have_text("")


def test_people_and_chance_stay_in_sight_while_rows_scroll(watched: Watched, server: Server) -> None:
    page = watched.page
    page.set_viewport_size({"width": 1440, "height": 700})
    board = open_board(page, f"{server.url}/?tab=star-bench&setting=default")
    frame = board.locator(".es-frame")
    people, chance = board.get_by_test_id("pinned-human"), board.get_by_test_id("pinned-random").last
    heading = board.locator("thead")
    frame.evaluate("frame => frame.scrollTo(0, (frame.scrollHeight - frame.clientHeight) / 2)")
    inside = frame.bounding_box()
    boxes = [one.bounding_box() for one in (heading, people, chance)]
    assert inside is not None
    assert all(boxes)
    top, bottom = inside["y"], inside["y"] + inside["height"]
    assert all(box is not None and top - 1 <= box["y"] and box["y"] + box["height"] <= bottom + 1 for box in boxes)
    # No row lies under them that could not be scrolled out: the middle of the frame shows one.
    middle = page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-testid=board-row]') !== null",
        [inside["x"] + inside["width"] / 2, inside["y"] + inside["height"] / 2],
    )
    assert middle
