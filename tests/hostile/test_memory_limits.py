"""Memory limits of evaluators: work that runs out of memory is tried again, and the evaluator goes on."""

import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from settings import EvaluatorSettings
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.installation import Installation, answers
from tests.support.servers.server import ROOT, wait_for

LIMIT_MB = 2_048
# Memory runs out with the file open, and with the score in hand.
LABELS = ("read", "scored")
GREEDY = """
import os, sys
from submissions.operations.hardening import limit_process
limit_process(1 << 30)
try:
    bytearray(1 << 30)
except MemoryError:
    sys.exit(os.nice(0))
"""


def test_limited_process_gets_no_more_memory_and_yields_to_others() -> None:
    ended = subprocess.run([sys.executable, "-c", GREEDY], cwd=ROOT, timeout=60, check=False)
    assert ended.returncode == 3, "the niceness, after a MemoryError"


def test_evaluator_and_what_it_starts_are_limited(ranked: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(ranked, tmp_path / "data")
    limits = {"EARSHOT_EVALUATOR_MEMORY_MB": str(LIMIT_MB)}
    place = Installation(folder)
    with closing(place.database), run_evaluators(folder, settings=limits) as (running,):
        submitted = place.submit(answers(place.key), "Limited", publish=False)
        wait_for(lambda: place.status(submitted).submission.state == "scored", "a score within the limit")
        evaluator = psutil.Process(running.pid)
        assert evaluator.rlimit(psutil.RLIMIT_AS)[0] == LIMIT_MB << 20
        assert evaluator.nice() == 3
    assert EvaluatorSettings.model_fields["evaluator_memory_mb"].default << 20 > LIMIT_MB << 20


@pytest.mark.parametrize("label", LABELS)
def test_work_beyond_the_memory_of_an_evaluator_waits_and_delays_nobody(
    ranked: Path, tmp_path: Path, label: str
) -> None:
    def run_out() -> None:
        bytearray(1 << 62)

    place = Installation(shutil.copytree(ranked, tmp_path / "data"))
    with closing(place.database):
        small = answers(place.key)
        large, last = place.submit(small, "Large", publish=False), place.submit(small, "Last", publish=False)
        place.at[label] = run_out
        place.score_all()
        assert place.status(large).submission.state == "queued", "it is tried again later"
        assert place.status(last).submission.state == "scored"
        place.change_rows("UPDATE submissions SET not_before = NULL")
        place.score_all()
        assert place.status(large).submission.state == "scored"
