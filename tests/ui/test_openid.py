"""Signing in with an OpenID provider and out again, in a browser."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.pages.opening import expect_settled, open_tab
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.server import Server, wait_for
from tests.support.servers.signed_in_site import make_sign_in_settings


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with run_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def server(ranked: Path, provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("openid")
    shutil.copytree(ranked, folder / "data")
    settings = make_sign_in_settings(provider)
    del settings["maintainers"]
    environment = {f"EARSHOT_{name.upper()}": str(value) for name, value in settings.items()}
    arguments = ("--no-packs", "--no-references", "--no-evaluator")
    server = Server(folder, environment, arguments, port=settings["port"]).start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
        yield server
    finally:
        server.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, "a script failed"


def test_visitor_signs_in_where_they_are_and_out_in_the_header(
    page: Page, server: Server, provider: OpenIdProvider, subtests: pytest.Subtests
) -> None:
    provider.user = "sub-zoe"
    with subtests.test("one button instead of a form"):
        page.goto(f"{server.url}/?tab=submit&benchmark=audio-motion-bench&version=1.0")
        expect_settled(page)
        expect(page.get_by_test_id("sign-in").first).to_be_visible()
        expect(page.locator("#submit-send")).to_be_hidden()
        expect(page.locator("#model-name")).to_be_hidden()
        expect(page.locator("#submit-check")).to_be_visible()
    with subtests.test("declined, with a way to try again"):
        provider.fault = "denied"
        page.get_by_test_id("sign-in").first.click()
        expect(page.get_by_role("heading")).to_have_text("Sign-in failed")
        provider.fault = ""
    with subtests.test("signed in, back where they were"):
        page.get_by_test_id("try-again").click()
        expect(page.get_by_test_id("header-user")).to_have_text("zoe")
        expect(page).to_have_url(re.compile(r"\?tab=submit&benchmark=audio-motion-bench&version=1\.0$"))
        expect(page.locator("#submit-send")).to_be_visible()
        expect(page.get_by_test_id("signed-in-as")).to_contain_text("zoe")
    with subtests.test("sessions are listed, and one of another browser is revoked"):
        see_and_revoke(page, server)
    with subtests.test("signed out without loading the page anew"):
        page.evaluate("window.isSamePage = true")
        page.get_by_test_id("sign-out").click()
        expect(page.get_by_test_id("header-user")).to_have_count(0)
        expect(page.locator("#account-who").get_by_test_id("sign-in")).to_be_visible()
        assert page.evaluate("window.isSamePage")
        assert [one["name"] for one in page.context.cookies(server.url)] == []


def see_and_revoke(page: Page, server: Server) -> None:
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context()
    elsewhere = other.new_page()
    elsewhere.goto(f"{server.url}/auth/login")
    open_tab(page, "Account")
    sessions = page.get_by_test_id("sessions").get_by_role("row")
    expect(sessions).to_have_count(3)
    expect(sessions.filter(has_text="This browser")).to_have_count(1)
    sessions.filter(has_not_text="This browser").get_by_role("button", name="Revoke").click()
    expect(sessions).to_have_count(2)
    elsewhere.goto(f"{server.url}/api/v1/me")
    expect(elsewhere.locator("body")).to_contain_text('"name":null')
    other.close()
