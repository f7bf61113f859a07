"""What a board says and hands on is what it shows: its best figure, files, menu of columns and Submit button."""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.pages.answers import rewrite
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def open_board(page: Page, server: Server, words: str) -> Locator:
    page.goto(f"{server.url}/?tab={words}")
    board = page.locator(f"#board-{words.split('&')[0]}")
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    return board


def read_file(page: Page, board: Locator, kind: str) -> str:
    """Return the text of a file that the menu offers."""
    menu = board.get_by_test_id("export-menu")
    menu.locator("summary").click()
    link = menu.get_by_role("link", name=kind, exact=True)
    expect(link).to_be_visible()
    href = link.get_attribute("href")
    page.keyboard.press("Escape")
    return str(page.request.get(f"{page.url.split('/?')[0]}{href}").text())


def test_file_of_a_whole_board_has_the_pinned_rows_and_claims_no_filter(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, server, "star-bench")
    table = read_file(page, board, "LaTeX")
    assert "Rows with" not in table
    assert "Human" in table
    assert "Gemini 2.5 Pro" in table
    assert "source=" not in table


def test_file_of_some_sources_has_these_and_the_pinned_rows(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, server, "star-bench")
    board.get_by_test_id("source-verified").uncheck()
    page.wait_for_url(re.compile("source=submitted,reported"))
    some = read_file(page, board, "CSV")
    assert "Human" in some
    assert "Gemini 2.5 Pro" in some
    for source in ("submitted", "reported"):
        board.get_by_test_id(f"source-{source}").uncheck()
    expect(board.get_by_test_id("board-status")).to_contain_text("No source is ticked")
    none = read_file(page, board, "CSV")
    assert "Human" in none
    assert "Gemini 2.5 Pro" not in none
    assert {line.split(",")[0] for line in none.splitlines()[1:]} <= {line.split(",")[0] for line in some.splitlines()}


def test_best_of_a_board_is_a_row_that_has_a_place(watched: Watched, server: Server) -> None:
    page = watched.page

    def age(body: dict[str, Any]) -> dict[str, Any]:
        # As after a change of the key: scored with the one before, and not yet again.
        body["rows"][0] |= {"rank": None, "source": "submitted", "signature": "star-bench:0.9"}
        return body

    board = open_board(page, server, "star-bench")
    expect(board.get_by_test_id("board-facts")).to_contain_text("best 49.6")
    second = board.get_by_test_id("board-row").nth(1).locator("td.es-main").inner_text().split("\n")[0]
    rewrite(page, re.compile(r"/leaderboards/star-bench\?(?!.*limit=50)(?!.*source=human)"), age)
    page.reload()
    expect(board.get_by_test_id("board-facts")).to_contain_text(f"best {second.strip()}")


def test_usual_columns_bring_the_boxes_of_groups_along(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, server, "audio-motion-bench")
    board.get_by_test_id("columns-menu").locator("summary").click()
    panel = board.get_by_test_id("columns-panel")
    groups = panel.locator("legend input")
    expect(groups.first).to_be_visible()
    told = "(boxes) => boxes.map((box) => [box.checked, box.indeterminate])"
    usual = groups.evaluate_all(told)
    # A group that is ticked only by somebody, and one that is so from the start.
    empty = usual.index([False, False])
    groups.nth(empty).check()
    assert groups.evaluate_all(told) != usual
    panel.get_by_role("button", name="Usual columns").click()
    assert groups.evaluate_all(told) == usual
    expect(panel.locator("fieldset").nth(empty).locator(".es-choices input:checked")).to_have_count(0)


def test_chance_that_is_not_known_is_not_called_a_gap_of_a_paper(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, server, "mdar&setting=cascaded&columns=main|accuracy,open|judge_score")
    chance = board.get_by_test_id("pinned-random")
    expect(chance).to_contain_text("expected")
    chance.locator('[data-stop="open|judge_score"]').hover()
    card = board.get_by_test_id("figure-card")
    expect(card).to_contain_text("It is not known what guessing would reach here.")
    reported = board.get_by_test_id("board-row").locator('[data-stop="open|judge_score"]').filter(has_text="–").first
    reported.hover()
    expect(card).to_contain_text("The paper prints no such figure.")


def test_submit_button_leads_to_the_form_of_the_board_that_is_shown(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, server, "star-bench")
    page.evaluate("window.isSamePage = true")
    board.get_by_test_id("board-submit").click()
    chosen, pack = page.locator("#submit-benchmark input"), page.locator("#submit-help a").first
    expect(chosen).to_have_value("STAR-Bench 1.0")
    expect(pack).to_have_attribute("href", re.compile("benchmarks/star-bench/.*version=1.0"))
    page.go_back()
    board.get_by_test_id("board-version").select_option("demo")
    expect(board.get_by_test_id("board-facts")).to_contain_text("78 items")
    board.get_by_test_id("board-submit").click()
    expect(chosen).to_have_value("STAR-Bench demo")
    expect(pack).to_have_attribute("href", re.compile("benchmarks/star-bench/.*version=demo"))
    assert page.evaluate("window.isSamePage") is True
    # Who chooses another keeps it, on other tabs and whatever happens on this one.
    chosen.click()
    page.get_by_role("option", name="MDAR demo").click()
    page.wait_for_url(re.compile("tab=submit&benchmark=mdar&version=demo"))
    page.get_by_test_id("sign-in-name").fill("ada")
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text("ada")
    expect(chosen).to_have_value("MDAR demo")
    page.goto(f"{server.url}/?tab=submit&benchmark=audio-process-bench")
    expect(chosen).to_have_value("AudioProcessBench 1.0")
    expect(pack).to_have_attribute("href", re.compile("benchmarks/audio-process-bench/"))
