"""Checks of files in processes of their own, which the web process can outlive, stop and slow down."""

import io
import pickle
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import BinaryIO

import msgspec

from evaluation.predictions import Validation
from submissions.errors import BadRequestError, NotReadyError
from submissions.intake.file_checks.check_server import MAX_CPU_SECONDS, MAX_MEMORY_BYTES, MAX_SECONDS, PARSING, READING
from submissions.intake.file_checks.checker import CheckTask
from submissions.intake.foreign_ids import ForeignIds, Questions

_PROGRAM = (sys.executable, "-m", "submissions.intake.file_checks.check_server")
_STOPPED = (
    f"The check of this file was stopped: it takes more than {MAX_CPU_SECONDS} s of processor time or "
    f"{MAX_MEMORY_BYTES >> 30} GB of memory. Nothing was saved. Send one prediction per line as JSON Lines, with "
    "shorter responses."
)
_AWAY = "Files cannot be checked at the moment, and nothing was saved. Try again in a few seconds."


class CheckFailedError(Exception):
    """A check ended with an error of ours."""


class CheckProcesses:
    """Checks each file in a process of its own. The server that forks them starts with the first check."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        """Create the checks.

        Args:
            environment: Environment of the processes, which need no setting and no secret.
        """
        self._environment = environment
        self._starting = threading.Lock()
        self._server: _Server | None = None

    def find_edition(self, file: BinaryIO) -> str:
        """Return the edition that a file claims to answer; empty if it names none."""
        return msgspec.msgpack.decode(self._check(file, None, None), type=str)

    def validate(self, file: BinaryIO, task: CheckTask, foreign: ForeignIds | None = None) -> Validation:
        """Read a whole file and return the verdict.

        Raises:
            BadRequestError: The check takes too much CPU time or memory.
            NotReadyError: No check can be started.
            CheckFailedError: The check has a defect.
        """
        return msgspec.msgpack.decode(self._check(file, task, foreign), type=Validation)

    def close(self) -> None:
        """Stop the server; running checks end by themselves."""
        with self._starting:
            self._stop()

    def _check(self, file: BinaryIO, task: CheckTask | None, foreign: ForeignIds | None) -> bytes:
        kind = PARSING if task is not None and task.options is not None else READING
        with _open_descriptor(file) as descriptor, self._start_check(kind, descriptor) as connection:
            try:
                # The cause of an edition's IDs is a sentence of ours; the IDs themselves are sent when they are needed.
                cause = foreign.edition_cause if foreign is not None else None
                connection.send_bytes(pickle.dumps((task, cause), pickle.HIGHEST_PROTOCOL))
                while (message := _receive(connection)) == b"?":
                    connection.send_bytes(_encode_others(foreign.read_next() if foreign is not None else None))
            except (EOFError, OSError):
                server = self._server
                if server is not None and server.is_running():
                    raise BadRequestError("file", _STOPPED) from None
                raise NotReadyError(_AWAY) from None
        if message[:1] == b"!":
            raise CheckFailedError(message[1:].decode())
        return message[1:]

    @contextmanager
    def _start_check(self, kind: bytes, descriptor: int) -> Iterator[Connection]:
        ours, theirs = socket.socketpair()
        with theirs, Connection(ours.detach()) as connection:
            with self._starting:
                self._send(kind, theirs.fileno(), descriptor)
            theirs.close()
            yield connection

    def _send(self, kind: bytes, *descriptors: int) -> None:
        """Pass descriptors to the server, and start it again if it has ended."""
        for _ in range(2):
            if self._server is None or not self._server.is_running():
                self._stop()
                self._server = _Server(self._environment)
            try:
                socket.send_fds(self._server.control, [kind], descriptors)
            except OSError:
                self._stop()
            else:
                return
        raise NotReadyError(_AWAY)

    def _stop(self) -> None:
        if self._server is not None:
            self._server.stop()
        self._server = None


class _Server:
    """The process that forks checks. It ends with this object, if nobody stops it before."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own command line
                (*_PROGRAM, str(theirs.fileno())),
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
            )
        self.stop = weakref.finalize(self, _stop_process, self._process, self.control)

    def is_running(self) -> bool:
        """Return whether the process can fork."""
        return self._process.poll() is None


def _stop_process(process: subprocess.Popen[bytes], control: socket.socket) -> None:
    control.close()
    process.kill()
    process.wait()


def _encode_others(others: Questions | None) -> bytes:
    """Return the IDs of other questions, of any collection, and their cause."""
    plain = (frozenset(others[0]), others[1]) if others is not None else None
    return pickle.dumps(plain, pickle.HIGHEST_PROTOCOL)


def _receive(connection: Connection) -> bytes:
    """Return the next message of a check.

    Raises:
        EOFError: The check has ended or is stuck.
    """
    if not connection.poll(MAX_SECONDS + 10):
        raise EOFError
    return connection.recv_bytes()


@contextmanager
def _open_descriptor(file: BinaryIO) -> Iterator[int]:
    """Yield a descriptor with the content of a file; one in memory is copied to disk."""
    file.flush()
    try:
        descriptor: int | None = file.fileno()
    except io.UnsupportedOperation:
        descriptor = None
    if descriptor is not None:
        yield descriptor
        return
    with tempfile.TemporaryFile() as copy:
        file.seek(0)
        shutil.copyfileobj(file, copy)
        copy.flush()
        yield copy.fileno()
