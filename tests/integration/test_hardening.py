"""Hardening of processes: children end with their parent, and programs cannot be inspected."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from settings.environments import listener_environment
from submissions.operations.hardening import copy_unreadable
from tests.support.secrets.canaries import AS_USER, can_inspect
from tests.support.servers.server import ROOT, has_ended, wait_for

RENDER = """
import sys, time
from pathlib import Path
from evaluation import get_benchmark
from settings.environments import pack_environment
from submissions.jobs.pack_rendering import PackKeeper
keeper = PackKeeper(Path(sys.argv[1]), pack_environment(Path(sys.argv[1], "keys")))
keeper.want(get_benchmark("audio-motion-bench"), None)
keeper.tick()
print("started", flush=True)
time.sleep(600)
"""
LISTEN = """
import os, subprocess, sys, time
command = [sys.executable, "-m", "evaluation", "listen", "--port", "0", "--end-with-parent", str(os.getpid())]
subprocess.Popen(command, stdout=subprocess.PIPE)
print("started", flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("script", [RENDER, LISTEN], ids=["pack", "listeners"])
def test_child_of_a_killed_evaluator_ends_without_a_message(tmp_path: Path, script: str) -> None:
    log = tmp_path / "log"
    with (
        log.open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=ROOT,
            env=listener_environment(),
            stdout=subprocess.PIPE,
            stderr=stderr,
        ) as parent,
    ):
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"started\n"
        (child,) = psutil.Process(parent.pid).children()
        parent.send_signal(signal.SIGKILL)
    wait_for(lambda: has_ended(child), "the end of the child")
    assert log.read_text() == ""


def test_listeners_with_an_unread_address_end_without_a_message() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "evaluation", "listen", "--port", "0"]
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, timeout=300, check=False)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_process_of_an_unreadable_copy_cannot_be_inspected(tmp_path: Path) -> None:
    program, copy = Path(shutil.which("sleep") or ""), tmp_path / "sleep"
    for _ in range(2):  # the second copy replaces the first
        copy_unreadable(program, copy)
    for path, is_open in ((program, True), (copy, False)):
        # `env` has dropped root's capabilities when it starts the program; `setpriv` has not yet.
        with subprocess.Popen([*AS_USER, "env", str(path), "600"]) as process:
            try:
                name = Path(f"/proc/{process.pid}/exe")
                wait_for(lambda name=name, path=path: name.resolve() == path.resolve(), "the start of the program")
                assert can_inspect(process.pid) is is_open
            finally:
                process.kill()
