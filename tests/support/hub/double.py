"""Double of the Hugging Face Hub's API on a loopback port: models, datasets, sign-in, commits, and injected faults."""

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support.hub.datasets import HubDatasets
from tests.support.hub.exchange import READER, WRITER, Received, Reply

SHA = "0123456789abcdef0123456789abcdef01234567"
MODEL: dict[str, Any] = {
    "_id": "66d5",
    "id": "lab/listener-7b",
    "sha": SHA,
    "private": False,
    "gated": False,
    "pipeline_tag": "audio-text-to-text",
    "createdAt": "2026-03-01T12:30:00.000Z",
    "cardData": {"license": "apache-2.0", "base_model": "lab/listener-base", "tags": ["audio"]},
    "safetensors": {"parameters": {"BF16": 8_397_094_912}, "total": 8_397_094_912},
}


@dataclass
class HubDouble:
    """Double of the Hub, with its recorded requests and injected faults.

    Attributes:
        url: Address, for HF_ENDPOINT.
        models: Model repositories by id: reply to `model_info`, or a faulty reply.
        commit_reply: Reply to commits; None accepts them.
        received: Every request.
        commits: Path → content of the files of each commit to a model, in order.
        datasets: Dataset repositories.
    """

    url: str = ""
    models: dict[str, Any] = field(default_factory=dict)
    commit_reply: Reply | None = None
    received: list[Received] = field(default_factory=list)
    commits: list[dict[str, bytes]] = field(default_factory=list)
    datasets: HubDatasets = field(default_factory=HubDatasets)

    def reset(self) -> None:
        self.models = {MODEL["id"]: MODEL}
        self.commit_reply = None
        self.received.clear()
        self.commits.clear()
        self.datasets.reset()

    def answer(self, request: Received) -> Reply:
        about_dataset = self.datasets.answer(request, self.url)
        if about_dataset is not None:
            return about_dataset
        parts = request.path.strip("/").split("/")
        if request.path == "/api/whoami-v2":
            return self._require_token(request, lambda: Reply(body={"type": "user", "name": "ada", "orgs": []}))
        if request.path == "/api/repos/create":
            return self._require_token(
                request, lambda: Reply(body={"url": f"{self.url}/{json.loads(request.body)['name']}"})
            )
        if request.path == "/api/validate-yaml":
            return Reply(body={"errors": [], "warnings": []})
        if len(parts) == 4 and parts[:2] == ["api", "models"]:
            known = self.models.get("/".join(parts[2:]))
            if known is None:
                # The real Hub does not reveal to other users whether a private repository exists.
                return Reply(401, {"error": "Invalid username or password."}, (("X-Error-Code", "RepoNotFound"),))
            return known if isinstance(known, Reply) else Reply(body=known)
        if len(parts) == 6 and parts[4] == "preupload":
            return self._require_token(request, lambda: self._preupload(request))
        if len(parts) == 6 and parts[4] == "commit":
            return self._require_token(request, lambda: self._commit(request, "/".join(parts[2:4])))
        return Reply(404, {"error": "Not found"})

    def _require_token(self, request: Received, act: Callable[[], Reply]) -> Reply:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token == READER and request.method == "POST":
            return Reply(403, {"error": "Forbidden: you need write-discussions."})
        return (
            act() if token in (READER, WRITER) else Reply(401, {"error": "Invalid credentials in Authorization header"})
        )

    def _preupload(self, request: Received) -> Reply:
        files = json.loads(request.body)["files"]
        return Reply(
            body={"files": [{"path": f["path"], "uploadMode": "regular", "shouldIgnore": False} for f in files]}
        )

    def _commit(self, request: Received, repo_id: str) -> Reply:
        if self.commit_reply is not None:
            return self.commit_reply
        lines = [json.loads(line) for line in request.body.splitlines()]
        files = (line["value"] for line in lines if line["key"] == "file")
        self.commits.append({one["path"]: base64.b64decode(one["content"]) for one in files})
        link = f"{self.url}/{repo_id}"
        is_proposed = request.query.get("create_pr") == ["1"]
        proposed = {"pullRequestUrl": f"{link}/discussions/{len(self.commits)}"} if is_proposed else {}
        return Reply(body={"success": True, "commitOid": SHA, "commitUrl": f"{link}/commit/{SHA}", **proposed})


def _make_handler(double: HubDouble) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self._read_body()
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Received(self.command, parts.path, parse_qs(parts.query), headers, body)
            double.received.append(request)
            self._send(double.answer(request))

        do_POST = do_PUT = do_GET  # noqa: N815 - names required by the server

        def _read_body(self) -> bytes:
            if self.headers.get("transfer-encoding") != "chunked":
                return self.rfile.read(int(self.headers.get("content-length") or 0))
            body = bytearray()
            while n_bytes := int(self.rfile.readline(), 16):
                body += self.rfile.read(n_bytes)
                self.rfile.readline()
            self.rfile.readline()
            return bytes(body)

        def _send(self, reply: Reply) -> None:
            body = reply.encode()
            self.send_response(reply.status)
            for name, value in (("Content-Type", "application/json"), *reply.headers):
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            try:
                if reply.stalls:
                    self.wfile.write(body[: len(body) // 2])
                    self.wfile.flush()
                    self.connection.recv(1)  # until the client disconnects
                else:
                    self.wfile.write(body)
            except ConnectionError:
                pass  # the client has disconnected, as one with timeouts does

        def log_message(self, *_arguments: object) -> None:
            pass

    return Handler


@contextmanager
def run_hub() -> Iterator[HubDouble]:
    """Serve a double until the block ends."""
    double = HubDouble()
    double.reset()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _make_handler(double))
    server.daemon_threads = False
    double.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


__all__ = ["MODEL", "READER", "SHA", "WRITER", "HubDouble", "Received", "Reply", "run_hub"]
