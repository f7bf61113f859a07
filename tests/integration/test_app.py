"""`python app.py` as a whole: what starts, who may know what, and what happens when something is killed."""

import json
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from evaluation import all_benchmarks
from tests.support.servers.server import Server, wait_for, write_example


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    yield server
    server.stop()


def test_first_start_fills_the_board(server: Server) -> None:
    rows = server.rows()
    assert sorted(row["source"] for row in rows if row["source"] != "submitted") == ["random", *["reported"] * 4]
    chance = next(row for row in rows if row["source"] == "random")
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


def test_web_process_holds_nothing_of_the_answer_keys(server: Server) -> None:
    web = server.child("leaderboard")
    evaluator = server.child("submissions")
    assert web is not None
    assert evaluator is not None
    keys = server.folder / "data" / "answer-keys"
    assert list(keys.rglob("*.json")), "there is a key to hide"
    assert not [file for file in web.open_files() if "answer-keys" in file.path]
    assert not [name for name in web.environ() if "ANSWER_KEYS" in name or "JUDGE" in name]
    seeds = [json.loads(key_file.read_text())["seed"].encode() for key_file in keys.rglob("test.json")]
    assert len(seeds) == sum(bool(benchmark.made_parts) for benchmark in all_benchmarks())
    found = [_count_in_memory(evaluator.pid, seed) for seed in seeds]
    assert any(found), "the search finds what is there"
    assert [_count_in_memory(web.pid, seed) for seed in seeds] == [0] * len(seeds)


def _count_in_memory(pid: int, needle: bytes) -> int:
    """Count how often a text stands in the writable memory of a process."""
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


def test_keys_given_by_variable_do_not_reach_the_web_process(own_server: Server, tmp_path: Path) -> None:
    own_server.environment = {"EARSHOT_ANSWER_KEYS": str(tmp_path / "elsewhere"), "EARSHOT_JUDGE_API_KEY": "sk-judge"}
    own_server.start().wait_until_ready()
    web = own_server.child("leaderboard")
    assert web is not None
    assert not {"EARSHOT_ANSWER_KEYS", "EARSHOT_JUDGE_API_KEY"} & set(web.environ())
    assert list((tmp_path / "elsewhere").rglob("test.json"))


def test_killed_evaluator_is_started_again_and_the_page_stays_up(own_server: Server) -> None:
    own_server.start().wait_until_ready()
    first = own_server.child("submissions")
    assert first is not None
    first.kill()
    first.wait(10)  # for a moment it is still listed
    second = wait_for(lambda: own_server.child("submissions"), "a second evaluator")
    assert second.pid != first.pid
    assert own_server.get("/healthz")[0] == 200
    example = write_example(own_server)
    done = own_server.command(
        "submissions", "submit", str(example), "--benchmark", "audio-motion-bench", "--model", "After", "--wait"
    )
    assert done.returncode == 0, done.stderr


def test_killed_submission_is_taken_up_again_and_scored_once(own_server: Server) -> None:
    own_server.start().wait_until_ready()
    example = write_example(own_server, runs=(0, 1, 2))
    # Scoring takes a moment only: where it was over before the kill, another submission is sent.
    submission_id = next(found for n in range(20) if (found := _kill_while_running(own_server, example, f"Killed {n}")))
    row = wait_for(lambda: _find_row(own_server, submission_id), "the row of the killed submission")
    assert len(row) == 1
    events = own_server.json(f"/api/v1/submissions/{submission_id}")["events"]
    assert [event["to"] for event in events] == ["received", "queued", "running", "queued", "running", "scored"]
    assert [event["text"] for event in events if event["to"] == "running"] == ["Attempt 1 began.", "Attempt 2 began."]


def _kill_while_running(server: Server, example: Path, model: str) -> str | None:
    """Submit a file and kill the evaluator at it; None when it was faster."""
    evaluator = wait_for(lambda: server.child("submissions"), "an evaluator")
    command = ("submissions", "submit", str(example), "--benchmark", "audio-motion-bench", "--model", model)
    with closing(sqlite3.connect(server.folder / "data" / "earshot.db", isolation_level=None)) as connection:
        connection.execute("begin immediate")  # so that it does not stand still in the middle of a write
        evaluator.suspend()
        connection.execute("rollback")
        sent = server.command(*command, "--publish")
        assert sent.returncode == 0, sent.stderr
        submission_id = sent.stdout.split()[0]
        evaluator.resume()

        def state() -> str:
            ((found,),) = connection.execute("select state from submissions where id = ?", (submission_id,))
            return str(found)

        while state() == "queued":
            pass  # a pause could be longer than the scoring
        evaluator.suspend()
        if state() != "running":
            evaluator.resume()
            return None
        evaluator.kill()
    return submission_id


