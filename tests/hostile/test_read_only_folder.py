"""A data folder that becomes read-only: processes refuse to start with one sentence, and a running server recovers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from leaderboard.http.problem_details import READ_ONLY
from tests.support.pages.participant import read_example
from tests.support.secrets.canaries import AS_USER
from tests.support.servers.server import ROOT, Server, clean_environment, wait_for
from tests.support.servers.shared_splits import STILL_SHARED

PROGRAMS = (
    ("-m", "leaderboard"),
    ("-m", "submissions.worker", "--no-packs", "--no-references"),
    ("app.py", "--no-evaluator"),
)
API = "/api/v1"


@contextmanager
def make_read_only(folder: Path) -> Iterator[None]:
    """Take the right to write from a folder and all in it, as long as the block lasts."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths if path.exists()}
    for path, mode in modes.items():
        path.chmod(mode & ~0o222)
    try:
        yield
    finally:
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)


@pytest.mark.parametrize("program", PROGRAMS, ids=" ".join)
def test_process_refuses_a_read_only_folder_in_one_sentence(
    ranked: Path, tmp_path: Path, program: tuple[str, ...]
) -> None:
    data_dir = shutil.copytree(ranked, tmp_path / "data")
    before = {path: path.read_bytes() for path in data_dir.rglob("*") if path.is_file()}
    environment = clean_environment() | {"EARSHOT_DATA_DIR": str(data_dir), "EARSHOT_PORT": "0", **STILL_SHARED}
    with make_read_only(data_dir):
        done = subprocess.run(
            [*AS_USER, sys.executable, *program],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert "(no permission). Set it to a writable folder." in line
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.slow
def test_running_server_refuses_changes_and_recovers(ranked: Path, tmp_path: Path) -> None:
    server = Server(tmp_path)
    shutil.copytree(ranked, server.data_dir)
    server.start_command([*AS_USER, sys.executable, "app.py", "--no-evaluator"], ROOT)
    try:
        wait_for(lambda: server.get("/healthz")[0] == 200, "the start")
        data, headers = read_example(server), {"Authorization": f"Bearer {server.token('ann')}"}
        first = send(server, data, headers)
        assert first.status_code == 201, first.text
        with make_read_only(server.data_dir):
            for path in (f"{API}/leaderboards/audio-motion-bench", "/healthz", "/"):
                assert server.get(path)[0] == 200, path
            refused = send(server, data + b"\n", headers)
            assert (refused.status_code, refused.json()["detail"]) == (503, READ_ONLY), refused.text
            assert refused.headers["retry-after"] == "5"
        second = send(server, data + b"\n", headers)
        assert second.status_code == 201, second.text
        for sent in (first, second):
            assert server.get(f"{API}/submissions/{sent.json()['id']}", headers)[0] == 200
        assert b"Traceback" not in (tmp_path / "server.log").read_bytes()
    finally:
        server.stop()


def send(server: Server, data: bytes, headers: dict[str, str]) -> httpx2.Response:
    fields = {"benchmark": "audio-motion-bench", "model": json.dumps({"name": "A model"})}
    return httpx2.post(
        f"{server.url}{API}/submissions",
        headers=headers,
        files={"file": ("p.jsonl", data)},
        data=fields,
        timeout=60,
        trust_env=False,
    )


def test_modes_hold_for_this_user(tmp_path: Path) -> None:
    """The other tests would show nothing for a user who may write anything."""
    with make_read_only(tmp_path):
        command = [*AS_USER, sys.executable, "-c", f"open({os.fspath(tmp_path / 'new')!r}, 'w')"]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 1
