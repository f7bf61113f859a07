"""What unit tests share: an empty database that is made once, and commits that do not wait for the disk."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import db.session
from db.session import Database

_PREPARE = db.session._prepare_sqlite


def _prepare_without_syncing(connection: Any, record: Any) -> None:
    _PREPARE(connection, record)
    connection.execute("PRAGMA synchronous=OFF")


@pytest.fixture(scope="module", autouse=True)
def _commits_do_not_wait_for_the_disk() -> Iterator[None]:
    """Let commits be fast, which a crash of the system alone could tell: it takes most of the time of many tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db.session, "_prepare_sqlite", _prepare_without_syncing)
        yield


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections be set up as they are outside of unit tests."""
    monkeypatch.setattr(db.session, "_prepare_sqlite", _PREPARE)


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the newest schema and nothing in it, to be copied: bringing one up takes a while."""
    path = tmp_path_factory.mktemp("empty") / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
    return path


@pytest.fixture
def database(empty: Path, tmp_path: Path) -> Iterator[Database]:
    """An empty database of the test's own."""
    shutil.copy(empty, tmp_path)
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as opened:
        yield opened
