"""Replica outage: 503 for changes, normal reads, and safe repetition."""

import json
import socketserver
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from db.repositories import sessions
from db.session import Database
from leaderboard import durability
from submissions.accounts.credentials import Accounts, digest_secret
from submissions.operations.replication import confirmation
from submissions.operations.replication.folder import ReplicaFolder
from tests.support.servers.live_site import Site, run_site


class Litestream(BaseHTTPRequestHandler):
    """Replies as litestream does when everything is replicated."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"status": "synced", "txid": 3, "replicated_txid": 3}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Disable logging."""

    def address_string(self) -> str:
        return "a socket"


@contextmanager
def run_litestream(folder: ReplicaFolder) -> Iterator[None]:
    with socketserver.UnixStreamServer(str(folder.socket), Litestream) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            folder.socket.unlink()


@pytest.fixture
def folder(tmp_path: Path) -> ReplicaFolder:
    made = ReplicaFolder(tmp_path)
    made.make()
    made.write_deadline(600)
    return made


@pytest.fixture
def site(tmp_path: Path, folder: ReplicaFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(confirmation, "CONFIRM_SECONDS", 0.3)
    with run_site(tmp_path, replica_url="file:///nowhere") as running:
        yield running


@pytest.fixture
def token(tmp_path: Path, site: Site) -> str:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        return Accounts(database, ()).create_token("ann")


def test_unconfirmed_submission_is_503_and_can_be_repeated(site: Site, token: str, folder: ReplicaFolder) -> None:
    keyed: dict[str, Any] = {"headers": {"Idempotency-Key": "k"}, "model": '{"name": "Keyed"}'}
    plain: dict[str, Any] = {}
    for arguments in (plain, keyed):
        response = site.submit(token, **arguments)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
        assert response.json()["type"].endswith("#not-confirmed")
        assert "is saved on this server" in response.json()["detail"]
        assert site.submit(token, **arguments).status_code == 503, "the repeated one tells of the first"
    assert site.get("/api/v1/leaderboards/audio-motion-bench").status_code == 200
    mine = site.get("/api/v1/submissions?mine=true", token).json()["submissions"]
    assert len(mine) == 2
    with run_litestream(folder):
        repeated = site.submit(token)
        assert (repeated.status_code, repeated.json()["type"].partition("#")[2]) == (409, "already-submitted")
        assert repeated.json()["submission"] in {one["id"] for one in mine}
        assert site.submit(token, **keyed).status_code == 201
        assert site.post(f"/api/v1/submissions/{mine[0]['id']}/publish", token).status_code < 300
    assert site.post(f"/api/v1/submissions/{mine[0]['id']}/withdraw", token).status_code == 503


def test_server_without_the_lease_changes_nothing(site: Site, token: str, folder: ReplicaFolder) -> None:
    folder.write_deadline(0)
    with run_litestream(folder):
        response = site.submit(token)
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "Nothing was changed" in response.json()["detail"]
    assert site.get("/api/v1/submissions?mine=true", token).json()["submissions"] == []


def test_signed_in_user_can_read_although_the_session_update_cannot_be_confirmed(
    tmp_path: Path, site: Site, folder: ReplicaFolder
) -> None:
    two_hours_ago = datetime.now(UTC) - timedelta(hours=2)
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        _, cookie = Accounts(database, ()).sign_in("ann")
        with database.write() as transaction:
            sessions.note_use(transaction, digest_secret(cookie), two_hours_ago)
    for deadline in (600, 0):
        folder.write_deadline(deadline)
        response = site.get("/api/v1/submissions?mine=true", Cookie=f"earshot_session={cookie}")
        assert (response.status_code, response.json()["submissions"]) == (200, [])


def test_readiness_reports_the_lag_and_is_durable_only_while_the_replica_is_close(
    site: Site, folder: ReplicaFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(confirmation, "_LAG_IS_FRESH_SECONDS", 0.0)
    unknown = site.get("/readyz").json()
    assert (unknown["durable"], unknown["replica_lag_seconds"]) == (False, None)
    with run_litestream(folder):
        near = site.get("/readyz").json()
    assert near["durable"]
    assert near["replica_lag_seconds"] < 10
    monkeypatch.setattr(durability, "MAX_LAG_SECONDS", 0.2)
    behind = site.get("/readyz").json()
    assert not behind["durable"]
    assert behind["replica_lag_seconds"] > near["replica_lag_seconds"]
