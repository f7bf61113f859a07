"""Accessibility of every tab under axe-core, in light and dark mode: no serious violation, no horizontal overflow.

Only tables scroll, inside their own box, even on the narrowest screen. A screen reader announces the result of an
event.
"""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python  # type: ignore[import-untyped]
import httpx2
import pytest
from playwright.sync_api import Browser, Page

from bench.screenshots import SCHEMES, TABS
from evaluation.packs import example_predictions
from tests.support.editions.edition_places import open_on_server
from tests.support.pages.expecting import expect
from tests.support.pages.measuring import FIND_WIDE, OVERFLOW
from tests.support.pages.opening import choose_way, expect_drawn, expect_settled, open_charts, open_tab, sign_in, visit
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.server import Server

COLOURS = {"light": "rgb(255, 255, 255)", "dark": "rgb(14, 20, 32)"}
# Its charts are checked too; those of other boards are drawn by the same script.
WITH_CHARTS = "star-bench"
# Boards of the same template, in the soak only.
FURTHER_BOARDS = ("audio-motion-bench", "audio-process-bench", "mdar")
GRAVE = ("serious", "critical")
AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
# axe-core asks for the styles of every element of the document, and styles of hidden elements are recomputed for each
# request. The contents of the other tabs are therefore detached meanwhile.
RUN = """async ([place, options]) => {
  const closed = [...document.querySelectorAll("[role=tabpanel]")].filter((panel) => !panel.checkVisibility());
  const aside = closed.map((panel) => [panel, document.createDocumentFragment()]);
  for (const [panel, fragment] of aside) fragment.append(...panel.childNodes);
  const { violations } = await axe.run({ include: [place], exclude: ["[data-alike]"] }, options);
  for (const [panel, fragment] of aside.reverse()) panel.append(fragment);
  return violations;
}"""
# Contrast is measured cell by cell, which dominates the time for a board. A row adds nothing if the rows above it have
# every class of its cells and equally deep shades, nor does a chart with the elements of those above it.
MARK_ALIKE = """() => {
  const mark = (places) => {
    const seen = new Set();
    let deepest = 0;
    for (const place of places) {
      const all = [place, ...place.querySelectorAll("*")];
      // Plotly names each trace by a random class.
      const kinds = all.map((one) => `${one.tagName} ${one.getAttribute("class")?.replace(/ trace[0-9a-f]{6}/, "")}`);
      const shade = Math.max(...all.map((one) => Number(one.style?.getPropertyValue("--heat") ?? 0)));
      place.toggleAttribute("data-alike", kinds.every((kind) => seen.has(kind)) && shade <= deepest);
      kinds.forEach((kind) => seen.add(kind));
      deepest = Math.max(deepest, shade);
    }
  };
  for (const body of document.querySelectorAll("tbody"))
    mark(body.querySelectorAll("[data-testid=board-row], [data-testid=overview-row]"));
  mark(document.querySelectorAll(".js-plotly-plot"));
}"""
NARROW, WIDE = 360, 1440
HEIGHT = 900
# Announcements of live regions from now on.
HEAR = """() => {
  window.heard = [];
  const hear = () => {
    for (const place of document.querySelectorAll("[aria-live=polite]")) window.heard.push(place.innerText);
  };
  new MutationObserver(hear).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
HAS_HEARD = "window.heard.includes('Done') || window.heard.some((words) => words.startsWith('common.'))"


def describe(violation: Mapping[str, Any]) -> str:
    places = "; ".join(str(node["target"]) for node in violation["nodes"][:5])
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}"


def find_grave(page: Page, place: str = "html", *rules: str) -> list[str]:
    return [describe(one) for one in find_violations(page, place, *rules) if one["impact"] in GRAVE]


def find_violations(page: Page, place: str, *rules: str) -> list[dict[str, Any]]:
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    page.evaluate(MARK_ALIKE)
    found: list[dict[str, Any]] = page.evaluate(RUN, [place, {"resultTypes": ["violations"], "preload": False, **only}])
    return found


def list_tabs(*, with_further_boards: bool) -> list[str]:
    """List the tabs; boards come last, because axe-core takes longer the more elements any tab contains."""
    tabs = [tab for tab in TABS if with_further_boards or tab not in FURTHER_BOARDS]
    return sorted(tabs, key=lambda tab: "#board-" in TABS[tab])


def paint(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    # Gradio dims what an event is about to replace.
    page.wait_for_function("""() => !document.querySelector(".pending")""")
    expect(page.locator("body")).to_have_css("background-color", COLOURS[scheme])
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})


def expect_narrow_fits(page: Page) -> None:
    """The visible content fits the narrowest screen, in both colour schemes."""
    resize(page, NARROW)
    for scheme in reversed(SCHEMES):
        page.emulate_media(color_scheme=scheme)
        # Charts adopt their new width a moment later.
        page.wait_for_function(f"() => ({FIND_WIDE})().length === 0 && ({OVERFLOW}) <= 0")
    resize(page, WIDE)


def list_choices(server: Server) -> dict[str, str]:
    """Return the addresses of a model and of a comparison, with selectors that show when they are drawn."""
    first, second = server.json("/api/v1/leaderboards/star-bench?source=reported")["rows"][:2]
    rows = f"benchmark=star-bench&a={first['submission']}&b={second['submission']}"
    return {
        f"tab=model&model={first['model']['id']}": "[data-testid=model-name]",
        f"tab=compare&{rows}": "[data-testid=verdict]",
    }


def test_tab_has_no_serious_violation_and_fits_the_narrowest_screen(
    browser: Browser, server: Server, soak: bool, subtests: pytest.Subtests
) -> None:
    # Transitions of colours would have to be awaited.
    context = browser.new_context(
        viewport={"width": WIDE, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(server.url)
    expect_settled(page)
    page.evaluate(AXE)
    with subtests.test("the Overview and what stands around the tabs"):
        assert find_grave(page) == []
    for tab in list_tabs(with_further_boards=soak):
        page.locator(f"#tab-{tab}-button").click()
        expect_drawn(page, f"#tab-{tab} :is({TABS[tab]})")
        if tab == WITH_CHARTS:
            open_charts(page, tab)
            expect_drawn(page, f"#charts-{tab} .js-plotly-plot")
        with subtests.test(tab=tab, scheme="light"):
            paint(page, "light")
            # The Overview has been checked together with the header and footer.
            assert tab == "overview" or find_grave(page, f"#tab-{tab}") == []
            assert page.evaluate(OVERFLOW) <= 0
        with subtests.test(tab=tab, scheme="dark"):
            paint(page, "dark")
            # Only contrast depends on colours.
            assert find_grave(page, "html" if tab == "about" else f"#tab-{tab}", "color-contrast") == []
            assert page.evaluate(OVERFLOW) <= 0
        with subtests.test(tab=tab, width=NARROW):
            expect_narrow_fits(page)
        if tab == "submit":
            check_other_ways(page, subtests)
    for address, sign in list_choices(server).items():
        with subtests.test(address=address, width=NARROW):
            # On a narrow page the tab is in a menu, and a link to it would reload the page.
            expect(page.locator("#tab-account-button")).to_be_visible()
            visit(page, f"/?{address}")
            expect_drawn(page, sign)
            expect_narrow_fits(page)
    context.close()


def check_other_ways(page: Page, subtests: pytest.Subtests) -> None:
    """Check what the Submit tab shows for a model with an API and for a log; predictions are its usual way."""
    for way in ("api", "tools"):
        choose_way(page, way)
        with subtests.test(way=way):
            paint(page, "light")
            assert find_grave(page, "#tab-submit") == []
            paint(page, "dark")
            assert find_grave(page, "#tab-submit", "color-contrast") == []
            assert page.evaluate(OVERFLOW) <= 0
            expect_narrow_fits(page)


@pytest.fixture
def listed_row(server: Server) -> Iterator[str]:
    """Model of a row that a maintainer added to the shared boards; the fixture undoes the addition."""
    headers = {"Authorization": f"Bearer {server.token('local')}"}
    rows = f"{server.url}/api/v1/admin/reported-rows"
    with httpx2.Client(headers=headers, timeout=60, trust_env=False) as client:
        file = {"file": ("rows.csv", make_csv(make_line(model="Listed")))}
        client.post(rows, files=file, data={"reason": "As printed"}).raise_for_status()
        yield "Listed"
        (row_id,) = (row["id"] for row in client.get(rows).json()["rows"] if row["model"] == "Listed")
        client.post(f"{rows}/{row_id}/undo", json={"reason": "Listed for a test"}).raise_for_status()


@pytest.fixture
def owner_of_editions(server: Server) -> Iterator[str]:
    """User with an open edition, whose file waits, and a queued one."""
    headers = {"Authorization": f"Bearer {server.token('axel')}"}
    with httpx2.Client(base_url=server.url, headers=headers, timeout=60, trust_env=False) as client:
        opened, queued = (client.post("/api/v1/benchmarks/audio-motion-bench/editions").json() for _ in range(2))
    content = open_on_server(server, opened["id"])
    lines = "".join(json.dumps(line) + "\n" for line in example_predictions(content))
    server.send(lines.encode(), "Waiting", "axel")
    assert queued["state"] == "queued"
    yield "axel"
    # Nothing may wait in the queue of the shared server.
    open_on_server(server, queued["id"])


def test_tabs_of_users_announce_results_in_any_language_and_have_no_serious_violation(
    browser: Browser, server: Server, listed_row: str, owner_of_editions: str, subtests: pytest.Subtests
) -> None:
    context = browser.new_context(
        viewport={"width": WIDE, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce", locale="de-DE"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{server.url}/?tab=submit")
    expect(page.locator("#submit-check")).to_be_visible()
    page.evaluate(HEAR)
    page.locator("#submit-check").click()
    page.evaluate(AXE)
    sign_in(page, owner_of_editions)
    expect(page.locator("#own-editions [data-edition]")).to_have_count(2)
    expect(page.locator("#own-editions").get_by_role("button", name="Score and close")).to_be_visible()
    check_tab(page, "submit", NARROW, subtests)
    with subtests.test("words after an event"):
        # Gradio pauses for five seconds between announcements.
        page.wait_for_function(HAS_HEARD)
        assert not [words for words in page.evaluate("window.heard") if words.startswith("common.")]
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "local")
    open_tab(page, "Admin")
    expect(page.get_by_test_id("rows-changed")).to_contain_text(listed_row)
    preview_faulty_rows(page)
    check_tab(page, "admin", 390, subtests)
    context.close()


def check_tab(page: Page, tab: str, narrow: int, subtests: pytest.Subtests) -> None:
    """Check what a signed-in user sees on a tab, on a wide and on a narrow page."""
    for width, scheme in product((WIDE, narrow), SCHEMES):
        with subtests.test(tab=tab, width=width, scheme=scheme):
            resize(page, width)
            paint(page, scheme)
            assert page.evaluate(OVERFLOW) <= 0
            # Only contrast depends on colours.
            assert find_grave(page, f"#tab-{tab}", *(["color-contrast"] if scheme == "dark" else [])) == []
    resize(page, WIDE)


def preview_faulty_rows(page: Page) -> None:
    faulty = make_csv(make_line(model="Previewed"), make_line(model="Faulty", value="43.2"))
    file_input = page.locator("#admin-rows-file input[type=file]")
    file_input.set_input_files({"name": "faulty.csv", "mimeType": "text/csv", "buffer": faulty})
    expect(page.locator("#admin-rows-file")).to_contain_text("faulty")
    page.locator("#admin-rows-preview").click()
    expect(page.get_by_test_id("rows-result")).to_contain_text("Write 0.432")


def test_known_violation_is_detected(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><img src='data:,'><button></button></main></html>")
    page.evaluate(AXE)
    found = {one["id"] for one in find_violations(page, "html")}
    page.close()
    assert {"image-alt", "button-name"} <= found
