"""Complete Earshot whose processes are killed together and whose disk is then erased, as a Space's is."""

import json
import random
import shutil
import threading
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from submissions.accounts.credentials import Accounts
from submissions.operations.replication.databases import open_database
from tests.support.replicas.object_gateway import ObjectGateway
from tests.support.servers.server import Server, read_test_content, wait_for
from tests.support.servers.warm_processes import WarmPython

LEASE_SECONDS = 2
_URL = "s3://earshot/db"


def make_server(folder: Path, gateway: ObjectGateway, warm: WarmPython, **settings: str) -> Server:
    """Return a server, not yet started, that stores everything in the bucket."""
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(folder, warm=warm)
    server.environment = {
        "EARSHOT_REPLICA_URL": _URL,
        "EARSHOT_REPLICA_LEASE_SECONDS": str(LEASE_SECONDS),
        "EARSHOT_STORAGE_URL": "s3://earshot/uploads",
        "EARSHOT_ANSWER_KEYS": "s3://earshot/keys",
        **gateway.environment(),
        **settings,
    }
    return server


def create_token(server: Server, name: str) -> str:
    """Create a personal token with the command line, confirmed in the replica."""
    path = server.data_dir / "earshot.db"
    with closing(open_database(f"sqlite:///{path}", path, server.data_dir, is_replicated=True)) as database:
        return Accounts(database, ()).create_token(name)


@dataclass
class Campaign:
    """Submissions sent while the server is killed repeatedly."""

    server: Server
    gateway: ObjectGateway
    rng: random.Random
    token: str = ""
    example: bytes = b""
    packs: Mapping[str, Any] = field(default_factory=dict)
    # Id of an acknowledged submission → digest of its file in the acknowledgement.
    acknowledged: dict[str, str] = field(default_factory=dict)
    n_sent: int = 0
    n_kills: int = 0

    def begin(self) -> None:
        """Start for the first time, get one file acknowledged, and record what must never change."""
        self.server.start()
        self.server.wait_until_ready(with_chance=False)
        self.token = create_token(self.server, "ann")
        rows = ({"id": item.id, "run": 0, "response": "True"} for item in read_test_content(self.server).items)
        self.example = "".join(json.dumps(row) + "\n" for row in rows).encode()
        self.packs = self.read_questions()
        with self._open_client() as client:
            # On a busy machine the first kill may come before any other acknowledgement.
            wait_for(lambda: self._send(client) and self.acknowledged, "the first acknowledgement")

    def _open_client(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.server.url, trust_env=False, timeout=60)

    def read_questions(self) -> dict[str, Any]:
        """Return the questions of every benchmark."""
        found = self.server.json("/api/v1/benchmarks")["benchmarks"]
        return {f"{one['id']} {one['version']}": one.get("content_digest") for one in found}

    def empty_disk(self) -> None:
        """Kill all processes and erase the disk."""
        self.server.kill_group()
        self.n_kills += 1
        # A server killed immediately has not created its folder yet.
        if self.server.data_dir.exists():
            shutil.rmtree(self.server.data_dir)

    def restart(self, *, until_it_answers: bool) -> None:
        self.server.start()
        if until_it_answers:
            wait_for(self._answers, "healthz")

    def _answers(self) -> bool:
        assert self.server.process is not None
        assert self.server.process.poll() is None, (self.server.folder / "server.log").read_text()[-2000:]
        return self.server.get("/healthz")[0] == 200

    def send_until_killed(self, seconds: float) -> None:
        """Send one file after another, and kill everything after some time."""
        ended = threading.Event()

        def end() -> None:
            ended.set()
            self.empty_disk()

        timer = threading.Timer(seconds, end)
        timer.start()
        with self._open_client() as client:
            while not ended.is_set():
                if not self._send(client):
                    ended.wait(0.1)  # the server is down; pause before the next attempt
        timer.join()

    def _send(self, client: httpx2.Client) -> bool:
        """Send a file; return False if there was no response."""
        self.n_sent += 1
        # The same answers in another format are a different file.
        data = self.example + b"\n" * self.n_sent
        try:
            response = client.post(
                "/api/v1/submissions",
                headers={"Authorization": f"Bearer {self.token}"},
                files={"file": ("p.jsonl", data)},
                data={"benchmark": "audio-motion-bench", "model": json.dumps({"name": f"m{self.n_sent}"})},
            )
        except httpx2.HTTPError:
            return False
        if response.status_code == 201:
            self.acknowledged[response.json()["id"]] = response.json()["sha256"]
        else:
            assert response.status_code == 503, response.text
        return True

    def wait_until_scored(self) -> None:
        # One after another: each request takes processor time from the evaluator.
        for submission in self.acknowledged:
            wait_for(lambda submission=submission: self._find_state(submission) == "scored", "the score")

    def _find_state(self, submission: str) -> str:
        headers = {"Authorization": f"Bearer {self.token}"}
        status, body = self.server.get(f"/api/v1/submissions/{submission}", headers)
        assert status == 200, (submission, status, body[:300])
        return str(json.loads(body)["state"])
