"""Two evaluators score two submissions of one owner at once: competition mode releases one of them."""

import io
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from submissions.accounts.credentials import Accounts
from submissions.competitions.competition_service import Competitions
from submissions.jobs.registration import register_all
from tests.support.samples.competition_files import MDAR, answer_main, make_request
from tests.support.servers.installation import Installation
from tests.support.servers.postgres import Databases

pytestmark = pytest.mark.postgres


@pytest.fixture
def evaluators(databases: Databases, tmp_path: Path) -> Iterator[tuple[Installation, Installation]]:
    with databases.lend("postgresql", tmp_path) as url:
        first, second = Installation(tmp_path, url), Installation(tmp_path, url)
        with closing(first.database), closing(second.database):
            register_all(first.database, first.keys_dir)
            competitions = Competitions(first.database, first.catalogues, Accounts(first.database, ("may",)))
            competitions.start_competition(first.may, MDAR, "The answers cannot be redrawn.")
            yield first, second


def test_first_submissions_scored_at_once_begin_one_series(evaluators: tuple[Installation, Installation]) -> None:
    first = evaluators[0]
    data = answer_main(first.key_of(MDAR), 7)
    settings = ("default", "noise", "cascaded")
    for setting in settings:
        together = threading.Barrier(2)
        for place in evaluators:
            place.at["scored"] = together.wait  # type: ignore[assignment]
        for name in ("one + two", "three + four"):
            first.service.submit(first.ann, make_request(name, setting=setting), io.BytesIO(data))
        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(lambda place: place.evaluator.run_next(), evaluators)) == [True, True]
        found = first.query(f"select state from submissions where setting = '{setting}' order by state")  # noqa: S608
        assert found == [("scored",), ("unreleased",)], setting
