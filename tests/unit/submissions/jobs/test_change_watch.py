"""Polling of an idle evaluator: after every commit, and otherwise every two seconds."""

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
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as opened:
        opened.upgrade()
        yield opened


def commit(database: Database, name: str) -> None:
    with database.write() as transaction:
        users.get_or_add_user(transaction, name, datetime.now(UTC))


def test_work_is_checked_once_after_each_commit(database: Database) -> None:
    changes = ChangeWatch(database, Clock())
    assert changes.may_find_work(), "on the first check"
    assert not changes.may_find_work()
    for name in ("ann", "bob"):
        commit(database, name)
        assert changes.may_find_work()
        assert not changes.may_find_work()


def test_due_work_without_a_commit_is_checked_every_two_seconds(database: Database) -> None:
    clock = Clock()
    changes = ChangeWatch(database, clock)
    checks = []
    for _ in range(9):
        checks.append(changes.may_find_work())
        clock.seconds += 0.5
    assert checks == [True, False, False, False, True, False, False, False, True]


def test_each_watch_notices_a_commit_independently(database: Database) -> None:
    watches = [ChangeWatch(database, Clock()) for _ in range(2)]
    assert [changes.may_find_work() for changes in watches] == [True, True]
    commit(database, "ann")
    assert [changes.may_find_work() for changes in watches] == [True, True]
    assert [changes.may_find_work() for changes in watches] == [False, False]


def test_work_is_always_possible_if_commits_are_not_numbered(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/missing.db")) as database:
        changes = ChangeWatch(database, Clock())
        assert [changes.may_find_work() for _ in range(3)] == [True] * 3
