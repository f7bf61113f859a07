"""Every tab under axe-core, in light and in dark: no serious violation, and nothing wider than the window."""

from collections.abc import Mapping
from itertools import product
from typing import Any, Literal

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import SCHEMES, TABS
from tests.support.pages.opening import expect_settled, open_admin, open_charts
from tests.support.samples.printed_rows import make_csv, make_line
from tests.support.servers.server import Server

COLOURS = {"light": "rgb(255, 255, 255)", "dark": "rgb(14, 20, 32)"}
# Its charts are looked at too; those of the other boards are drawn by the same script.
WITH_CHARTS = "mdar"
GRAVE = ("serious", "critical")
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def describe(violation: Mapping[str, Any]) -> str:
    places = "; ".join(str(node["target"]) for node in violation["nodes"][:5])
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}"


def find_grave(page: Page, place: str | None = None, *rules: str) -> list[str]:
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    results = Axe().run(page, context=place, options={"resultTypes": ["violations"], **only})
    return [describe(one) for one in results.response["violations"] if one["impact"] in GRAVE]


def list_tabs() -> list[str]:
    """Every tab; boards last, as axe-core takes longer the more has been drawn on any tab."""
    return sorted(TABS, key=lambda tab: "#board-" in TABS[tab])


def paint(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("body")).to_have_css("background-color", COLOURS[scheme])
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")


def test_tab_has_no_serious_violation(browser: Browser, server: Server, subtests: pytest.Subtests) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.goto(server.url)
    expect_settled(page)
    with subtests.test("what stands around the tabs"):
        assert find_grave(page) == []
    for tab in list_tabs():
        page.locator(f"#tab-{tab}-button").click()
        panel = page.locator(f"#tab-{tab}")
        expect(panel.locator(TABS[tab]).first).to_be_visible()
        if tab == WITH_CHARTS:
            expect(open_charts(page, tab).locator(".js-plotly-plot").first).to_be_visible()
        with subtests.test(tab=tab, scheme="light"):
            paint(page, "light")
            assert find_grave(page, f"#tab-{tab}") == []
            assert page.evaluate(OVERFLOW) <= 0
        with subtests.test(tab=tab, scheme="dark"):
            paint(page, "dark")
            # Nothing else depends on colours.
            assert find_grave(page, None if tab == "about" else f"#tab-{tab}", "color-contrast") == []
            assert page.evaluate(OVERFLOW) <= 0
    context.close()


def test_admin_tab_of_a_maintainer_has_no_serious_violation(
    browser: Browser, server: Server, subtests: pytest.Subtests
) -> None:
    rows = "/api/v1/admin/reported-rows"
    headers = {"Authorization": f"Bearer {server.token('local')}"}
    file = {"file": ("rows.csv", make_csv(make_line(model="Listed")))}
    httpx2.post(f"{server.url}{rows}", headers=headers, files=file, data={"reason": "As printed"}).raise_for_status()
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    open_admin(page, server, "local")
    expect(page.get_by_test_id("rows-changed")).to_contain_text("Listed")
    faulty = make_csv(make_line(model="Previewed"), make_line(model="Faulty", value="43.2"))
    file_input = page.locator("#admin-rows-file input[type=file]")
    file_input.set_input_files({"name": "faulty.csv", "mimeType": "text/csv", "buffer": faulty})
    expect(page.locator("#admin-rows-file")).to_contain_text("faulty")
    page.locator("#admin-rows-preview").click()
    expect(page.get_by_test_id("rows-result")).to_contain_text("Write 0.432")
    for width, scheme in product((1440, 390), SCHEMES):
        with subtests.test(width=width, scheme=scheme):
            page.set_viewport_size({"width": width, "height": 900})
            paint(page, scheme)
            assert find_grave(page, "#tab-admin") == []
            assert page.evaluate(OVERFLOW) <= 0
    context.close()


def test_violation_is_found_where_there_is_one(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><img src='data:,'><button></button></main></html>")
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    page.close()
    assert {"image-alt", "button-name"} <= {one["id"] for one in results.response["violations"]}
