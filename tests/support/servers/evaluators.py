"""Evaluator processes of their own, beside a site or a launcher that starts none."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.servers.server import ROOT

_COMMAND = (sys.executable, "-m", "submissions", "worker", "--no-packs", "--no-references")


@contextmanager
def run_evaluators(
    data_dir: Path, number: int = 1, settings: Mapping[str, str] | None = None
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run evaluators over a data folder until the block is left."""
    environment = os.environ | {"EARSHOT_DATA_DIR": str(data_dir), **(settings or {})}
    with ExitStack() as running:
        yield [running.enter_context(_run(environment)) for _ in range(number)]


@contextmanager
def _run(environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(_COMMAND, cwd=ROOT, env=environment) as evaluator:
        try:
            yield evaluator
        finally:
            evaluator.kill()
