"""`python app.py` as a whole: startup, separation of secrets, and recovery after kills."""

import hashlib
import json
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

import submissions.__main__ as command_line
import submissions.client
from evaluation import all_benchmarks
from tests.support.servers.commands import run_in_process, use_data_dir
from tests.support.servers.server import Server, wait_for, write_example
from tests.support.servers.warm_processes import WarmPython


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """Installation that has not been started, with the test's own settings."""
    server = Server(tmp_path)
    yield server
    server.stop()


@pytest.fixture
def forked_server(own_server: Server, warm_python: WarmPython) -> Server:
    """The same, for tests of the launcher's behaviour: its processes are forks, which start at once."""
    own_server.warm = warm_python
    return own_server


@dataclass(frozen=True)
class Restarted:
    """An installation on a Space that was killed once and started again.

    Attributes:
        server: It, running.
        rows: Of a board, before and after.
        survivors: Its processes that outlived the launcher.
    """

    server: Server
    rows: tuple[list[dict[str, Any]], list[dict[str, Any]]]
    survivors: list[psutil.Process]


@pytest.fixture(scope="module")
def restarted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Restarted]:
    folder = tmp_path_factory.mktemp("space")
    settings = {"SPACE_ID": "lab/earshot", "SPACE_HOST": "lab-earshot.hf.space", "SYSTEM": "spaces"}
    settings |= {
        "EARSHOT_PRODUCTION": "0",
        "EARSHOT_ANSWER_KEYS": str(folder / "elsewhere"),
        "EARSHOT_JUDGE_API_KEY": "sk-judge",
    }
    settings |= {"HF_TOKEN": "hf_canary", "AWS_SECRET_ACCESS_KEY": "canary", "OPENAI_API_KEY": "sk-canary"}
    server = Server(folder, settings).start()
    try:
        server.wait_until_ready()
        assert server.process is not None
        before = server.rows()
        children = psutil.Process(server.process.pid).children()
        server.kill()
        _, survivors = psutil.wait_procs(children, timeout=300)
        server.start().wait_until_ready()
        yield Restarted(server, (before, server.rows()), survivors)
    finally:
        server.stop()


@pytest.fixture
def space(restarted: Restarted) -> Server:
    """Installation on a Space with remote keys. Tests kill its processes, which the launcher restarts.

    Its processes are real ones, not forks of a warm process, so that tests can look at what they hold.
    """
    return restarted.server


def test_first_start_fills_the_board(restarted: Restarted) -> None:
    rows, _ = restarted.rows
    (chance,) = (row for row in rows if row["source"] == "random")
    assert sorted(row["source"] for row in rows) == ["random"] + 4 * ["reported"]
    assert chance["scores"]["overall/mcq|accuracy"]["value"] == pytest.approx(1 / 4, abs=0.040)
    assert chance["scores"]["overall/tf|accuracy"]["value"] == pytest.approx(1 / 2, abs=0.032)
    assert chance["scores"]["overall|accuracy"]["value"] == pytest.approx(5 / 12, abs=0.025)
    assert chance["signature"].startswith("audio-motion-bench:1.0|content:")
    assert chance["missing"] == chance["unreadable"] == 0


def test_reported_rows_show_the_printed_figures(server: Server) -> None:
    (kimi,) = (row for row in server.rows(source="reported") if row["model"]["name"] == "Kimi-Audio-7B")
    assert kimi["scores"]["sct|accuracy"]["value"] == pytest.approx(0.4152)
    assert kimi["scores"]["sct|accuracy"]["std"] == pytest.approx(0.0011)
    assert kimi["scores"]["sct/15db|accuracy"]["value"] == pytest.approx(0.3928)
    assert kimi["signature"] is None


def test_no_process_of_a_server_loads_the_parquet_library(space: Server) -> None:
    assert space.process is not None
    pids = [space.process.pid, *(child.pid for child in psutil.Process(space.process.pid).children(recursive=True))]
    loaded = {pid: Path(f"/proc/{pid}/maps").read_text() for pid in pids}
    assert any("pandas" in libraries for libraries in loaded.values()), "the search finds what is there"
    assert [pid for pid, libraries in loaded.items() if "pyarrow" in libraries] == []


def test_launcher_loads_no_database_library(space: Server) -> None:
    assert space.process is not None
    web = space.child("leaderboard")
    assert web is not None
    launcher, loaded = (Path(f"/proc/{pid}/maps").read_text() for pid in (space.process.pid, web.pid))
    assert "sqlalchemy" in loaded, "the search finds what is there"
    assert "sqlalchemy" not in launcher


def test_web_process_has_no_answer_keys_in_memory(space: Server) -> None:
    web = space.child("leaderboard")
    evaluator = wait_for(lambda: space.child("submissions"), "an evaluator")
    assert web is not None
    keys = space.keys_dir
    assert list(keys.rglob("*.json")), "there is a key to hide"
    assert not [file for file in web.open_files() if file.path.startswith(str(keys))]
    assert not [name for name in web.environ() if "ANSWER_KEYS" in name or "JUDGE" in name]
    seeds = [json.loads(key_file.read_text())["seed"].encode() for key_file in keys.rglob("test.json")]
    assert len(seeds) == sum(bool(benchmark.made_parts) for benchmark in all_benchmarks())
    wait_for(lambda: any(_count_in_memory(evaluator.pid, seed) for seed in seeds), "what the search must find")
    assert [_count_in_memory(web.pid, seed) for seed in seeds] == [0] * len(seeds)


