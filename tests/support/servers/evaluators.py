"""Evaluator processes for tests whose server starts none or that kill them."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.support.servers.server import ROOT, clean_environment

ALONE = ("--no-packs", "--no-references")


@contextmanager
def run_evaluators(
    data_dir: Path, number: int = 1, settings: Mapping[str, str] | None = None, arguments: Sequence[str] = ALONE
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run evaluators on a data folder, and kill them at the end of the block; their output goes to `worker.log`."""
    with ExitStack() as running:
        yield [running.enter_context(_run(data_dir, settings or {}, arguments)) for _ in range(number)]


@contextmanager
def _run(data_dir: Path, settings: Mapping[str, str], arguments: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    data_dir.mkdir(parents=True, exist_ok=True)  # an evaluator may be started before its server
    command = (sys.executable, "-m", "submissions", "worker", *arguments)
    environment = clean_environment() | {"EARSHOT_DATA_DIR": str(data_dir), **settings}
    with (
        (data_dir / "worker.log").open("ab") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log) as evaluator,
    ):
        try:
            yield evaluator
        finally:
            evaluator.kill()
