"""Participant that submits files without a browser, for tests that need rows on the board of a running server."""

from typing import Any

from tests.support.servers.server import Server, wait_for, write_example

BENCHMARK = "audio-motion-bench"


def read_example(server: Server) -> bytes:
    """Write "A" and "True" for every item: by design exactly 25 % of the options, 50 % of the statements, 5/12 = 41.67
    % pooled.
    """
    return write_example(server).read_bytes()


def submit(server: Server, name: str, model: str, data: bytes, *, publish: bool = True) -> str:
    """Submit a file as a user, wait for its score, and return the id of the submission."""
    submission = server.send(data, model, name, publish=str(publish).lower())
    token = server.token(name)

    def has_score() -> bool:
        found = server.json(f"/api/v1/submissions/{submission}", {"Authorization": f"Bearer {token}"})
        assert found["state"] != "failed", found
        return bool(found["state"] == "scored")

    wait_for(has_score, f"the score of {model}")
    return submission


def wait_for_figures(server: Server, submission: str) -> dict[str, Any]:
    """Return a row once it is ranked: scores come with the next revision of the board."""

    def find() -> list[dict[str, Any]]:
        return [row for row in server.rows(limit="100") if row["submission"] == submission and row["scores"]]

    row: dict[str, Any] = wait_for(find, "the place of a row on the board")[0]
    return row