def _count_in_memory(pid: int, needle: bytes) -> int:
    """Count the occurrences of a text in the writable memory of a process."""
    found = 0
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in maps:
            span, permissions = line.split()[:2]
            if permissions.startswith("rw"):
                start, end = (int(part, 16) for part in span.split("-"))
                try:
                    memory.seek(start)
                    found += memory.read(end - start).count(needle)
                except (OSError, OverflowError, ValueError):
                    continue
    return found


def test_evaluator_beats_on_a_pipe_of_the_launcher(space: Server) -> None:
    """A silent one is replaced: see `test_stopped_evaluator.py`."""
    assert space.process is not None
    evaluator = wait_for(lambda: space.child("submissions"), "an evaluator")
    command = evaluator.cmdline()
    descriptor = command[command.index("--heartbeat-pipe") + 1]
    pipes = [Path(f"/proc/{pid}/fd/{descriptor}").readlink() for pid in (evaluator.pid, space.process.pid)]
    assert pipes[0] == pipes[1]
    assert pipes[0].name.startswith("pipe:")


def test_keys_from_a_variable_do_not_reach_the_web_process(space: Server) -> None:
    web = space.child("leaderboard")
    assert web is not None
    assert not {"EARSHOT_ANSWER_KEYS", "EARSHOT_JUDGE_API_KEY"} & set(web.environ())
    assert not {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY"} & set(web.environ())
    assert list(space.keys_dir.rglob("test.json"))
    assert not (space.data_dir / "answer-keys").exists()


def test_submission_of_a_killed_evaluator_is_resumed_by_the_next_and_scored_once(space: Server) -> None:
    first = wait_for(lambda: space.child("submissions"), "an evaluator")
    data = write_example(space, runs=(0, 1, 2)).read_bytes()
    submission_id = _kill_while_running(space, data)
    assert space.get("/healthz")[0] == 200, "the page stays up"
    after = space.send(write_example(space).read_bytes(), "After", publish="true")
    second = wait_for(lambda: space.child("submissions"), "a second evaluator")
    assert second.pid != first.pid
    row = wait_for(lambda: _find_row(space, submission_id), "the row of the killed submission")
    assert len(row) == 1
    events = space.json(f"/api/v1/submissions/{submission_id}")["events"]
    assert [event["to"] for event in events] == ["received", "queued", "running", "queued", "running", "scored"]
    assert [event["text"] for event in events if event["to"] == "running"] == ["Attempt 1 began.", "Attempt 2 began."]
    wait_for(lambda: _find_row(space, after), "the row of the file sent after it")


def _kill_while_running(server: Server, data: bytes) -> str:
    """Submit a file and kill the evaluator while it scores it, blocked meanwhile by a pipe without a writer."""
    evaluator = wait_for(lambda: server.child("submissions"), "an evaluator")
    with closing(sqlite3.connect(server.data_dir / "earshot.db", isolation_level=None, timeout=60)) as connection:
        connection.execute("begin immediate")  # so that it does not block in the middle of a write
        evaluator.suspend()
        connection.execute("rollback")
        submission_id = server.send(data, "Killed", publish="true")
        digest = hashlib.sha256(data).hexdigest()
        kept = server.data_dir / "artifacts" / digest[:2] / digest
        aside = kept.rename(kept.with_name("aside"))
        os.mkfifo(kept)
        evaluator.resume()
        state = "select state from submissions where id = ?"
        wait_for(lambda: connection.execute(state, (submission_id,)).fetchone() == ("running",), "the first attempt")
        evaluator.kill()
        evaluator.wait(300)
        aside.replace(kept)
    return submission_id


def _find_row(server: Server, submission_id: str) -> list[dict[str, object]]:
    return [row for row in server.rows(source="submitted") if row["submission"] == submission_id]


def test_killed_app_leaves_no_processes_and_restarts_with_all_data(restarted: Restarted) -> None:
    before, after = restarted.rows
    assert restarted.survivors == []
    assert len(before) == 5
    assert after == before


def test_space_variables_bind_all_addresses(space: Server) -> None:
    web = space.child("leaderboard")
    assert web is not None
    (listening,) = (c for c in web.net_connections("tcp") if c.status == psutil.CONN_LISTEN)
    assert listening.laddr.ip == "0.0.0.0"  # noqa: S104 - tested on purpose
    assert space.get("/", {"Host": "lab-earshot.hf.space"})[0] == 200
    assert space.get("/auth/local", {"Host": "lab-earshot.hf.space"})[0] in (404, 405)


def test_local_sign_in_on_a_public_address_is_refused(forked_server: Server) -> None:
    forked_server.environment = {"EARSHOT_HOST": "0.0.0.0"}  # noqa: S104 - must be refused
    forked_server.start()
    assert forked_server.process is not None
    assert forked_server.process.wait(300) == 2
    assert "EARSHOT_AUTH" in (forked_server.folder / "server.log").read_text()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("EARSHOT_DATABASE_URL", "postgresql://earshot:hidden@db:port/earshot", "must name a SQLite file"),
        ("EARSHOT_ANSWER_KEYS", "https://lab.example/keys", "must be a folder"),
        ("EARSHOT_DATA_DIR", f"{os.devnull}/data", "cannot write to /dev/null/data (Not a directory)"),
        ("EARSHOT_PORT", "many", "EARSHOT_PORT"),
    ],
)
def test_invalid_setting_ends_with_2_and_one_line(forked_server: Server, name: str, value: str, said: str) -> None:
    forked_server.environment = {name: value}
    forked_server.start()
    assert forked_server.process is not None
    assert forked_server.process.wait(300) == 2
    (line,) = (forked_server.folder / "server.log").read_text().splitlines()
    assert line.startswith("Error: EARSHOT_")
    assert said in line
    assert "hidden" not in line


