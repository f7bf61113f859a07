"""The page on a Space: in the Hub's frame and by its own address, behind an edge that terminates TLS."""

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Frame, FrameLocator, Locator, Page, Playwright

from bench.chromium import launch_chromium
from tests.support.edge import APP_HOST, HUB_HOST
from tests.support.pages.expecting import expect
from tests.support.pages.opening import choose, choose_way, expect_settled, fill, open_tab
from tests.support.pages.participant import read_example
from tests.support.pages.quick_timers import shorten_intervals
from tests.support.samples.question_packs import lay_question_pack
from tests.support.servers.server import Server, wait_for
from tests.support.servers.signed_in_site import ORGANISATION
from tests.support.servers.space import Space, run_space
from tests.support.servers.warm_processes import WarmPython

APP = f"https://{APP_HOST}"
SPACE_PAGE = f"https://{HUB_HOST}/spaces/lab/earshot"
USER, MODEL = "frieda", "Framed"


@pytest.fixture(scope="module")
def space(ranked: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython) -> Iterator[Space]:
    with run_space(ranked, tmp_path_factory.mktemp("space"), warm_python) as space:
        yield space


@pytest.fixture(scope="module")
def browser(playwright: Playwright, space: Space) -> Iterator[Browser]:
    browser = launch_chromium(playwright, space.edge.browser_flags)
    yield browser
    browser.close()


@pytest.fixture
def faults() -> list[str]:
    """Console errors and error responses, which must be absent."""
    return []


@pytest.fixture
def page(browser: Browser, faults: list[str]) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(60_000)
    shorten_intervals(context)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("response", lambda answer: faults.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    yield page
    context.close()
    assert not errors, "a script failed"


def open_space(page: Page, query: str) -> FrameLocator:
    page.goto(f"{SPACE_PAGE}{query}")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("tab", name="About", exact=True)).to_be_visible()
    return frame


def wait_for_query(page: Page, pattern: str) -> None:
    """Wait until the Hub's address bar matches the view."""
    page.wait_for_url(re.compile(re.escape(SPACE_PAGE) + pattern))


def test_visitor_of_a_space_filters_exports_and_checks_a_file_in_the_frame_with_a_clean_console(
    page: Page, space: Space, faults: list[str], tmp_path: Path, soak: bool, subtests: pytest.Subtests
) -> None:
    frame = open_space(page, "?tab=star-bench&__theme=dark")
    board = frame.locator("#board-star-bench")
    rows = board.get_by_test_id("board-row")
    with subtests.test("the Hub's address opens a board, in the Hub's colours"):
        expect(rows.first).to_be_visible()
        expect(frame.locator("html")).to_have_class(re.compile(r"\bdark\b"))
    with subtests.test("the Hub's address bar follows what is chosen"):
        board.get_by_test_id("board-search").fill("flamingo")
        expect(rows).to_have_count(2)
        wait_for_query(page, r"\?tab=star-bench&q=flamingo$")
    if soak:  # as outside a frame (test_board, test_visitor_journey)
        with subtests.test("a column is picked, and the usual ones come back"):
            pick_column(page, board)
    with subtests.test("a file is downloaded"):
        board.get_by_test_id("export-menu").locator("summary").click()
        with page.expect_download() as download:
            board.get_by_test_id("export-panel").get_by_role("link", name="Hub YAML").click()
        # External links name the Space, not the container behind the edge.
        assert f"{APP}/?" in download.value.path().read_text()
        page.keyboard.press("Escape")
    if soak:
        with subtests.test("two models are compared, and one is looked at"):
            compare_and_open_model(page, frame)
    with subtests.test("a link that leaves the page opens beside the frame"):
        open_tab(frame, "About")
        wait_for_query(page, r"\?tab=about$")
        with page.context.expect_page() as opened:
            frame.get_by_role("link", name="/api/v1/docs", exact=True).click()
        opened.value.wait_for_url(f"{APP}/api/v1/docs")
        expect(opened.value.locator("body")).to_contain_text(f"{APP}/api/v1/leaderboards")
        assert opened.value.evaluate("window.opener") is None
        opened.value.close()
        expect(frame.get_by_role("tab", name="About", exact=True)).to_have_attribute("aria-selected", "true")
    open_tab(frame, "Submit")
    with subtests.test("a question pack is downloaded"), lay_question_pack(space.server, "practice"):
        with page.expect_download() as download:
            frame.get_by_test_id("submit-practice-pack").click()
        with zipfile.ZipFile(download.value.path()) as pack:
            ids = {json.loads(line)["id"] for line in pack.read("questions.jsonl").splitlines()}
        assert len(ids) == 2_016
    with subtests.test("a file is checked"):
        path = tmp_path / "predictions.jsonl"
        path.write_bytes(read_example(space.server))
        frame.locator("#submit-file input[type=file]").set_input_files(path)
        expect(frame.locator("#submit-file")).to_contain_text("predictions")
        frame.locator("#submit-check").click()
        expect(frame.locator("#submit-feedback")).to_contain_text("2,016")
    with subtests.test("every tab opens, and the Hub's address bar follows"):
        open_every_tab(page, frame)
    assert faults == []


