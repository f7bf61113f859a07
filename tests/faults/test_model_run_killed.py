"""SIGKILL of a model run at every checkpoint: no stored response is lost or requested again, one file is submitted."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.editions.edition_renderer import render_editions
from tests.support.endpoints.misbehaving import ScriptedServer, run_server
from tests.support.endpoints.model_runs import N_CHECKS, say
from tests.support.samples.run_packs import TRACES, write_run_pack
from tests.support.servers.server import Server
from tests.support.servers.warm_processes import WarmPython

N_QUESTIONS = 720
# Label, and which passing of it is the kill: the responses are stored in hundreds of batches.
PRACTICE_KILLS = (
    *(("pack-ready", 1), ("manifest-written", 1), ("model-checked", 1), ("check-stored", 1)),
    *(("responses-received", 100), ("responses-written", 100), ("responses-synced", 100)),
    *(("answered", 1), ("scored", 1)),
)
# Both splits share the other labels; here the second passing is that of the test split.
TEST_KILLS = (
    *(("pack-ready", 2), ("manifest-written", 2), ("responses-synced", 100)),
    *(("answered", 1), ("checked", 1), ("submitted", 1), ("practice-attached", 1)),
)


class Command:
    """The command under test, in a process of its own that is killed at a checkpoint."""

    def __init__(self, folder: Path, server: Server, served: ScriptedServer, warm: WarmPython) -> None:
        self.folder = folder
        self._warm = warm
        self._arguments = (
            *("--benchmark", TRACES.id, "--base-url", served.url, "--model", "m", "--out", "out"),
            *("--concurrency", "1", "--url", server.url, "--as", "kim"),
        )
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("EARSHOT_")}

    def run(self, label: str, n_passes: int, *more: str) -> int:
        command = ("-m", "tests.support.endpoints.killed_run", label, str(n_passes), str(self.folder / "cache"))
        with (self.folder / "log").open("ab") as log:
            streams = (0, log.fileno(), log.fileno())
            return self._warm.start((*command, *self._arguments, *more), self.folder, self._environment, streams).wait(
                300
            )

    def read_rows(self, split: str) -> list[tuple[str, int]]:
        lines = (self.folder / "out" / split / "predictions.jsonl").read_text().splitlines()
        return [(row["id"], row["run"]) for row in map(json.loads, lines)]

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()[-2000:]


def count_submissions(server: Server) -> int:
    with closing(sqlite3.connect(server.data_dir / "earshot.db", timeout=60)) as connection:
        query = "select count(*) from submissions join users on owner_id = users.id where users.name = 'kim'"
        return int(connection.execute(query).fetchone()[0])


def test_run_killed_at_every_checkpoint_asks_nothing_twice_and_submits_once(
    server: Server, tmp_path: Path, warm_python: WarmPython
) -> None:
    pack = write_run_pack(server.data_dir / "packs", TRACES)
    with run_server(say('{"steps": [0, 1]}')) as served, render_editions(server):
        command = Command(tmp_path, server, served, warm_python)
        for kills, more, split in (
            (PRACTICE_KILLS, (), "practice"),
            (TEST_KILLS, ("--split", "both", "--submit"), "test"),
        ):
            before = len(served.asked)
            for label, n_passes in kills:
                assert command.run(label, n_passes, *more) < 0, f"{label} was not reached: {command.log}"
            assert command.run("", 0, *more) == 0, command.log
            rows = command.read_rows(split)
            assert len(rows) == len(set(rows)) == N_QUESTIONS
            n_needed = N_CHECKS + N_QUESTIONS
            n_calls = len(served.asked) - before
            assert n_needed <= n_calls <= 1.02 * n_needed, (split, n_calls)
    assert count_submissions(server) == 1
    pack.unlink()


@pytest.mark.parametrize("label", ["responses-received", "responses-written", "responses-synced"])
def test_kill_with_calls_in_flight_costs_at_most_those_and_the_unstored(
    tmp_path: Path, server: Server, warm_python: WarmPython, label: str
) -> None:
    path = write_run_pack(tmp_path / "cache", TRACES)
    with run_server(say('{"steps": [0, 1]}')) as served:
        command = Command(tmp_path, server, served, warm_python)
        more = ("--concurrency", "16", "--pack", str(path))
        assert command.run(label, 10, *more) < 0, command.log
        assert command.run("", 0, *more) == 0, command.log
        assert len(served.asked) <= N_CHECKS + N_QUESTIONS + 2 * 16
    assert len(set(command.read_rows("practice"))) == N_QUESTIONS
