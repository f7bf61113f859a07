"""The model's name in the Submit form: known names are offered while one types, and fill what is empty."""

import json
import urllib.request
from typing import Any

from playwright.sync_api import expect

from tests.support.pages.watched import Watched
from tests.support.servers.server import Server


def post(server: Server, path: str, token: str, body: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


def test_known_name_is_offered_taken_over_and_described_and_an_alias_says_what_it_is_shown_as(
    watched: Watched, server: Server
) -> None:
    rows = server.rows(source="reported")
    one, other = (row["model"] for row in rows[:2])
    page = watched.page
    page.goto(f"{server.url}/?tab=submit")
    name = page.locator("#model-name input, #model-name textarea")
    size = page.locator("#model-size input, #model-size textarea")
    weights = page.locator("#model-weights input")
    name.fill("")
    typed = one["name"][:-1]
    name.press_sequentially(typed)
    offered = page.locator("[data-model-name]")
    # What was offered for fewer letters is gone, so nothing moves under the pointer.
    expect(offered.filter(has_text=typed)).not_to_have_count(0)
    expect(offered.filter(has_not_text=typed)).to_have_count(0)
    page.locator(f"[data-model-name='{one['name']}']").click()
    expect(name).to_have_value(one["name"])
    expect(page.get_by_test_id("model-known")).to_contain_text(f"{one['name']} is known")
    expect(weights).to_have_value({True: "open", False: "closed", None: "not said"}[one["open_weights"]])
    size.fill("123")
    token = server.token("local")
    post(server, f"/api/v1/admin/models/{one['id']}", token, {"join_to": other["id"], "reason": "A test."})
    try:
        name.fill(one["name"].upper())
        expect(page.get_by_test_id("model-known")).to_contain_text(f"will be shown as {other['name']}")
        expect(size).to_have_value("123")
        page.goto(f"{server.url}/?tab=audio-motion-bench")
        shown = page.get_by_test_id("board-row").filter(has_text=f"as {one['name']}")
        expect(shown).to_contain_text(other["name"])
    finally:
        post(server, f"/api/v1/admin/models/{one['id']}", token, {"split": True, "reason": "The test is over."})
