"""Check server: `python -m submissions.intake.file_checks.check_server FD` forks a process for each file to check.

The web process starts it, with no secret in its environment. A check reads a stranger's file: in a process of its own,
it can be stopped, its memory and CPU time are limited, and it slows down no page. Forking takes milliseconds, because
the modules are already loaded.

The web process sends, over the inherited Unix socket, two descriptors per check, a connection and the file, with a byte
that says whether answers will be parsed (`PARSING`) or not (`READING`). Over the connection, the check receives a
`CheckTask` (None: find the edition of the file), asks for the IDs of other questions if it finds an unknown ID, and
sends its result.
"""

import gc
import io
import os
import pickle
import resource
import signal
import socket
import sys
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import BinaryIO, cast

import msgspec
import orjson

from evaluation.predictions import Catalogue, CatalogueItem
from evaluation.types import AnswerFormat
from submissions.intake.file_checks.checker import CheckTask, InlineChecker
from submissions.intake.foreign_ids import ForeignIds, Questions
from submissions.operations.hardening import forbid_inspection

MAX_CPU_SECONDS = 120
"""A gigabyte of JSON Lines takes 6 s, the largest workbook less than a minute."""
MAX_MEMORY_BYTES = 3 << 30
MAX_SECONDS = 600
READING, PARSING = b"r", b"p"
# Checks yield to pages. What takes longer than most files yields to other checks as well.
_NICENESS = 5
_LONG_SECONDS = 0.3
_NICENESS_OF_LONG = 19
_BUFFER_BYTES = 1 << 17


def main() -> int:
    """Serve until the web process closes the socket, as it does when it ends in any way."""
    forbid_inspection()
    server = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal ends the web process, which ends this one
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended checks leave no zombies
    # Objects created so far are permanent, and shared with the forks while the collector does not touch them.
    gc.freeze()
    is_warm = False
    while True:
        kind, descriptors, _, _ = socket.recv_fds(server, 1, 2)
        if len(descriptors) != 2:
            return 0
        if kind == PARSING and not is_warm:
            _warm_parsers()
            is_warm = True
        if os.fork() == 0:
            server.close()
            _run_check(*descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _warm_parsers() -> None:
    """Parse a few answers of ours: compiling the parsers' patterns takes a second, and every fork would repeat it."""
    formats: tuple[AnswerFormat, ...] = ("choice", "choices", "boolean", "steps")
    items = {f"warm-{form}": CatalogueItem("warm", form, (0,), n_steps=3) for form in formats}
    options = {(item_id, 0): ("the first sound", "the second sound") for item_id in items}
    for response in (
        "A",
        "The answer is (B), because it is louder.",
        "答案是第一个",
        "Step 1: correct. Step 2: wrong.",
    ):
        lines = b"\n".join(orjson.dumps({"id": item_id, "response": response}) for item_id in items)
        InlineChecker().validate(io.BytesIO(lines), CheckTask(Catalogue("", items), False, options))


class _SharedFile(io.RawIOBase):
    """A file that other processes have open too: reads move no position that they share."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: os.fstat(self._descriptor).st_size}
        self._position = max(0, start[whence] + offset)
        return self._position

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override] # any buffer is given as a view
        n_bytes = os.preadv(self._descriptor, [buffer], self._position)
        self._position += n_bytes
        return n_bytes


def _run_check(descriptor: int, file_descriptor: int) -> None:
    """Run one check in this forked process, and end the process."""
    connection = Connection(descriptor)
    try:
        _limit_process()
        task: CheckTask | None
        task, edition_cause = pickle.loads(connection.recv_bytes())  # noqa: S301 - the web process made it
        file = cast("BinaryIO", io.BufferedReader(_SharedFile(file_descriptor), _BUFFER_BYTES))
        checker = InlineChecker()
        if task is None:
            result = msgspec.msgpack.encode(checker.find_edition(file))
        else:
            foreign = ForeignIds(_read_others(connection), edition_cause)
            result = msgspec.msgpack.encode(checker.validate(file, task, foreign))
        connection.send_bytes(b"=" + result)
    except BrokenPipeError:  # the web process waits no longer
        pass
    except MemoryError:
        os._exit(1)
    except BaseException as error:  # noqa: BLE001 - reported, not raised: there is nobody else to tell
        connection.send_bytes(b"!" + _describe_error(error).encode())
    finally:
        os._exit(0)


def _limit_process() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(MAX_SECONDS)
    os.nice(_NICENESS)
    signal.signal(signal.SIGPROF, lambda *_: os.nice(_NICENESS_OF_LONG - _NICENESS) and None)
    signal.setitimer(signal.ITIMER_PROF, _LONG_SECONDS)


def _read_others(connection: Connection) -> Iterator[Questions]:
    """Yield the IDs of other questions, as the web process finds them."""
    while True:
        connection.send_bytes(b"?")
        others: Questions | None = pickle.loads(connection.recv_bytes())  # noqa: S301 - the web process made it
        if others is None:
            return
        yield others


def _describe_error(error: BaseException) -> str:
    """Return kind and place of an error. Its message may quote the file, which belongs in no log."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    places = ", ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in frames)  # noqa: PTH119 - a name
    return f"{type(error).__name__} at {places}"


if __name__ == "__main__":
    sys.exit(main())
