"""A stopped evaluator is silent on its pipe to the launcher, and is replaced."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from submissions.operations import supervisor
from submissions.operations.heartbeat_pipe import PIPE_OPTION, HeartbeatPipe, open_heartbeat_pipe
from submissions.operations.supervisor import SILENCE_SECONDS, EvaluatorProcess, Program
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython


class SteppedClock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def pipe() -> Iterator[HeartbeatPipe]:
    with open_heartbeat_pipe() as made:
        yield made


@pytest.fixture
def kept(
    tmp_path: Path, pipe: HeartbeatPipe, warm_python: WarmPython, monkeypatch: pytest.MonkeyPatch
) -> Iterator[EvaluatorProcess]:
    """A real evaluator under supervision, which has given its first sign of life."""

    def start(program: Program) -> object:
        descriptors = (*(os.open(os.devnull, os.O_RDWR) for _ in range(3)), *program.descriptors)
        try:
            return warm_python.start(["-m", *program.arguments], tmp_path, program.environment, descriptors)
        finally:
            for descriptor in descriptors[:3]:
                os.close(descriptor)

    monkeypatch.setattr(supervisor, "_start", start)
    monkeypatch.setattr(supervisor, "FIRST_PAUSE_SECONDS", 0.01)
    arguments = ("submissions.worker", "--no-packs", "--no-references", PIPE_OPTION, str(pipe.to_write))
    environment = {**os.environ, "EARSHOT_DATA_DIR": str(tmp_path / "data")}
    made = EvaluatorProcess(Program("The evaluator", arguments, environment, (pipe.to_write,)), pipe.to_read)
    wait_for(lambda: _look_for_beat(made), "a sign of life")
    yield made
    if made.process is not None:
        made.process.kill()
    made.wait()


def _look_for_beat(evaluator: EvaluatorProcess) -> bool:
    evaluator.check_process()
    return evaluator._has_beaten


def _pid_of(evaluator: EvaluatorProcess) -> int:
    assert evaluator.process is not None
    return evaluator.process.pid


def _empty_pipe(evaluator: EvaluatorProcess) -> None:
    """Stop the evaluator, and read what it wrote before."""
    stopped = psutil.Process(_pid_of(evaluator))
    stopped.suspend()
    wait_for(lambda: stopped.status() == psutil.STATUS_STOPPED, "the stop")
    evaluator.check_process()


def test_stopped_evaluator_is_killed_and_replaced(
    kept: EvaluatorProcess, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = SteppedClock()
    clock.now = time.monotonic()
    monkeypatch.setattr(supervisor, "time", clock)
    first = _pid_of(kept)
    _empty_pipe(kept)
    for _ in range(int(SILENCE_SECONDS) - 1):
        clock.now += 1.0
        kept.check_process()
    assert psutil.Process(first).status() == psutil.STATUS_STOPPED, "it is left alone until then"
    for _ in range(3):
        clock.now += 1.0
        kept.check_process()
    assert [message[:44] for message in caplog.messages[:1]] == ["The evaluator has given no sign of life for "]

    def look() -> bool:
        clock.now += 1.0
        kept.check_process()
        return kept.process is not None and kept.process.pid != first

    wait_for(look, "another evaluator")
    assert not psutil.pid_exists(first)
    wait_for(lambda: _look_for_beat(kept), "a sign of life of the next")


def test_evaluator_that_was_stopped_briefly_is_left_alone(
    kept: EvaluatorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SteppedClock()
    clock.now = time.monotonic()
    monkeypatch.setattr(supervisor, "time", clock)
    first = _pid_of(kept)
    _empty_pipe(kept)
    for _ in range(int(SILENCE_SECONDS) - 10):
        clock.now += 1.0
        kept.check_process()
    assert kept._silence.seconds > SILENCE_SECONDS / 2
    os.kill(first, signal.SIGCONT)

    def look() -> bool:
        kept.check_process()
        return kept._silence.seconds == 0

    wait_for(look, "a sign of life")
    assert _pid_of(kept) == first


def test_pause_of_the_launcher_is_no_silence_of_the_evaluator(
    kept: EvaluatorProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SteppedClock()
    clock.now = time.monotonic()
    monkeypatch.setattr(supervisor, "time", clock)
    _empty_pipe(kept)  # both were stopped, as with Ctrl-Z or a machine that sleeps
    for _ in range(5):
        clock.now += 3_600.0
        kept.check_process()
    assert kept._silence.seconds <= 6
    assert psutil.Process(_pid_of(kept)).status() == psutil.STATUS_STOPPED


def test_evaluator_of_a_launcher_that_has_ended_beats_no_more() -> None:
    program = (
        "import sys, threading, time\n"
        "from submissions.operations import heartbeat_pipe\n"
        "heartbeat_pipe.BEAT_SECONDS = 0.01\n"
        "heartbeat_pipe.start_heartbeat(int(sys.argv[1]))\n"
        "(beating,) = (thread for thread in threading.enumerate() if thread.name == 'heartbeat')\n"
        "print('beating', flush=True)\n"
        "beating.join(60)\n"
        "print('ended' if not beating.is_alive() else 'still there')\n"
    )
    reading, writing = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", program, str(writing)], pass_fds=(writing,), stdout=subprocess.PIPE, text=True
    ) as started:
        os.close(writing)
        assert started.stdout is not None
        assert started.stdout.readline() == "beating\n"
        os.close(reading)
        assert started.communicate(timeout=60)[0] == "ended\n"
        assert started.returncode == 0
