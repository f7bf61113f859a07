"""SIGKILL of the evaluator during a re-evaluation: each submission is re-scored once."""

import random
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.kills.forking import Warm
from tests.support.servers.installation import Installation, answers, copy_installation, install, statements
from tests.support.servers.server import ROOT

LABELS = ("step-claimed", "read", "scored", "row-recording", "row-recorded", "switching", "switched", "ranked")
N_SUBMISSIONS = 4


@pytest.fixture(scope="module")
def asked_for(tmp_path_factory: pytest.TempPathFactory, few_resamples: None, warm: Warm) -> Path:
    """Four scored submissions, a corrected key, a preview, and a requested re-evaluation that has not started."""
    folder = install(tmp_path_factory.mktemp("asked-for"))
    place = Installation(folder)
    with closing(place.database):
        ids = statements(place.key)
        for number in range(N_SUBMISSIONS):
            place.submit(answers(place.key, wrong=frozenset(ids[: 4 * number])), f"m{number}")
        place.score_all()
        place.correct()
        assert place.reevaluate(dry_run=True).state == "done"
        place.request_reevaluation(dry_run=False)
    # The answers are parsed once in the warm process, not again in each child.
    read_once = tmp_path_factory.mktemp("read-once")
    shutil.copytree(folder, read_once, dirs_exist_ok=True)
    warm.run("evaluate", read_once, here=True)
    return folder


@pytest.fixture
def place(asked_for: Path, tmp_path: Path) -> Iterator[Installation]:
    made = copy_installation(asked_for, tmp_path)
    with closing(made.database):
        yield made


def check_each_is_scored_anew_once(place: Installation) -> None:
    """One new current and correct score per submission, one event, and one board with one signature."""
    assert place.query("select state from reevaluations order by id") == [("done",), ("done",)]
    assert place.query("select count(*), count(finished_at), count(distinct submission_id) from evaluations") == [
        (2 * N_SUBMISSIONS, 2 * N_SUBMISSIONS, N_SUBMISSIONS)
    ]
    assert place.query("select count(*) from outcomes") == [(2 * N_SUBMISSIONS,)]
    newest = "select max(id) from evaluations group by submission_id order by 1"
    assert place.query("select current_evaluation_id from submissions order by 1") == place.query(newest)
    events = "select submission_id, count(*) from submission_events where text like 'Re-scored%' group by 1"
    assert [n for _, n in place.query(events)] == [1] * N_SUBMISSIONS
    signatures = "select count(distinct signature) from evaluations where id in (select evaluation_id from standings)"
    assert place.query(signatures) == [(1,)]
    # The four corrected statements: correct before in the first file only, afterwards in all others.
    ranked = "select value, rank from standings where slice = 'overall' and metric = 'accuracy' order by rank, value"
    counts = [round((1 - value) * 2016) for value, _ in place.query(ranked)]
    assert counts == [0, 4, 4, 8]
    assert [rank for _, rank in place.query(ranked)] == [1, 2, 2, 4]


@pytest.mark.parametrize("label", LABELS)
def test_reevaluation_killed_at_a_label_rescores_each_submission_once(
    place: Installation, warm: Warm, label: str
) -> None:
    # On the second pass, where there is one: midway.
    times = 1 if label in ("switching", "switched", "ranked") else 2
    warm.kill("evaluate", place.folder, label=label, times=times)
    if label not in ("switched", "ranked"):
        assert place.query("select distinct current_evaluation_id <= 4 from submissions") == [(1,)], "none is switched"
    place.run_reevaluations()
    check_each_is_scored_anew_once(place)


def test_reevaluation_killed_at_every_label_in_turn_rescores_each_submission_once(
    place: Installation, warm: Warm
) -> None:
    for label in LABELS:
        warm.kill("evaluate", place.folder, label=label)
    place.run_reevaluations()
    check_each_is_scored_anew_once(place)


@pytest.mark.parametrize("seed", range(4))
def test_reevaluation_killed_at_random_moments_rescores_each_submission_once(
    place: Installation, warm: Warm, seed: int
) -> None:
    """Four kills before ever later statements; those beyond the end do not happen."""
    rng = random.Random(seed)
    for n_statements in (20, 40, 60, 80):
        warm.run("evaluate", place.folder, statement=rng.randrange(1, n_statements))
    place.run_reevaluations()
    check_each_is_scored_anew_once(place)


# Two processes in parallel, because a warm process runs one child at a time.
EVALUATOR = textwrap.dedent("""
    import sys
    from pathlib import Path
    from tests.support.kills import warm

    warm.evaluate(Path(sys.argv[1]), {}, warm.Death({}), 1)
""")


def test_two_concurrent_evaluators_rescore_each_submission_once(place: Installation) -> None:
    command = [sys.executable, "-c", EVALUATOR, str(place.folder)]
    both = [subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT) for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors.decode()
    place.run_reevaluations()
    check_each_is_scored_anew_once(place)
