"""Listener server: our listeners behind an endpoint on loopback while one of them is queried."""

import os
import select
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import IO

_NICENESS = "10"
# A process that ends closes its output, so only one that hangs is waited for so long. It yields to all other work.
_START_SECONDS = 300.0
_STOP_SECONDS = 10.0


class ListenersError(Exception):
    """The listeners do not start; their error is on stderr."""


@contextmanager
def serve_listeners(environment: Mapping[str, str]) -> Iterator[str]:
    """Start the listeners in a process of their own, and yield their address.

    That process sees only what is sent to it, and ends with this one in any case.

    Args:
        environment: Complete environment, without keys or answers.

    Raises:
        ListenersError: The process does not start.
    """
    command = [sys.executable, "-m", "evaluation", "listen", "--port", "0", "--end-with-parent", str(os.getpid())]
    process = subprocess.Popen(  # noqa: S603 - our own command line
        ["nice", "-n", _NICENESS, *command],  # noqa: S607 - POSIX has nice
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        line = _read_line(process.stdout) if process.stdout is not None else ""
        address = next((word for word in line.split() if word.startswith("http://")), None)
        if address is None:
            raise ListenersError("The listeners did not start.")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _read_line(file: IO[str]) -> str:
    """Return a line, or an empty text after a timeout: the caller occupies a slot meanwhile."""
    is_there, _, _ = select.select([file], [], [], _START_SECONDS)
    return file.readline() if is_there else ""
