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
    """A real process that waits until its input is closed."""
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


def test_worker_name_has_four_parts_and_is_stable() -> None:
    name = worker_name()
    assert len(name.split("/")) == 4
    assert name == worker_name()
    assert f"/{os.getpid()}/" in name
    assert len(name) <= 200


def test_live_process_is_not_known_dead(sleeper: subprocess.Popen[bytes]) -> None:
    assert not is_known_dead(worker_name())
    assert not is_known_dead(name_of(sleeper.pid))


def test_killed_process_is_known_dead_before_and_after_it_is_reaped(sleeper: subprocess.Popen[bytes]) -> None:
    name = name_of(sleeper.pid)
    sleeper.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)  # it has ended, but is still a zombie
    assert is_known_dead(name)
    sleeper.wait()
    assert is_known_dead(name)


@needs_proc
def test_reused_process_id_is_distinguished_by_its_start_time(sleeper: subprocess.Popen[bytes]) -> None:
    machine, pid, start = name_of(sleeper.pid).rsplit("/", 2)
    assert is_known_dead(f"{machine}/{pid}/{int(start) - 1}")


@pytest.mark.parametrize("machine", ["elsewhere/pid:[1]", "elsewhere", ""])
def test_process_of_another_machine_is_never_known_dead(machine: str) -> None:
    assert not is_known_dead(f"{machine}/999999/123")


def test_process_of_another_namespace_is_never_known_dead() -> None:
    host = worker_name().split("/", maxsplit=1)[0]
    assert not is_known_dead(f"{host}/pid:[1]/999999/123")


@pytest.mark.parametrize("name", ["", "w", "a/b", "a/b/c/d", "////", "host/ns/12x/1", "host/ns/-1/1"])
def test_malformed_name_is_never_known_dead(name: str) -> None:
    assert not is_known_dead(name)


@pytest.fixture
def without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without /proc, such as a Mac."""
    original = Path.exists
    monkeypatch.setattr(Path, "read_text", lambda _self: (_ for _ in ()).throw(FileNotFoundError()))
    monkeypatch.setattr(Path, "exists", lambda self: str(self) != "/proc/self" and original(self))


def test_process_without_proc_is_known_dead_only_if_its_id_is_gone(
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
def test_process_hidden_by_proc_is_known_dead_only_if_its_id_is_gone(
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
    assert not is_known_dead(name), "it is alive, but its start time cannot be read"
    assert not is_known_dead(own)
    sleeper.kill()
    sleeper.wait()
    assert is_known_dead(name)


@needs_proc
def test_name_without_a_start_time_is_known_dead_only_if_its_id_is_gone(sleeper: subprocess.Popen[bytes]) -> None:
    machine, pid, _ = name_of(sleeper.pid).rsplit("/", 2)
    name = f"{machine}/{pid}/running"
    assert not is_known_dead(name)
    sleeper.kill()
    sleeper.wait()
    assert is_known_dead(name)
