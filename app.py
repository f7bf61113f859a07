"""Starts Earshot: the web process, and beside it the evaluator, which alone may know the answer keys.

This process serves nothing. It hands each of the two the environment that it may have, starts the evaluator again
(with a growing pause) when it ends, and ends when the web process does.
"""

import argparse
import ctypes
import logging
import os
import signal
import subprocess
import sys
import time
from types import FrameType

from settings import SettingsError, load_evaluator_settings, web_environment

_LOG = logging.getLogger("earshot")
_LONGEST_PAUSE_SECONDS = 30.0
_STEADY_SECONDS = 60.0
_LOOK_SECONDS = 0.2
_STOP_SECONDS = 10


def main() -> int:
    """Run until the web process ends or a signal comes; return the exit code."""
    parser = argparse.ArgumentParser(prog="python app.py", description="Serve Earshot.")
    parser.add_argument("--no-evaluator", action="store_true", help="web only; evaluators run elsewhere")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        load_evaluator_settings().require_fit_for_production()
    except SettingsError as error:
        print(f"Error: {error}", file=sys.stderr)  # noqa: T201 - the command line's own error
        return 2
    return _Processes(with_evaluator=not options.no_evaluator).run()


class _Processes:
    def __init__(self, *, with_evaluator: bool) -> None:
        self._with_evaluator = with_evaluator
        self._evaluator: subprocess.Popen[bytes] | None = None
        self._start_evaluator_at = 0.0
        self._evaluator_began = 0.0
        self._pause_seconds = 0.5
        self._stopping = False

    def run(self) -> int:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        _LOG.info("Earshot starts; the page is up in about ten seconds.")
        web = _start("leaderboard", [], web_environment())
        while web.poll() is None and not self._stopping:
            if self._with_evaluator:
                self._look_after_evaluator()
            time.sleep(_LOOK_SECONDS)
        for process in (web, self._evaluator):
            _end(process)
        return 0 if self._stopping else web.returncode

    def _look_after_evaluator(self) -> None:
        now = time.monotonic()
        if self._evaluator is not None and self._evaluator.poll() is not None:
            steady = now - self._evaluator_began > _STEADY_SECONDS
            self._pause_seconds = 0.5 if steady else min(2 * self._pause_seconds, _LONGEST_PAUSE_SECONDS)
            _LOG.warning("The evaluator ended (%s); it starts again.", self._evaluator.returncode)
            self._evaluator, self._start_evaluator_at = None, now + self._pause_seconds
        if self._evaluator is None and now >= self._start_evaluator_at:
            self._evaluator, self._evaluator_began = _start("submissions", ["worker"], dict(os.environ)), now

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True


def _start(module: str, arguments: list[str], environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.Popen(command, env=environment, preexec_fn=_end_with_parent)  # noqa: S603 - our own modules


def _end_with_parent() -> None:
    """Let the kernel (Linux) kill this process when its parent dies, so that a killed parent leaves no port taken."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process is None or process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
