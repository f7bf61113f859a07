"""Complete Earshot on PostgreSQL: `app.py` without an evaluator, two separate evaluators, and the commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from db.__main__ import main
from tests.support.servers.commands import run_in_process
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.postgres import Databases
from tests.support.servers.server import Server, wait_for, write_example
from tests.support.servers.warm_processes import WarmPython

pytestmark = pytest.mark.postgres


@pytest.fixture
def server(databases: Databases, warm_python: WarmPython, tmp_path: Path) -> Iterator[Server]:
    with databases.lend("postgresql", tmp_path) as url:
        server = Server(tmp_path, {"EARSHOT_DATABASE_URL": url}, ("--no-evaluator",), warm=warm_python).start()
        try:
            yield server
        finally:
            server.stop()


def test_file_sent_over_http_is_scored_by_one_of_two_evaluators_and_published(
    server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_evaluators(server.data_dir, 2, server.environment, warm=server.warm) as evaluators:
        server.wait_until_ready(with_chance=False)
        server.send(write_example(server).read_bytes(), "Over HTTP", publish="true")
        rows = wait_for(lambda: server.rows(source="submitted"), "the row on the board")
        assert [row["model"]["name"] for row in rows] == ["Over HTTP"]
        # Both have started together, and the startup work was done once.
        assert len(wait_for(lambda: server.rows(source="random"), "the row of the chance system")) == 1
        for evaluator in evaluators:
            evaluator.terminate()
        assert [evaluator.wait(300) for evaluator in evaluators] == [0, 0]
    monkeypatch.setenv("EARSHOT_DATA_DIR", str(server.data_dir))
    monkeypatch.setenv("EARSHOT_DATABASE_URL", server.environment["EARSHOT_DATABASE_URL"])
    checked = run_in_process(capsys, main, ("check",))
    assert (checked.code, checked.err) == (0, "")
    assert "The state of every submission matches its events." in checked.out
    for command in ("backup", "restore"):
        refused = run_in_process(capsys, main, (command, server.folder / "backup"))
        assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
        assert "pg_dump" in refused.err
