"""The page as people see a Space: in the Hub's frame, behind an edge that ends TLS."""

import json
import re
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FrameLocator, Locator, Page, Playwright, expect

from bench.chromium import launch_chromium
from tests.support.edge import APP_HOST, HUB_HOST, SPACE, Edge, run_edge
from tests.support.pages.participant import read_example
from tests.support.samples.question_packs import lay_question_pack
from tests.support.servers.server import Server, wait_for

SPACE_PAGE = f"https://{HUB_HOST}/spaces/lab/earshot"


@pytest.fixture(scope="module")
def server(ranked: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Space: nobody scores anything, and what is there stays."""
    environment = {**SPACE, "EARSHOT_HOST": "127.0.0.1", "EARSHOT_PRODUCTION": "0"}
    server = Server(tmp_path_factory.mktemp("space"), environment, ("--no-packs", "--no-references", "--no-evaluator"))
    shutil.copytree(ranked, server.data_dir)
    server.start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz")
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def edge(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Edge]:
    with run_edge(server.url, tmp_path_factory.mktemp("edge")) as edge:
        yield edge


@pytest.fixture(scope="module")
def browser(playwright: Playwright, edge: Edge) -> Iterator[Browser]:
    """A Chromium that finds every site at the edge."""
    browser = launch_chromium(playwright, edge.browser_flags)
    yield browser
    browser.close()


@pytest.fixture
def faults() -> list[str]:
    """What a clean console does not show, and answers that are errors."""
    return []


@pytest.fixture
def page(browser: Browser, faults: list[str]) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, ignore_https_errors=True)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: faults.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    yield page
    context.close()


def open_space(page: Page, query: str) -> FrameLocator:
    page.goto(f"{SPACE_PAGE}{query}")
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("tab", name="About", exact=True)).to_be_visible()
    return frame


def open_tab(frame: FrameLocator, title: str) -> None:
    frame.get_by_role("tab", name=title, exact=True).click()


def wait_for_query(page: Page, pattern: str) -> None:
    """The Hub's address bar says what is seen."""
    page.wait_for_url(re.compile(re.escape(SPACE_PAGE) + pattern))


def test_visitor_of_a_space_filters_exports_and_checks_a_file_in_the_frame_with_a_clean_console(
    page: Page, server: Server, faults: list[str], tmp_path: Path, subtests: pytest.Subtests
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
    with subtests.test("a column is picked, and the usual ones come back"):
        pick_column(page, board)
    with subtests.test("a file is downloaded"):
        board.get_by_test_id("export-menu").locator("summary").click()
        with page.expect_download() as download:
            board.get_by_test_id("export-panel").get_by_role("link", name="Hub YAML").click()
        # Links that leave name the Space, not the container behind the edge.
        assert f"https://{APP_HOST}/?" in download.value.path().read_text()
        page.keyboard.press("Escape")
    with subtests.test("two models are compared, and one is looked at"):
        compare_and_open_model(page, frame)
    with subtests.test("a link that leaves the page opens beside the frame"):
        open_tab(frame, "About")
        wait_for_query(page, r"\?tab=about$")
        with page.context.expect_page() as opened:
            frame.get_by_role("link", name="/api/v1/docs", exact=True).click()
        opened.value.wait_for_url(f"https://{APP_HOST}/api/v1/docs")
        expect(opened.value.locator("body")).to_contain_text(f"https://{APP_HOST}/api/v1/leaderboards")
        assert opened.value.evaluate("window.opener") is None
        opened.value.close()
        expect(frame.get_by_role("tab", name="About", exact=True)).to_have_attribute("aria-selected", "true")
    open_tab(frame, "Submit")
    with subtests.test("a question pack is downloaded"), lay_question_pack(server):
        with page.expect_download() as download:
            frame.get_by_test_id("submit-pack").click()
        with zipfile.ZipFile(download.value.path()) as pack:
            ids = {json.loads(line)["id"] for line in pack.read("questions.jsonl").splitlines()}
        assert len(ids) == 2_016
    with subtests.test("a file is checked"):
        path = tmp_path / "predictions.jsonl"
        path.write_bytes(read_example(server))
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
    panel.get_by_role("button", name="Usual columns").click()
    expect(columns).to_have_count(usual)
    page.keyboard.press("Escape")


def compare_and_open_model(page: Page, frame: FrameLocator) -> None:
    """Go from the overview to a board, sort it, tick two rows, and go from their comparison to a model."""
    open_tab(frame, "Overview")
    frame.get_by_test_id("overview").get_by_role("link", name="STAR-Bench").first.click()
    wait_for_query(page, r"\?tab=star-bench")
    board = frame.locator("#board-star-bench")
    rows = board.get_by_test_id("board-row")
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


def test_blog_shows_an_embedded_board_and_not_the_page(browser: Browser, edge: Edge) -> None:
    context = browser.new_context(color_scheme="dark", ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(edge.frame("blog.example", f"https://{APP_HOST}/?tab=star-bench&embed=1"))
        frame = page.frame_locator("iframe")
        expect(frame.locator("tbody tr").first).to_contain_text("Gemini 2.5 Pro")
        expect(frame.locator("tbody tr")).to_have_count(10)
        assert frame.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor") == "rgb(14, 20, 32)"
        with context.expect_page() as opened:
            frame.get_by_role("link", name="STAR-Bench 1.0").click()
        opened.value.wait_for_url(f"https://{APP_HOST}/?tab=star-bench")
        opened.value.close()
        with page.expect_console_message(lambda message: "frame-ancestors" in message.text):
            page.goto(edge.frame("other.example", f"https://{APP_HOST}/"))
    finally:
        context.close()
