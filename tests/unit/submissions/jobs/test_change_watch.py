"""Polling of an idle evaluator: after every commit, and otherwise every other second."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from db.repositories import users
from db.session import Database
from submissions.jobs.change_watch import ChangeWatch


@dataclass
class Clock:
    seconds: float = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as made:
        made.upgrade()
        yield made


def commit(database: Database, name: str) -> None:
    with database.write() as transaction:
        users.get_or_add_user(transaction, name, datetime.now(UTC))


def test_work_is_looked_for_once_after_each_commit(database: Database) -> None:
    changes = ChangeWatch(database, Clock())
    assert changes.may_find_work(), "at the first look"
    assert not changes.may_find_work()
    for name in ("ann", "bob"):
        commit(database, name)
        assert changes.may_find_work()
        assert not changes.may_find_work()


def test_work_that_falls_due_without_a_commit_is_looked_for_every_other_second(database: Database) -> None:
    clock = Clock()
    changes = ChangeWatch(database, clock)
    looks = []
    for _ in range(9):
        looks.append(changes.may_find_work())
        clock.seconds += 0.5
    assert looks == [True, False, False, False, True, False, False, False, True]


def test_each_watch_notices_a_commit_on_its_own(database: Database) -> None:
    both = [ChangeWatch(database, Clock()) for _ in range(2)]
    assert [changes.may_find_work() for changes in both] == [True, True]
    commit(database, "ann")
    assert [changes.may_find_work() for changes in both] == [True, True]
    assert [changes.may_find_work() for changes in both] == [False, False]


def test_there_may_always_be_work_where_commits_are_not_numbered(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/missing.db")) as database:
        changes = ChangeWatch(database, Clock())
        assert [changes.may_find_work() for _ in range(3)] == [True] * 3
