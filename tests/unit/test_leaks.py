"""Leak detection: it finds every kind of resource that a test can leave open, and nothing else."""

import gc
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from tests.support import leaks
from tests.support.leaks import find_leaks, read_resources

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux lists the resources of a process"
)


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaks, "QUICK_SECONDS", 0.0)
    monkeypatch.setattr(leaks, "GRACE_SECONDS", 0.0)
    # Objects of these tests are young, and a collection of the whole heap takes most of a second.
    monkeypatch.setattr(gc, "collect", partial(gc.collect, 1))


def test_find_leaks_ignores_a_socket_in_use(tmp_path: Path) -> None:
    before = read_resources()
    with socket.socket():
        assert any("socket:" in leak for leak in read_resources().list_new(before, tmp_path, is_certain=False))
        assert find_leaks(before, tmp_path) == []


def test_find_leaks_reports_files_only_below_the_folder_of_the_test(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    before = read_resources()
    with (tmp_path / "own" / "file").open("w"):
        assert len(find_leaks(before, tmp_path / "own")) == 1
        assert find_leaks(before, tmp_path / "other") == []
        assert find_leaks(before, None) == []


def test_find_leaks_reports_a_child_process_with_its_command(tmp_path: Path) -> None:
    before = read_resources()
    command = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()  # Until the program runs, the system may not know its command yet.
        reported = find_leaks(before, tmp_path)
        assert any(leak.startswith(f"child process {child.pid}: ") and "input()" in leak for leak in reported)
        child.communicate(b"\n")
    assert find_leaks(before, tmp_path) == []


def test_find_leaks_reports_a_thread_that_keeps_the_process_alive(tmp_path: Path) -> None:
    before, end = read_resources(), threading.Event()
    thread = threading.Thread(target=end.wait, name="forgotten")
    thread.start()
    try:
        assert find_leaks(before, tmp_path) == ["thread forgotten"]
    finally:
        end.set()
        thread.join()


def test_find_leaks_waits_for_a_file_that_another_thread_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaks, "GRACE_SECONDS", 60.0)
    before, opened = read_resources(), (tmp_path / "file").open("w")
    timer = threading.Timer(0.05, opened.close)
    timer.daemon = True
    timer.start()
    assert find_leaks(before, tmp_path) == []


def test_find_leaks_collects_a_forgotten_socket_so_that_the_warning_belongs_to_its_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cycle:
        def __init__(self) -> None:
            self.itself, self.socket = self, socket.socket()

    before = read_resources()
    Cycle()
    errors: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda info: errors.append(info.exc_value))
    assert find_leaks(before, tmp_path) == []
    assert [type(error) for error in errors] == [ResourceWarning]
