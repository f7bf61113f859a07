"""Pipe on which an evaluator tells the launcher that it is running."""

import argparse
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

PIPE_OPTION = "--heartbeat-pipe"
BEAT_SECONDS = 1.0


class HeartbeatPipe(NamedTuple):
    """Descriptors of a pipe. Neither end ever blocks."""

    to_read: int
    to_write: int


@contextmanager
def open_heartbeat_pipe() -> Iterator[HeartbeatPipe]:
    """Open a pipe. The launcher keeps both ends, so that it serves every later evaluator too."""
    pipe = HeartbeatPipe(*os.pipe())
    try:
        for end in pipe:
            os.set_blocking(end, False)
        yield pipe
    finally:
        for end in pipe:
            os.close(end)


def add_pipe_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the pipe."""
    parser.add_argument(PIPE_OPTION, type=int, metavar="FD", help="inherited; created by the launcher")


def start_heartbeat(descriptor: int | None) -> None:
    """Write to the launcher's pipe from now on, if there is one.

    The thread is independent of what the process works on. Only a stopped process, or one whose interpreter hangs, is
    silent.
    """
    if descriptor is not None:
        os.set_inheritable(descriptor, False)
        threading.Thread(target=_beat, args=(descriptor,), name="heartbeat", daemon=True).start()


def _beat(descriptor: int) -> None:
    while True:
        try:
            os.write(descriptor, b".")
        except BlockingIOError:
            pass  # the launcher has been stopped for hours
        except OSError:
            return  # it has ended
        time.sleep(BEAT_SECONDS)
