"""Script injection: payloads in every user-supplied field never run on any tab, for any user."""

from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, expect

from bench.screenshots import TABS
from tests.support.pages.opening import expect_drawn, expect_settled, fill, open_tab, sign_in, visit
from tests.support.pages.participant import read_example
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, wait_for

# Each payload would set a property of the window: as markup, out of an attribute, as a template, as Plotly's tags.
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
    """Publish a row for each payload, as name and organisation, and return the rows."""
    example = read_example(server)
    for number, payload in enumerate(PAYLOADS):
        model = {"name": f"Hostile {number} {payload}", "organisation": f"Hostile {payload}"}
        server.send(example + b"\n" * number, model, "mallory", publish="true")

    def find() -> list[dict[str, Any]] | None:
        rows = server.rows(q="Hostile")
        return rows if len(rows) == len(PAYLOADS) and all(row["scores"] for row in rows) else None

    found: list[dict[str, Any]] = wait_for(find, "the places of the rows")
    return found


def expect_nothing_ran(page: Page, words: str, sign: str) -> None:
    expect_drawn(page, sign)
    # After two frames all scheduled callbacks have run.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.owned") is None, words
    assert page.locator("img[src=x], svg[onload]").count() == 0, words


def test_script_in_names_runs_nowhere(
    watched: Watched, server: Server, hostile: list[dict[str, Any]], subtests: pytest.Subtests
) -> None:
    page = watched.page
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    with subtests.test("a page that is loaded with them"):
        page.goto(f"{server.url}/?tab=audio-motion-bench&q=Hostile")
        expect_nothing_ran(page, "the board by its address", "[data-testid=board-row]")
        expect_settled(page)
        expect_nothing_ran(page, "the board in its tab", "[data-testid=board-row]")
    for tab, sign in TABS.items():
        with subtests.test(tab=tab):
            page.locator(f"#tab-{tab}-button").click()
            expect_nothing_ran(page, tab, f"#tab-{tab} :is({sign})")
    with subtests.test("unfolded rows"):
        named = ",".join(row["submission"] for row in hostile)
        visit(page, f"/?tab=audio-motion-bench&q=Hostile&models={named}&map={hostile[0]['submission']}")
        rows = page.locator("#board-audio-motion-bench").get_by_test_id("board-row")
        expect(rows).to_have_count(len(PAYLOADS))
        for at in range(len(PAYLOADS)):
            rows.nth(at).locator(".es-unfold").click()
        expect(page.get_by_test_id("board-details")).to_have_count(len(PAYLOADS))
        expect_nothing_ran(page, "unfolded rows", "[data-testid=board-details]")
        expect_nothing_ran(page, "charts", "#charts-audio-motion-bench .js-plotly-plot")
    for row in hostile:
        with subtests.test("model page", name=row["model"]["name"]):
            visit(page, f"/?tab=model&model={row['model']['id']}")
            expect(page.get_by_test_id("model-name")).to_have_text(row["model"]["name"])
            expect_nothing_ran(page, row["model"]["name"], "#radar-plot .js-plotly-plot")
    with subtests.test("comparison"):
        first, second = hostile[0]["submission"], hostile[1]["submission"]
        visit(page, f"/?tab=compare&benchmark=audio-motion-bench&a={first}&b={second}")
        expect_nothing_ran(page, "comparison", "[data-testid=verdict]")
    with subtests.test("one's own, and what is offered while one types"):
        open_tab(page, "Submit")
        sign_in(page, "local")
        fill(page, "model-name", "Hostile")
        expect_nothing_ran(page, "model names", "[data-testid=model-known], [data-model-name]")
    with subtests.test("the maintainer's"):
        open_tab(page, "Admin")
        expect(page.get_by_test_id("audit-log")).to_be_visible()
        fill(page, "admin-submission", hostile[0]["submission"])
        page.locator("#admin-look").click()
        expect(page.locator("#admin-status")).to_contain_text(hostile[0]["submission"])
        expect_nothing_ran(page, "admin", "#admin-status")
    with subtests.test("exports carry names as text alone"):
        check_exports(server, hostile)
    assert dialogs == []


def check_exports(server: Server, hostile: list[dict[str, Any]]) -> None:
    for file_format in ("csv", "json", "latex", "hub", "model-index", "eee"):
        status, body = server.get(f"/api/v1/leaderboards/audio-motion-bench/export?format={file_format}&q=Hostile")
        assert status == 200, file_format
        assert body.count(b"Hostile") >= len(PAYLOADS), file_format
    exported = server.json("/api/v1/leaderboards/audio-motion-bench/export?format=json&q=Hostile")
    assert {row["model"]["name"] for row in exported["rows"]} == {row["model"]["name"] for row in hostile}
