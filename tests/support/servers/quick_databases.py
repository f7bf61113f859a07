"""Fixtures for tests that fill databases themselves: no fsync on commit, and copies of one migrated database."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

import db.session
from db.session import Database

PREPARE = db.session._prepare_sqlite


def _prepare_without_syncing(connection: Any, record: Any) -> None:
    PREPARE(connection, record)
    connection.execute("PRAGMA synchronous=OFF")


@contextmanager
def commit_without_syncing() -> Iterator[None]:
    """Disable fsync on commit: it takes most of the time of many tests and matters only after a power failure."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(db.session, "_prepare_sqlite", _prepare_without_syncing)
        yield


@pytest.fixture(scope="module", autouse=True)
def commits_do_not_wait_for_the_disk() -> Iterator[None]:
    with commit_without_syncing():
        yield


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Empty database with the newest schema, migrated once; tests copy it."""
    path = tmp_path_factory.mktemp("empty") / "earshot.db"
    with closing(Database(f"sqlite:///{path}")) as opened:
        opened.upgrade()
    return path


@pytest.fixture
def database(empty: Path, tmp_path: Path) -> Iterator[Database]:
    """A test's own empty database."""
    shutil.copy(empty, tmp_path)
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as opened:
        yield opened
