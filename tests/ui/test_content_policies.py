"""Content Security Policy in a real browser: no page needs what its policy forbids, and inline code does not run.

Every test with the fixture `watched` fails on a violation, too; `test_hostile_names` visits every tab with it.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from leaderboard.http.content_policies import DATA_POLICY, POLICY_HEADER
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_settled
from tests.support.pages.policy_violations import note_violations
from tests.support.pages.watched import Watched
from tests.support.samples.practice_packs import make_tone
from tests.support.servers.server import Server

# What an injection would try, in elements that a script adds.
INJECT = """() => {
  const place = document.createElement("div");
  place.innerHTML = '<img src="/nowhere" onerror="window.hasRun = 1"><b onclick="window.hasRun = 2">Press</b>';
  const script = Object.assign(document.createElement("script"), { text: "window.hasRun = 3" });
  document.body.append(place, script);
  place.querySelector("b").click();
}"""
SET_MARKUP = "() => { document.body.innerHTML = '<p>Markup</p>'; }"


@pytest.fixture
def noted(context: BrowserContext) -> Iterator[Watched]:
    """A page whose violations a test expects."""
    watched = Watched(context.new_page())
    note_violations(watched.page, watched.errors)
    yield watched
    watched.page.close()


def wait_for_violations(page: Page, errors: list[str], count: int) -> list[str]:
    while len(errors) < count:
        page.wait_for_event("console", timeout=20_000)
    return [error.split(" ")[2] for error in errors]


def test_pages_of_ours_keep_their_styles_and_meet_no_violation(watched: Watched, server: Server) -> None:
    page = watched.page
    for path, width in {"/api/v1/docs": "960px", "/nope": "576px"}.items():
        page.goto(server.url + path)
        assert page.evaluate("getComputedStyle(document.body).maxWidth") == width
    page.goto(f"{server.url}/embed/star-bench")
    assert page.evaluate("getComputedStyle(document.body).fontSize") == "14px"
    bar = page.locator("svg.bar").first
    assert bar.evaluate("(bar) => [bar.clientHeight, bar.firstElementChild.getBBox().width > 0]") == [3, True]
    assert watched.errors == []


def test_sound_opened_alone_plays(watched: Watched, server: Server) -> None:
    address = f"{server.url}/api/v1/listening/alone.wav"
    headers = {"Content-Type": "audio/wav", POLICY_HEADER: DATA_POLICY}
    watched.page.route(address, lambda route: route.fulfill(body=make_tone(440.0, 1.0, side=0), headers=headers))
    watched.page.goto(address)
    expect(watched.page.locator("video")).to_have_js_property("duration", 1)


def test_injected_code_does_not_run_on_the_page(noted: Watched, server: Server) -> None:
    noted.page.goto(server.url)
    expect_settled(noted.page)
    assert noted.errors == []
    noted.page.evaluate(INJECT)
    directives = wait_for_violations(noted.page, noted.errors, 3)
    assert sorted(directives) == ["script-src-attr", "script-src-attr", "script-src-elem"]
    assert noted.page.evaluate("window.hasRun") is None


def test_scripts_make_no_markup_of_texts_on_pages_of_ours(noted: Watched, server: Server) -> None:
    noted.page.goto(f"{server.url}/api/v1/docs")
    with pytest.raises(Exception, match="TrustedHTML"):
        noted.page.evaluate(SET_MARKUP)
    assert wait_for_violations(noted.page, noted.errors, 1) == ["require-trusted-types-for"]
