"""Many packs requested at once: made in the order of requests, while files are scored."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import pytest
from sqlalchemy import select

from db.models import Edition
from db.records import UserRecord
from db.repositories import users
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark, Content, get_benchmark
from evaluation.benchmarks.star_bench import StarBench
from evaluation.streams import derive_edition_seed, opaque_id
from submissions.editions import edition_rendering
from tests.support.editions.edition_places import Editions
from tests.support.servers.installation import Installation, answers

STAR = get_benchmark("star-bench")
N_PACKS = 100
N_CLIENTS = 8
PAUSES = (0, N_PACKS // 2)
"""Packs during which a file is scored, counted in the order of rendering."""
MAX_SECONDS = 120


class FewQuestions(StarBench):
    """Two questions in each edition: the questions of 100 whole ones take a minute."""

    def content(self, key: AnswerKey) -> Content:
        """Return questions whose names depend on the edition, as in every pack."""
        items = tuple(
            replace(item, id=opaque_id(key.seed, item.id, "star-")) for item in STAR.content(_WHOLE).items[:2]
        )
        return Content(self.id, self.version, "test", items, f"{key.edition:0>64}")


_WHOLE = STAR.make_key("test", "whole")
_FEW = FewQuestions("1.0")


class PausingMaker:
    """Makes packs in a thread, and stops in the middle of some of them until it is told to go on."""

    def __init__(self, editions: Editions) -> None:
        self._editions = editions
        self.held, self.go_on = threading.Event(), threading.Event()
        self._n_rendered = 0
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._editions.at["edition-rendered"] = self._pass
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._editions.stop.set()
        self.go_on.set()
        self.wait()

    def wait(self) -> None:
        """Wait until all packs are made."""
        self._thread.join(MAX_SECONDS)
        assert not self._thread.is_alive()

    def _run(self) -> None:
        while not self._editions.stop.is_set() and self._editions.maker.run_next():
            pass

    def _pass(self) -> None:
        number, self._n_rendered = self._n_rendered, self._n_rendered + 1
        self._editions.at["edition-rendered"] = self._pass
        if number in PAUSES:
            self.held.set()
            assert self.go_on.wait(MAX_SECONDS)
            self.go_on.clear()


@pytest.fixture
def editions(place: Installation, monkeypatch: pytest.MonkeyPatch) -> Editions:
    def find_key(_keys_dir: Path, _benchmark: Benchmark, edition: str) -> AnswerKey:
        return replace(_WHOLE, seed=derive_edition_seed(_WHOLE.seed, edition))

    monkeypatch.setattr(edition_rendering, "get_benchmark", lambda _id, _version: _FEW)
    monkeypatch.setattr(edition_rendering, "find_edition_key", find_key)
    monkeypatch.setattr(edition_rendering, "_STEP_SECONDS", 0.001)
    return Editions(place)


def add_users(place: Installation) -> list[UserRecord]:
    with place.database.write() as transaction:
        now = datetime.now(UTC)
        return [users.get_or_add_user(transaction, f"user-{number}", now) for number in range(N_PACKS)]


def test_100_packs_requested_at_once_are_made_in_order_while_files_are_scored(
    editions: Editions, place: Installation
) -> None:
    owners = add_users(place)
    with ThreadPoolExecutor(N_CLIENTS) as clients:
        requested = list(clients.map(lambda owner: editions.service.request_edition(owner, STAR).edition.id, owners))
    with place.database.read() as transaction:
        order = list(transaction.scalars(select(Edition.id).order_by(Edition.pack_wanted_at, Edition.number)))
    assert sorted(order) == sorted(requested)
    waiting = {
        one: editions.service.get_status(one, owner).n_before for one, owner in zip(requested, owners, strict=True)
    }
    assert [waiting[one] for one in order] == list(range(N_PACKS))

    late = ""
    with PausingMaker(editions) as maker:
        for n_made in PAUSES:
            assert maker.held.wait(MAX_SECONDS)
            maker.held.clear()
            submission = place.submit(answers(place.key), f"model {n_made}")
            place.score_all()
            assert place.service.status(submission.id, place.ann).submission.state == "scored"
            states = [editions.service.get_status(one, place.may).state for one in order]
            assert states == ["open"] * n_made + ["making"] + ["queued"] * (N_PACKS - n_made - 1)
            if n_made == PAUSES[-1]:
                # Before the maker goes on: it ends as soon as nothing is left to make.
                late = editions.service.request_edition(owners[0], STAR).edition.id
            maker.go_on.set()
        maker.wait()

    with place.database.read() as transaction:
        made = list(transaction.scalars(select(Edition.id).order_by(Edition.opened_at, Edition.number)))
    assert made == [*order, late]
