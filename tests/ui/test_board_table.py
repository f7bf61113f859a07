"""What a visitor does in a table: filter it, fold it, tick rows, look at what a figure rests on, take it along."""

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from leaderboard.assets import STATIC_PATH
from tests.support.pages.opening import open_board
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def words_of(address: str | None) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address or "").query).items()}


def test_filters_narrow_the_board_stay_in_the_address_and_go(watched: Watched, server: Server) -> None:
    page = watched.page
    # A word that is no value is left out, as every other is.
    board = open_board(page, f"{server.url}/?tab=star-bench&weights=maybe&size=big&organisation={'x' * 200}")
    expect(board.get_by_test_id("filter-chips")).to_be_hidden()
    n_rows = board.get_by_test_id("board-row").count()
    board.get_by_test_id("filters-menu").locator("summary").click()
    panel = board.get_by_test_id("filters-panel")
    kind = panel.get_by_label("Kind")
    expect(kind.locator("option")).not_to_have_count(1)
    kind.select_option("LALM")
    panel.get_by_label("Size").select_option("-10")
    expect(board.get_by_test_id("filter-chips")).to_contain_text("Kind: LALM")
    expect(board.get_by_test_id("filter-chips")).to_contain_text("Size: under 10 B")
    page.wait_for_url(re.compile(r"kind=LALM&size=-10"))
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(board.get_by_test_id("board-row").filter(has_text="Gemini")).to_have_count(0)
    expect(page.locator("[data-testid=board][aria-busy]")).to_have_count(0)
    few = board.get_by_test_id("board-row").count()
    assert 0 < few < n_rows
    page.reload()
    expect(board.get_by_test_id("board-row")).to_have_count(few)
    board.get_by_role("button", name="Remove filter Size: under 10 B").click()
    expect(board.get_by_test_id("filter-chips")).not_to_contain_text("Size")
    # The places are those of the whole board.
    expect(board.get_by_test_id("board-row").first.locator("td.es-rank")).not_to_have_text("1")
    board.get_by_test_id("filter-chips").get_by_role("button", name="clear").click()
    expect(board.get_by_test_id("board-row")).to_have_count(n_rows)
    page.wait_for_url(lambda url: "kind" not in url)
    open_board(page, f"{server.url}/?tab=star-bench")
    page.goto(f"{server.url}/?tab=star-bench&organisation=Nobody%20%3Cb%3E")
    expect(board.get_by_test_id("board-status")).to_contain_text("No row matches.")
    expect(board.get_by_test_id("filter-chips")).to_contain_text("Organisation: Nobody <b>")
    board.get_by_role("button", name="Clear filters").click()
    expect(board.get_by_test_id("board-row")).to_have_count(n_rows)
    # A link from another tab brings its own words, and the way back those of before.
    page.evaluate(f"import('{STATIC_PATH}/page.js').then((page) => page.visit('/?tab=mdar&weights=closed'))")
    expect(page.locator("#board-mdar").get_by_test_id("filter-chips")).to_contain_text("Weights: closed")
    page.wait_for_url(re.compile("tab=mdar&weights=closed$"))
    page.go_back()
    expect(board.get_by_test_id("board-row")).to_have_count(n_rows)
    page.wait_for_url(re.compile("tab=star-bench$"))


def test_ticked_rows_lead_to_their_comparison_and_rows_to_their_model(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab=star-bench")
    rows = board.get_by_test_id("board-row")
    ids = [row.get_attribute("data-submission") for row in rows.all()[:3]]
    names = board.get_by_test_id("row-link").all_inner_texts()
    bar = board.get_by_test_id("compare-bar")
    rows.nth(0).get_by_role("checkbox", name=f"Compare {names[0]}").check()
    expect(bar).to_contain_text(f"{names[0]} is ticked. Tick a second row")
    board.locator("thead [data-sort=model]").click()
    expect(rows.first.get_by_test_id("row-link")).not_to_have_text(names[0])
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="clear").click()
    expect(bar).to_be_hidden()
    for number in (2, 1):
        board.locator(f"[data-tick='{ids[number]}']").click()
        if number == 2:
            expect(bar).to_contain_text(names[2])
    page.wait_for_url(lambda url: words_of(url).get("tab") == "compare")
    assert words_of(page.url) == {"tab": "compare", "benchmark": "star-bench", "a": ids[2], "b": ids[1]}
    expect(page.get_by_test_id("verdict")).to_be_visible()
    page.go_back()
    expect(rows.first).to_be_visible()
    expect(bar).to_be_hidden()
    expect(board.get_by_role("checkbox", name=re.compile("^Compare "), checked=True)).to_have_count(0)
    # A click on the row goes where its name goes; a box, the arrow and marked words do not.
    row = board.get_by_test_id("board-row").filter(has_text=names[1]).first
    href = row.get_by_test_id("row-link").get_attribute("href")
    assert words_of(href)["tab"] == "model"
    assert words_of(href)["model"].startswith("m-")
    row.get_by_role("button").first.click()
    row.get_by_role("checkbox").check()
    assert "model=" not in page.url
    row.locator("td.es-date").click()
    page.wait_for_url(lambda url: words_of(url) == words_of(href), wait_until="commit")