def test_port_in_use_ends_with_1_and_one_line(own_server: Server) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        own_server.port = other.getsockname()[1]
        own_server.start()
        assert own_server.process is not None
        assert own_server.process.wait(300) == 1
    (line,) = (own_server.folder / "server.log").read_text().splitlines()
    assert line.startswith(f"Error: Port {own_server.port} of 127.0.0.1 cannot be opened (Address already in use).")


def test_server_creates_private_files(server: Server) -> None:
    folder = server.data_dir
    folders = (folder / "answer-keys", folder / "artifacts")
    inside = [path for place in folders for path in (place, *place.rglob("*"))]
    found = [folder, *folder.glob("earshot.db*"), *inside]
    assert len(inside) > 10
    assert [path for path in found if path.stat().st_mode & 0o077] == []


def test_second_server_on_a_data_folder_is_refused(forked_server: Server) -> None:
    forked_server.arguments = ("--no-evaluator",)
    with lock_server_of_another_process(forked_server.data_dir) as process:
        forked_server.start()
        assert forked_server.process is not None
        assert forked_server.process.wait(300) == 1
        (line,) = (forked_server.folder / "server.log").read_text().splitlines()
        assert line.startswith(f"Error: Another server uses {forked_server.data_dir} (process {process}). Stop it, or")


@contextmanager
def lock_server_of_another_process(data_dir: Path) -> Iterator[int]:
    """Hold the lock of a server in a process of its own, and yield its ID."""
    data_dir.mkdir()
    command = "import sys; from pathlib import Path; from submissions.operations.data_folder import lock_server\n"
    command += "with lock_server(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", command, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process.pid
        process.communicate()


def test_web_process_that_cannot_start_ends_the_launcher_with_its_exit_code(forked_server: Server) -> None:
    forked_server.data_dir.mkdir(mode=0o755)
    (forked_server.data_dir / "earshot.db").write_bytes(b"not a database" * 1000)
    forked_server.arguments = ("--no-evaluator",)
    forked_server.start()
    assert forked_server.process is not None
    assert forked_server.process.wait(300) == 1
    repaired = f"Other users of this machine could open {forked_server.data_dir}, {forked_server.data_dir}/earshot.db."
    assert repaired in (forked_server.folder / "server.log").read_text()
    assert forked_server.data_dir.stat().st_mode & 0o777 == 0o700


def test_production_refuses_ephemeral_storage(forked_server: Server) -> None:
    forked_server.environment = {"SPACE_ID": "lab/earshot"}
    forked_server.start()
    assert forked_server.process is not None
    assert forked_server.process.wait(300) == 2
    assert "a restart would lose data" in (forked_server.folder / "server.log").read_text()


def test_no_evaluator_starts_the_web_process_alone(
    forked_server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    forked_server.arguments = ("--no-evaluator",)
    forked_server.environment = {"EARSHOT_DATADIR": "elsewhere"}
    forked_server.start()
    wait_for(lambda: forked_server.get("/healthz")[0] == 200, "healthz")
    log = (forked_server.folder / "server.log").read_text()
    assert log.count("EARSHOT_DATADIR is not an Earshot setting and has no effect. Did you mean EARSHOT_DATA_DIR?") == 1
    assert forked_server.get("/readyz")[0] == 503
    assert forked_server.child("submissions") is None
    where = ("--url", forked_server.url, "--token", forked_server.token("ann"))
    validate = ("validate", os.devnull, "--benchmark", "audio-motion-bench", *where)
    use_data_dir(forked_server.data_dir, monkeypatch)
    # Nothing will ever prepare it, so waiting between the attempts is useless.
    monkeypatch.setattr(submissions.client, "_PAUSES_SECONDS", (0.0,) * len(submissions.client._PAUSES_SECONDS))
    done = run_in_process(capsys, command_line.main, validate)
    assert done.code == 1
    assert "being prepared" in done.err
