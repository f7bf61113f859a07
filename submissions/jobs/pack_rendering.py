"""Rendering of missing question packs, in a process of their own.

Packs are no leased jobs: they are files of one machine, whose names say whether they are complete. Two evaluators that
render the same pack produce the same bytes.
"""

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
# A submission that arrives while a pack is rendered has priority.
_NICENESS = "10"
_PAUSE_AFTER_FAILURE_SECONDS = 60.0
_LEFTOVER_AFTER_SECONDS = 3600.0


class PackKeeper:
    """Renders one missing pack at a time.

    A pack takes half a minute of processor time. A separate process keeps that, and its memory, out of the evaluator.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Take the folder of packs, and the environment of the rendering process."""
        self._folder = folder
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[tuple[Benchmark, Split, Path]] = []
        self._not_before = 0.0

    def want(self, benchmark: Benchmark, key: AnswerKey | None) -> None:
        """Request a benchmark's packs: the shared test split's if a key is given, and the practice split's."""
        keys = [] if key is None else [key]
        if "practice" in benchmark.splits:
            keys.append(benchmark.make_key("practice"))
        contents = [benchmark.content(one) for one in keys]
        self._waiting += [(benchmark, content.split, self._folder / pack_name(content)) for content in contents]

    def tick(self) -> None:
        """Start rendering the next pack if none is being rendered."""
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
                leftover.unlink(missing_ok=True)  # from a killed process
        command = [sys.executable, "-m", "evaluation", "pack", "--benchmark", benchmark.id, "--split", split]
        command += ["--version", benchmark.version, "--end-with-parent", str(os.getpid())]
        return subprocess.Popen(  # noqa: S603 - our own command line; benchmark ids come from the registry
            ["nice", "-n", _NICENESS, *command, "--out", str(out.absolute()), "--quiet"],  # noqa: S607 - POSIX has nice
            env=self._environment,
            stdin=subprocess.DEVNULL,
        )

    def stop(self) -> None:
        """Stop rendering; the next start deletes the partial file."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
