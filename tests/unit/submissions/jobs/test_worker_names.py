"""Names of evaluator processes: dead ones are detected, and live ones never presumed dead."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import submissions.jobs.worker_names
from submissions.jobs.worker_names import is_known_dead, worker_name

needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="start times are read from /proc")


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    """A real process that waits until it is told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.communicate()


def name_of(pid: int) -> str:
    machine, _, _ = worker_name().rsplit("/", 2)
    return f"{machine}/{pid}/{submissions.jobs.worker_names._start_time(pid)}"


def test_worker_name_has_four_parts_and_is_the_same_every_time() -> None:
    name = worker_name()
    assert len(name.split("/")) == 4
    assert name == worker_name()
    assert f"/{os.getpid()}/" in name
    assert len(name) <= 200


def test_process_that_lives_is_not_known_dead(sleeper: subprocess.Popen[bytes]) -> None:
    assert not is_known_dead(worker_name())
    assert not is_known_dead(name_of(sleeper.pid))


def test_process_killed_is_known_dead_before_and_after_its_parent_looks(sleeper: subprocess.Popen[bytes]) -> None:
    name = name_of(sleeper.pid)
    sleeper.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is a zombie still
    assert is_known_dead(name)
    sleeper.wait()
    assert is_known_dead(name)


@needs_proc
def test_process_id_used_again_is_told_apart_by_its_start(sleeper: subprocess.Popen[bytes]) -> None:
    machine, pid, start = name_of(sleeper.pid).rsplit("/", 2)
    assert is_known_dead(f"{machine}/{pid}/{int(start) - 1}")


@pytest.mark.parametrize("machine", ["elsewhere/pid:[1]", "elsewhere", ""])
def test_process_of_another_machine_is_never_known_dead(machine: str) -> None:
    assert not is_known_dead(f"{machine}/999999/123")


def test_process_of_another_namespace_is_never_known_dead() -> None:
    host = worker_name().split("/", maxsplit=1)[0]
    assert not is_known_dead(f"{host}/pid:[1]/999999/123")


@pytest.mark.parametrize("name", ["", "w", "a/b", "a/b/c/d", "////", "host/ns/12x/1", "host/ns/-1/1"])
def test_name_that_no_process_gave_is_never_known_dead(name: str) -> None:
    assert not is_known_dead(name)


@pytest.fixture
def without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no /proc, such as a Mac."""
    original = Path.exists
    monkeypatch.setattr(Path, "read_text", lambda _self: (_ for _ in ()).throw(FileNotFoundError()))
    monkeypatch.setattr(Path, "exists", lambda self: str(self) != "/proc/self" and original(self))


def test_process_without_proc_is_known_dead_only_when_its_id_is_gone(
    without_proc: None, sleeper: subprocess.Popen[bytes]
) -> None:
    name = name_of(sleeper.pid)
    assert name.endswith("/running")
    assert not is_known_dead(name)
    sleeper.kill()
    sleeper.wait()
    assert is_known_dead(name)


def test_process_of_another_user_without_proc_is_not_known_dead(
    without_proc: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_pid: int, _signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", refuse)
    assert not is_known_dead(name_of(1))


@needs_proc
@pytest.mark.parametrize("error", [PermissionError, FileNotFoundError])
def test_process_that_proc_hides_is_known_dead_only_when_its_id_is_gone(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch, error: type[OSError]
) -> None:
    name = name_of(sleeper.pid)
    assert not name.endswith("/running")
    own = worker_name()
    original = Path.read_text

    def read_text(path: Path) -> str:
        if str(path) == f"/proc/{sleeper.pid}/stat":
            raise error
        return original(path)

    monkeypatch.setattr(Path, "read_text", read_text)
    assert not is_known_dead(name), "it lives, and nobody can see since when"
    assert not is_known_dead(own)
    sleeper.kill()
    sleeper.wait()
    assert is_known_dead(name)


@needs_proc
def test_name_without_a_start_is_known_dead_only_when_its_id_is_gone(sleeper: subprocess.Popen[bytes]) -> None:
    machine, pid, _ = name_of(sleeper.pid).rsplit("/", 2)
    name = f"{machine}/{pid}/running"
    assert not is_known_dead(name)
    sleeper.kill()
    sleeper.wait()
    assert is_known_dead(name)
