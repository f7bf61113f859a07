"""SIGKILL of the evaluator while it compares two submissions: the next evaluator computes the same comparison."""

import io
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.records import NewModel
from db.repositories import workers
from submissions.accounts.credentials import Accounts
from submissions.comparisons.comparer import Comparer
from submissions.comparisons.comparison_requests import Comparisons, SubmissionPair
from submissions.jobs.worker_names import worker_name
from submissions.service import Request
from tests.support.kills.forking import Warm
from tests.support.servers.installation import BENCHMARK, Installation, answers, copy_installation, install, statements


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scored submissions."""
    folder = install(tmp_path_factory.mktemp("to-be-compared"))
    place = Installation(folder)
    with closing(place.database):
        for number in (100, 300):
            data = answers(place.key, wrong=frozenset(statements(place.key)[:number]))
            request = Request(BENCHMARK, "default", NewModel(f"m{number}"), allow_missing=True, publish=True)
            place.service.submit(place.ann, request, io.BytesIO(data))
        place.score_all()
    return folder


@pytest.fixture
def place(scored: Path, tmp_path: Path) -> Iterator[Installation]:
    made = copy_installation(scored, tmp_path)
    with closing(made.database):
        yield made


def ask(place: Installation) -> tuple[Comparisons, SubmissionPair]:
    with place.database.write() as transaction:
        workers.record_heartbeat(transaction, worker_name(), {}, datetime.now(UTC), datetime.now(UTC))
    asking = Comparisons(place.database, place.service, Accounts(place.database, ("may",)))
    a, b = (name for (name,) in place.query("select id from submissions order by created_at"))
    pair = asking.find_pair(BENCHMARK.id, a, b, None)
    assert asking.find_or_ask(pair, None) is None
    return asking, pair


@pytest.mark.parametrize("label", ["comparison-claimed", "compared", "comparison-recording"])
def test_comparison_of_a_killed_evaluator_is_completed_by_the_next_one(
    place: Installation, warm: Warm, label: str
) -> None:
    asking, pair = ask(place)
    warm.kill("compare", place.folder, label=label)
    assert asking.find_result(pair) is None
    assert place.query("select state, attempts from comparisons") == [("running", 1)]
    assert Comparer(place.database, place.keys_dir, worker_name()).run_next(), "at once: the other one is known dead"
    found = asking.find_result(pair)
    assert found is not None
    assert found.reason is None
    headline = found.differences[0]
    assert headline.difference == pytest.approx(200 / 2016, abs=1e-3)
    assert place.query("select state, attempts from comparisons") == [("done", 2)]
