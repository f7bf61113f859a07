"""The visitor's journey in a real browser: look, sort, search, filter, choose columns, read the charts."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.pages.answers import rewrite
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def rows(page: Page) -> list[str]:
    page.get_by_test_id("board-row").first.wait_for()
    return [text.split("\n")[0] for text in page.get_by_test_id("board-row").locator("th").all_inner_texts()]


def test_board_shows_reported_rows_and_the_pinned_chance_row(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    expect(page.get_by_test_id("board-row").filter(has_text="Qwen2-Audio-7B")).to_contain_text("42.1")
    expect(page.get_by_test_id("pinned-random")).to_contain_text("Chance")
    expect(page.get_by_test_id("board-facts")).to_contain_text("2,016")


def test_click_on_a_heading_sorts_and_the_address_keeps_it(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
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
    page.goto(f"{server.url}/?tab=audio-motion-bench")
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


def test_citation_folds_as_other_menus_do_and_is_copied(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    rows(page)
    expect(page.locator("#es-first")).to_have_count(0)
    cite = page.get_by_test_id("cite").filter(visible=True)
    word, said = cite.locator("summary"), cite.locator("pre")
    word.click()
    expect(said).to_contain_text("@")
    copy = cite.get_by_role("button", name="Copy BibTeX")
    copy.click()
    expect(copy).to_have_text(re.compile("Copied|Selected"))
    page.keyboard.press("Escape")
    expect(said).to_be_hidden()
    expect(word).to_be_focused()
    word.click()
    expect(said).to_be_visible()
    page.get_by_test_id("board-facts").filter(visible=True).click()
    expect(said).to_be_hidden()


def test_unfolded_reported_row_says_where_its_figures_come_from(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
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


def test_board_of_a_setting_for_one_part_opens_by_the_figure_of_that_part(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=star-bench")
    board = page.locator("#board-star-bench")
    sorted_by = board.locator("thead th[aria-sort=descending]")
    expect(sorted_by).to_contain_text("Overall")
    board.get_by_label("Setting").select_option("channel-wise")
    expect(sorted_by).to_contain_text("Spatial")
    expect(board.get_by_test_id("board-row").first).to_contain_text("GPT-4o Audio")
    expect(board.get_by_test_id("board-facts")).to_contain_text("best 45.4")
    expect(board.get_by_test_id("board-row").first.locator(".es-date")).to_have_text("2026")
    page.wait_for_url(re.compile("tab=star-bench&setting=channel-wise$"))
    board.get_by_label("Setting").select_option("default")
    expect(sorted_by).to_contain_text("Overall")


def test_column_can_be_chosen(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    rows(page)
    page.get_by_test_id("columns-menu").locator("summary").first.click()
    page.get_by_test_id("columns-panel").get_by_label(re.compile("15 dB")).first.check()
    expect(page.get_by_test_id("board-table").locator("thead")).to_contain_text("15 dB")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
def test_page_fits_its_window(browser: Browser, server: Server, scheme: str, width: int) -> None:
    """Nothing but the table may be wider than the window, and the table scrolls inside its own box."""
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    rows(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    context.close()
    assert overflow <= 0


def test_board_works_by_keyboard(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    rows(page)
    button = page.get_by_test_id("board-table").locator("thead th", has_text="SDT").get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("board-table").locator("thead th", has_text="SDT")).to_have_attribute(
        "aria-sort", "descending"
    )


def test_tab_of_another_benchmark_shows_its_board_and_keeps_it_in_the_address(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    rows(page)
    page.get_by_role("tab", name="STAR-Bench").click()
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_contain_text("reported")
    expect(board.get_by_test_id("board-needs")).to_contain_text("Not held by this installation: Temporal, Spatial")
    expect(board.get_by_test_id("pack-test")).to_be_visible()
    expect(board.get_by_test_id("pinned-human")).to_be_visible()
    board.get_by_test_id("board-version").select_option("demo")
    expect(board.get_by_test_id("board-facts")).to_contain_text("78 items")
    expect(board.get_by_test_id("pinned-random")).to_contain_text("seeded guesses")
    expect(board.get_by_test_id("board-needs")).to_be_empty()
    expect(board.get_by_test_id("pack-test")).to_be_visible()
    page.wait_for_url(re.compile("tab=star-bench.*version=demo"))
    page.reload()
    expect(board.get_by_test_id("board-version")).to_have_value("demo")
    page.get_by_role("tab", name="AudioProcessBench").click()
    expect(page).not_to_have_url(re.compile("version="))
    page.get_by_role("tab", name="STAR-Bench").click()
    page.wait_for_url(re.compile("version=demo"))


def test_address_with_unknown_words_shows_the_usual_board(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(
        f"{server.url}/?tab=audio-motion-bench&version=9&setting=loud&sort=no/such|figure&order=asc&columns=no/such|figure,sct|accuracy"
    )
    rows(page)
    board = page.get_by_test_id("board").first
    expect(board.locator("thead [data-sort]")).to_have_count(4)
    expect(board.locator("thead th", has_text="SCT")).to_be_visible()
    expect(board.get_by_test_id("board-setting")).to_have_value("default")
    page.wait_for_url(lambda url: "columns=sct|accuracy" in url and "sort=" not in url)
    expect(board.get_by_role("alert")).to_have_count(0)


def test_change_of_version_drops_columns_that_it_lacks_and_shows_its_own_chance(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    chosen = "overall|overall,generator/gemma-3n-e4b|aei"
    page.goto(f"{server.url}/?tab=audio-process-bench&sort=generator/gemma-3n-e4b|aei&columns={chosen}")
    board = page.locator("#board-audio-process-bench")
    expect(board.locator("thead [data-sort]")).to_have_count(4)
    facts = board.get_by_test_id("board-facts")
    expect(facts).to_contain_text("chance 37.3")
    board.get_by_test_id("board-version").select_option("synthetic-1")
    expect(facts).to_contain_text("chance 38.5")
    expect(board.get_by_test_id("pinned-random")).to_contain_text("seeded guesses")
    expect(board.locator("thead [data-sort]")).to_have_count(3)
    expect(board.get_by_role("alert")).to_have_count(0)
    page.wait_for_url(lambda url: "generator" not in url)


def test_late_description_of_the_version_before_is_not_shown(watched: Watched, server: Server) -> None:
    page = watched.page
    held: list[Route] = []
    page.route(re.compile(r"/benchmarks/star-bench\?version=1\.0"), lambda route: held.append(route))
    page.goto(f"{server.url}/?tab=star-bench")
    board = page.locator("#board-star-bench")
    expect(board.get_by_test_id("board-row").first).to_be_visible()
    board.get_by_test_id("board-version").select_option("demo")
    expect(board.get_by_test_id("board-facts")).to_contain_text("78 items")
    assert held
    for route in held:
        with page.expect_response(route.request.url):
            route.continue_()
    page.unroute_all()
    # What the page asks for itself is read after what it was given before.
    page.evaluate("fetch('/api/v1/benchmarks/star-bench?version=1.0').then((answer) => answer.json())")
    expect(board.get_by_test_id("board-facts")).to_contain_text("78 items")
    expect(board.get_by_test_id("board-needs")).to_be_empty()
    expect(board.get_by_test_id("pack-practice")).to_be_visible()


def test_empty_board_speaks_of_the_pack_only_where_there_is_one(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar&setting=noise")
    board = page.locator("#board-mdar")
    expect(board.get_by_test_id("board-status")).to_contain_text("Its questions are not here")
    board.get_by_test_id("board-version").select_option("demo")
    expect(board.get_by_test_id("board-status")).to_contain_text("The question pack takes two minutes")


def test_row_without_place_says_why_and_names_its_parts(watched: Watched, server: Server) -> None:
    page = watched.page

    def age(body: dict[str, Any]) -> dict[str, Any]:
        for row in body["rows"]:
            row |= {"rank": None, "signature": "audio-motion-bench:0.9", "parts": ["sct", "unheard-of"]}
        return body

    rewrite(page, "**/api/v1/leaderboards/audio-motion-bench?*", age)
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    row = page.get_by_test_id("board-row").filter(has_text="Qwen2-Audio-7B")
    expect(row.locator("td.es-rank")).to_have_attribute("title", re.compile("another key, reader or metric"))
    row.get_by_role("button").first.click()
    details = page.get_by_test_id("board-details")
    expect(details).to_contain_text("SCT · constant pitch and speed; unheard-of")
    expect(details).to_contain_text("The paper asked its own questions")


def test_reported_row_of_official_questions_does_not_claim_others(watched: Watched, server: Server) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=mdar")
    board = page.locator("#board-mdar")
    board.get_by_test_id("board-row").first.get_by_role("button").first.click()
    expect(board.get_by_test_id("board-details")).to_contain_text("Taken from a paper.")
    expect(board).not_to_contain_text("own questions")
    # Nor has the board what it does not say: places of papers are joined by no bracket.
    expect(board.get_by_test_id("board-status")).to_have_text(re.compile(r"^\d+ rows\.$"))


def test_ranges_of_ranks_and_intervals_are_shown_and_said(watched: Watched, server: Server) -> None:
    page = watched.page

    def make_sure(body: dict[str, Any]) -> dict[str, Any]:
        for number, row in enumerate(body["rows"]):
            low, high = ((3, 6), (3, 6), (7, 7))[min(number, 2)]
            row |= {"rank": number + 4, "rank_low": low, "rank_high": high, "source": "submitted"}
            if number == 3:
                row |= {"rank_low": None, "rank_high": None, "source": "reported"}
            for score in row["scores"].values():
                score |= {"low": 0.25, "high": 0.755}
        return body | {"detectable": 0.044, "detectable_figure": "tat|accuracy"}

    rewrite(page, "**/api/v1/leaderboards/audio-motion-bench?*", make_sure)
    page.goto(f"{server.url}/?tab=audio-motion-bench")
    places = page.get_by_test_id("board-row").locator("td.es-rank")
    expect(places.nth(0)).to_have_text("3–6")
    expect(places.nth(0)).to_have_attribute("aria-label", "Rank 4, between 3 and 6 at 95 %")
    expect(places.nth(0)).to_have_attribute("title", re.compile("Rank 4, between 3 and 6.*cannot be told apart"))
    expect(places.nth(2)).to_have_text("7")
    expect(places.nth(2)).to_have_attribute("title", "Rank 6, sure at 95 %")
    expect(places.nth(3)).to_have_text("7")
    expect(places.nth(3)).to_have_attribute("title", re.compile("answers behind it are not here"))
    row = page.get_by_test_id("board-row").first
    board = page.locator("#board-audio-motion-bench")
    row.locator("td.es-figure").first.hover()
    expect(board.get_by_test_id("figure-card")).to_contain_text(re.compile("95 % interval.*25.00–75.50"))
    status = board.get_by_test_id("board-status")
    expect(status).to_contain_text("hold at 95 %")
    expect(status).to_contain_text("The smallest difference that the figure TAT can show is 4.4 points.")
    expect(status).to_contain_text("The questions here are 2,016 items on 672 clips.")
    expect(status).to_contain_text("Systems that a bracket joins cannot be told apart.")
    row.get_by_role("button").first.click()
    expect(page.get_by_test_id("board-details")).to_contain_text("(95 % interval 25.0–75.5)")
