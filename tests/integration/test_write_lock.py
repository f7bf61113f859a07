"""A write lock of another process refuses changes with 503, and leaves reading alone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leaderboard import services
from leaderboard.http.problem_details import DATABASE_BUSY
from tests.support.servers.live_site import Site, run_site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(services, "_LOCK_SECONDS", 0.1)
    with run_site(tmp_path) as running:
        yield running


def test_change_is_503_and_reads_go_on_while_another_process_writes(site: Site) -> None:
    token = site.services.accounts.create_token("ann")
    path = site.services.database.url.database
    assert path is not None
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        refused = site.submit(token)
        assert refused.status_code == 503
        assert int(refused.headers["retry-after"]) > 0
        assert refused.json()["detail"] == DATABASE_BUSY
        assert refused.json()["type"].endswith("#database-away")
        assert "incident" not in refused.json()
        assert site.get("/api/v1/benchmarks").status_code == 200
        assert site.get("/api/v1/tokens", token).status_code == 200
        other.execute("rollback")
    assert site.submit(token).status_code != 503
