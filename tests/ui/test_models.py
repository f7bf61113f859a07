"""Visitor journeys to a model page and to a comparison of two rows, in a real browser."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page

from leaderboard.assets import STATIC_PATH
from tests.support.pages.answers import hold_first
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled, fill, visit
from tests.support.pages.participant import BENCHMARK, read_example, wait_for_figures
from tests.support.pages.watched import Watched
from tests.support.samples.uneven_answers import write_uneven_example
from tests.support.servers.server import Server


@pytest.fixture(scope="module")
def two_rows(server: Server) -> dict[str, str]:
    """Two published rows of two users: one with constant answers, the other of uneven quality."""
    files = {"Steadfast": read_example(server), "Changeable": write_uneven_example(server).read_bytes()}
    ids = {name: server.send(data, name, name.lower(), publish="true") for name, data in files.items()}
    # Intervals are added with the next revision of the board.
    for submission in ids.values():
        wait_for_figures(server, submission)
    return ids


def choose_row(page: Page, name: str, words: str) -> None:
    field = page.locator(f"#{name} input")
    field.click()
    field.fill(words)
    page.get_by_role("option", name=re.compile(words)).first.click()


def test_model_is_found_shown_cited_and_compared_and_its_addresses_restore_the_same_views(
    watched: Watched, server: Server, two_rows: dict[str, str], subtests: pytest.Subtests
) -> None:
    page = watched.page
    cited = server.json(f"/api/v1/submissions/{two_rows['Changeable']}/citation")["url"]
    page.goto(cited)
    with subtests.test("a cited row"):
        expect(page.get_by_test_id("cited")).to_contain_text("It has not changed since: Overall = 45.8.")
        expect(page.locator("[data-cited]")).to_be_in_viewport()
        expect_settled(page)
    with subtests.test("a model"):
        find_model(page)
    with subtests.test("the last of two quick choices"):
        choose_last_model(page, server)
    with subtests.test("two rows"):
        compare_rows(page, server, two_rows, subtests)
    with subtests.test("choosing leaves the page and the keyboard where they are"):
        choose_by_keyboard(page, two_rows)


def find_model(page: Page) -> None:
    visit(page, "/?tab=model")
    expect(page.get_by_test_id("found-models")).to_contain_text("Most evaluated models")
    fill(page, "model-search", "changeabel")
    page.get_by_test_id("found-models").get_by_role("link", name="Changeable").click()
    expect(page.get_by_test_id("model-name")).to_have_text("Changeable")
    expect(page.get_by_test_id("model-row")).to_contain_text("45.8")
    # 924 of 2,016; SCT's 75.0 % are above chance, the other two parts are below.
    shown = page.get_by_test_id("model")
    expect(shown).to_contain_text("Above chance on SCT 75.0")
    expect(shown).to_contain_text("Below chance on SDT 29.2")
    expect_drawn(page, "#radar-plot .js-plotly-plot .polar")
    page.get_by_role("button", name="Show as table").click()
    expect(page.locator("#radar-table")).to_contain_text("SCT")
    page.get_by_test_id("cite-row").locator("summary").click()
    expect(page.get_by_test_id("cite-row")).to_contain_text("@misc")


def choose_last_model(page: Page, server: Server) -> None:
    """The last chosen model is shown, even if an earlier choice is still loading."""
    visit(page, "/?tab=model")
    found = page.get_by_test_id("found-models").get_by_role("link")
    expect(found.nth(1)).to_be_visible()
    last, href = found.nth(1).inner_text().strip(), found.nth(1).get_attribute("href")
    let = hold_first(page, found.nth(0).click)
    found.nth(1).click()
    let()
    expect(page.get_by_test_id("model-name")).to_have_text(last)
    expect(page).to_have_url(f"{server.url}{href}")


def compare_rows(page: Page, server: Server, two_rows: dict[str, str], subtests: pytest.Subtests) -> None:
    visit(page, "/?tab=compare")
    page.get_by_test_id("choose-two").get_by_role("link").click()
    expect(page.get_by_test_id("verdict")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("choose-two")).to_be_visible()
    choose_row(page, "compare-a", "Changeable")
    page.wait_for_url(re.compile(f"a={two_rows['Changeable']}"))
    choose_row(page, "compare-b", "Steadfast")
    verdict = page.get_by_test_id("verdict")
    # 45.8 − 41.7: the evaluator computed the interval, and the files differ on every item.
    expect(verdict).to_contain_text("Changeable is better on Overall by 4.1 points")
    assert compare_by_api(server, two_rows)["low"] > 0
    # The answers are secret: win counts would amount to an exact score.
    expect(page.get_by_test_id("tally")).to_have_count(0)
    said = verdict.inner_text()
    page.wait_for_url(re.compile(f"a={two_rows['Changeable']}&b={two_rows['Steadfast']}"))
    address = page.url
    page.reload()
    expect(verdict).to_have_text(said)
    expect(page).to_have_url(address)
    expect_drawn(page, "#compare-plot .js-plotly-plot .cartesianlayer")
    page.get_by_role("button", name="Swap").click()
    page.wait_for_url(re.compile(f"a={two_rows['Steadfast']}&b={two_rows['Changeable']}"))
    expect(page.get_by_test_id("side-a")).to_contain_text("Steadfast")
    expect(verdict).to_have_text(said)
    with subtests.test("the table is sorted by a key, and put back"):
        page.get_by_role("button", name="Show as table").click()
        check_sorting(page)
    page.locator("#compare-table").get_by_role("link", name="SCT", exact=True).click()
    expect(verdict).to_contain_text("Changeable is better on SCT by")
    page.go_back()
    expect(verdict).to_have_text(said)


def choose_by_keyboard(page: Page, two_rows: dict[str, str]) -> None:
    a, b = two_rows.values()
    page.set_viewport_size({"width": 1440, "height": 500})
    visit(page, f"/?tab=compare&benchmark={BENCHMARK}&a={a}&b={b}")
    expect(page.get_by_test_id("side-a")).to_contain_text("Steadfast")
    expect_drawn(page, "#compare-plot .js-plotly-plot .cartesianlayer")
    page.evaluate("window.isSamePage = true")
    # The displayed comparison is kept, so that only the choice itself could move the page.
    page.route("**/gradio_api/run/**", lambda route: None)
    page.evaluate("scrollTo(0, 90)")
    page.locator("#compare-swap").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"a={b}&b={a}"))
    expect(page.locator("#compare-swap")).to_be_focused()
    assert page.evaluate("scrollY") == 90
    page.locator("#compare-a input").focus()
    page.evaluate("scrollTo(0, 90)")
    expect(page.get_by_role("option").first).to_be_visible()
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url(lambda url: f"a={b}" not in url)
    assert page.evaluate("scrollY") == 90
    page.keyboard.press("Tab")
    expect(page.locator("#compare-swap")).to_be_focused()
    # Each choice is a separate history entry.
    page.go_back()
    page.go_back()
    page.wait_for_url(re.compile(f"a={a}&b={b}"))
    assert page.evaluate("window.isSamePage") is True


def check_sorting(page: Page) -> None:
    """A table of differences is sorted by click or key, and reset; missing values are last."""
    heads = page.locator("#compare-table thead th")
    figures = page.locator("#compare-table tbody tr > th")
    expect(figures.nth(20)).to_be_visible()
    # The table's own script takes over from here.
    page.evaluate(f"import('{STATIC_PATH}/sorting.js').then(() => null)")
    came_as = figures.all_inner_texts()

    def sort_by(name: str, order: str | None) -> list[float | None]:
        head = heads.filter(has=page.get_by_role("button", name=name, exact=True))
        head.get_by_role("button").press("Enter")
        marked = page.locator("#compare-table [aria-sort]")
        if order is None:
            expect(marked).to_have_count(0)
        else:
            expect(page.locator(f'#compare-table th[aria-sort="{order}"]')).to_have_text(name)
        at = head.evaluate("head => head.cellIndex")
        cells = page.locator(f"#compare-table tbody tr > :nth-child({at + 1})").all_inner_texts()
        return [None if text == "–" else float(text.replace("−", "-").replace(",", "")) for text in cells]

    for name in ("A − B", "Items"):
        for order in ("descending", "ascending"):
            found = sort_by(name, order)
            known = [one for one in found if one is not None]
            assert known == sorted(known, reverse=order == "descending")
            assert known[0] != known[-1]
            assert found[len(known) :] == [None] * (len(found) - len(known))
        sort_by(name, None)
        assert figures.all_inner_texts() == came_as


def compare_by_api(server: Server, ids: dict[str, str]) -> dict[str, Any]:
    path = f"/api/v1/comparisons?benchmark={BENCHMARK}&a={ids['Changeable']}&b={ids['Steadfast']}"
    answer: dict[str, Any] = server.json(path)
    assert answer["difference"] == 0.041
    return answer
