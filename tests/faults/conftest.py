"""What the tests that kill share: a warm process to fork from."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import ROOT


class Warm:
    """See `tests.faults.warm`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, work: str, folder: Path, **task: object) -> dict[str, Any]:
        """Have a child do its work, and return how it ended. One that fails by itself fails the test."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"work": work, "folder": str(folder), **task}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def kill(self, work: str, folder: Path, **task: object) -> dict[str, Any]:
        """Have a child do its work, and see it killed."""
        answer = self.run(work, folder, **task)
        assert answer["killed"], f"{task} was never reached"
        return answer


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    # Threads of the linear algebra would not survive a fork.
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.warm"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield Warm(process)
    process.communicate()
