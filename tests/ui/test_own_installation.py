"""Journeys that need their own installation: limits, an endpoint evaluation, a reference system, a failing database.

They share one installation; each test has its own users.
"""

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.support.endpoints.misbehaving import ScriptedServer, ServedRequest, make_completion, make_reply, run_server
from tests.support.pages.expecting import expect
from tests.support.pages.opening import (
    choose,
    expect_drawn,
    expect_settled,
    fill,
    open_admin,
    open_board,
    open_charts,
    open_submit,
    open_tab,
    sign_in,
    visit,
)
from tests.support.pages.participant import read_example
from tests.support.pages.watched import Watched
from tests.support.servers.installation import Installation, answers
from tests.support.servers.server import Server
from tests.support.servers.warm_processes import WarmPython

SETTINGS = {
    "EARSHOT_SUBMISSIONS_PER_DAY": "2",
    "EARSHOT_SUBMISSIONS_PER_MONTH": "10",
    "EARSHOT_SUBMISSIONS_IN_ALL": "60",
    "EARSHOT_ALLOW_LOOPBACK_ENDPOINTS": "1",
}
KEYS = ("sk-canary-the-first-key", "sk-canary-the-second-key")
N_PROBES = 4
OWNED = "document.title='owned'"
PAYLOAD = f'<img src=x onerror="{OWNED}"><script>{OWNED}</script>'
NAME = f"Asked {PAYLOAD}"
BOARD = "audio-motion-bench"
INCIDENT = re.compile(r"Try again, or report reference [0-9a-f]{8}\.")
DRAWN = ".js-plotly-plot"
REFERENCE = "Listener of our own"
# A model whose scores are published on the same board.
OTHER = "Qwen2-Audio-7B"


@pytest.fixture(scope="module")
def server(ranked: Path, tmp_path_factory: pytest.TempPathFactory, warm_python: WarmPython) -> Iterator[Server]:
    """Installation used by this module only, because its tests break parts of it."""
    server = Server(tmp_path_factory.mktemp("own"), environment=SETTINGS, warm=warm_python)
    shutil.copytree(ranked, server.data_dir)
    add_reference(server.data_dir)
    server.start()
    try:
        yield server.wait_until_ready()
    finally:
        server.stop()


def add_reference(data_dir: Path) -> None:
    """Add a reference system with only right answers: any other such row would lead the board."""
    place = Installation(data_dir)
    with closing(place.database) as database:
        submission = place.submit(answers(place.key), REFERENCE)
        with database.engine.begin() as connection:
            connection.exec_driver_sql("update submissions set is_reference = true where id = ?", (submission.id,))
        place.score_all()


