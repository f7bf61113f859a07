"""Evaluator processes for tests whose server starts none or that kill them."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from submissions.cli.worker_options import find_worker_module
from tests.support.servers.server import ROOT, clean_environment
from tests.support.servers.shared_splits import STILL_SHARED
from tests.support.servers.warm_processes import WarmProcess, WarmPython

Evaluator = subprocess.Popen[bytes] | WarmProcess
ALONE = ("--no-packs", "--no-references")


@contextmanager
def run_evaluators(
    data_dir: Path,
    number: int = 1,
    settings: Mapping[str, str] | None = None,
    arguments: Sequence[str] = ALONE,
    warm: WarmPython | None = None,
    module: str | None = None,
) -> Iterator[list[Evaluator]]:
    """Run evaluators on a data folder, and kill them at the end of the block; their output goes to `worker.log`.

    They are forks of a warm Python if there is one. They run the product's program, or a module.
    """
    data_dir.mkdir(parents=True, exist_ok=True)  # an evaluator may be started before its server
    environment = clean_environment() | {"EARSHOT_DATA_DIR": str(data_dir), **STILL_SHARED, **(settings or {})}
    with ExitStack() as running:
        evaluators = []
        for _ in range(number):
            evaluators.append(_start(data_dir / "worker.log", environment, arguments, warm, module))
            running.callback(_kill, evaluators[-1])
        yield evaluators


def _start(
    file: Path, environment: Mapping[str, str], arguments: Sequence[str], warm: WarmPython | None, module: str | None
) -> Evaluator:
    with file.open("ab") as log:
        if warm is not None:
            # `submissions worker` would become this program by another start of the interpreter.
            program = module or find_worker_module(has_judge="EARSHOT_JUDGE_MODEL" in environment)
            return warm.start(["-m", program, *arguments], ROOT, environment, (0, log.fileno(), log.fileno()))
        program_words = ("submissions", "worker") if module is None else (module,)
        command = (sys.executable, "-m", *program_words, *arguments)
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)


def _kill(evaluator: Evaluator) -> None:
    evaluator.kill()
    evaluator.wait(60)
