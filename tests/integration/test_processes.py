"""Processes that are kept running: started again when they end, killed when they hang, given up when it is no use."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from submissions.operations import supervisor
from submissions.operations.hardening import set_on_stop_signals
from submissions.operations.supervisor import (
    FIRST_PAUSE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    SILENCE_SECONDS,
    SLOWEST_START_SECONDS,
    STEADY_SECONDS,
    GaveUpError,
    KeptProcess,
    Program,
    WebProcess,
    keep_running,
    open_port,
)
from tests.support.servers.server import ROOT, wait_for

# Answers as many requests on an inherited socket as it is told, then waits to be killed.
ANSWERING = textwrap.dedent("""
    import contextlib, socket, sys
    listening = socket.socket(fileno=int(sys.argv[1]))
    kept = []
    for _ in range(int(sys.argv[2])):
        connection, _ = listening.accept()
        with contextlib.suppress(OSError):  # the other side has hung up
            connection.recv(1000)
            connection.sendall(sys.argv[3].encode())
        connection.close()
    while True:
        kept.append(listening.accept())
""")
ENDING = "import sys; sys.exit(int(sys.argv[1]))"
KEEPING = textwrap.dedent("""
    from command_line import end_process
    from submissions.operations.supervisor import keep_running

    class Announcing:
        def check_process(self):
            print("running", flush=True)

        def terminate(self):
            pass

        wait = terminate

    end_process(keep_running([Announcing()]))
