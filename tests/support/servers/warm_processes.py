"""Processes and commands of Earshot in forks of a Python that has imported it, for tests that are not about starting.

Most of the time of a short command, and nearly all of the start of a server, is imports. See `warm_python`, the program
that forks. `WarmPython.script` replaces the interpreter in a shell; `WarmPython.start` replaces `subprocess.Popen`.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_MAX_ANSWER_BYTES = 100
# Run as a script: it passes a command on, and exits with its exit code.
_CLIENT = """#!{python} -IS
import json, os, socket, sys
if sys.argv[1:2] != ["-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as warm:
    warm.connect({path!r})
    task = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ), False, []]).encode()
    socket.send_fds(warm, [b" "], [0, 1, 2])
    warm.sendall(task)
    warm.shutdown(socket.SHUT_WR)
    answer = b"".join(iter(lambda: warm.recv(100), b""))
    sys.exit(int(answer.partition(b" ")[2] or 255))
"""


class WarmProcess:
    """A forked process, with the methods of `subprocess.Popen` that servers use.

    Its connection stays open as long as it lives. The end of a process that reports no exit code counts as a kill.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._answer = b""
        while b" " not in self._answer:
            received = connection.recv(_MAX_ANSWER_BYTES)
            assert received, "the warm Python has ended"
            self._answer += received
        self.pid = int(self._answer.split(b" ")[0])
        self.returncode: int | None = None
        # Becomes readable when the process has ended. Its connection may close while it still holds its other files.
        self._handle = _open_process(self.pid)

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if self._handle is not None and not select.select([self._handle], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0.0)
            self._answer += b"".join(iter(lambda: self._connection.recv(_MAX_ANSWER_BYTES), b""))
            self._connection.close()
            if self._handle is not None:
                os.close(self._handle)
            self.returncode = int(self._answer.split(b" ")[1] or -signal.SIGKILL)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _open_process(pid: int) -> int | None:
    """Return a descriptor of a process, or None if it has ended."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


@dataclass(frozen=True)
class WarmPython:
    """Client of a warm Python.

    Attributes:
        address: Address of its socket.
        script: Program that replaces the interpreter.
    """

    address: str | bytes
    script: Path

    def start(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        descriptors: Sequence[int],
        *,
        leads_group: bool = False,
    ) -> WarmProcess:
        """Start a process.

        Args:
            arguments: Arguments of the interpreter: `-m` and a module, or a script, and their arguments.
            folder: Its working folder.
            environment: Its environment.
            descriptors: Its input, output and errors, then any to inherit; their numbers are replaced in `arguments`.
            leads_group: Whether it leads a process group of its own, and may start processes in forks.
        """
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.address)
        task = [list(arguments), str(folder), dict(environment), leads_group, list(descriptors[3:])]
        socket.send_fds(connection, [b" "], list(descriptors))
        connection.sendall(json.dumps(task).encode())
        connection.shutdown(socket.SHUT_WR)
        return WarmProcess(connection)


@contextmanager
def run_warm_python(folder: Path) -> Iterator[WarmPython]:
    """Run a warm Python."""
    root = Path(__file__).parents[3]
    path, script = folder / "warm", folder / "python"
    script.write_text(_CLIENT.format(python=sys.executable, path=str(path)))
    script.chmod(0o755)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    # Clients that come before it has imported everything wait.
    listening.listen()
    command = (sys.executable, "-m", "tests.support.servers.warm_python", str(listening.fileno()))
    with subprocess.Popen(command, cwd=root, pass_fds=[listening.fileno()]) as process:
        listening.close()
        try:
            yield WarmPython(str(path), script)
        finally:
            process.terminate()