def pick_column(page: Page, board: Locator) -> None:
    columns = board.locator("thead [data-sort*='|']")
    usual = columns.count()
    board.get_by_test_id("columns-menu").locator("summary").first.click()
    panel = board.get_by_test_id("columns-panel")
    panel.locator("input:not(:checked)").first.click()
    expect(columns).to_have_count(usual + 1)
    wait_for_query(page, r"\?tab=star-bench&q=flamingo&columns=")
    panel.get_by_role("button", name="Default columns").click()
    expect(columns).to_have_count(usual)
    page.keyboard.press("Escape")


def compare_and_open_model(page: Page, frame: FrameLocator) -> None:
    """Go from the overview to a board, sort it, select two rows, and go from their comparison to a model."""
    open_tab(frame, "Overview")
    frame.get_by_test_id("overview").get_by_role("link", name="STAR-Bench").first.click()
    wait_for_query(page, r"\?tab=star-bench")
    board = frame.locator("#board-star-bench")
    rows = board.get_by_test_id("board-row")
    # Until the link's address is applied, the rows of the earlier search are still there.
    expect(rows).not_to_have_count(2)
    board.get_by_test_id("board-search").fill("flamingo")
    expect(rows).to_have_count(2)
    board.locator("thead [data-sort=model]").click()
    wait_for_query(page, r"\?tab=star-bench.*sort=model")
    for at in range(2):
        rows.nth(at).get_by_test_id("compare-box").click()
    wait_for_query(page, r"\?tab=compare&benchmark=star-bench&a=")
    expect(frame.get_by_test_id("verdict")).to_contain_text("Overall")
    frame.get_by_test_id("side-a").get_by_role("link").first.click()
    expect(frame.get_by_test_id("model-name")).to_contain_text("Audio Flamingo 3")
    wait_for_query(page, r"\?tab=model&model=m-")


def open_every_tab(page: Page, frame: FrameLocator) -> None:
    titles = [title.strip() for title in frame.get_by_role("tablist").first.get_by_role("tab").all_inner_texts()]
    assert len(titles) >= 10
    for title in [*titles, titles[0]]:
        open_tab(frame, title)
        expect(frame.get_by_role("tab", name=title, exact=True)).to_have_attribute("aria-selected", "true")
    page.wait_for_load_state("networkidle")
    wait_for_query(page, r"(\?__theme=dark)?$")
    queries = [message["queryString"] for message in page.evaluate("window.messages")]
    assert [query for query in queries if "tab=model" in query or "tab=submit" in query]


