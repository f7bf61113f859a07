"""What is left is seen before one submits, and a token is made on the Account tab, in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.servers.server import Server, write_example

SECONDS = 1000
LIMITS = {"EARSHOT_SUBMISSIONS_PER_DAY": "2", "EARSHOT_SUBMISSIONS_PER_MONTH": "10", "EARSHOT_SUBMISSIONS_IN_ALL": "60"}


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("limited"), environment=LIMITS).start()
    try:
        yield server.wait_until_ready(with_chance=False)
    finally:
        server.stop()


@pytest.fixture
def page(browser: Browser, limited: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(60 * SECONDS)
    page.goto(limited.url)
    page.get_by_role("tab", name="Submit").click()
    yield page
    context.close()


def sign_in(page: Page, name: str) -> None:
    page.get_by_test_id("sign-in-name").fill(name)
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text(name)


def send(page: Page, path: Path) -> None:
    page.locator("#submit-file input[type=file]").set_input_files(path)
    expect(page.locator("#submit-file")).to_contain_text("example")
    page.locator("#submit-send").click()


def test_what_is_left_is_shown_and_goes_down_until_nothing_is(page: Page, limited: Server) -> None:
    path = write_example(limited)
    left = page.get_by_test_id("left")
    expect(left).to_have_count(0)
    sign_in(page, "ada")
    expect(left).to_contain_text("2 of 2 left today, 10 of 10 this month, 60 of 60 in all")
    page.locator("#model-name input, #model-name textarea").fill("Limited")
    for n_left, month in ((1, 9), (0, 8)):
        send(page, path)
        path.write_bytes(path.read_bytes() + b"\n")  # the very same file would be recognised
        expect(left).to_contain_text(f"{n_left} of 2 left today, {month} of 10 this month", timeout=60 * SECONDS)
    expect(left).to_contain_text("The next is free from 00:00 UTC on")
    send(page, path)
    refusal = page.locator("#submit-feedback").get_by_test_id("refusal")
    expect(refusal).to_contain_text("You have used 2 of the 2 submissions to AudioMotionBench 1.0")
    page.locator("#submit-benchmark input").click()
    page.get_by_role("option", name="MDAR demo").click()
    expect(left).to_contain_text("Submissions to MDAR demo: 2 of 2 left today")


def test_token_made_on_the_account_tab_works_until_it_is_revoked(page: Page, limited: Server) -> None:
    sign_in(page, "bea")
    page.get_by_role("tab", name="Account").click()
    expect(page.get_by_test_id("account-name")).to_contain_text("bea")
    page.locator("#token-label input, #token-label textarea").fill("cluster")
    page.locator("#token-create").click()
    secret = page.get_by_test_id("new-token").inner_text()
    assert ask(limited, secret) == 200
    page.locator("#chosen-token input").click()
    page.get_by_role("option", name="cluster").click()
    page.locator("#token-revoke").click()
    expect(page.locator("#token-notice")).to_contain_text("is revoked")
    expect(page.get_by_test_id("new-token")).to_have_count(0)
    assert ask(limited, secret) == 401


def ask(server: Server, secret: str) -> int:
    return server.get("/api/v1/submissions?mine=true", {"Authorization": f"Bearer {secret}"})[0]
