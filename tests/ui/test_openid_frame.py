"""Everything that needs a sign-in, where people see a Space: inside the Hub's frame, over TLS."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, Page, Playwright, expect

from bench.chromium import launch_chromium
from tests.support.edge import APP_HOST, HUB_HOST, SPACE, Edge, run_edge
from tests.support.pages.opening import choose, fill, open_tab
from tests.support.pages.participant import read_example
from tests.support.servers.openid_provider import OpenIdProvider, run_provider
from tests.support.servers.server import Server, wait_for
from tests.support.servers.signed_in_site import ORGANISATION, make_sign_in_settings

USER, MODEL = "frieda", "Framed"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    with run_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def server(ranked: Path, provider: OpenIdProvider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("space")
    shutil.copytree(ranked, folder / "data")
    settings = make_sign_in_settings(provider, public_url=f"https://{APP_HOST}")
    del settings["maintainers"]
    environment = {**SPACE, **{f"EARSHOT_{name.upper()}": str(value) for name, value in settings.items()}}
    environment |= {"EARSHOT_HOST": "127.0.0.1", "EARSHOT_PRODUCTION": "0"}
    server = Server(folder, environment, port=settings["port"]).start()
    try:
        server.wait_until_ready(with_chance=False)
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def edge(server: Server) -> Iterator[Edge]:
    with run_edge(server.url, server.folder) as edge:
        yield edge


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


def test_visitor_of_the_frame_signs_in_submits_maintains_and_signs_out(
    page: Page, server: Server, provider: OpenIdProvider, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    provider.user = f"sub-{USER}"
    provider.people[provider.user] = {"orgs": [{"preferred_username": ORGANISATION, "roleInOrg": "admin"}]}
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"https://{HUB_HOST}/spaces/lab/earshot?tab=submit")
    expect(page.frame_locator("iframe").locator("#account").get_by_test_id("sign-in")).to_be_visible()
    frame = page.frames[1]
    with subtests.test("signed in, in a tab of its own"):
        sign_in_beside_the_frame(page, frame)
    with subtests.test("a file is submitted, watched until it is scored, and published"):
        submit_and_publish(frame, server, tmp_path)
    with subtests.test("an endpoint is registered, and approved by a maintainer"):
        register_and_approve(frame)
    with subtests.test("a maintainer hides a result and restores it"):
        hide_and_restore(frame, server)
    with subtests.test("a maintainer looks at what a re-evaluation would change"):
        preview_reevaluation(frame)
    with subtests.test("a token that is made in the frame works in the API"):
        make_and_use_token(frame)
    frame.get_by_test_id("sign-out").click()
    expect(frame.get_by_test_id("header-user")).to_have_count(0)
    expect(frame.locator("#account-who").get_by_test_id("sign-in")).to_be_visible()


def sign_in_beside_the_frame(page: Page, frame: Frame) -> None:
    with page.expect_popup() as opened:
        frame.locator("#account").get_by_test_id("sign-in").click()
    expect(opened.value.get_by_test_id("header-user")).to_have_text(USER)
    assert opened.value.url == f"https://{APP_HOST}/?tab=submit"
    opened.value.close()
    # Every page of this browser believes to have the focus all the time.
    frame.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(frame.get_by_test_id("header-user")).to_have_text(USER)
    (session,) = [one for one in page.context.cookies(f"https://{APP_HOST}") if "session" in one["name"]]
    assert (session["name"], session["sameSite"]) == ("__Host-earshot_session", "None")


def submit_and_publish(frame: Frame, server: Server, folder: Path) -> None:
    path = folder / "predictions.jsonl"
    path.write_bytes(read_example(server))
    frame.locator("#submit-file input[type=file]").set_input_files(path)
    expect(frame.locator("#submit-file")).to_contain_text(path.stem)
    fill(frame, "model-name", MODEL)
    frame.locator("#submit-send").click()
    expect(frame.get_by_test_id("state")).to_have_text("scored")
    expect(frame.get_by_test_id("result")).to_contain_text("41.7")
    assert not server.rows(q=MODEL)
    frame.locator("#publish").click()
    wait_for(lambda: server.rows(q=MODEL), "the row on the board")


def register_and_approve(frame: Frame) -> None:
    frame.get_by_role("tab", name="Have a model asked", exact=True).click()
    fill(frame, "model-name", MODEL)
    fill(frame, "asked-base-url", "https://models.example.com/v1")
    fill(frame, "asked-model-name", "m")
    frame.locator("#asked-send").click()
    expect(frame.get_by_test_id("state")).to_have_text("awaiting-approval")
    open_tab(frame, "Admin")
    expect(frame.get_by_test_id("admin-name")).to_contain_text(USER)
    expect(frame.locator("#admin-awaiting")).to_contain_text("https://models.example.com/v1")
    choose(frame, "admin-endpoint", "https://models.example.com/v1")
    frame.locator("#admin-approve-endpoint").click()
    expect(frame.locator("#admin-approval-notice")).to_contain_text("Approved")


def hide_and_restore(frame: Frame, server: Server) -> None:
    (row,) = server.rows(q=MODEL)
    fill(frame, "admin-submission", row["submission"])
    fill(frame, "admin-submission-reason", "Asked for by its owner")
    frame.locator("#admin-hide").click()
    expect(frame.locator("#admin-status").get_by_test_id("hidden")).to_contain_text("Asked for by its owner")
    wait_for(lambda: not server.rows(q=MODEL), "hiding of the row")
    frame.locator("#admin-restore").click()
    expect(frame.locator("#admin-status")).to_contain_text("Restored: Asked for by its owner")
    expect(frame.get_by_test_id("audit-log")).to_contain_text("restored")


def preview_reevaluation(frame: Frame) -> None:
    choose(frame, "admin-scope", "the submission above")
    fill(frame, "admin-anew-reason", "To see")
    frame.locator("#admin-what-would-change").click()
    expect(frame.locator("#admin-asked")).to_contain_text("Asked for as")
    # Nothing of key or scorer has changed.
    expect(frame.get_by_test_id("reevaluation-result")).to_contain_text("would")


def make_and_use_token(frame: Frame) -> None:
    open_tab(frame, "Account")
    fill(frame, "token-label", "cluster")
    frame.locator("#token-create").click()
    token = frame.get_by_test_id("new-token").inner_text()
    asked = """async (token) => {
      const options = { headers: { Authorization: `Bearer ${token}` }, credentials: "omit" };
      return (await (await fetch("/api/v1/me", options)).json()).name;
    }"""
    assert frame.evaluate(asked, token.strip()) == USER
