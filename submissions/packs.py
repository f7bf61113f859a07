"""Keeps the question packs that the web process hands out: rendered by a process of their own when they are missing."""

import logging
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from evaluation.answer_keys import PRACTICE_SEED, AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.packs import UNFINISHED_PREFIX, pack_name
from evaluation.types import Split

_LOG = logging.getLogger(__name__)
# A submission that arrives while a pack is rendered goes first.
_NICENESS = "10"


class PackKeeper:
    """Makes one missing pack at a time.

    A pack takes half a minute of one core. A process of its own keeps that away from the evaluator, and its memory too.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Take where packs are kept, and the environment that names the answer keys."""
        self._folder = folder
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[tuple[Benchmark, Split, Path]] = []

    def want(self, benchmark: Benchmark, key: AnswerKey) -> None:
        """Ask for both packs of a benchmark."""
        test = benchmark.content(key.split, key.seed)
        practice = benchmark.content("practice", PRACTICE_SEED)
        self._waiting += [(benchmark, content.split, self._folder / pack_name(content)) for content in (test, practice)]

    def tick(self) -> None:
        """Start the next pack when none is being made."""
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None and self._process.returncode != 0:
            _LOG.error("a question pack could not be made (exit code %d)", self._process.returncode)
        self._process = None
        self._waiting = [wanted for wanted in self._waiting if not wanted[2].exists()]
        if self._waiting:
            self._process = self._start(*self._waiting.pop(0))

    def _start(self, benchmark: Benchmark, split: Split, out: Path) -> subprocess.Popen[bytes]:
        self._folder.mkdir(parents=True, exist_ok=True)
        for leftover in self._folder.glob(f"{UNFINISHED_PREFIX}*"):
            leftover.unlink(missing_ok=True)  # of a process that was killed; only one keeper works in a folder
        command = [sys.executable, "-m", "evaluation", "pack", "--benchmark", benchmark.id, "--split", split]
        return subprocess.Popen(  # noqa: S603 - our own command line; benchmark ids come from the registry
            ["nice", "-n", _NICENESS, *command, "--out", str(out.absolute()), "--quiet"],  # noqa: S607 - POSIX has nice
            env=self._environment,
            stdin=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """End a pack that is being made; what it wrote so far goes when the next one begins."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
