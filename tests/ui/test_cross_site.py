"""Cross-site requests: pages of other sites and ports send every request that they can, and change nothing.

The visitor is signed in as a maintainer, who may do everything. Other pages come from another port of the same host,
whose requests carry the visitor's cookies, and from another host.
"""

import http.server
import itertools
import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.pages.expecting import expect
from tests.support.pages.opening import sign_in
from tests.support.pages.participant import read_example
from tests.support.servers.server import Server, wait_for

API = "/api/v1"
# Names of the host of attackers' pages: the server's own, so that only the port differs, and another one.
ATTACKERS = ("127.0.0.1", "localhost")
# Evaluators sign these; sessions note when they were used last.
NOT_COMPARED = ("workers", "sessions", "alembic_version")
ENCODINGS = ("application/x-www-form-urlencoded", "multipart/form-data", "text/plain")
# Sends forms into frames, and requests of scripts: those that need no permission of the other site, and those that do.
_ATTACK = """
async ([origin, forms, requests]) => {
  const fields = { name: "eve", label: "eve", reason: "eve", publish: "true", confirm: "true", benchmark: "mdar" };
  for (const [number, [path, encoding]] of forms.entries()) {
    const frame = Object.assign(document.createElement("iframe"), { name: `frame${number}` });
    const form = Object.assign(document.createElement("form"), {
      action: origin + path, method: "post", enctype: encoding, target: frame.name,
    });
    for (const [name, value] of Object.entries(fields))
      form.append(Object.assign(document.createElement("input"), { name: name, value }));
    document.body.append(frame, form);
    form.submit();
  }
  const body = JSON.stringify(fields), json = { "Content-Type": "application/json" };
  const ways = {
    link: () => ({ mode: "no-cors" }),
    plain: () => ({ mode: "no-cors", method: "POST", body: new URLSearchParams(fields) }),
    text: () => ({ mode: "no-cors", method: "POST", body, headers: { "Content-Type": "text/plain" } }),
    json: (method) => ({ method, headers: json, ...(method === "GET" ? {} : { body }) }),
  };
  const asked = requests.map(([method, path, way]) =>
    fetch(origin + path, { credentials: "include", ...ways[way](method.toUpperCase()) }));
  const ended = await Promise.allSettled(asked);
  return ended.filter(({ value }) => value && value.type !== "opaque").length;
}
"""
WAYS = ("link", "plain", "text", "json")


class AttackPage(http.server.BaseHTTPRequestHandler):
    """An empty page of an attacker."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Win a phone</title><body></body>")

    def log_message(self, *_arguments: object) -> None:
        """Log nothing."""


@pytest.fixture
def port() -> Iterator[int]:
    """Port of an attacker's server. Browsers keep pages from elsewhere than this machine away from its servers."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), AttackPage) as attacker:
        thread = threading.Thread(target=attacker.serve_forever, args=(0.05,))
        thread.start()
        yield attacker.server_port
        attacker.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A visitor who is signed in, and whose browser shows attackers' pages."""
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{server.url}/?tab=submit")
        sign_in(page, "local")
        yield page


def list_routes(server: Server, submission: str) -> list[tuple[str, str]]:
    """Return method and path of every route with real ids, and those of the page."""
    paths = server.json(f"{API}/openapi.json")["paths"]
    row = server.rows()[0]
    values = {"benchmark_id": "audio-motion-bench", "submission_id": submission, "model_id": row["model"]["id"]}
    routes = [
        (method, re.sub(r"{(\w+)}", lambda match: values.get(match[1], "1"), path))
        for path, methods in paths.items()
        for method in methods
    ]
    events = [event["api_name"] for event in server.json("/config")["dependencies"]]
    gradio = [f"/gradio_api/run/{event}" for event in events if event] + ["/gradio_api/upload", "/mcp"]
    return [*routes, *(("post", path) for path in gradio)]


def read_tables(server: Server) -> dict[str, list[Any]]:
    """Return every row of every table that a visitor's request may change."""
    with closing(sqlite3.connect(server.data_dir / "earshot.db")) as connection:
        names = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
        return {
            name: sorted(map(repr, connection.execute(f'select * from "{name}"')))  # noqa: S608 - our own names
            for name in names
            if name not in NOT_COMPARED
        }


def has_ranked_everything(server: Server) -> bool:
    """Whether the evaluator is through with the boards: otherwise it changes them meanwhile."""
    with closing(sqlite3.connect(server.data_dir / "earshot.db")) as connection:
        (n_behind,) = connection.execute("select count(*) from boards where revision != changes").fetchone()
    return bool(n_behind == 0)


def wait_for_posts(page: Page, answers: list[tuple[int, str]], number: int) -> None:
    for _ in range(600):
        if sum(method == "POST" for _, method in answers) >= number:
            return
        page.wait_for_timeout(100)  # in which Playwright reports responses
    raise AssertionError(f"{len(answers)} responses instead of {number}")


def test_pages_of_other_sites_change_nothing(
    page: Page, server: Server, port: int, soak: bool, subtests: pytest.Subtests
) -> None:
    submission = server.send(read_example(server) + b"\n\n\n", "Target", "local")
    token = {"Authorization": f"Bearer {server.token('local')}"}
    wait_for(lambda: server.json(f"{API}/submissions/{submission}", token)["state"] == "scored", "the score")
    routes = list_routes(server, submission)
    changing = [path for method, path in routes if method != "get"]
    assert len(changing) > 40
    all_forms = list(itertools.product(changing, ENCODINGS))[:: 1 if soak else 4]
    all_requests = [(*route, way) for route, way in itertools.product(routes, WAYS)][:: 1 if soak else 3]
    answers: list[tuple[int, str]] = []
    page.on("response", lambda answer: answers.append((answer.status, answer.request.method)))
    for number, attacker in enumerate(ATTACKERS):
        with subtests.test(attacker=attacker):
            # In the suite, each is sent by one of the two.
            forms, requests = (sent if soak else sent[number::2] for sent in (all_forms, all_requests))
            wait_for(lambda: has_ranked_everything(server), "the ranks of earlier submissions")
            before = read_tables(server)
            page.goto(f"http://{attacker}:{port}/")
            answers.clear()
            n_readable = page.evaluate(_ATTACK, [server.url, forms, requests])
            assert n_readable == 0, "no response is readable"
            # A page cannot wait for its forms.
            wait_for_posts(page, answers, len(forms) + sum(way in ("plain", "text") for *_, way in requests))
            assert {status for status, method in answers if method == "POST"} == {403}
            after = read_tables(server)
            assert {name for name in before if before[name] != after[name]} == set()
    page.goto(f"{server.url}{API}/me")
    expect(page.locator("body")).to_contain_text('"name":"local"')
