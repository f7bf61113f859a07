"""The whole of it on PostgreSQL: `app.py` without an evaluator, two evaluators started by hand, and the commands."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from db.__main__ import main
from db.session import Database
from submissions.accounts import Accounts
from tests.support.servers.commands import run_in_process
from tests.support.servers.installation import BENCHMARK
from tests.support.servers.postgres import Databases
from tests.support.servers.server import ROOT, Server, wait_for, write_example


@pytest.fixture
def server(databases: Databases, tmp_path: Path) -> Iterator[Server]:
    with databases.lend("postgresql", tmp_path) as url:
        server = Server(tmp_path, {"EARSHOT_DATABASE_URL": url}, arguments=("--no-evaluator",)).start()
        try:
            yield server
        finally:
            server.stop()


def start_evaluators(server: Server, number: int) -> list[subprocess.Popen[bytes]]:
    settings = {"EARSHOT_DATA_DIR": str(server.folder / "data"), **server.environment}
    command = [sys.executable, "-m", "submissions", "worker", "--no-packs"]
    return [subprocess.Popen(command, cwd=ROOT, env=os.environ | settings) for _ in range(number)]


def send(server: Server) -> None:
    with closing(Database(server.environment["EARSHOT_DATABASE_URL"])) as database:
        token = Accounts(database, ()).create_token("ann")
    answer = httpx2.post(
        f"{server.url}/api/v1/submissions",
        headers={"Authorization": f"Bearer {token}"},
        files={"file": ("p.jsonl", write_example(server).read_bytes())},
        data={"benchmark": BENCHMARK.id, "model": '{"name": "Over HTTP"}', "publish": "true"},
        timeout=60,
        trust_env=False,
    )
    assert answer.status_code == 201, answer.text


def test_file_sent_over_http_is_scored_by_one_of_two_evaluators_and_published(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluators = start_evaluators(server, 2)
    try:
        server.wait_until_ready(with_chance=False)
        send(server)
        rows = wait_for(lambda: server.rows(source="submitted"), "the row on the board")
        assert [row["model"]["name"] for row in rows] == ["Over HTTP"]
        # Both have started at once, and what an evaluator does at its start was done once.
        assert len(wait_for(lambda: server.rows(source="random"), "the row of the chance system")) == 1
        for evaluator in evaluators:
            evaluator.terminate()
        assert [evaluator.wait(60) for evaluator in evaluators] == [0, 0]
    finally:
        for evaluator in evaluators:
            evaluator.kill()
            evaluator.wait(60)
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.folder / "data"))
    monkeypatch.setenv("EARSHOT_DATABASE_URL", server.environment["EARSHOT_DATABASE_URL"])
    checked = run_in_process(capsys, main, ("check",))
    assert (checked.code, checked.err) == (0, "")
    assert "Every submission is in a state to which its events lead." in checked.out
    for command in ("backup", "restore"):
        refused = run_in_process(capsys, main, (command, server.folder / "backup"))
        assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
        assert "pg_dump" in refused.err