def test_figures_are_reached_by_arrows_and_say_what_they_rest_on(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    table = board.get_by_test_id("board-table")
    expect(table.locator("[data-stop][tabindex='0']")).to_have_count(1)
    table.locator("[data-sort=date]").focus()
    page.keyboard.press("Tab")
    expect(table.get_by_test_id("compare-box").first).to_be_focused()
    for key in ("End", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    first = table.get_by_test_id("board-row").first
    expect(first.locator("[data-stop='sct|accuracy']")).to_be_focused()
    card = board.get_by_test_id("figure-card")
    expect(card).to_contain_text("SCT")
    expect(card).to_contain_text(first.get_by_test_id("row-link").inner_text())
    expect(card).to_contain_text(re.compile(r"Figure\s*\d+\.\d\d"))
    expect(card).to_contain_text("the answers are not here")
    expect(card).to_contain_text("Table 3.")
    page.keyboard.press("ArrowDown")
    second = table.get_by_test_id("board-row").nth(1)
    expect(card).to_contain_text(second.get_by_test_id("row-link").inner_text())
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    for _ in range(20):
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
    # However near the edge: the card stays in the window.
    page.set_viewport_size({"width": 360, "height": 640})
    table.get_by_test_id("board-row").first.locator("td.es-main").hover()
    expect(card).to_be_visible()
    box = card.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["y"] >= 0
    assert box["x"] + box["width"] <= 360
    assert box["y"] + box["height"] <= 640


def test_part_shows_its_columns_its_group_folds_and_files_have_what_is_shown(watched: Watched, server: Server) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab=star-bench&kind=LALM")
    parts = board.get_by_role("group", name="Parts")
    parts.get_by_role("button", name="Perception").click()
    heading = board.locator("thead th", has=page.locator("[data-sort='perception|aa']"))
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(parts.get_by_role("button", name="Perception")).to_have_attribute("aria-pressed", "true")
    headings = board.locator("thead [data-sort*='|']")
    expect(headings).to_have_count(8)
    expect(board.get_by_test_id("board-facts")).to_contain_text("951 of 2,353 items · human 79.1")
    expect(board.get_by_role("heading", level=2)).to_have_text("STAR-Bench 1.0")
    board.get_by_role("button", name="Fold Perception").click()
    expect(headings).to_have_count(2)
    page.wait_for_url(lambda url: url.endswith("columns=perception|aa,perception|acr"))
    unfold = board.get_by_role("button", name="Unfold Perception")
    expect(unfold).to_be_focused()
    page.reload()
    expect(headings).to_have_count(2)
    board.get_by_test_id("export-menu").locator("summary").click()
    links = board.get_by_test_id("export-panel").get_by_role("link")
    addresses = {words["format"]: words for words in (words_of(link.get_attribute("href")) for link in links.all())}
    assert list(addresses) == ["csv", "json", "latex", "bibtex", "hub", "model-index", "eee"]
    for words in addresses.values():
        shown = {"version": "1.0", "setting": "default", "kind": "LALM", "sort": "perception|aa", "order": "desc"}
        assert words.items() >= shown.items()
    assert addresses["latex"]["columns"] == "perception|aa,perception|acr"
    assert "columns" not in addresses["hub"]
    with page.expect_download() as download:
        links.first.click()
    assert "perception|acr" in download.value.path().read_text().splitlines()[0]
    page.keyboard.press("Escape")
    unfold.click()
    expect(headings).to_have_count(8)
    parts.get_by_role("button", name="Overall").click()
    page.wait_for_url(lambda url: "columns" not in url and "sort" not in url)


def test_board_whose_server_does_not_answer_says_what_to_do_and_goes_on_when_it_does(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    page.route("**/api/v1/**", lambda route: route.abort())
    board.locator("thead [data-sort=model]").click()
    expect(board.get_by_role("alert")).to_contain_text("The server did not answer. Check your connection.")
    board.get_by_test_id("filters-menu").locator("summary").click()
    expect(board.get_by_test_id("filters-panel")).to_contain_text("could not be loaded")
    page.keyboard.press("Escape")
    page.unroute_all()
    board.get_by_test_id("try-again").click()
    expect(board.get_by_role("alert")).to_have_count(0)
    expect(board.locator("thead th", has=page.locator("[data-sort=model]"))).to_have_attribute("aria-sort", "ascending")


def test_people_and_guesses_unfold_beside_what_stays_in_sight(watched: Watched, server: Server) -> None:
    board = open_board(watched.page, f"{server.url}/?tab=star-bench&setting=default")
    details = board.get_by_test_id("board-details")
    human, guess = board.get_by_test_id("pinned-human"), board.get_by_test_id("pinned-random").first
    for row, word, said in ((human, "Human", "Ten students"), (guess, "Random guess", "What an even guess reaches")):
        row.get_by_role("button", name=f"Unfold details of {word}").press("Enter")
        fold = row.get_by_role("button", name=f"Fold details of {word}")
        expect(fold).to_be_focused()
        expect(fold).to_have_attribute("aria-controls", details.get_attribute("id") or "")
        expect(details).to_contain_text(said)
        # Nobody asks for the weights of people.
        expect(details).not_to_contain_text("Weights")
        expect(row.get_by_test_id("board-details")).to_have_count(0)
        fold.press("Enter")
        expect(details).to_have_count(0)
