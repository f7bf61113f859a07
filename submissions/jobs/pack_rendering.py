"""Keeps the question packs that the web process hands out: rendered by a process of their own when they are missing."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.packs import UNFINISHED_PREFIX, pack_name
from evaluation.types import Split

_LOG = logging.getLogger(__name__)
# A submission that arrives while a pack is rendered goes first.
_NICENESS = "10"
_PAUSE_AFTER_FAILURE_SECONDS = 60.0
_LEFTOVER_AFTER_SECONDS = 3600.0


class PackKeeper:
    """Makes one missing pack at a time.

    A pack takes half a minute of one core. A process of its own keeps that away from the evaluator, and its memory too.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Take where packs are kept, and all that the process which renders one is to know."""
        self._folder = folder
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[tuple[Benchmark, Split, Path]] = []
        self._not_before = 0.0

    def want(self, benchmark: Benchmark, key: AnswerKey | None) -> None:
        """Ask for the packs of a benchmark: of its test split where there is a key, of practice where it has one."""
        keys = [] if key is None else [key]
        if "practice" in benchmark.splits:
            keys.append(benchmark.make_key("practice"))
        contents = [benchmark.content(one) for one in keys]
        self._waiting += [(benchmark, content.split, self._folder / pack_name(content)) for content in contents]

    def tick(self) -> None:
        """Start the next pack when none is being made."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None and self._process.returncode != 0:
            _LOG.error("cannot build a question pack (exit code %d)", self._process.returncode)
            self._not_before = time.monotonic() + _PAUSE_AFTER_FAILURE_SECONDS
        self._process = None
        self._waiting = [wanted for wanted in self._waiting if not wanted[2].exists()]
        if self._waiting and time.monotonic() >= self._not_before:
            self._process = self._start(*self._waiting[0])

    def _start(self, benchmark: Benchmark, split: Split, out: Path) -> subprocess.Popen[bytes]:
        self._folder.mkdir(parents=True, exist_ok=True)
        for leftover in self._folder.glob(f"{UNFINISHED_PREFIX}*"):
            if time.time() - leftover.stat().st_mtime > _LEFTOVER_AFTER_SECONDS:
                leftover.unlink(missing_ok=True)  # of a process that was killed
        command = [sys.executable, "-m", "evaluation", "pack", "--benchmark", benchmark.id, "--split", split]
        command += ["--version", benchmark.version, "--end-with-parent", str(os.getpid())]
        return subprocess.Popen(  # noqa: S603 - our own command line; benchmark ids come from the registry
            ["nice", "-n", _NICENESS, *command, "--out", str(out.absolute()), "--quiet"],  # noqa: S607 - POSIX has nice
            env=self._environment,
            stdin=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """End a pack that is being made; what it wrote so far goes when a later one begins."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
