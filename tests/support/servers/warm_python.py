"""Python that has imported Earshot and forks a process for each client; see `warm_processes`.

`python -m tests.support.servers.warm_python FD` serves an inherited Unix socket. A fork answers with its process id,
and with its exit code at the end.

The processes that a launcher supervises are forks, too: of a second warm process, which ends with the launcher. They
cannot be forks of the launcher itself, because they would lack its threads.
"""

import contextlib
import ctypes
import gc
import json
import os
import runpy
import signal
import socket
import sys
import weakref
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib.pyplot

import leaderboard.application  # noqa: F401 - imported in advance, as are the next ones
import submissions.__main__
import submissions.judging.__main__
import submissions.model_runs.__main__
import submissions.worker
from evaluation import all_benchmarks
from evaluation.errors import DataNotHeldError
from submissions.intake.file_checks import check_processes, check_server
from submissions.jobs.queue import local
from submissions.listening_test.practice_packs import list_listening_items
from submissions.operations import supervisor
from submissions.operations.hardening import end_with_parent
from submissions.operations.supervisor import Program
from submissions.ranking import rank_ranges
from tests.support.endpoints import model_runs  # noqa: F401 - the tests of killed runs
from tests.support.servers.warm_processes import WarmPython

_N_STREAMS, _MAX_DESCRIPTORS = 3, 8
_MAX_BYTES = 1_000_000
_PR_SET_NAME = 15
_start_program = supervisor._start
# Tests wait for evaluators, so they look for work more often, and rank ranges take a tenth of the time.
local._LOOK_SECONDS = 0.1
submissions.worker.RANK_SECONDS = 0.2
rank_ranges.RESAMPLES = 1_000


class _ForkedCheckServer(check_processes._Server):
    """Check server that is a fork, too: its parsers have compiled their patterns."""

    def __init__(self, warm: WarmPython, environment: Mapping[str, str]) -> None:
        self.control, theirs = socket.socketpair()
        with theirs, Path(os.devnull).open() as nothing:
            number = str(theirs.fileno())
            descriptors = (nothing.fileno(), 1, 2, theirs.fileno())
            process: Any = warm.start(["-m", check_server.__name__, number], Path.cwd(), environment, descriptors)
        self._process = process
        self.stop = weakref.finalize(self, check_processes._stop_process, process, self.control)


def _warm_up() -> None:
    """Compute what follows from the program alone, and would be computed again in every fork that needs it."""
    matplotlib.pyplot.get_backend()  # Gradio asks for it before every event
    for benchmark in all_benchmarks():
        assert benchmark.chance is not None
        list_listening_items(benchmark.id, benchmark.version)
        with contextlib.suppress(DataNotHeldError):
            assert benchmark.design_digest
    check_server._warm_parsers()


def _serve(listening: socket.socket) -> None:
    # Nobody waits for the forks: they report their exit codes themselves.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    parent = os.getpid()
    while True:
        asking, _ = listening.accept()
        if os.fork() == 0:
            # A process that serves until it is stopped ends with this one.
            end_with_parent(parent)
            warm = WarmPython(listening.getsockname(), Path())
            listening.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _answer(asking, warm)
        asking.close()


def _answer(asking: socket.socket, warm: WarmPython) -> None:
    """Run one task in this fork of a warm Python, and exit."""
    _, descriptors, _, _ = socket.recv_fds(asking, 1, _MAX_DESCRIPTORS)
    task = json.loads(b"".join(iter(lambda: asking.recv(_MAX_BYTES), b"")))
    arguments, folder, environment, leads_group, inherited = task
    for number, stream in enumerate(descriptors[:_N_STREAMS]):
        os.dup2(stream, number)
        os.close(stream)
    if leads_group:
        os.setpgid(0, 0)
        _fork_supervised(asking)
    # Only of whole servers: tests count the child processes of other sites.
    if arguments[:2] == ["-m", "leaderboard"]:
        place: Any = check_processes
        place._Server = partial(_ForkedCheckServer, warm)
    asking.sendall(f"{os.getpid()} ".encode())
    renumbered = dict(zip(map(str, inherited), map(str, descriptors[_N_STREAMS:]), strict=True))
    code = _run([renumbered.get(argument, argument) for argument in arguments], folder, environment)
    sys.stdout.flush()
    sys.stderr.flush()
    asking.sendall(str(code).encode())
    os._exit(code)


def _fork_supervised(asking: socket.socket) -> None:
    """Let the supervisor in this process start processes in forks of another warm process."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("")  # an abstract address that is free
    listening.listen()
    parent = os.getpid()
    if os.fork() == 0:
        end_with_parent(parent)
        asking.close()
        _serve(listening)
    warm = WarmPython(listening.getsockname(), Path())
    listening.close()

    def start(program: Program) -> Any:
        if program.command != (sys.executable, "-m"):
            return _start_program(program)
        folder = program.folder or Path.cwd()
        descriptors = (0, 1, 2, *program.descriptors)
        return warm.start(["-m", *program.arguments], folder, program.environment, descriptors)

    supervisor._start = start


def _run(arguments: list[str], folder: str, environment: dict[str, str]) -> int:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    name = arguments[1] if arguments[0] == "-m" else arguments[0]
    # Tests find processes by their names; the command line remains that of the warm process.
    ctypes.CDLL(None).prctl(_PR_SET_NAME, name.encode(), 0, 0, 0)
    try:
        if arguments[0] == "-m":
            sys.argv = arguments[1:]
            sys.modules.pop(f"{name}.__main__", None)
            if name == check_server.__name__:
                # runpy warns of modules that are loaded twice, and the web process's log shows it.
                del sys.modules[name]
            runpy.run_module(name, run_name="__main__", alter_sys=True)
        else:
            sys.argv = arguments
            runpy.run_path(name, run_name="__main__")
    except SystemExit as end:
        return _read_code(end.code)
    except BaseException:  # noqa: BLE001 - the fork ends here, whatever the error
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


def _read_code(code: Any) -> int:
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
        return 1
    return int(code or 0)


if __name__ == "__main__":
    _warm_up()
    _serve(socket.socket(fileno=int(sys.argv[1])))
