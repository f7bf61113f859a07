"""Overview in a real browser: drawn before Gradio starts, then moved into its tab, sortable, searchable and linked."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, Route

from evaluation.benchmarks import list_versions
from leaderboard.pages.board.markup import list_first_requests
from tests.support.pages.answers import hold, rewrite
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled
from tests.support.pages.watched import Watched
from tests.support.samples.practice_packs import make_tone
from tests.support.servers.server import Server

OVERVIEW = re.compile(r"/api/v1/overview")
SOUNDS = re.compile(r"/api/v1/listening/.*/audio/")
# The fastest possible visitor: a click passes as soon as it would no longer reload the page.
CLICK_AT_ONCE = """addEventListener("click", (event) => {
  window.isTaken = event.defaultPrevented;
  event.preventDefault();
});
const clicking = setInterval(() => {
  document.querySelector(%s)?.click();
  if (window.isTaken) clearInterval(clicking);
}, 2);"""
# Gradio is started only by the script that reads its address.
NOTE_BEGINNING = """{
  let address;
  Object.defineProperty(window, "earshotGradio", {
    set: (value) => { address = value; },
    get: () => { window.isBegun = true; return address; },
  });
}"""
COUNT_BOARDS = """new MutationObserver(() => {
  const n = document.querySelectorAll("[data-board=star-bench]").length;
  window.mostBoards = Math.max(window.mostBoards ?? 0, n);
}).observe(document, { childList: true, subtree: true });"""

LONG_NAME = "A system with a name that is much too long for any place beside a chart"
SCALES: list[dict[str, Any]] = [
    {"best": best, "chance": chance, "human": human}
    for best in (0.0, 0.25, 0.6, 0.82, 1.0)
    for chance, human in ((0.25, 0.75), (0.0, 1.0), (best, best), (0.25, None), (None, None))
]
# For each scale: the position of its label and of its chance and human marks, and whether these are visible: the chance
# line above all others, the human triangle below.
MEASURE_SCALES = """() => {
  const box = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  };
  const measure = (mark) => {
    const at = box(mark);
    const height = mark.matches(".es-chance") ? at.top + 2 : at.bottom - 2;
    const there = document.elementsFromPoint((at.left + at.right) / 2, height);
    const seen = there.find((one) => one.matches(".es-mark, .es-best-label"));
    return { kind: mark.className, isSeen: seen === mark, ...at };
  };
  const scales = document.querySelectorAll("[data-testid=overview-scales] .es-scale:not(.es-axis)");
  return [...scales].map((scale) => {
    scale.scrollIntoView({ block: "center" });
    const marks = [...scale.querySelectorAll(".es-chance, .es-people")];
    return [box(scale.querySelector(".es-best-label")), marks.map(measure)];
  });
}"""


def change_scales(overview: dict[str, Any]) -> dict[str, Any]:
    """Return the overview with other scales."""
    one = overview["scales"][0]
    system = next(scale["systems"][0] for scale in overview["scales"] if scale["systems"])
    model = system["model"] | {"name": LONG_NAME}
    scales = [
        one
        | {name: scale[name] for name in ("chance", "human")}
        | {"systems": [system | {"model": model, "value": max(0, scale["best"] - less)} for less in (0, 0.1)]}
        for scale in SCALES
    ]
    return overview | {"scales": scales}


def names(page: Page) -> Locator:
    return page.get_by_test_id("overview-row").locator("th")


def hold_gradio(page: Page) -> Callable[[], None]:
    """Delay Gradio until the returned function is called: the first view must not wait for it."""
    return hold(page, "**/assets/index-*.js")


def note_asked(page: Page) -> list[str]:
    """Return a list that records requested addresses, except optional revision checks."""
    urls: list[str] = []

    def note(request: Request) -> None:
        if "if-none-match" not in request.headers:
            urls.append(request.url)

    page.on("request", note)
    return urls


def test_overview_journey_of_a_visitor(watched: Watched, server: Server, subtests: pytest.Subtests) -> None:
    page = watched.page
    urls = note_asked(page)
    page.route(SOUNDS, lambda route: route.fulfill(status=503, body="{}"))
    let = hold_gradio(page)
    page.goto(server.url, wait_until="commit")
    expect(names(page).filter(has_text="Qwen2-Audio-7B")).to_have_count(1)
    expect(page.locator("#es-first")).to_be_visible()
    expect(page.locator("[role=tab]")).to_have_count(0)
    expect(page.get_by_role("link", name="STAR-Bench").first).to_have_attribute("href", "/?tab=star-bench")
    let()

    # The same view is then in the tab, exactly once.
    expect(page.locator("#tab-overview-button")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#es-first")).to_have_count(0)
    expect(page.get_by_test_id("overview")).to_have_count(1)
    summary = page.get_by_test_id("summary-star-bench")
    expect(summary).to_contain_text("Gemini 2.5 Pro")
    expect(summary).to_contain_text("79.1")
    best = page.get_by_test_id("overview-row").filter(has_text="Gemini 2.5 Pro")
    expect(best).to_contain_text("0.46")
    expect(best.locator("td[title]").first).to_have_attribute(
        "title", re.compile("STAR-Bench 1.0: 49.6 %.*from chance .0. to human .1.")
    )
    # Rows of papers are not news; earlier tests may have submitted others.
    newest = page.get_by_test_id("overview-newest").or_(page.get_by_test_id("no-entries"))
    expect(newest).to_be_visible()

    # Sort order and search are kept in the address, and restored from it.
    heading = page.get_by_test_id("overview-matrix").locator("thead th", has_text="MDAR")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(names(page).first).to_have_text("Qwen2.5-Omni-7B")
    heading.get_by_role("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    page.get_by_test_id("overview-search").fill("gemini")
    expect(page.get_by_test_id("overview-row").filter(has_text="Qwen")).to_have_count(0)
    page.wait_for_url(re.compile("sort=mdar&order=asc&q=gemini"))
    page.reload()
    expect(names(page).first).to_be_visible()
    expect(names(page).filter(has_not_text="emini")).to_have_count(0)
    page.get_by_test_id("overview-search").fill("nobody at all")
    page.get_by_role("button", name="Clear search").click()
    expect(page.get_by_test_id("overview-row").filter(has_text="Qwen2-Audio-7B")).to_have_count(1)

    # The chart has a table of its numbers; the name of a benchmark opens its board without a page reload.
    page.get_by_test_id("scales-as-table").locator("summary").click()
    expect(page.get_by_test_id("scales-table")).to_contain_text("STAR-Bench, Temporal")
    page.evaluate("window.isSamePage = true")
    expect(page.locator("#tab-star-bench-button")).to_be_visible()
    summary.get_by_role("link", name="STAR-Bench").click()
    expect(page.get_by_test_id("board-row").filter(has_text="Gemini 2.5 Pro")).to_be_visible()
    page.wait_for_url(re.compile("tab=star-bench$"))
    assert page.evaluate("window.isSamePage") is True
    page.go_back()
    expect(page.get_by_test_id("overview-matrix")).to_be_visible()
    check_cards(page, urls, subtests)


def check_cards(page: Page, urls: list[str], subtests: pytest.Subtests) -> None:
    """Cards describe benchmarks and play an example, which is fetched only on demand."""
    expect(page.get_by_test_id("counts")).to_contain_text(re.compile(r"4 benchmarks · \d+ models · \d+ submissions?"))
    card = page.get_by_test_id("card-star-bench")
    with subtests.test("facts of a card"):
        expect(card).to_contain_text("What happens when, and where?")
        expect(card.get_by_test_id("open")).to_have_text("Open for submissions")
        expect(card.get_by_test_id("leader")).to_contain_text("49.6 % Gemini 2.5 Pro from the paper")
        expect(card.get_by_role("link", name="Paper (2026)")).to_be_visible()
    with subtests.test("sounds are fetched when they are played, not before"):
        assert not [url for url in urls if SOUNDS.search(url)]
        card.get_by_test_id("play-example").click()
        expect(card.get_by_role("status")).to_contain_text("not available yet")
        page.unroute(SOUNDS)
        tone = make_tone(440, 30, side=0)
        page.route(SOUNDS, lambda route: route.fulfill(body=tone, content_type="audio/wav"))
        card.get_by_test_id("play-example").click()
        expect(card.get_by_role("button", name="Pause clip of the STAR-Bench example")).to_be_visible()
        expect(card.get_by_role("status")).to_have_text("")
    for width in (1440, 390):
        with subtests.test("the hero is low and nothing overflows", width=width):
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            hero = page.get_by_test_id("hero").bounding_box()
            assert hero is not None
            assert hero["height"] <= (220 if width == 1440 else 400)
            lefts = {box["x"] for one in page.locator("[data-card]").all() if (box := one.bounding_box())}
            assert len(lefts) == (4 if width == 1440 else 1)
    with subtests.test("the board has the same introduction, and is left in silence"):
        card.get_by_role("link", name="Leaderboard").click()
        intro = page.locator("#board-star-bench").get_by_test_id("board-intro")
        expect(intro).to_contain_text("What happens when, and where?")
        expect(intro.get_by_test_id("leader")).to_contain_text("49.6 % Gemini 2.5 Pro from the paper")
        expect(intro.get_by_test_id("open")).to_have_text("Open for submissions")
        paper = intro.get_by_test_id("paper")
        expect(paper).to_contain_text(
            "STAR-Bench: Probing Deep Spatio-Temporal Reasoning as Audio 4D Intelligence Zihan Liu, "
        )
        expect(paper).to_contain_text("Jiaqi Wang, 2026")
        expect(paper.get_by_role("link")).to_have_attribute("href", "https://openreview.net/forum?id=Ts6j3GoZDE")
        page.wait_for_function("[...document.querySelectorAll('audio')].every((audio) => audio.paused)")


def test_chance_and_human_marks_stay_visible_at_any_best_score(
    watched: Watched, server: Server, soak: bool, subtests: pytest.Subtests
) -> None:
    page = watched.page
    # The scales' own script draws them before Gradio starts. The soak measures them in their tab, too.
    let = hold_gradio(page)
    rewrite(page, OVERVIEW, change_scales)
    page.goto(server.url, wait_until="commit")
    expect(page.get_by_test_id("overview-scales").locator(".es-best-label").last).to_be_visible()
    if soak:
        let()
        expect_settled(page)
    for width in (1440, 700, 390):
        with subtests.test(width=width):
            page.set_viewport_size({"width": width, "height": 900})
            measure(page, width)


def measure(page: Page, width: int) -> None:
    drawn = page.evaluate(MEASURE_SCALES)
    assert len(drawn) == len(SCALES)
    for scale, (label, marks) in zip(SCALES, drawn, strict=True):
        assert len(marks) == sum(scale[name] is not None for name in ("chance", "human"))
        assert label["right"] <= width
        for mark in marks:
            assert mark["isSeen"], f"{scale}: {mark}"
            is_apart = mark["left"] >= label["right"] or mark["right"] <= label["left"]
            assert is_apart or mark["top"] >= label["bottom"] or mark["bottom"] <= label["top"], f"{scale}: {mark}"


def test_overview_that_cannot_be_loaded_shows_an_error_and_retries(watched: Watched, server: Server) -> None:
    page = watched.page
    page.set_viewport_size({"width": 360, "height": 740})
    hold_gradio(page)
    page.route(OVERVIEW, lambda route: route.abort())
    page.goto(server.url, wait_until="commit")
    expect(page.get_by_test_id("overview-status").get_by_role("alert")).to_contain_text("Can't reach the server")
    page.unroute(OVERVIEW)
    page.get_by_test_id("overview-again").click()
    expect(names(page).first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_gradio_starts_even_if_the_first_rows_fail_and_they_are_requested_once(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    urls = note_asked(page)
    board = re.compile(r"/api/v1/leaderboards/star-bench")
    for tab, asked, row in (("overview", OVERVIEW, "overview-row"), ("star-bench", board, "board-row")):
        with subtests.test(tab=tab):
            let = hold(page, asked)
            page.goto(f"{server.url}/?tab={tab}", wait_until="commit")
            expect(page.locator(f"#tab-{tab}-button")).to_have_attribute("aria-selected", "true")
            # The first view is in its tab, which knows that it is open.
            expect(page.locator("#es-first")).to_have_count(0)
            expect(page.get_by_test_id(row)).to_have_count(0)
            let()
            expect(page.get_by_test_id(row).first).to_be_visible()
            once = [url for url in urls if asked.search(url)]
            assert once
            assert len(once) == len(set(once)), once


def test_board_opened_by_its_address_is_drawn_before_gradio_and_keeps_its_state(
    watched: Watched, server: Server
) -> None:
    page = watched.page
    page.add_init_script(COUNT_BOARDS)
    let = hold_gradio(page)
    page.goto(f"{server.url}/?tab=star-bench", wait_until="commit")
    first = page.locator("#es-first")
    expect(first.get_by_test_id("board-row").filter(has_text="Gemini 2.5 Pro")).to_be_visible()
    expect(first.locator("nav [aria-current]")).to_have_text("STAR-Bench")
    expect(page.locator("[role=tab]")).to_have_count(0)
    spatial = page.locator("[data-board=star-bench] thead th", has_text="Spatial")
    spatial.get_by_role("button").click()
    expect(spatial).to_have_attribute("aria-sort", "descending")
    page.get_by_test_id("board-search").first.focus()
    let()

    # The same table is then in the tab, never duplicated; `test_openings` draws its charts.
    expect(page.locator("#tab-star-bench-button")).to_have_attribute("aria-selected", "true")
    expect(first).to_have_count(0)
    expect(page.locator("[data-board=star-bench]")).to_have_count(1)
    assert page.evaluate("window.mostBoards") == 1
    expect(page.locator("#board-star-bench").get_by_test_id("board-search")).to_be_focused()
    expect(spatial).to_have_attribute("aria-sort", "descending")
    page.wait_for_url(re.compile("sort="))
    expect(page.get_by_test_id("overview")).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tab", "link", "sign"),
    [
        ("overview", "a[data-visit][href*='tab=star-bench']", "#board-star-bench [data-testid=board-search]"),
        ("star-bench", "a[data-visit][data-place=submit]", "#tab-submit [data-testid=sign-in]"),
    ],
)
def test_link_followed_before_the_first_view_is_in_its_tab_opens_its_target(
    watched: Watched, server: Server, tab: str, link: str, sign: str
) -> None:
    page = watched.page
    page.add_init_script(CLICK_AT_ONCE % json.dumps(f"#es-first {link}"))
    page.goto(f"{server.url}/?tab={tab}", wait_until="commit")
    expect_drawn(page, sign)
    # The view still moves to its tab, and leaves the open tab unchanged.
    expect(page.locator("#es-first")).to_have_count(0)
    expect(page.locator(sign).first).to_be_visible()
    page.locator(f"#tab-{tab}-button").click()
    row = page.get_by_test_id("overview-row" if tab == "overview" else "board-row").filter(has_text="Gemini 2.5 Pro")
    expect(row.first).to_be_visible()


@pytest.mark.slow
def test_gradio_waits_for_its_element_in_a_page_that_arrives_in_chunks(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    """If it started earlier, from the browser cache, it would miss its attributes and draw a frame around it all."""
    page = watched.page
    page.add_init_script(NOTE_BEGINNING)
    held: list[Route] = []
    page.route("**/held.js", lambda route: held.append(route))

    def interrupt(route: Route) -> None:
        html = route.fetch().text()
        assert html.count("<gradio-app") == 1
        route.fulfill(
            body=html.replace("<gradio-app", '<script src="/held.js"></script><gradio-app'), content_type="text/html"
        )

    page.route(re.compile(r"/\?tab="), interrupt)
    for tab in ("overview", "about"):
        with subtests.test(tab=tab):
            with page.expect_request("**/held.js"):
                page.goto(f"{server.url}/?tab={tab}", wait_until="commit")
            if tab == "overview":
                # Gradio starts once the first rows are drawn, if its element exists.
                expect(names(page).first).to_be_visible()
            page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))")
            assert page.evaluate("window.isBegun") is None
            held.pop().fulfill(body="", content_type="text/javascript")
            expect(page.locator(f"#tab-{tab}-button")).to_have_attribute("aria-selected", "true")
            assert page.evaluate("window.isBegun") is True
            expect(page.locator(".gradio-container > .main.app")).to_have_count(1)
            expect(page.locator(".embed-container")).to_have_count(0)
    with subtests.test("a tab that needs Gradio is not covered"):
        expect(page.locator("#es-first")).to_be_hidden()
        page.locator("#tab-mdar-button").click()
        expect(page.locator("#board-mdar").get_by_test_id("board-row").first).to_be_visible()


def test_first_requests_of_a_board_are_sent_once_and_before_its_scripts(
    watched: Watched, server: Server, soak: bool, subtests: pytest.Subtests
) -> None:
    page = watched.page
    hold_gradio(page)
    urls = note_asked(page)
    boards = ("star-bench", "audio-motion-bench", "mdar", "audio-process-bench")
    for name in boards if soak else boards[:1]:
        with subtests.test(board=name):
            urls.clear()
            page.goto(f"{server.url}/?tab={name}", wait_until="commit")
            board = page.locator(f"[data-board={name}]")
            expect(board.get_by_test_id("board-row").first).to_be_visible()
            # Facts about the version: its number of items, or its requirements.
            known = board.locator("[data-place=items], [data-place=needs]").filter(has_text=re.compile(r"\w"))
            expect(known.first).to_be_visible()
            asked = [url.removeprefix(server.url) for url in urls]
            asked_of_api = [url for url in asked if url.startswith("/api/")]
            assert sorted(asked_of_api) == sorted(list_first_requests(list_versions(name)[0]))
            scripts = [at for at, url in enumerate(asked) if "board-" in url]
            assert max(map(asked.index, asked_of_api)) < min(scripts)
