"""Script in every field that a stranger fills, looked at on every tab by everybody: none of it runs."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bench.screenshots import TABS
from tests.support.pages.opening import open_admin
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, write_example

# Each would leave a mark on the window: as markup, out of an attribute, as a template, as plotly's own tags.
MARK = "window.owned=1"
PAYLOADS = (
    f'<img src=x onerror="{MARK}">',
    f'"><svg onload="{MARK}">',
    f"</script><script>{MARK}</script>",
    f"${{{MARK}}}{{{{constructor.constructor('{MARK}')()}}}}",
    f'<a href="javascript:{MARK}">a</a>',
)


@pytest.fixture(scope="module")
def hostile(server: Server) -> list[dict[str, Any]]:
    """Publish a row for each payload, in name and organisation, and return the rows."""
    token, example = server.token("mallory"), write_example(server)
    for number, payload in enumerate(PAYLOADS):
        path = example.with_name(f"hostile-{number}.jsonl")
        path.write_bytes(example.read_bytes() + b"\n" * (number + 2))
        sent = server.command(
            "submissions", "submit", str(path), "--benchmark", "audio-motion-bench", "--token", token,
            "--model", f"Hostile {number} {payload}", "--publish", "--wait",
        )  # fmt: skip
        assert sent.returncode == 0, sent.stderr
    rows = server.rows(q="Hostile")
    assert len(rows) == len(PAYLOADS)
    return rows


def look(page: Page, server: Server, words: str, sign: str) -> None:
    page.goto(f"{server.url}/?{words}")
    expect_nothing_ran(page, words, sign)


def expect_nothing_ran(page: Page, words: str, sign: str) -> None:
    expect(page.locator(sign).first).to_be_visible()
    # Whatever waits for its turn has had it once two frames are drawn.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.owned") is None, words
    assert page.locator("img[src=x], svg[onload]").count() == 0, words


def test_script_in_names_runs_on_no_tab(watched: Watched, server: Server, hostile: list[dict[str, Any]]) -> None:
    page = watched.page
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    page.goto(server.url)
    for tab, sign in TABS.items():
        page.locator(f"#tab-{tab}-button").click()
        expect_nothing_ran(page, tab, sign)
    look(page, server, "tab=audio-motion-bench&q=Hostile", "[data-testid=board-row]")
    for row in page.get_by_test_id("board-row").all():
        row.locator(".es-unfold").click()
    expect(page.get_by_test_id("board-details")).to_have_count(len(PAYLOADS))
    assert page.evaluate("window.owned") is None
    for row in hostile:
        look(page, server, f"tab=model&model={row['model']['id']}", "[data-testid=model-name]")
    first, second = hostile[0]["submission"], hostile[1]["submission"]
    look(page, server, f"tab=compare&benchmark=audio-motion-bench&a={first}&b={second}", "[data-testid=verdict]")


def test_script_in_names_runs_nowhere_among_ones_own_and_the_maintainers(
    watched: Watched, server: Server, hostile: list[dict[str, Any]]
) -> None:
    page = watched.page
    open_admin(page, server, "local")
    expect(page.get_by_test_id("audit-log")).to_be_visible()
    page.locator("#admin-submission input, #admin-submission textarea").fill(hostile[0]["submission"])
    page.locator("#admin-look").click()
    expect(page.locator("#admin-status")).to_contain_text(hostile[0]["submission"])
    page.get_by_role("tab", name="Submit").click()
    page.locator("#model-name input, #model-name textarea").fill("Hostile")
    expect(page.get_by_test_id("model-known").or_(page.locator("[data-model-name]").first)).to_be_visible()
    assert page.evaluate("window.owned") is None
    assert page.locator("img[src=x], svg[onload]").count() == 0


def test_exports_carry_names_as_text_alone(server: Server, hostile: list[dict[str, Any]], tmp_path: Path) -> None:
    for file_format in ("csv", "json", "latex", "hub", "model-index", "eee"):
        status, body = server.get(f"/api/v1/leaderboards/audio-motion-bench/export?format={file_format}&q=Hostile")
        assert status == 200, file_format
        assert body.count(b"Hostile") >= len(PAYLOADS), file_format
    names = {row["model"]["name"] for row in hostile}
    exported = server.json("/api/v1/leaderboards/audio-motion-bench/export?format=json&q=Hostile")
    assert {row["model"]["name"] for row in exported["rows"]} == names
