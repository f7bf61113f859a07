"""Replication: a server whose disk is erased at every kill loses no acknowledged submission, and only one server
writes.
"""

import hashlib
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from submissions.operations.replication.errors import ReplicaError
from submissions.operations.replication.stores import open_store
from tests.support.replicas.emptied_disk import Campaign, create_token, make_server
from tests.support.replicas.object_gateway import ObjectGateway, run_gateway
from tests.support.servers.server import ROOT, Server, clean_environment, wait_for
from tests.support.servers.warm_processes import WarmPython

KILLS, KILLS_IN_SOAK = 2, 200
# Kills happen while the server starts, receives files and scores them.
MAX_SECONDS = 6.0


@pytest.fixture
def gateway() -> Iterator[ObjectGateway]:
    with run_gateway() as running:
        yield running


def check_database(server: Server) -> "subprocess.CompletedProcess[str]":
    environment = clean_environment() | server.environment | {"EARSHOT_DATA_DIR": str(server.data_dir)}
    command = (sys.executable, "-m", "db", "check")
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def count_results(server: Server) -> dict[str, int]:
    query = """
        select submission_id, count(*) from submission_events where to_state = 'scored' group by submission_id
    """
    with closing(sqlite3.connect(server.data_dir / "earshot.db")) as connection:
        return dict(connection.execute(query).fetchall())


@pytest.mark.timeout(14_400)
def test_server_whose_disk_is_erased_at_random_moments_keeps_every_acknowledged_submission(
    tmp_path: Path,
    gateway: ObjectGateway,
    warm_python: WarmPython,
    soak: bool,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rng = random.Random(int(request.config.getoption("--kill-seed")))
    campaign = Campaign(make_server(tmp_path / "server", gateway, warm_python), gateway, rng)
    server = campaign.server
    try:
        campaign.begin()
        for number in range(KILLS_IN_SOAK if soak else KILLS):
            if number:
                # Every third kill hits a server that is restoring or has not responded yet.
                campaign.restart(until_it_answers=number % 3 != 1)
            campaign.send_until_killed(rng.uniform(0.1, MAX_SECONDS))
        campaign.restart(until_it_answers=True)
        server.wait_until_ready(with_chance=False)
        campaign.wait_until_scored()
        assert campaign.acknowledged, "files were acknowledged"
        assert campaign.read_questions() == campaign.packs
        results = count_results(server)
        assert {submission: results[submission] for submission in campaign.acknowledged} == dict.fromkeys(
            campaign.acknowledged, 1
        )
        for digest in campaign.acknowledged.values():
            data = gateway.objects[f"uploads/{digest[:2]}/{digest}"]
            assert hashlib.sha256(data).hexdigest() == digest
        checked = check_database(server)
        assert checked.returncode == 0, checked.stderr
    finally:
        server.stop()
    with capsys.disabled():
        sys.stdout.write(
            f"\nDisk emptied: {campaign.n_kills} kills, {campaign.n_sent:,} files sent, "
            f"{len(campaign.acknowledged):,} acknowledged, none lost, none scored twice.\n"
        )


def test_second_server_waits_for_the_first_and_continues_where_it_stopped(
    tmp_path: Path, gateway: ObjectGateway, warm_python: WarmPython
) -> None:
    first, second = (make_server(tmp_path / name, gateway, warm_python) for name in ("first", "second"))
    for server in (first, second):
        server.arguments = ("--no-evaluator",)
    try:
        first.start()
        wait_for(lambda: first.get("/healthz")[0] == 200, "healthz")
        token = create_token(first, "ann")
        second.start()
        log = second.folder / "server.log"
        wait_for(lambda: "holds the lease of the replica" in log.read_text(), "the reason")
        assert second.get("/healthz")[0] == 0, "it has not even opened its port"
        assert first.get("/healthz")[0] == 200
        first.kill_group()
        wait_for(lambda: second.get("/healthz")[0] == 200, "the takeover")
        assert second.get("/api/v1/submissions?mine=true", {"Authorization": f"Bearer {token}"})[0] == 200
        store = open_store(second.environment["EARSHOT_REPLICA_URL"], gateway.environment())
        # The new server answers before its first snapshot is stored.
        wait_for(lambda: store.list_generations() == [1, 2], "the second generation")
    finally:
        for server in (second, first):
            server.stop()


def test_replica_without_credentials_is_refused_before_anything_starts(
    tmp_path: Path, gateway: ObjectGateway, warm_python: WarmPython
) -> None:
    server = make_server(tmp_path / "server", gateway, warm_python, AWS_SECRET_ACCESS_KEY="")
    with pytest.raises(ReplicaError):
        open_store(server.environment["EARSHOT_REPLICA_URL"], server.environment)
    server.start()
    assert server.process is not None
    assert server.process.wait(60) == 1
    assert "AWS_SECRET_ACCESS_KEY is not set" in (server.folder / "server.log").read_text()
