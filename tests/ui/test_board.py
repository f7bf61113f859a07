"""Visitor actions on a board in a real browser: sort, search, filter, fold, unfold, scroll, export."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from tests.support.pages.answers import rewrite
from tests.support.pages.expecting import expect
from tests.support.pages.measuring import box_of
from tests.support.pages.opening import expect_settled, open_board, open_tab, visit
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def words_of(address: str | None) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(address or "").query).items()}


def unfold_menu(board: Locator, name: str) -> Locator:
    """Open a menu of a board and return its content."""
    board.get_by_test_id(f"{name}-menu").locator("summary").first.click()
    panel = board.get_by_test_id(f"{name}-panel")
    expect(panel).to_be_visible()
    return panel


def test_board_is_sorted_searched_unfolded_and_cited(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    board = open_board(page, f"{server.url}/?tab=audio-motion-bench")
    expect_settled(page)
    rows = board.get_by_test_id("board-row")
    reported = rows.filter(has_text="Qwen2-Audio-7B")
    headings = board.locator("thead th")
    with subtests.test("published figures beside chance"):
        expect(reported).to_contain_text("42.1")
        expect(board.get_by_test_id("pinned-random")).to_contain_text("Chance")
        expect(board.get_by_test_id("board-facts")).to_contain_text("2,016")
    with subtests.test("each column is defined by its heading, and below the table"):
        expect(headings.filter(has_text="SCT").get_by_role("button")).to_have_attribute(
            "title", re.compile("Accuracy: ")
        )
        defined = board.get_by_test_id("board-definitions")
        defined.locator("summary").click()
        for words in ("SCT: constant pitch, constant speed", "Setting default", "Rank range"):
            expect(defined).to_contain_text(words)
        defined.locator("summary").click()
    with subtests.test("sorted by a click and by a key"):
        for name, order in (("TAT", "descending"), ("TAT", "ascending")):
            headings.filter(has_text=name).get_by_role("button").click()
            expect(headings.filter(has_text=name)).to_have_attribute("aria-sort", order)
        page.wait_for_url(lambda url: words_of(url).get("order") == "asc" and "sort" in words_of(url))
        headings.filter(has_text="SDT").get_by_role("button").press("Enter")
        expect(headings.filter(has_text="SDT")).to_have_attribute("aria-sort", "descending")
        expect(headings.filter(has_text="SDT").get_by_role("button")).to_be_focused()
    with subtests.test("searched, and narrowed to sources"):
        search = board.get_by_test_id("board-search")
        search.fill("kimi")
        expect(rows).to_have_count(1)
        search.fill("nobody at all")
        expect(rows).to_have_count(0)
        expect(board.get_by_test_id("board-status")).not_to_be_empty()
        search.fill("")
        expect(reported).to_have_count(1)
        expect(board.locator("[data-place=reported]")).to_be_visible()
        board.get_by_test_id("source-reported").uncheck()
        expect(reported).to_have_count(0)
        expect(board.locator("[data-place=reported]")).to_be_hidden()
        board.get_by_test_id("source-reported").check()
        expect(reported).to_have_count(1)
    with subtests.test("columns are chosen, and the usual ones come back"):
        panel = unfold_menu(board, "columns")
        panel.get_by_label(re.compile("15 dB")).first.check()
        expect(board.locator("thead")).to_contain_text("15 dB")
        panel.get_by_role("button", name="Default columns").click()
        expect(board.locator("thead")).not_to_contain_text("15 dB")
        page.keyboard.press("Escape")
        expect(panel).to_be_hidden()
    with subtests.test("a reported row says where its figures come from"):
        reported.get_by_role("button").first.click()
        notes = board.get_by_test_id("board-notes")
        expect(notes).to_contain_text("Overall: Not in the paper; mean of sct, sdt, tat.")
        expect(notes).to_contain_text("SCT; SDT; TAT: Table 3.")
        expect(notes).to_contain_text("below 0.28 points")
        details = board.get_by_test_id("board-details")
        expect(details).to_contain_text("Zhe Sun, Yujun Cai, Jiayu Yao, Yiwei Wang, 2025")
        expect(details).to_contain_text("Table 3, Table 4, Table 5, row “")
        paper = details.get_by_role("link", name="AudioMotionBench: Evaluating Auditory Motion Perception")
        expect(paper).to_have_attribute("href", "https://arxiv.org/abs/2511.13273")
        badge = reported.locator(".es-badge-reported")
        expect(badge).to_have_attribute("title", re.compile(r"^Reported in .* \(Sun et al\., 2025\), Table 3, "))
        reported.get_by_role("button").first.click()
        expect(notes).to_have_count(0)
    with subtests.test("the citation folds as other menus do and is copied"):
        cite_board(page, board)


def cite_board(page: Page, board: Locator) -> None:
    cite = board.get_by_test_id("cite")
    word, said = cite.locator("summary"), cite.locator("pre")
    word.click()
    expect(said).to_contain_text("@")
    cite.get_by_role("button", name="Copy BibTeX").click()
    # The label of the button is temporary; the copied text remains.
    page.wait_for_function("async (said) => await navigator.clipboard.readText() === said", arg=said.text_content())
    page.keyboard.press("Escape")
    expect(said).to_be_hidden()
    expect(word).to_be_focused()
    word.click()
    expect(said).to_be_visible()
    board.get_by_test_id("board-facts").click()
    expect(said).to_be_hidden()


def test_filters_version_setting_and_part_are_applied_and_kept_in_the_address(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    # An unknown value is ignored, like every other.
    board = open_board(page, f"{server.url}/?tab=star-bench&weights=maybe&size=big&organisation={'x' * 200}")
    expect_settled(page)
    with subtests.test("filters"):
        filter_rows(page, board)
    visit(page, "/?tab=star-bench")
    facts, version = board.get_by_test_id("board-facts"), board.get_by_test_id("board-version")
    with subtests.test("people and guesses unfold, and stay in sight"):
        unfold_pinned(board)
        scroll_rows(page, board)
    with subtests.test("setting of one part"):
        sorted_by = board.locator("thead th[aria-sort=descending]")
        expect(sorted_by).to_contain_text("Overall")
        board.get_by_label("Setting").select_option("channel-wise")
        expect(sorted_by).to_contain_text("Spatial")
        expect(board.get_by_test_id("board-row").first).to_contain_text("GPT-4o Audio")
        expect(facts).to_contain_text("best 45.4")
        expect(board.get_by_test_id("board-row").first.locator(".es-date")).to_have_text("2026")
        page.wait_for_url(re.compile("tab=star-bench&setting=channel-wise$"))
        board.get_by_label("Setting").select_option("pseudo-stereo")
        expect(sorted_by).to_contain_text("Tones AA")
        expect(board.locator("thead")).to_contain_text("Tones ACR")
        page.wait_for_url(re.compile("tab=star-bench&setting=pseudo-stereo$"))
        board.get_by_label("Setting").select_option("default")
        expect(sorted_by).to_contain_text("Overall")
    with subtests.test("part"):
        fold_part(page, board)
    with subtests.test("files"):
        take_files(page, board, server)
    with subtests.test("version"):
        visit(page, "/?tab=star-bench")
        expect(board.get_by_test_id("board-needs")).to_have_text(
            re.compile(r"^Submissions are open for Perception\. Temporal and Spatial show scores .* paper\. .*v0\.5")
        )
        expect(board.get_by_test_id("pack-test")).to_be_visible()
        expect(board.get_by_test_id("pinned-human")).to_be_visible()
        version.select_option("demo")
        expect(facts).to_contain_text("78 items")
        expect(board.get_by_test_id("pinned-random")).to_contain_text("seeded guesses")
        expect(board.get_by_test_id("board-needs")).to_be_empty()
        page.wait_for_url(re.compile("tab=star-bench.*version=demo"))
        page.reload()
        expect(version).to_have_value("demo")
        expect_settled(page)
        open_tab(page, "AudioProcessBench")
        page.wait_for_url(re.compile("tab=audio-process-bench$"))
        open_tab(page, "STAR-Bench")
        page.wait_for_url(re.compile("version=demo"))


def unfold_pinned(board: Locator) -> None:
    details = board.get_by_test_id("board-details")
    human, guess = board.get_by_test_id("pinned-human"), board.get_by_test_id("pinned-random").first
    for row, word, said in ((human, "Human", "Ten students"), (guess, "Random guess", "Random guessing")):
        row.get_by_role("button", name=f"Unfold details of {word}").press("Enter")
        fold = row.get_by_role("button", name=f"Fold details of {word}")
        expect(fold).to_be_focused()
        expect(details).to_contain_text(said)
        expect(fold).to_have_attribute("aria-controls", details.get_attribute("id") or "")
        # Weights do not apply to human baselines.
        expect(details).not_to_contain_text("Weights")
        expect(row.get_by_test_id("board-details")).to_have_count(0)
        fold.press("Enter")
        expect(details).to_have_count(0)


def scroll_rows(page: Page, board: Locator) -> None:
    page.set_viewport_size({"width": 1440, "height": 700})
    frame = board.locator(".es-frame")
    pinned = (board.locator("thead"), board.get_by_test_id("pinned-human"), board.get_by_test_id("pinned-random").last)
    frame.evaluate("frame => frame.scrollTo(0, (frame.scrollHeight - frame.clientHeight) / 2)")
    inside = box_of(frame)
    top, bottom = inside["y"], inside["y"] + inside["height"]
    for box in map(box_of, pinned):
        assert top - 1 <= box["y"]
        assert box["y"] + box["height"] <= bottom + 1
    # No row is covered permanently: the middle of the frame shows a row.
    assert page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y)?.closest('[data-testid=board-row]') !== null",
        [inside["x"] + inside["width"] / 2, top + inside["height"] / 2],
    )
    page.set_viewport_size({"width": 1440, "height": 900})


def test_board_that_opens_at_a_part_shows_it_in_control_table_and_address(watched: Watched, server: Server) -> None:
    page = watched.page
    part = "?tab=star-bench&sort=perception|aa&columns=perception|aa,"
    # As on a board where the rows scored here have ranks in one part only.
    urls = re.compile(r"/api/v1/leaderboards/star-bench\?.*limit=50")
    rewrite(page, urls, lambda answer: answer | {"opening": "perception|aa"})
    board = open_board(page, f"{server.url}/?tab=star-bench")
    expect_settled(page)
    parts = board.get_by_role("group", name="Parts")
    heading = board.locator("thead th", has=page.locator("[data-sort='perception|aa']"))
    address = ""
    for is_again in (False, True):
        if is_again:  # the address alone gives the same view
            visit(page, "/?tab=mdar")
            visit(page, address)
        expect(heading).to_have_attribute("aria-sort", "descending")
        expect(parts.get_by_role("button", name="Perception")).to_have_attribute("aria-pressed", "true")
        expect(parts.get_by_role("button", name="Overall")).to_have_attribute("aria-pressed", "false")
        expect(board.locator("thead [data-sort*='|']")).to_have_count(8)
        page.wait_for_url(lambda url: part in url)
        address = page.url
    parts.get_by_role("button", name="Overall").click()
    page.wait_for_url(re.compile(r"tab=star-bench&sort=overall\|aa$"))
    page.reload()
    expect(parts.get_by_role("button", name="Overall")).to_have_attribute("aria-pressed", "true")
    expect(board.locator("thead th[aria-sort=descending]")).to_contain_text("Overall")


def fold_part(page: Page, board: Locator) -> None:
    visit(page, "/?tab=star-bench&kind=LALM")
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
    links = unfold_menu(board, "export").get_by_role("link")
    expect(links).to_have_count(7)
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


def take_files(page: Page, board: Locator, server: Server) -> None:
    """An exported file has the selected and the pinned rows, and names no filter if none is set."""

    def read(kind: str) -> str:
        link = unfold_menu(board, "export").get_by_role("link", name=kind, exact=True)
        href = link.get_attribute("href")
        page.keyboard.press("Escape")
        status, body = server.get(href or "")
        assert status == 200
        return body.decode()

    visit(page, "/?tab=star-bench")
    expect(board.get_by_test_id("filter-chips")).to_be_hidden()
    table = read("LaTeX")
    assert "Rows with" not in table
    assert "Human" in table
    assert "Gemini 2.5 Pro" in table
    assert "source=" not in table
    board.get_by_test_id("source-verified").uncheck()
    page.wait_for_url(re.compile("source=submitted,reported"))
    some = read("CSV")
    assert "Human" in some
    assert "Gemini 2.5 Pro" in some
    for source in ("submitted", "reported"):
        board.get_by_test_id(f"source-{source}").uncheck()
    expect(board.get_by_test_id("board-status")).to_contain_text("No source is selected")
    none = read("CSV")
    assert "Human" in none
    assert "Gemini 2.5 Pro" not in none
    assert {line.split(",")[0] for line in none.splitlines()[1:]} <= {line.split(",")[0] for line in some.splitlines()}


def filter_rows(page: Page, board: Locator) -> None:
    """Filters narrow the board, are kept in the address, and can be removed."""
    rows, chips = board.get_by_test_id("board-row"), board.get_by_test_id("filter-chips")
    expect(chips).to_be_hidden()
    expect(rows.filter(has_text="Gemini")).not_to_have_count(0)
    n_rows = rows.count()
    panel = unfold_menu(board, "filters")
    kind = panel.get_by_label("Kind")
    expect(kind.locator("option")).not_to_have_count(1)
    kind.select_option("LALM")
    panel.get_by_label("Size").select_option("-10")
    expect(chips).to_contain_text("Kind: LALM")
    expect(chips).to_contain_text("Size: under 10 B")
    page.wait_for_url(re.compile(r"kind=LALM&size=-10"))
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page.locator("[data-testid=board][aria-busy]")).to_have_count(0)
    expect(rows.filter(has_text="Gemini")).to_have_count(0)
    few = rows.count()
    assert 0 < few < n_rows
    page.reload()
    expect(rows).to_have_count(few)
    expect_settled(page)
    board.get_by_role("button", name="Remove filter Size: under 10 B").click()
    expect(chips).not_to_contain_text("Size")
    # Ranks are those of the whole board.
    expect(rows.first.locator("td.es-rank")).not_to_have_text("1")
    chips.get_by_role("button", name="clear").click()
    expect(rows).to_have_count(n_rows)
    page.wait_for_url(lambda url: "kind" not in url)
    # A link from another tab sets its own parameters, and going back restores the earlier ones.
    visit(page, "/?tab=mdar&weights=closed")
    expect(page.locator("#board-mdar").get_by_test_id("filter-chips")).to_contain_text("Weights: closed")
    page.wait_for_url(re.compile("tab=mdar&weights=closed$"))
    page.go_back()
    expect(rows).to_have_count(n_rows)
    page.wait_for_url(re.compile("tab=star-bench$"))
    visit(page, "/?tab=star-bench&organisation=Nobody%20%3Cb%3E")
    expect(board.get_by_test_id("board-status")).to_contain_text("No row matches.")
    expect(chips).to_contain_text("Organisation: Nobody <b>")
    board.get_by_role("button", name="Clear filters").click()
    expect(rows).to_have_count(n_rows)
