"""SIGKILL of the evaluator between scoring and the decision of competition mode: one decision, and no score shown."""

import io
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from submissions.accounts.credentials import Accounts
from submissions.competitions.competition_service import Competitions
from submissions.operations.integrity import check_installation
from tests.support.kills.forking import Warm
from tests.support.samples.competition_files import MDAR, answer_main, make_request
from tests.support.servers.installation import Installation, install


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A released submission, and a queued one without a significant gain; every test copies them."""
    folder = install(tmp_path_factory.mktemp("competing"))
    place = Installation(folder)
    with closing(place.database):
        competitions = Competitions(place.database, place.catalogues, Accounts(place.database, ("may",)))
        competitions.start_competition(place.may, MDAR, "The answers cannot be redrawn.")
        for name, n_right in (("released", 7), ("killed", 8)):
            data = answer_main(place.key_of(MDAR), n_right)
            place.service.submit(place.ann, make_request(name), io.BytesIO(data))
            if name == "released":
                place.score_all()
    return folder


@pytest.fixture
def place(sent: Path, tmp_path: Path) -> Iterator[Installation]:
    shutil.copytree(sent, tmp_path, dirs_exist_ok=True)
    made = Installation(tmp_path)
    with closing(made.database):
        yield made


@pytest.mark.parametrize("label", ["scored", "recording", "recorded"])
def test_evaluator_killed_around_the_decision_makes_it_once(place: Installation, warm: Warm, label: str) -> None:
    warm.kill("evaluate", place.folder, label=label)
    is_decided = label == "recorded"
    states = "select state from submissions where model_name = 'killed'"
    assert place.query(states) == [("unreleased" if is_decided else "running",)]
    assert place.query("select count(*) from outcomes") == [(1 + is_decided,)]
    place.queue.requeue_lost()
    place.score_all()
    assert place.query(states) == [("unreleased",)]
    assert place.query("select count(*) from outcomes") == [(2,)]
    assert place.query("select count(*) from submission_events where to_state = 'unreleased'") == [(1,)]
    assert place.query("select count(*) from submissions where current_evaluation_id is not null") == [(1,)]
    assert all(result.is_good for result in check_installation(place.database, place.store))
