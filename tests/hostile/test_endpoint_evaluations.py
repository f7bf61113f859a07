"""Hostile endpoints through a whole evaluation: each ends in a clear state, and the evaluator goes on.

The evaluator is a process with limits of a second (`tests.support.endpoints.impatient_evaluator`). The suite runs one
case of twelve, the soak all.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db.records import SubmissionRecord
from tests.support.endpoints.endpoint_installation import KEY, SECRET, EndpointInstallation
from tests.support.endpoints.hostile_endpoints import (
    HONEST,
    HOSTILE,
    N_PROBES,
    SCORED,
    HostileServer,
    list_cases,
    run_hostile_server,
)
from tests.support.servers.evaluators import run_evaluators
from tests.support.servers.server import wait_for
from tests.support.servers.warm_processes import WarmPython

SETTINGS = {"EARSHOT_SECRET_KEY": SECRET, "EARSHOT_ALLOW_LOOPBACK_ENDPOINTS": "1"}
IMPATIENT = "tests.support.endpoints.impatient_evaluator"
N_QUESTIONS = 21
SHARE_IN_SUITE = 12
MAX_GROWTH_KB = 150_000
# At most 2 calls a question, and a few before the circuit opens; production allows 6.
MAX_CALLS = N_PROBES + 2 * N_QUESTIONS


@pytest.fixture
def hostile(ranked: Path, tmp_path: Path) -> Iterator[EndpointInstallation]:
    """An installation past its first start, so that evaluators have nothing else to do."""
    made = EndpointInstallation(shutil.copytree(ranked, tmp_path, dirs_exist_ok=True))
    with closing(made.place.database):
        yield made


def test_hostile_endpoints_end_in_a_clear_state_and_the_evaluator_goes_on(
    hostile: EndpointInstallation, warm_python: WarmPython, soak: bool, subtests: pytest.Subtests
) -> None:
    assert len(HOSTILE) >= 40
    cases = list_cases()
    if not soak:
        cases = dict(list(cases.items())[::SHARE_IN_SUITE])
    with run_hostile_server() as served:
        added = {case: hostile.approved(served.find_url(case)) for case in cases}
        log = hostile.place.folder / "worker.log"
        with run_evaluators(hostile.place.folder, settings=SETTINGS, warm=warm_python, module=IMPATIENT) as running:
            wait_for_end(hostile, ask_honestly(hostile, served, "before"))
            before = read_peak(running[0].pid)
            for submission in added.values():
                wait_for_end(hostile, submission)
            assert wait_for_end(hostile, ask_honestly(hostile, served, "after")) == SCORED
            assert running[0].poll() is None, log.read_text()[-2_000:]
            growth = read_peak(running[0].pid) - before
        for case, ending in cases.items():
            with subtests.test(case=case):
                check_ending(hostile, added[case], ending)
                assert served.counts[case] <= MAX_CALLS
        assert growth < MAX_GROWTH_KB
        text = log.read_text()
        assert "Traceback" not in text, text[-3_000:]
        assert "incident" not in text, text[-3_000:]
        assert KEY not in text
    assert not find_key(hostile.place.folder)


def ask_honestly(hostile: EndpointInstallation, served: HostileServer, moment: str) -> SubmissionRecord:
    return hostile.approved(served.find_url(f"{HONEST}/{moment}"))


def wait_for_end(hostile: EndpointInstallation, submission: SubmissionRecord) -> str:
    """Wait until an evaluation has ended, and return its state. A complete status costs the evaluator's time."""
    ended = "select id, state from submissions where state in ('scored', 'failed')"
    states: dict[str, str] = wait_for(
        lambda: found if submission.id in (found := dict(hostile.place.query(ended))) else None, "the end"
    )
    return states[submission.id]


def check_ending(hostile: EndpointInstallation, submission: SubmissionRecord, ending: str) -> None:
    """Check the state of an ended evaluation, and that its reason is one short printable line."""
    status = hostile.status(submission)
    found = status.submission
    assert (found.reason_code or found.state) == ending, found.reason
    assert found.state == (SCORED if ending == SCORED else "failed")
    if ending == SCORED:
        assert status.evaluation is not None
        return
    assert found.reason is not None
    assert re.fullmatch(r"[^\s].{10,600}\.?", found.reason)
    assert found.reason.isprintable()


def read_peak(pid: int) -> int:
    """Return the largest memory of a process so far, in kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def find_key(folder: Path) -> list[Path]:
    """Return the files that contain the key of the endpoints."""
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
