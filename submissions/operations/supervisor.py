"""Process supervisor: restarts processes that end, with growing delays, and kills those that hang.

It never blocks: one loop checks each process several times a second, and a signal ends it.
"""

import ctypes
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from submissions.operations.hardening import set_on_stop_signals

_LOG = logging.getLogger(__name__)
FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60.0
SILENCE_SECONDS = 60.0
SLOWEST_START_SECONDS = 600.0
_LOOK_SECONDS = 0.2
_ASK_EVERY_SECONDS = 2.0
_CONNECT_SECONDS = 0.5
_STOP_SECONDS = 10
_BACKLOG = 2048
_PIPE_BYTES = 65_536
_WRONG_USAGE = 2


class GaveUpError(Exception):
    """A process refused to start with the exit code `code`."""

    def __init__(self, code: int) -> None:
        self.code = code
        super().__init__(f"exit code {code}")


@dataclass(frozen=True, slots=True)
class Program:
    """Command of a supervised process.

    Attributes:
        name: Name in the log, at the beginning of a sentence.
        arguments: Arguments of the command, which is `python -m` by default.
        environment: Complete environment.
        descriptors: Open files to inherit.
        command: Program and leading arguments.
        folder: Working folder; by default, this process's.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str]
    descriptors: tuple[int, ...] = ()
    command: tuple[str, ...] = (sys.executable, "-m")
    folder: Path | None = None


class KeptProcess:
    """A process that is restarted whenever it ends; the delay doubles while it does not last."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.process: subprocess.Popen[bytes] | None = None
        self._start_at = 0.0
        self._began_at = 0.0
        self._pause_seconds = FIRST_PAUSE_SECONDS

    def check_process(self) -> None:
        """Start the process if it is not running and its delay has passed."""
        now = time.monotonic()
        if self.process is not None and (code := self.process.poll()) is not None:
            self.process = None
            self.note_end(code)
            steady = now - self._began_at > STEADY_SECONDS
            self._pause_seconds = FIRST_PAUSE_SECONDS if steady else min(2 * self._pause_seconds, LONGEST_PAUSE_SECONDS)
            self._start_at = now + self._pause_seconds
            _LOG.warning("%s ended (%s). It restarts in %.1f s.", self.program.name, code, self._pause_seconds)
        if self.process is None and now >= self._start_at:
            self.process, self._began_at = _start(self.program), now
            self.note_start()

    def note_start(self) -> None:
        """Handle a start."""

    def note_end(self, code: int) -> None:
        """Handle an end."""

    def terminate(self) -> None:
        """Ask the process to end."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def wait(self) -> None:
        """Wait for the requested end, and enforce it after a timeout."""
        if self.process is None:
            return
        try:
            self.process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class WebProcess(KeptProcess):
    """A process that answers on a port. It is killed and restarted when it stops responding."""

    def __init__(self, program: Program, listening: socket.socket) -> None:
        super().__init__(program)
        self._probe = _Probe(listening)
        self._has_answered = False

    def check_process(self) -> None:
        """Supervise the process.

        Raises:
            GaveUpError: It refused its settings, or ended by itself before it ever responded.
        """
        super().check_process()
        if self.process is None:
            return
        self._probe.check_health()
        self._has_answered |= self._probe.has_answered
        if self._probe.silent_seconds > (SILENCE_SECONDS if self._probe.has_answered else SLOWEST_START_SECONDS):
            _LOG.warning("%s has not answered for %.0f s.", self.program.name, self._probe.silent_seconds)
            self._probe.restart()
            self.process.kill()  # a hanging process does not react to SIGTERM

    def wait(self) -> None:
        """Wait for its end, without further health checks."""
        super().wait()
        self._probe.restart()

    def note_start(self) -> None:
        """Reset the health state."""
        self._probe.restart()

    def note_end(self, code: int) -> None:
        """Give up if another start would end in the same way; a signal (negative code) has an external cause."""
        if code == _WRONG_USAGE or (code > 0 and not self._has_answered):
            raise GaveUpError(code)


class EvaluatorProcess(KeptProcess):
    """A process that writes to a pipe all the time. It is killed and restarted when it stops doing so.

    A thread of its own writes, so a long step is no silence; a stopped process is silent.
    """

    def __init__(self, program: Program, pipe: int) -> None:
        """Take the program, which inherits the other end, and the end of the pipe to read from, without blocking."""
        super().__init__(program)
        self._pipe = pipe
        self._silence = _Silence()
        self._has_beaten = False

    def check_process(self) -> None:
        """Supervise the process."""
        super().check_process()
        if self.process is None:
            return
        self._silence.measure()
        if self._read_beats():
            self._has_beaten = True
            self._silence.restart()
        if self._silence.seconds > (SILENCE_SECONDS if self._has_beaten else SLOWEST_START_SECONDS):
            _LOG.warning("%s has given no sign of life for %.0f s.", self.program.name, self._silence.seconds)
            self._silence.restart()
            self.process.kill()  # a stopped process does not react to SIGTERM

    def note_start(self) -> None:
        """Forget the signs of life of the process before."""
        self._read_beats()
        self._has_beaten = False
        self._silence.restart()

    def _read_beats(self) -> bool:
        try:
            return bool(os.read(self._pipe, _PIPE_BYTES))
        except BlockingIOError:
            return False


class _Silence:
    """Seconds without a sign of life of another process."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.seconds = 0.0
        self._looked_at = time.monotonic()

    def measure(self) -> None:
        now = time.monotonic()
        # Time during which this process was stopped or its machine slept says nothing about the other process.
        self.seconds += min(now - self._looked_at, 1.0)
        self._looked_at = now


