"""Signing in with an OpenID provider where people see a Space: inside the Hub's frame, over TLS."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from bench.chromium import launch_chromium
from tests.support.edge import APP_HOST, HUB_HOST, SPACE, Edge, run_edge
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.server import Server, wait_for
from tests.support.servers.signed_in_site import make_sign_in_settings

USER = "frieda"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with run_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def edge(ranked: Path, provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edge]:
    folder = tmp_path_factory.mktemp("space")
    shutil.copytree(ranked, folder / "data")
    settings = make_sign_in_settings(provider, public_url=f"https://{APP_HOST}")
    del settings["maintainers"]
    environment = {**SPACE, **{f"EARSHOT_{name.upper()}": str(value) for name, value in settings.items()}}
    environment |= {"EARSHOT_HOST": "127.0.0.1", "EARSHOT_PRODUCTION": "0"}
    arguments = ("--no-packs", "--no-references", "--no-evaluator")
    server = Server(folder, environment, arguments, port=settings["port"]).start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
        with run_edge(server.url, folder) as edge:
            yield edge
    finally:
        server.stop()


@pytest.fixture(scope="module")
def browser(playwright: Playwright, edge: Edge) -> Iterator[Browser]:
    """A Chromium that finds every site at the edge, save for the provider on loopback."""
    browser = launch_chromium(playwright, [f"{flag}, EXCLUDE 127.0.0.1" for flag in edge.browser_flags])
    yield browser
    browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, ignore_https_errors=True)
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def test_visitor_of_the_frame_signs_in_in_a_tab_of_its_own_and_out_in_the_frame(
    page: Page, provider: OpenIdProvider
) -> None:
    provider.user = f"sub-{USER}"
    page.goto(f"https://{HUB_HOST}/spaces/lab/earshot?tab=submit")
    frame = page.frame_locator("iframe")
    button = frame.locator("#account").get_by_test_id("sign-in")
    expect(button).to_be_visible()
    with page.expect_popup() as opened:
        button.click()
    expect(opened.value.get_by_test_id("header-user")).to_have_text(USER)
    assert opened.value.url == f"https://{APP_HOST}/?tab=submit"
    opened.value.close()
    with_focus = page.frames[1]
    # Every page of this browser believes to have the focus all the time.
    with_focus.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(frame.get_by_test_id("header-user")).to_have_text(USER)
    expect(frame.locator("#submit-send")).to_be_visible()
    (session,) = [one for one in page.context.cookies(f"https://{APP_HOST}") if "session" in one["name"]]
    assert (session["name"], session["sameSite"]) == ("__Host-earshot_session", "None")
    frame.get_by_test_id("sign-out").click()
    expect(frame.get_by_test_id("header-user")).to_have_count(0)
    expect(button).to_be_visible()
