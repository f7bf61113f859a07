"""Retries of the client after connection failures and server errors."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from submissions.client import Client, ClientError, ServerRefusedError

CREATED = b'{"id": "s-1", "state": "queued"}'


class Answers(socketserver.ThreadingTCPServer):
    """Server that replies with a list of statuses in order; `cut` closes the connection."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answers: list[int | str], headers: dict[str, str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.headers = headers
        self.requests: list[tuple[str, str | None, bytes]] = []


class Handler(BaseHTTPRequestHandler):
    server: Answers

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(body)

    def do_GET(self) -> None:
        self.answer(b"")

    def answer(self, body: bytes) -> None:
        self.server.requests.append((self.path, self.headers.get("Idempotency-Key"), body))
        answer = self.server.answers.pop(0)
        if answer == "cut":
            self.close_connection = True
            return
        self.send_response(int(answer))
        for name, value in self.server.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(CREATED)))
        self.end_headers()
        self.wfile.write(CREATED)

    def log_message(self, *_: object) -> None:
        """Disable logging."""


@contextmanager
def answering(*answers: int | str, **headers: str) -> Iterator[tuple[Answers, Client, list[float]]]:
    pauses: list[float] = []
    with Answers(list(answers), {name.replace("_", "-"): value for name, value in headers.items()}) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            with closing(Client(f"http://127.0.0.1:{server.server_address[1]}", "esh_x", pauses.append)) as client:
                yield server, client, pauses
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"the whole file")
    return path


@pytest.mark.parametrize("failure", ["cut", 502, 503, 504])
def test_upload_is_repeated_in_full_under_the_same_key(file: Path, failure: int | str) -> None:
    with answering(failure, failure, 201) as (server, client, pauses):
        assert client.submit(file, {"benchmark": "b"}, "the key")["id"] == "s-1"
        assert [key for _, key, _ in server.requests] == ["the key"] * 3
        assert all(b"the whole file" in body for _, _, body in server.requests)
    assert pauses == [0.5, 1.0]


def test_watching_survives_a_restart_of_the_server() -> None:
    with answering("cut", 503, 200) as (_, client, pauses):
        assert client.status("s-1")["state"] == "queued"
    assert len(pauses) == 2


def test_client_gives_up_after_six_attempts() -> None:
    with answering(*["cut"] * 6) as (server, client, pauses):
        with pytest.raises(ClientError, match="Cannot reach"):
            client.status("s-1")
        assert len(server.requests) == 6
    assert pauses == [0.5, 1.0, 2.0, 4.0, 8.0]


@pytest.mark.parametrize(("status", "retry_after"), [(400, "1"), (404, "1"), (409, "1"), (429, "1"), (503, "30")])
def test_permanent_refusal_is_reported_immediately(status: int, retry_after: str) -> None:
    with answering(status, Retry_After=retry_after) as (server, client, pauses):
        with pytest.raises(ServerRefusedError):
            client.status("s-1")
        assert len(server.requests) == 1
    assert pauses == []


def test_unreachable_server_is_reported_immediately() -> None:
    pauses: list[float] = []
    client = Client("http://127.0.0.1:1", "esh_x", pauses.append)
    with closing(client), pytest.raises(ClientError, match="Check that the server is running"):
        client.status("s-1")
    assert pauses == []


def test_reevaluation_request_is_not_retried() -> None:
    with answering("cut", 202) as (server, client, _):
        with pytest.raises(ClientError):
            client.reevaluate({})
        assert len(server.requests) == 1
