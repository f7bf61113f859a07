"""Choice of a way to submit in a real browser: by keyboard and by address, without a shift, and with its commands."""

import re

import pytest
from playwright.sync_api import Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, choose_way, open_tab
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

# What belongs to each way, and to no other.
SIGNS = {
    "api": ("#run-steps", "#asked-setting", "#asked-base-url", "#asked-send"),
    "predictions": ("#submit-help",),
    "tools": ("#tool-steps",),
}
FILE_FORM = ("#setting", "#submit-file", "#submit-check")
# Shifts within half a second of a key count as well.
WATCH_SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      for (const { node } of entry.sources) window.shifts.push(node?.closest?.("%s")?.id);
    }
  }).observe({ type: "layout-shift" });
}"""
STAYING = "#submit-how, #account, #submit-benchmark"
KEYS = (("ArrowRight", "tools"), ("ArrowRight", "api"), ("ArrowRight", "predictions"), ("ArrowLeft", "api"))


def expect_way(page: Page, way: str) -> None:
    """The page shows what belongs to a way, and nothing of the others."""
    expect(page.locator(f"#submit-how input[value={way}]")).to_be_checked()
    for name, signs in SIGNS.items():
        for sign in signs:
            expect(page.locator(sign)).to_be_visible(visible=name == way)
    for sign in FILE_FORM:
        expect(page.locator(sign)).to_be_visible(visible=way != "api")
    expect(page.locator("#model-name")).to_be_visible()


def test_way_is_chosen_by_keyboard_and_address_and_moves_nothing_above_it(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    with subtests.test("usual way"):
        expect_way(page, "predictions")
    page.evaluate(WATCH_SHIFTS % STAYING)
    page.locator("#submit-how input:checked").focus()
    for key, way in (
        ("ArrowRight", "tools"),
        ("ArrowRight", "api"),
        ("ArrowRight", "predictions"),
        ("ArrowLeft", "api"),
    ):
        with subtests.test(key=key, way=way):
            page.keyboard.press(key)
            expect_way(page, way)
            expect(page.locator(f"#submit-how input[value={way}]")).to_be_focused()
            page.wait_for_url(re.compile(rf"\?tab=submit&how={way}$" if way != "predictions" else r"\?tab=submit$"))
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert [place for place in page.evaluate("window.shifts") if place] == []
    with subtests.test("another tab and back"):
        open_tab(page, "About")
        open_tab(page, "Submit")
        expect_way(page, "api")
    with subtests.test("address"):
        page.goto(f"{server.url}/?tab=submit&how=tools&benchmark=mdar&version=demo")
        expect_way(page, "tools")
        expect(page.locator("#submit-benchmark input")).to_have_value("MDAR demo")
    assert "how=tools" in page.url


def test_command_follows_benchmark_and_setting_and_is_copied(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    page.goto(f"{server.url}/?tab=submit&how=api&benchmark=star-bench&version=demo")
    steps, copy = page.get_by_test_id("run-steps"), page.get_by_role("button", name="Copy command: Try it")
    start = "python -m submissions run --benchmark star-bench --version demo"
    model = f"--base-url http://localhost:8000/v1 --model my-model --limit 20 --url {server.url}"
    with subtests.test("benchmark of the address"):
        expect(steps).to_contain_text(f"{start} {model}")
        copy.click()
        expect(copy).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == f"{start} {model}"
    with subtests.test("setting"):
        choose(page, "asked-setting", "caption-only")
        expect(steps).to_contain_text(f"{start} --setting caption-only {model}")
    with subtests.test("setting without prompts"):
        choose(page, "submit-benchmark", "MDAR demo")
        expect(steps).to_contain_text("--benchmark mdar --version demo --base-url")
        choose(page, "asked-setting", "noise")
        expect(page.get_by_test_id("run-refused")).to_contain_text("have no prompts for the setting “noise”")
    with subtests.test("closed version"):
        choose(page, "submit-benchmark", "MDAR 1.0")
        for way in SIGNS:
            choose_way(page, way)
            for sign in (*(sign for signs in SIGNS.values() for sign in signs), *FILE_FORM, "#submit-next h2"):
                expect(page.locator(sign)).to_be_hidden()