""")
HTTP = "HTTP/1.1 200 OK\r\n\r\n"


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(supervisor, "time", made)
    return made


@pytest.fixture
def listening() -> Iterator[socket.socket]:
    with open_port("127.0.0.1", 0) as made:
        yield made


@pytest.fixture
def make_program(tmp_path: Path) -> Callable[..., Program]:
    for name, text in (("answering", ANSWERING), ("ending", ENDING)):
        (tmp_path / f"{name}.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    return lambda *arguments, descriptors=(): Program("It", arguments, environment, descriptors)


@pytest.fixture
def keep() -> Iterator[Callable[[KeptProcess], KeptProcess]]:
    """Kill at the end whatever a test has left running."""
    kept: list[KeptProcess] = []

    def add(process: KeptProcess) -> KeptProcess:
        kept.append(process)
        return process

    yield add
    for process in kept:
        if process.process is not None:
            process.process.kill()
        process.wait()


@pytest.fixture
def make_web(
    make_program: Callable[..., Program], listening: socket.socket, keep: Callable[[KeptProcess], KeptProcess]
) -> Callable[..., WebProcess]:
    descriptor = listening.fileno()

    def make(*arguments: str) -> WebProcess:
        web = WebProcess(make_program(*arguments, descriptors=(descriptor,)), listening)
        keep(web)
        return web

    return make


@pytest.fixture
def make_answering(make_web: Callable[..., WebProcess], listening: socket.socket) -> Callable[..., WebProcess]:
    return lambda n, text=HTTP: make_web("answering", str(listening.fileno()), str(n), text)


def pid_of(kept: KeptProcess) -> int:
    assert kept.process is not None
    return kept.process.pid


def end(kept: KeptProcess, number: int | None = None) -> None:
    """Wait until a process has ended, by a signal or by itself."""
    assert kept.process is not None
    if number is not None:
        kept.process.send_signal(number)
    os.waitid(os.P_PID, kept.process.pid, os.WEXITED | os.WNOWAIT)


def look_until_answered(web: WebProcess, clock: Clock) -> None:
    def look() -> bool:
        clock.now += 0.01
        web.check_process()
        return web._probe.has_answered

    wait_for(look, "an answer")


def let_pass(web: WebProcess, clock: Clock, seconds: float) -> None:
    for _ in range(int(seconds)):
        clock.now += 1.0
        web.check_process()


def test_process_that_ends_is_started_again_after_a_pause_that_doubles(
    clock: Clock, make_program: Callable[..., Program], keep: Callable[[KeptProcess], KeptProcess]
) -> None:
    kept = keep(KeptProcess(make_program("ending", "3")))
    pauses = []
    kept.check_process()
    for _ in range(8):
        end(kept)
        kept.check_process()
        assert kept.process is None
        pauses.append(kept._start_at - clock.now)
        clock.now = kept._start_at - 0.01
        kept.check_process()
        assert kept.process is None
        clock.now = kept._start_at
        kept.check_process()
        assert kept.process is not None
    assert pauses == [1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0, LONGEST_PAUSE_SECONDS]


def test_process_that_lasted_is_started_again_after_the_first_pause(
    clock: Clock, make_program: Callable[..., Program], keep: Callable[[KeptProcess], KeptProcess]
) -> None:
    kept = keep(KeptProcess(make_program("ending", "0")))
    kept._pause_seconds = LONGEST_PAUSE_SECONDS
    kept.check_process()
    end(kept)
    clock.now += STEADY_SECONDS + 1
    kept.check_process()
    assert kept._start_at - clock.now == FIRST_PAUSE_SECONDS


@pytest.mark.parametrize("code", [1, 2, 3])
def test_web_process_that_never_answered_and_ends_by_itself_is_given_up(
    make_web: Callable[..., WebProcess], code: int
) -> None:
    web = make_web("ending", str(code))
    web.check_process()
    end(web)
    with pytest.raises(GaveUpError) as caught:
        web.check_process()
    assert caught.value.code == code


def test_web_process_that_was_killed_before_it_answered_is_started_again(
    clock: Clock, make_answering: Callable[..., WebProcess]
) -> None:
    web = make_answering(0)
    web.check_process()
    first = pid_of(web)
    end(web, signal.SIGKILL)
    web.check_process()
    clock.now += LONGEST_PAUSE_SECONDS
    web.check_process()
    assert pid_of(web) != first


def test_web_process_that_answered_once_is_started_again_whatever_its_code(
    clock: Clock, make_answering: Callable[..., WebProcess], make_program: Callable[..., Program]
) -> None:
    web = make_answering(1)
    look_until_answered(web, clock)
    end(web, signal.SIGKILL)
    web.check_process()
    for code in (1, 3):
        web.program = make_program("ending", str(code))
        clock.now += LONGEST_PAUSE_SECONDS
        web.check_process()
        end(web)
        web.check_process()
        assert web.process is None
    web.program = make_program("ending", "2")
    clock.now += LONGEST_PAUSE_SECONDS
    web.check_process()
    end(web)
    with pytest.raises(GaveUpError):
        web.check_process()


def test_web_process_that_falls_silent_is_killed_and_started_again(
    clock: Clock, make_answering: Callable[..., WebProcess]
) -> None:
    web = make_answering(1)
    look_until_answered(web, clock)
    first = pid_of(web)
    let_pass(web, clock, SILENCE_SECONDS - 2)
    assert web.process is not None
    assert web.process.poll() is None
    let_pass(web, clock, 4)
    if web.process is not None:  # the kill may have been noticed already
        end(web)
    web.check_process()
    clock.now += LONGEST_PAUSE_SECONDS
    # Questions that the silent one never took still wait for whoever comes next.
    web.program = replace(web.program, arguments=(*web.program.arguments[:2], "100", HTTP))
    look_until_answered(web, clock)
    assert pid_of(web) != first


@pytest.mark.parametrize("text", ["", "SSH-2.0-x\r\n"])
def test_answer_that_is_not_http_is_none(clock: Clock, make_answering: Callable[..., WebProcess], text: str) -> None:
    web = make_answering(2, text)

    def is_asking() -> bool:
        web.check_process()
        return web._probe._connection is not None

    wait_for(is_asking, "a first question")
    wait_for(lambda: not is_asking(), "its end")
    assert not web._probe.has_answered


def test_web_process_that_starts_slowly_is_left_alone_for_ten_minutes(
    clock: Clock, make_answering: Callable[..., WebProcess]
) -> None:
    web = make_answering(0)
    web.check_process()
    let_pass(web, clock, SLOWEST_START_SECONDS - 2)
    assert web.process is not None
    assert web.process.poll() is None
    let_pass(web, clock, 4)
    if web.process is not None:  # the kill may have been noticed already
        end(web)
    web.check_process()
    assert web.process is None


def test_time_in_which_the_launcher_itself_was_stopped_does_not_count(
    clock: Clock, make_answering: Callable[..., WebProcess]
) -> None:
    web = make_answering(1)
    look_until_answered(web, clock)
    clock.now += 100 * SILENCE_SECONDS
    web.check_process()
    assert web._probe.silent_seconds < 2
    assert web.process is not None
    assert web.process.poll() is None


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])  # noqa: S104 - and closed at once
def test_port_opened_is_asked_on_loopback(host: str) -> None:
    with open_port(host, 0) as opened:
        probe = supervisor._Probe(opened)
        assert (probe._host, probe._port) == ("127.0.0.1", opened.getsockname()[1])
        assert probe._port > 0


def test_port_that_is_taken_is_refused(listening: socket.socket) -> None:
    with pytest.raises(OSError, match="Address already in use"):
        open_port("127.0.0.1", listening.getsockname()[1])


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_keeping_ends_with_the_code_of_a_process_given_up_and_ends_the_others(
    handlers: None,
    make_web: Callable[..., WebProcess],
    make_program: Callable[..., Program],
    listening: socket.socket,
    keep: Callable[[KeptProcess], KeptProcess],
) -> None:
    other = keep(
        KeptProcess(make_program("answering", str(listening.fileno()), "0", descriptors=(listening.fileno(),)))
    )
    assert keep_running([other, make_web("ending", "3")]) == 3
    assert other.process is not None
    assert other.process.returncode == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_keeping_ends_with_0_on_a_signal(
    handlers: None, make_answering: Callable[..., WebProcess], monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    web = make_answering(1)
    note_start = web.note_start

    def note_and_signal() -> None:
        note_start()
        os.kill(os.getpid(), number)

    monkeypatch.setattr(web, "note_start", note_and_signal)
    assert keep_running([web]) == 0
    assert web.process is not None
    assert web.process.returncode == -signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_sets_the_event_although_its_lock_is_held(handlers: None, number: signal.Signals) -> None:
    lock = threading.Lock()
    stop = threading.Event()
    stop._cond = threading.Condition(lock)  # type: ignore[attr-defined]
    with set_on_stop_signals(stop):
        with lock:
            os.kill(os.getpid(), number)
            assert not stop.is_set()
        assert stop.wait(60)


@pytest.mark.parametrize("attempt", range(3))
def test_signals_in_quick_succession_end_the_launcher_with_0(attempt: int) -> None:
    """Signals interrupt one another's handlers, and the last ones come while Python shuts down."""
    command = [sys.executable, "-c", KEEPING]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        try:
            end = time.monotonic() + 0.02
            while process.poll() is None and time.monotonic() < end:
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()


def test_process_that_does_not_hear_is_killed_at_the_end(
    make_answering: Callable[..., WebProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_STOP_SECONDS", 0.1)
    web = make_answering(0)
    web.wait()
    web.check_process()
    assert web.process is not None
    web.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, web.process.pid, os.WSTOPPED | os.WNOWAIT)
    web.terminate()
    web.wait()
    assert web.process.returncode == -signal.SIGKILL