def _find_row(server: Server, submission_id: str) -> list[dict[str, object]]:
    return [row for row in server.rows(source="submitted") if row["submission"] == submission_id]


def test_killed_app_leaves_nothing_running_and_starts_again_with_everything(own_server: Server) -> None:
    own_server.start().wait_until_ready()
    before = own_server.rows()
    children = psutil.Process(own_server.process.pid).children() if own_server.process else []
    own_server.kill()
    wait_for(lambda: not any(child.is_running() and child.status() != "zombie" for child in children), "their end")
    own_server.start().wait_until_ready()
    assert own_server.rows() == before


def test_space_variables_bind_every_address(own_server: Server) -> None:
    own_server.environment = {"SPACE_ID": "lab/earshot", "SPACE_HOST": "lab-earshot.hf.space", "SYSTEM": "spaces"}
    own_server.start().wait_until_ready()
    web = own_server.child("leaderboard")
    assert web is not None
    (listening,) = (c for c in web.net_connections("tcp") if c.status == psutil.CONN_LISTEN)
    assert listening.laddr.ip == "0.0.0.0"  # noqa: S104 - this is what is asked for
    assert own_server.get("/", {"Host": "lab-earshot.hf.space"})[0] == 200
    assert own_server.get("/auth/local", {"Host": "lab-earshot.hf.space"})[0] in (404, 405)


def test_local_sign_in_is_refused_on_an_open_address(own_server: Server) -> None:
    own_server.environment = {"EARSHOT_HOST": "0.0.0.0"}  # noqa: S104 - refused, which is the point
    own_server.start()
    assert own_server.process is not None
    assert own_server.process.wait(30) == 2
    assert "EARSHOT_AUTH" in (own_server.folder / "server.log").read_text()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("EARSHOT_DATABASE_URL", "postgresql://earshot:hidden@db:port/earshot", "neither a SQLite file"),
        ("EARSHOT_ANSWER_KEYS", "hf://datasets/lab/keys", "from a folder only"),
        ("EARSHOT_DATA_DIR", f"{os.devnull}/data", "cannot be written (Not a directory)"),
        ("EARSHOT_PORT", "many", "EARSHOT_PORT"),
    ],
)
def test_setting_that_cannot_be_used_ends_with_2_and_one_line(
    own_server: Server, name: str, value: str, said: str
) -> None:
    own_server.environment = {name: value}
    own_server.start()
    assert own_server.process is not None
    assert own_server.process.wait(30) == 2
    (line,) = (own_server.folder / "server.log").read_text().splitlines()
    assert line.startswith("Error: EARSHOT_")
    assert said in line
    assert "hidden" not in line


def test_port_that_is_taken_ends_with_1_and_one_line(own_server: Server) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        own_server.port = other.getsockname()[1]
        own_server.start()
        assert own_server.process is not None
        assert own_server.process.wait(30) == 1
    (line,) = (own_server.folder / "server.log").read_text().splitlines()
    assert line.startswith(f"Error: Port {own_server.port} of 127.0.0.1 cannot be opened (Address already in use).")


def test_web_process_that_cannot_start_ends_the_launcher_with_its_code(own_server: Server) -> None:
    (own_server.folder / "data").mkdir()
    (own_server.folder / "data" / "earshot.db").write_bytes(b"not a database" * 1000)
    own_server.arguments = ("--no-evaluator",)
    own_server.start()
    assert own_server.process is not None
    assert own_server.process.wait(60) == 1


def test_production_refuses_a_disk_that_is_not_kept(own_server: Server) -> None:
    own_server.environment = {"SPACE_ID": "lab/earshot", "EARSHOT_PRODUCTION": "1"}
    own_server.start()
    assert own_server.process is not None
    assert own_server.process.wait(30) == 2
    assert "would not survive a restart" in (own_server.folder / "server.log").read_text()


def test_no_evaluator_starts_the_web_process_alone(own_server: Server) -> None:
    own_server.arguments = ("--no-evaluator",)
    own_server.environment = {"EARSHOT_DATADIR": "elsewhere", "EARSHOT_BACKUP_REPO": "lab/backup"}
    own_server.start()
    wait_for(lambda: own_server.get("/healthz")[0] == 200, "healthz")
    log = (own_server.folder / "server.log").read_text()
    assert log.count("EARSHOT_DATADIR is no variable of Earshot and has no effect. Did you mean EARSHOT_DATA_DIR?") == 1
    assert log.count("EARSHOT_BACKUP_REPO is for a later release and has no effect yet.") == 1
    assert own_server.get("/readyz")[0] == 503
    assert own_server.child("submissions") is None
    done = own_server.command("submissions", "validate", os.devnull, "--benchmark", "audio-motion-bench")
    assert done.returncode == 1
    assert "being prepared" in done.stderr
