"""Script injection: payloads in every user-supplied field never run on any tab, for any user."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Dialog, Page

from bench.screenshots import TABS
from tests.support.pages.expecting import expect
from tests.support.pages.opening import expect_drawn, expect_settled, fill, open_tab, sign_in, visit
from tests.support.pages.participant import read_example
from tests.support.pages.script_payloads import INJECTED, PAYLOADS
from tests.support.pages.watched import Watched
from tests.support.servers.server import Server, wait_for

# Rows of one board at a time; the soak goes through all payloads.
N_ROWS = 5
CHUNKS = [
    pytest.param(start, marks=[pytest.mark.slow] * bool(start), id=str(start // N_ROWS))
    for start in range(0, len(PAYLOADS), N_ROWS)
]
# Whether a payload ran, the number of elements that payloads became, and links whose page could move ours to another
# address in old browsers; Plotly adds one to its own site to every chart.
FIND_TRACES = """async (injected) => {
  // After two frames all scheduled callbacks have run.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const openers = document.querySelectorAll("[target=_blank]:not([rel~=noopener], .modebar-btn)");
  return [
    "owned" in window, document.querySelectorAll(injected).length, [...openers].map((one) => one.outerHTML),
  ];
}"""


@pytest.fixture(params=CHUNKS)
def hostile(server: Server, request: pytest.FixtureRequest) -> Iterator[list[dict[str, Any]]]:
    """Publish a row for each payload, as name and organisation, yield the rows, and withdraw them."""
    example = read_example(server)
    # Names with control characters are refused.
    payloads = [one for one in PAYLOADS[request.param : request.param + N_ROWS] if one.isprintable()]
    sent = []
    for number, payload in enumerate(payloads):
        model = {"name": f"Hostile {number} {payload}", "organisation": f"Hostile {payload}"}
        sent.append(server.send(example + b"\n" * number, model, "mallory", publish="true"))

    def find() -> list[dict[str, Any]] | None:
        rows = server.rows(q="Hostile")
        return rows if len(rows) == len(payloads) and all(row["scores"] for row in rows) else None

    yield wait_for(find, "the places of the rows")
    with httpx2.Client(headers={"Authorization": f"Bearer {server.token('mallory')}"}, trust_env=False) as client:
        for submission in sent:
            client.post(f"{server.url}/api/v1/submissions/{submission}/withdraw").raise_for_status()


def expect_nothing_ran(page: Page, words: str, sign: str) -> None:
    expect_drawn(page, sign)
    assert page.evaluate(FIND_TRACES, INJECTED) == [False, 0, []], words


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
        expect(rows).to_have_count(len(hostile))
        for at in range(len(hostile)):
            rows.nth(at).locator(".es-unfold").click()
        expect(page.get_by_test_id("board-details")).to_have_count(len(hostile))
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
        assert body.count(b"Hostile") >= len(hostile), file_format
    exported = server.json("/api/v1/leaderboards/audio-motion-bench/export?format=json&q=Hostile")
    assert {row["model"]["name"] for row in exported["rows"]} == {row["model"]["name"] for row in hostile}
