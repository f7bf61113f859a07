"""A participant who sends files without a browser, for tests that need rows on the board of a whole server."""

import json
from contextlib import closing
from typing import Any

import httpx2

from db.session import Database
from submissions.accounts import Accounts
from tests.support.servers.server import Server, wait_for, write_example

BENCHMARK = "audio-motion-bench"


def make_token(server: Server, name: str) -> str:
    """Make a personal token in the database of a server."""
    with closing(Database(f"sqlite:///{server.folder}/data/earshot.db")) as database:
        return Accounts(database, ()).create_token(name)


def read_example(server: Server) -> bytes:
    """Always "A" and "True": by design exactly 25 % of the options, 50 % of the statements, 5/12 = 41.67 % pooled."""
    return write_example(server).read_bytes()


def send(server: Server, token: str, model: dict[str, Any], data: bytes, *, publish: bool = True) -> str:
    """Send a file and return the id of the submission.

    The same file by the same person is recognised, and is no second submission.
    """
    fields = {"benchmark": BENCHMARK, "model": json.dumps(model), "publish": str(publish).lower()}
    files = {"file": ("predictions.jsonl", data)}
    headers = {"Authorization": f"Bearer {token}"}
    with httpx2.Client(trust_env=False, timeout=60) as client:
        sent = client.post(f"{server.url}/api/v1/submissions", headers=headers, data=fields, files=files)
    assert sent.status_code == 201, sent.text
    submission: str = sent.json()["id"]
    return submission


def submit(server: Server, name: str, model: str, data: bytes, *, publish: bool = True) -> str:
    """Send a file as somebody, wait for its score, and return the id of the submission."""
    token = make_token(server, name)
    submission = send(server, token, {"name": model}, data, publish=publish)

    def has_score() -> bool:
        found = server.json(f"/api/v1/submissions/{submission}", {"Authorization": f"Bearer {token}"})
        assert found["state"] != "failed", found
        return bool(found["state"] == "scored")

    wait_for(has_score, f"the score of {model}")
    return submission


def wait_for_figures(server: Server, submission: str) -> dict[str, Any]:
    """Return a row once its figures are ranked: they come with the next revision of the board."""

    def find() -> list[dict[str, Any]]:
        return [row for row in server.rows(limit="100") if row["submission"] == submission and row["scores"]]

    row: dict[str, Any] = wait_for(find, "the place of a row on the board")[0]
    return row