def test_user_sees_remaining_submissions_creates_a_token_and_opens_tabs_once_the_database_is_back(
    watched: Watched, server: Server, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    with subtests.test("what is left is shown, and goes down until nothing is"):
        use_up_submissions(page, server, tmp_path)
    with subtests.test("a token works until it is revoked"):
        make_and_revoke_token(page, server)
    with subtests.test("tabs that cannot be opened say what to do, and open once the database is back"):
        open_tabs_without_database(page, server)


def use_up_submissions(page: Page, server: Server, tmp_path: Path) -> None:
    # An identical file would be recognised as a duplicate.
    paths = [tmp_path / f"example-{number}.jsonl" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(read_example(server) + b"\n" * number)
    expect(page.get_by_test_id("sign-in")).to_be_visible()
    left = page.get_by_test_id("left")
    expect(left).to_have_count(0)
    sign_in(page, "amy")
    expect(left).to_contain_text("2 of 2 left today, 10 of 10 this month, 60 of 60 in total")
    fill(page, "model-name", "Limited")
    for path, n_left, month in zip(paths, (1, 0), (9, 8), strict=False):
        send(page, path)
        expect(left).to_contain_text(f"{n_left} of 2 left today, {month} of 10 this month")
    expect(left).to_contain_text("Next slot: ")
    send(page, paths[-1])
    refusal = page.locator("#submit-feedback").get_by_test_id("refusal")
    expect(refusal).to_contain_text("Daily limit for AudioMotionBench 1.0 reached")
    choose(page, "submit-benchmark", "MDAR demo")
    expect(left).to_contain_text("Submissions to MDAR demo: 2 of 2 left today")


def send(page: Page, path: Path) -> None:
    page.locator("#submit-file input[type=file]").set_input_files(path)
    expect(page.locator("#submit-file")).to_contain_text(path.stem)
    # While an event is being processed, further clicks are ignored.
    page.wait_for_function("""() => !document.querySelector(".pending")""")
    page.locator("#submit-send").click()


def make_and_revoke_token(page: Page, server: Server) -> None:
    open_tab(page, "Account")
    expect(page.get_by_test_id("account-name")).to_contain_text("amy")
    fill(page, "token-label", "cluster")
    page.locator("#token-create").click()
    secret = page.get_by_test_id("new-token").inner_text()
    assert ask(server, secret) == 200
    choose(page, "chosen-token", "cluster")
    page.locator("#token-revoke").click()
    expect(page.locator("#token-notice")).to_contain_text("is revoked")
    expect(page.get_by_test_id("new-token")).to_have_count(0)
    assert ask(server, secret) == 401


def ask(server: Server, secret: str) -> int:
    return server.get("/api/v1/submissions?mine=true", {"Authorization": f"Bearer {secret}"})[0]


@dataclass
class Model:
    """Model that answers with markup; accepts the second key always, and the first for a few calls only."""

    n_before: int = N_PROBES + 6
    heads: list[str] = field(default_factory=list)

    async def behave(self, asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
        self.heads.append(asked.head)
        is_let_in = KEYS[1] in asked.head or asked.number < self.n_before
        said = json.dumps({"error": PAYLOAD}).encode()
        writer.write(make_completion(f"A {PAYLOAD}") if is_let_in else make_reply(401, said))


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def endpoint(model: Model) -> Iterator[ScriptedServer]:
    with run_server(model.behave) as served:
        yield served


@pytest.fixture
def addresses(watched: Watched) -> list[str]:
    """Return a list that records all addresses that the page requests from now on."""
    asked_for: list[str] = []
    watched.page.on("request", lambda request: asked_for.append(request.url))
    return asked_for


def fill_form(page: Page, url: str) -> None:
    """Fill every field by its accessible label."""
    page.get_by_label("Benchmark", exact=True).click()
    page.get_by_role("option", name="MDAR demo").click()
    page.get_by_label("Model (required)").fill(NAME)
    page.get_by_label("Publish automatically").check()
    page.get_by_label("My model has an API").check()
    # Open answers would need a judge.
    page.get_by_label("MDAR-open").uncheck()
    page.get_by_label("Base URL").fill(url)
    page.get_by_label("Model ID sent to the API").fill(PAYLOAD)
    page.get_by_label("API key (if required)").fill(KEYS[0])
    page.get_by_label("Parallel requests").fill("2")
    for label in ("Audio format in the request", "Model accepts several audio clips", "Count unanswered questions"):
        expect(page.get_by_label(label)).to_be_visible()


def approve(browser: Browser, server: Server, url: str) -> None:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    open_admin(page, server, "local")
    awaiting = page.get_by_test_id("awaiting")
    for words in ("eva", url, PAYLOAD, "MDAR demo, default"):
        expect(awaiting).to_contain_text(words)
    choose(page, "admin-endpoint", url)
    fill(page, "admin-approval-reason", "Known to us.")
    page.locator("#admin-approve-endpoint").click()
    expect(page.locator("#admin-approval-notice")).to_contain_text("Approved: s-")
    expect(awaiting).to_contain_text("No endpoints are waiting")
    assert page.title() != "owned"
    page.context.close()


def require_no_key(page: Page, addresses: list[str], server: Server) -> None:
    """Check that the typed key is stored nowhere in the browser."""
    storage = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    log = (server.folder / "server.log").read_text(errors="replace")
    for place in (page.content(), page.locator("body").inner_text(), storage, log, *addresses):
        assert "sk-canary" not in place
    values = page.evaluate("[...document.querySelectorAll('input, textarea')].map((one) => one.value)")
    assert not [value for value in values if "sk-canary" in value]
    for path in server.folder.rglob("*"):
        if path.is_file():
            assert b"sk-canary" not in path.read_bytes(), path


def test_endpoint_evaluation_is_requested_on_the_page_and_verified_on_the_board(
    watched: Watched, server: Server, browser: Browser, endpoint: ScriptedServer, model: Model, addresses: list[str]
) -> None:
    page = watched.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    open_submit(page, server, "eva")
    fill_form(page, "http://models.example.com/v1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    key_field = page.get_by_label("API key (if required)")
    expect(key_field).to_have_attribute("autocomplete", "new-password")
    expect(key_field).to_have_attribute("type", "password")
    send = page.get_by_role("button", name="Request evaluation")
    send.click()
    expect(page.locator("#asked-feedback")).to_contain_text("Base URL: `base_url` must begin with https://")
    expect(key_field).to_have_value(KEYS[0])
    page.get_by_label("Base URL").fill(endpoint.url)
    send.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("registered")).to_contain_text("once a maintainer approves it")
    expect(key_field).to_have_value("")
    expect(page.get_by_test_id("state")).to_have_text("awaiting-approval")
    assert endpoint.asked == []

    approve(browser, server, endpoint.url)
    expect(page.get_by_test_id("state")).to_have_text("failed")
    shown = page.get_by_test_id("endpoint")
    expect(shown).to_contain_text("takes stereo: yes")
    expect(shown).to_contain_text("authentication failed")
    retry = page.get_by_role("button", name="Retry")
    retry.click()
    expect(page.locator("#submission-notice")).to_contain_text("API key: The API key was deleted")
    page.get_by_label("API key (to retry)").fill(KEYS[1])
    retry.click()
    expect(page.get_by_test_id("state")).to_have_text("scored")
    expect(page.get_by_test_id("asking")).to_contain_text("21 of 21 questions answered")
    expect(retry).to_be_hidden()
    assert page.title() != "owned"
    require_no_key(page, addresses, server)

    page.set_viewport_size({"width": 1440, "height": 900})
    visit(page, "/?tab=mdar&version=demo")
    row = page.locator("#board-mdar").get_by_test_id("board-row").filter(has_text=NAME)
    expect(row).to_have_count(1)
    badge = row.locator(".es-badge-verified")
    expect(badge).to_have_attribute("title", "Earshot ran this model itself.")
    assert page.title() != "owned"
    require_no_key(page, addresses, server)
    assert any(KEYS[0] in head for head in model.heads)
    assert any(KEYS[1] in head for head in model.heads)


def test_reference_system_is_pinned_on_request_and_charts_are_drawn_once_the_database_is_back(
    watched: Watched, server: Server, subtests: pytest.Subtests
) -> None:
    page = watched.page
    board = open_board(page, f"{server.url}/?tab={BOARD}")
    expect_settled(page)
    with subtests.test("hidden by default"):
        expect(board.get_by_test_id("board-row").filter(has_text=OTHER)).not_to_have_count(0)
        expect(board).not_to_contain_text(REFERENCE)
    with subtests.test("shown by its switch, and by the address of that"):
        board.get_by_label("Show reference systems").check()
        expect_pinned(page)
        page.wait_for_url(re.compile("references=true"))
        page.reload()
        expect_settled(page)
        expect(board.get_by_label("Show reference systems")).to_be_checked()
        expect_pinned(page)
    with subtests.test("in no chart that nobody chose it for"):
        charts = open_charts(page, BOARD)
        expect_drawn(page, f"#charts-{BOARD} .js-plotly-plot")
        expect(page.locator(f"#chart-models-{BOARD} .token").filter(has_text=OTHER)).not_to_have_count(0)
        expect(charts).not_to_contain_text(REFERENCE)
    with subtests.test("hidden again"):
        board.get_by_label("Show reference systems").uncheck()
        expect(board).not_to_contain_text(REFERENCE)
    with subtests.test("no choice on Compare"):
        visit(page, f"/?tab=compare&benchmark={BOARD}")
        for side in ("a", "b"):
            page.locator(f"#compare-{side} input").click()
            options = page.get_by_role("option")
            expect(options.filter(has_text=OTHER)).not_to_have_count(0)
            expect(options.filter(has_text=REFERENCE)).to_have_count(0)
            page.keyboard.press("Escape")
    with subtests.test("not on the Overview"):
        open_tab(page, "Overview")
        expect(page.get_by_test_id("overview-row").filter(has_text=OTHER)).not_to_have_count(0)
        expect(page.get_by_test_id("overview")).not_to_contain_text(REFERENCE)
    with subtests.test("charts that cannot be read say what to do"):
        visit(page, f"/?tab={BOARD}")
        draw_charts_without_database(page, server)


def expect_pinned(page: Page) -> None:
    """The row is below the ranked rows with its label, its score and no rank; another row ranks first."""
    board = page.locator(f"#board-{BOARD}")
    row = board.locator("tfoot").get_by_test_id("pinned-reference")
    expect(row).to_have_count(1)
    expect(row).to_contain_text(REFERENCE)
    expect(row.locator(".es-badge")).to_have_text("reference")
    expect(row).to_contain_text("100.0")
    expect(row.locator(".es-rank")).to_be_empty()
    expect(board.get_by_test_id("board-row").filter(has_text=REFERENCE)).to_have_count(0)
    expect(board.get_by_test_id("board-row").first.locator(".es-rank")).to_contain_text("1")


@contextmanager
def missing(server: Server, table: str) -> Iterator[None]:
    """Rename a table, so that reads of it fail, and restore it afterwards."""
    rename(server, table, f"{table}_away")
    try:
        yield
    finally:
        rename(server, f"{table}_away", table)


def rename(server: Server, table: str, name: str) -> None:
    with closing(sqlite3.connect(server.folder / "data" / "earshot.db", timeout=60, isolation_level=None)) as database:
        # References to the table continue to use its original name.
        database.execute("PRAGMA legacy_alter_table = ON")
        database.execute(f"ALTER TABLE {table} RENAME TO {name}")


def expect_incident(place: Locator) -> None:
    expect(place.get_by_role("alert")).to_contain_text(INCIDENT)
    expect(place).not_to_contain_text("no such table")


def open_tabs_without_database(page: Page, server: Server) -> None:
    places = {"Submit": "#account", "Account": "#account-who", "Model": "#model-page"}
    with missing(server, "sessions"):
        page.goto(f"{server.url}/?tab=admin")
        expect_incident(page.locator("#page-notice"))
        for tab, place in places.items():
            open_tab(page, tab)
            expect_incident(page.locator(place))
        open_tab(page, "Compare")
        expect_incident(page.locator("#compare-result"))
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#compare-result").get_by_role("alert")).to_have_count(0)
    open_tab(page, "Account")
    expect(page.get_by_test_id("account-name")).to_contain_text("amy")
    open_tab(page, "Submit")
    expect(page.get_by_test_id("signed-in-as")).to_contain_text("amy")


def draw_charts_without_database(page: Page, server: Server) -> None:
    charts = open_charts(page, BOARD)
    expect(charts.locator(DRAWN).first).to_be_visible()
    remove = charts.get_by_role("button", name=re.compile("Remove", re.IGNORECASE)).first
    reload = charts.get_by_role("button", name="Reload the page")
    tokens = page.locator(f"#chart-models-{BOARD} .token")
    expect(tokens).to_have_count(4)
    with missing(server, "boards"):
        remove.click()
        expect_incident(charts)
        expect(charts.locator(DRAWN)).to_have_count(0)
        expect(charts.get_by_text("Chart not available; see the message above.")).to_have_count(2)
    remove.click()
    expect(reload).to_have_count(0)
    expect(charts.locator(DRAWN).nth(1)).to_be_visible()
    with missing(server, "boards"):
        remove.click()
        expect(reload).to_be_visible()
    # The address has the last choice, too, even if it failed.
    page.wait_for_url(re.compile("models=[^,&]+$"))
    address = page.url
    reload.click()
    expect(charts.locator(DRAWN).nth(1)).to_be_visible()
    expect(tokens).to_have_count(1)
    expect(page).to_have_url(address)
