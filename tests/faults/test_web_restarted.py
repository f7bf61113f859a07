"""Web process that hangs and is killed: the launcher restarts it on the same port, and no acknowledged submission is
lost.
"""

import hashlib
import http.client
import json
import signal
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from db.session import Database
from submissions.accounts.credentials import Accounts
from tests.support.kills import invariants
from tests.support.kills.campaign import prepare
from tests.support.servers.server import Server, has_ended, wait_for
from tests.support.servers.warm_processes import WarmPython

# The launcher with a shorter timeout: one minute without a response is too long for a test.
IMPATIENT = textwrap.dedent("""
    import sys

    import app
    import submissions.operations.supervisor

    submissions.operations.supervisor.SILENCE_SECONDS = 5.0
    sys.exit(app.main())
""")


@pytest.fixture
def own_server(tmp_path: Path, warm_python: WarmPython) -> Iterator[Server]:
    """Server with registered benchmarks but no evaluator, so that submissions stay queued."""
    (tmp_path / "data").mkdir()
    prepare(tmp_path / "data")
    script = tmp_path / "impatient.py"
    script.write_text(IMPATIENT)
    server = Server(tmp_path, arguments=("--no-evaluator",), script=script, warm=warm_python).start()
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "healthz", 120)
        yield server
    finally:
        server.stop()


def find_web(server: Server) -> psutil.Process:
    found = server.child("leaderboard")
    assert found is not None
    return found


class Upload:
    """Upload sent as raw bytes, so that it can be interrupted midway."""

    def __init__(self, server: Server, token: str, key: str) -> None:
        self.server = server
        file = (server.folder / "data" / "mdar.jsonl").read_bytes().replace(b"NOTE", key.encode() * 4_000)
        self.sha256 = hashlib.sha256(file).hexdigest()
        fields = {"benchmark": "mdar", "version": "demo", "model": json.dumps({"name": key}), "allow_missing": "true"}
        parts = [
            f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
        ]
        head = '--b\r\nContent-Disposition: form-data; name="file"; filename="f.jsonl"\r\n\r\n'
        self.body = "".join(parts).encode() + head.encode() + file + b"\r\n--b--\r\n"
        self.headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "multipart/form-data; boundary=b",
            "Content-Length": str(len(self.body)),
            "Idempotency-Key": key,
        }

    def begin(self, n_bytes: int) -> http.client.HTTPConnection:
        """Send the first bytes, and keep the connection open."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        connection.putrequest("POST", "/api/v1/submissions")
        for name, value in self.headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(self.body[:n_bytes])
        return connection

    def send(self) -> tuple[int, dict[str, str]]:
        with closing(self.begin(len(self.body))) as connection:
            response = connection.getresponse()
            return response.status, json.loads(response.read())


def test_web_process_that_hangs_during_uploads_is_restarted_and_keeps_acknowledged_submissions(
    own_server: Server,
) -> None:
    server = own_server
    with closing(Database(f"sqlite:///{server.folder}/data/earshot.db")) as database:
        token = Accounts(database, ()).create_token("ann")
    uploads = [Upload(server, token, f"key-{number}") for number in range(3)]
    status, known = uploads[0].send()
    assert (status, known["sha256"]) == (201, uploads[0].sha256)
    half, whole = uploads[1].begin(len(uploads[1].body) // 2), uploads[2].begin(len(uploads[2].body))
    before = find_web(server)
    before.send_signal(signal.SIGSTOP)
    wait_for(lambda: has_ended(before), "its end")
    for connection in (half, whole):
        connection.close()
    wait_for(lambda: server.get("/healthz")[0] == 200, "healthz", 120)
    assert find_web(server).pid != before.pid
    assert server.get("/")[0] == 200
    assert "has not answered for" in (server.folder / "server.log").read_text()
    answers = [upload.send() for upload in uploads]
    assert [(status, answer["sha256"]) for status, answer in answers] == [(201, upload.sha256) for upload in uploads]
    assert answers[0][1]["id"] == known["id"]
    assert [upload.send() for upload in uploads] == answers
    sent = {upload.headers["Idempotency-Key"]: file_of(upload) for upload in uploads}
    acknowledged = {f"key-{n}": (answer["id"], answer["sha256"]) for n, (_, answer) in enumerate(answers)}
    invariants.check_rows(server.folder / "data", sent, acknowledged, 1_000)


def file_of(upload: Upload) -> bytes:
    """Return the file in the body of an upload."""
    return upload.body.partition(b'filename="f.jsonl"\r\n\r\n')[2].removesuffix(b"\r\n--b--\r\n")