def test_blog_shows_an_embedded_board_and_not_the_page(browser: Browser, space: Space) -> None:
    context = browser.new_context(color_scheme="dark")
    try:
        page = context.new_page()
        page.goto(space.edge.frame("blog.example", f"{APP}/?tab=star-bench&embed=1"))
        frame = page.frame_locator("iframe")
        expect(frame.locator("tbody tr").first).to_contain_text("Gemini 2.5 Pro")
        expect(frame.locator("tbody tr")).to_have_count(10)
        assert frame.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor") == "rgb(14, 20, 32)"
        with context.expect_page() as opened:
            frame.get_by_role("link", name="STAR-Bench 1.0").click()
        opened.value.wait_for_url(f"{APP}/?tab=star-bench")
        opened.value.close()
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(space.edge.frame("other.example", f"{APP}/"))
    finally:
        context.close()


def test_visitor_of_the_frame_signs_in_submits_maintains_and_signs_out(
    page: Page, space: Space, tmp_path: Path, soak: bool, subtests: pytest.Subtests
) -> None:
    server, provider = space.server, space.provider
    provider.user = f"sub-{USER}"
    provider.people[provider.user] = {"orgs": [{"preferred_username": ORGANISATION, "roleInOrg": "admin"}]}
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{SPACE_PAGE}?tab=submit")
    expect(page.frame_locator("iframe").locator("#account").get_by_test_id("sign-in")).to_be_visible()
    frame = page.frames[1]
    with subtests.test("signed in, in a tab of its own"):
        sign_in_beside_the_frame(page, frame)
    with subtests.test("a file is submitted, watched until it is scored, and published"):
        submit_and_publish(frame, server, tmp_path)
    with subtests.test("a maintainer hides a result and restores it"):
        open_tab(frame, "Admin")
        hide_and_restore(frame, server)
    if soak:  # as outside a frame (test_own_installation, test_admin)
        with subtests.test("an endpoint is registered, and approved by a maintainer"):
            open_tab(frame, "Submit")
            register_and_approve(frame)
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
    assert opened.value.url == f"{APP}/?tab=submit"
    opened.value.close()
    # Every page of this browser reports focus permanently.
    frame.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(frame.get_by_test_id("header-user")).to_have_text(USER)
    (session,) = [one for one in page.context.cookies(APP) if "session" in one["name"]]
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
    choose_way(frame, "api")
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
    expect(frame.locator("#admin-asked")).to_contain_text("Requested as")
    # Neither key nor scorer has changed.
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


def test_visitor_signs_in_where_they_are_and_out_in_the_header(
    page: Page, space: Space, subtests: pytest.Subtests
) -> None:
    provider = space.provider
    provider.user = "sub-zoe"
    with subtests.test("one button instead of a form"):
        page.goto(f"{APP}/?tab=submit&benchmark=audio-motion-bench&version=1.0")
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
        see_and_revoke(page)
    with subtests.test("signed out without loading the page anew"):
        page.evaluate("window.isSamePage = true")
        page.get_by_test_id("sign-out").click()
        expect(page.get_by_test_id("header-user")).to_have_count(0)
        expect(page.locator("#account-who").get_by_test_id("sign-in")).to_be_visible()
        assert page.evaluate("window.isSamePage")
        assert [one["name"] for one in page.context.cookies(APP)] == []


def see_and_revoke(page: Page) -> None:
    browser = page.context.browser
    assert browser is not None
    other = browser.new_context()
    elsewhere = other.new_page()
    elsewhere.goto(f"{APP}/auth/login")
    open_tab(page, "Account")
    sessions = page.get_by_test_id("sessions").get_by_role("row")
    expect(sessions).to_have_count(3)
    expect(sessions.filter(has_text="This browser")).to_have_count(1)
    sessions.filter(has_not_text="This browser").get_by_role("button", name="Revoke").click()
    expect(sessions).to_have_count(2)
    elsewhere.goto(f"{APP}/api/v1/me")
    expect(elsewhere.locator("body")).to_contain_text('"name":null')
    other.close()
