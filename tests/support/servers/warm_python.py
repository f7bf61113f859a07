"""Pre-imported Python that runs each of Earshot's commands in a fork.

`python -m tests.support.servers.warm_python SOCKET` listens on a Unix socket. The script of `run_warm_python` replaces
the
interpreter: it passes on a command with its arguments, folder, environment, input and output, and exits with its exit
code. Most of the time of a short command is imports.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import submissions.__main__  # noqa: F401 - imported in advance
from submissions.operations.hardening import end_with_parent
from tests.support.servers.server import ROOT, wait_for

_N_STREAMS = 3
_MAX_BYTES = 1_000_000
_CLIENT = """#!{python} -IS
import json, os, socket, sys
if sys.argv[1:2] != ["-m"]:
    os.execv({python!r}, [{python!r}, *sys.argv[1:]])
with socket.socket(socket.AF_UNIX) as warm:
    warm.connect({path!r})
    task = json.dumps([sys.argv[2], sys.argv[3:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(warm, [b" "], [0, 1, 2])
    warm.sendall(task)
    warm.shutdown(socket.SHUT_WR)
    sys.exit(int(warm.recv(10) or 255))
"""


@contextmanager
def run_warm_python(folder: Path) -> Iterator[Path]:
    """Run a warm Python, and return the script that replaces the interpreter."""
    path = folder / "warm"
    command = (sys.executable, "-m", __name__, str(path))
    with subprocess.Popen(command, cwd=ROOT) as process:
        try:
            wait_for(path.exists, "the socket of the warm Python")
            yield _write_client(folder / "python", path)
        finally:
            process.terminate()


def _write_client(script: Path, path: Path) -> Path:
    script.write_text(_CLIENT.format(python=sys.executable, path=str(path)))
    script.chmod(0o755)
    return script


def _serve(path: str) -> None:
    # Nobody waits for the forks: they report their exit codes themselves.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    parent = os.getpid()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{path}.new")
        listening.listen()
        Path(f"{path}.new").rename(path)
        while True:
            asking, _ = listening.accept()
            if os.fork() == 0:
                # A command that serves until it is stopped ends with this process.
                end_with_parent(parent)
                listening.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(asking)
            asking.close()


def _answer(asking: socket.socket) -> None:
    """Run one command in this fork, and exit."""
    _, streams, _, _ = socket.recv_fds(asking, 1, _N_STREAMS)
    task = b"".join(iter(lambda: asking.recv(_MAX_BYTES), b""))
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    code = _run(*json.loads(task))
    sys.stdout.flush()
    sys.stderr.flush()
    asking.sendall(str(code).encode())
    os._exit(code)


def _run(module: str, arguments: list[str], folder: str, environment: dict[str, str]) -> int:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [module, *arguments]
    sys.modules.pop(f"{module}.__main__", None)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
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
    _serve(sys.argv[1])
