"""Every tab under axe-core, in light and in dark: no serious violation."""

from collections.abc import Mapping
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from bench.screenshots import TABS
from tests.support.servers.server import Server

DARK = "rgb(14, 20, 32)"
GRAVE = ("serious", "critical")


def describe(violation: Mapping[str, Any]) -> str:
    places = "; ".join(str(node["target"]) for node in violation["nodes"][:5])
    return f"{violation['id']} ({violation['impact']}): {violation['help']}: {places}"


def find_grave(page: Page, place: str, *rules: str) -> list[str]:
    only = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    results = Axe().run(page, options={"resultTypes": ["violations"], **only})
    return [f"{place}: {describe(one)}" for one in results.response["violations"] if one["impact"] in GRAVE]


def test_tab_has_no_serious_violation(browser: Browser, server: Server) -> None:
    found = []
    # One page after another in the same context: what is loaded once need not be loaded again.
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    for tab, sign in TABS.items():
        page = context.new_page()
        page.goto(f"{server.url}/?tab={tab}")
        expect(page.locator(f"#tab-{tab}").locator(sign).first).to_be_visible()
        found += find_grave(page, f"{tab}, light")
        page.emulate_media(color_scheme="dark")
        expect(page.locator("body")).to_have_css("background-color", DARK)
        page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
        # Nothing else depends on colours.
        found += find_grave(page, f"{tab}, dark", "color-contrast")
        page.close()
    context.close()
    assert found == []


def test_violation_is_found_where_there_is_one(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content("<html lang='en'><title>x</title><main><img src='data:,'><button></button></main></html>")
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    page.close()
    assert {"image-alt", "button-name"} <= {one["id"] for one in results.response["violations"]}