class _Probe:
    """Requests `/healthz`, one request at a time, and never blocks on the response."""

    def __init__(self, listening: socket.socket) -> None:
        host, self._port = listening.getsockname()[:2]
        self._host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - nothing is bound here
        self._connection: socket.socket | None = None
        self._ask_at = 0.0
        self._silence = _Silence()
        self.restart()

    def restart(self) -> None:
        """Start again with another process."""
        self._hang_up()
        self._silence.restart()
        self.has_answered = False

    @property
    def silent_seconds(self) -> float:
        return self._silence.seconds

    def check_health(self) -> None:
        now = time.monotonic()
        self._silence.measure()
        if self._connection is not None and select.select([self._connection], [], [], 0)[0]:
            self._hear(self._connection)
        elif self._connection is None and now >= self._ask_at:
            self._ask_at = now + _ASK_EVERY_SECONDS
            self._ask()

    def _ask(self) -> None:
        try:
            self._connection = socket.create_connection((self._host, self._port), _CONNECT_SECONDS)
            name = f"[{self._host}]" if ":" in self._host else self._host
            request = f"GET /healthz HTTP/1.1\r\nHost: {name}:{self._port}\r\nConnection: close\r\n\r\n"
            self._connection.sendall(request.encode())
        except OSError:
            self._hang_up()

    def _hear(self, connection: socket.socket) -> None:
        try:
            is_answer = connection.recv(16).startswith(b"HTTP/")
        except OSError:
            is_answer = False
        self._hang_up()
        if is_answer:
            self.has_answered = True
            self._silence.restart()

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def open_port(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 means a free port. Nothing is accepted here: a child inherits it.

    The port therefore stays the same over restarts, and visitors wait in between instead of being refused.

    Raises:
        OSError: The port cannot be opened.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # `localhost` means both families; the command line uses 127.0.0.1.
    family, kind, protocol, _, address = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(_BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def keep_running(processes: Sequence[KeptProcess], last: Sequence[KeptProcess] = ()) -> int:
    """Supervise processes until SIGTERM or SIGINT and return 0, or until one gives up and return its exit code.

    Processes in `last` are stopped after the others have ended, because they finish the others' work.
    """
    stop = threading.Event()
    with set_on_stop_signals(stop):
        code = _supervise_processes((*last, *processes), stop)
        for group in (processes, last):
            for kept in group:
                kept.terminate()
            for kept in group:
                kept.wait()
    return code


def _supervise_processes(processes: Sequence[KeptProcess], stop: threading.Event) -> int:
    try:
        while not stop.is_set():
            for kept in processes:
                kept.check_process()
            stop.wait(_LOOK_SECONDS)
    except GaveUpError as error:
        return error.code
    return 0


def _start(program: Program) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - our own modules
        [*program.command, *program.arguments],
        cwd=program.folder,
        env=dict(program.environment),
        pass_fds=program.descriptors,
        preexec_fn=_end_with_parent,
    )


def _end_with_parent() -> None:
    """Let the kernel (Linux) kill this process when its parent dies, so that the port becomes free."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
