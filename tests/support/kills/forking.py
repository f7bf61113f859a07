"""Client of the warm process that forks children to be killed."""

import json
import subprocess
from pathlib import Path
from typing import Any


class Warm:
    """Client; see `tests.support.kills.warm`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def run(self, work: str, folder: Path, **task: object) -> dict[str, Any]:
        """Run work in a child, and return its result. A child that fails by itself fails the test."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"work": work, "folder": str(folder), **task}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        assert "error" not in answer, answer["error"]
        return answer

    def kill(self, work: str, folder: Path, **task: object) -> dict[str, Any]:
        """Run work in a child that is expected to be killed."""
        answer = self.run(work, folder, **task)
        assert answer["killed"], f"{task} was never reached"
        return answer
