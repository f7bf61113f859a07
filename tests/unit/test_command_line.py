"""Process exit: signals, exit codes and flushed output."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from command_line import end_process


@pytest.fixture(autouse=True)
def _restores_handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_ending_process_ignores_signals() -> None:
    with pytest.raises(SystemExit):
        end_process(0)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(os.getpid(), number)


def test_process_ends_with_its_exit_code() -> None:
    with pytest.raises(SystemExit) as raised:
        end_process(3)
    assert raised.value.code == 3


def test_process_with_a_remote_storage_thread_ends_immediately_and_flushes_its_output(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Threads of obstore abort the process if they access an interpreter that is shutting down."""

    def end(code: int) -> None:
        os.write(1, b"ended")
        raise KeyboardInterrupt(code)

    monkeypatch.setattr(os, "_exit", end)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="fsspecIO", daemon=True)
    thread.start()
    try:
        with open(1, "w", closefd=False) as out:
            monkeypatch.setattr("sys.stdout", out)
            out.write("all is well, ")
            with pytest.raises(KeyboardInterrupt, match="3"):
                end_process(3)
    finally:
        stop.set()
        thread.join()
    assert capfd.readouterr().out == "all is well, ended"
