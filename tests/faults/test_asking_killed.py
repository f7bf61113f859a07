"""SIGKILL of the evaluator during an endpoint evaluation: no answered question is asked again, and the scores are the
same.
"""

import asyncio
import random
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from evaluation import get_benchmark
from evaluation.types import Prediction
from submissions.endpoints.runner import list_questions
from submissions.lifecycle import TRANSITIONS
from tests.support.endpoints.endpoint_installation import SECRET, EndpointInstallation
from tests.support.endpoints.misbehaving import ScriptedServer, ServedRequest, make_completion, run_server
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython

TRACES = get_benchmark("audio-process-bench", "synthetic-3")
N_KILLS = 1
N_KILLS_IN_SOAK = 4
N_PROBES = 4
SETTINGS = {"EARSHOT_SECRET_KEY": SECRET, "EARSHOT_ALLOW_LOOPBACK_ENDPOINTS": "1"}


async def say_by_question(asked: ServedRequest, writer: asyncio.StreamWriter) -> None:
    """Answer as a function of the question."""
    await asyncio.sleep(0.005)
    length = len(asked.question)
    writer.write(make_completion('{"steps": [' + ", ".join(str((length >> bit) & 1) for bit in range(8)) + "]}"))


@pytest.fixture(scope="module")
def asking(ranked: Path, tmp_path_factory: pytest.TempPathFactory) -> EndpointInstallation:
    """An installation past its first start, so that evaluators have nothing else to do."""
    return EndpointInstallation(shutil.copytree(ranked, tmp_path_factory.mktemp("asked"), dirs_exist_ok=True))


def test_endpoint_evaluation_resumes_after_kills_without_repeating_requests_and_gives_the_same_scores(
    asking: EndpointInstallation, warm_python: WarmPython, soak: bool
) -> None:
    moments = random.Random(6)
    n_kills = N_KILLS_IN_SOAK if soak else N_KILLS
    with closing(asking.place.database), run_server(say_by_question) as served:
        added = asking.approved(served.url, TRACES, concurrency=2)
        for _ in range(n_kills):
            kill_after(asking.place.folder, served, moments.randrange(40, 130), warm_python)
        with run_evaluators(asking.place.folder, settings=SETTINGS, warm=warm_python):
            # A complete status takes milliseconds, and the processor time of the evaluator that it waits for.
            scored = "select id from submissions where state = 'scored'"
            wait_for(lambda: (added.id,) in asking.place.query(scored), "the score")
        status, key = asking.status(added), asking.evaluator.find_key_of(added)
        n_questions = len(list_questions(TRACES, key, "few-shot"))
        assert N_PROBES + n_questions <= len(served.asked) <= 1.02 * (N_PROBES + n_questions)
        kept = asking.place.query("select item, run, text from responses")
        report = TRACES.score(key, [Prediction(*row) for row in kept], setting="few-shot", system="Asked")
    assert len(kept) == len({row[:2] for row in kept}) == n_questions
    figures = {(name, metric): score.value for name, metric, score in TRACES.disclose(report)}
    assert {(score.slice, score.metric): score.value for score in status.scores} == figures
    steps = [(event.from_state, event.to_state) for event in status.events if event.from_state != event.to_state]
    assert all(before is None or after in TRANSITIONS[before] for before, after in steps)  # type: ignore[index]
    assert sum(step == ("running", "queued") for step in steps) == n_kills


def kill_after(folder: Path, served: ScriptedServer, n_more: int, warm: WarmPython) -> None:
    """Start an evaluator, and kill it after some more requests."""
    before = len(served.asked)
    with run_evaluators(folder, settings=SETTINGS, warm=warm):
        wait_for(lambda: len(served.asked) >= before + n_more, "questions")
