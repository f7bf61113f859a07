"""A model is asked from the page in a real browser: registered on a narrow dark screen, approved, retried, verified.

The keys that were typed are nowhere but where they were sent.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.endpoints.misbehaving import Asked, Served, make_completion, make_reply, run_server
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server

SECONDS = 1000
KEYS = ("sk-canary-the-first-key", "sk-canary-the-second-key")
N_PROBES = 4
OWNED = "document.title='owned'"
PAYLOAD = f'<img src=x onerror="{OWNED}"><script>{OWNED}</script>'
NAME = f"Asked {PAYLOAD}"


@dataclass
class Model:
    """Answers with markup; lets in whoever brings the second key, and the first for a few calls only."""

    n_before: int = N_PROBES + 6
    heads: list[str] = field(default_factory=list)

    async def behave(self, asked: Asked, writer: asyncio.StreamWriter) -> None:
        self.heads.append(asked.head)
        is_let_in = KEYS[1] in asked.head or asked.number < self.n_before
        said = json.dumps({"error": PAYLOAD}).encode()
        writer.write(make_completion(f"A {PAYLOAD}") if is_let_in else make_reply(401, said))


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


@pytest.fixture(scope="module")
def endpoint(model: Model) -> Iterator[Served]:
    with run_server(model.behave) as served:
        yield served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An installation whose evaluator may ask models on this machine."""
    environment = {"EARSHOT_ALLOW_LOOPBACK_ENDPOINTS": "1"}
    server = Server(tmp_path_factory.mktemp("asking"), environment=environment).start()
    try:
        yield server.wait_until_ready(with_chance=False)
    finally:
        server.stop()


@pytest.fixture
def addresses(watched: Watched) -> list[str]:
    """Return the list of everything that the page asks for from now on."""
    asked_for: list[str] = []
    watched.page.on("request", lambda request: asked_for.append(request.url))
    return asked_for


def sign_in(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.url}/?tab=submit")
    page.get_by_test_id("sign-in-name").fill(name)
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("signed-in-as")).to_contain_text(name)


def fill_form(page: Page, url: str) -> None:
    """Fill everything by the labels that a screen reader says."""
    page.get_by_label("Benchmark", exact=True).click()
    page.get_by_role("option", name="MDAR demo").click()
    page.get_by_label("Model (required)").fill(NAME)
    page.get_by_label("Publish when scored").check()
    page.get_by_role("tab", name="Have a model asked").click()
    # Open answers would wait for a judge.
    page.get_by_label("MDAR-open").uncheck()
    page.get_by_label("Base URL").fill(url)
    page.get_by_label("The model's name there").fill(PAYLOAD)
    page.get_by_label("API key, if it needs one").fill(KEYS[0])
    page.get_by_label("Questions at once").fill("2")
    for label in ("How a sound is sent", "It takes several sounds", "Score a question that gets no answer"):
        expect(page.get_by_label(label)).to_be_visible()


def approve(browser: Browser, server: Server, url: str) -> None:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.set_default_timeout(60 * SECONDS)
    sign_in(page, server, "local")
    page.get_by_role("tab", name="Admin").click()
    awaiting = page.get_by_test_id("awaiting")
    for words in ("ada", url, PAYLOAD, "MDAR demo, default"):
        expect(awaiting).to_contain_text(words)
    page.locator("#admin-endpoint input").click()
    page.get_by_role("option", name=url).click()
    page.locator("#admin-approval-reason").locator("input, textarea").fill("Known to us.")
    page.locator("#admin-approve-endpoint").click()
    expect(page.locator("#admin-approval-notice")).to_contain_text("Approved: s-")
    expect(awaiting).to_contain_text("No endpoint waits")
    assert page.title() != "owned"
    page.context.close()


def require_no_key(page: Page, addresses: list[str], server: Server) -> None:
    """Look for what was typed wherever it could have stayed."""
    storage = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    log = (server.folder / "server.log").read_text(errors="replace")
    for place in (page.content(), page.locator("body").inner_text(), storage, log, *addresses):
        assert "sk-canary" not in place
    values = page.evaluate("[...document.querySelectorAll('input, textarea')].map((one) => one.value)")
    assert not [value for value in values if "sk-canary" in value]
    for path in server.folder.rglob("*"):
        if path.is_file():
            assert b"sk-canary" not in path.read_bytes(), path


def test_model_is_asked_from_the_page_and_verified_on_the_board(
    watched: Watched, server: Server, browser: Browser, endpoint: Served, model: Model, addresses: list[str]
) -> None:
    page = watched.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.emulate_media(color_scheme="dark")
    sign_in(page, server, "ada")
    fill_form(page, "http://models.example.com/v1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    key_field = page.get_by_label("API key, if it needs one")
    expect(key_field).to_have_attribute("autocomplete", "new-password")
    expect(key_field).to_have_attribute("type", "password")
    send = page.get_by_role("button", name="Have it asked")
    send.click()
    expect(page.locator("#asked-feedback")).to_contain_text("Base URL: `base_url` begins with https://")
    expect(key_field).to_have_value(KEYS[0])
    page.get_by_label("Base URL").fill(endpoint.url)
    send.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("registered")).to_contain_text("once a maintainer has approved it")
    expect(key_field).to_have_value("")
    expect(page.get_by_test_id("state")).to_have_text("awaiting-approval")
    assert endpoint.asked == []

    approve(browser, server, endpoint.url)
    expect(page.get_by_test_id("state")).to_have_text("failed", timeout=60 * SECONDS)
    shown = page.get_by_test_id("endpoint")
    expect(shown).to_contain_text("takes stereo: yes")
    expect(shown).to_contain_text("not let in")
    retry = page.get_by_role("button", name="Try it again")
    retry.click()
    expect(page.locator("#submission-notice")).to_contain_text("API key: The key of this endpoint was forgotten")
    page.get_by_label("API key, to have it asked again").fill(KEYS[1])
    retry.click()
    expect(page.get_by_test_id("state")).to_have_text("scored", timeout=60 * SECONDS)
    expect(page.get_by_test_id("asking")).to_contain_text("21 of 21 questions answered")
    expect(retry).to_be_hidden()
    assert page.title() != "owned"
    require_no_key(page, addresses, server)

    page.goto(f"{server.url}/?tab=mdar&version=demo")
    row = page.locator("#board-mdar").get_by_test_id("board-row").filter(has_text=NAME)
    expect(row).to_have_count(1, timeout=60 * SECONDS)
    badge = row.locator(".es-badge-verified")
    expect(badge).to_have_attribute("title", "Earshot asked the endpoint itself.")
    assert page.title() != "owned"
    require_no_key(page, addresses, server)
    assert any(KEYS[0] in head for head in model.heads)
    assert any(KEYS[1] in head for head in model.heads)
