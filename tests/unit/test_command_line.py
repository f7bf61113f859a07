"""How processes end."""

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


def test_process_that_ends_ignores_signals() -> None:
    with pytest.raises(SystemExit):
        end_process(0)
    for number in (signal.SIGTERM, signal.SIGINT):
        os.kill(os.getpid(), number)


def test_process_ends_with_its_code() -> None:
    with pytest.raises(SystemExit) as ended:
        end_process(3)
    assert ended.value.code == 3


def test_process_with_a_thread_of_remote_storage_ends_at_once_and_says_all_it_had_to_say(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Threads of obstore that ask for an interpreter which is being shut down abort the process."""

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
