"""Fixtures of unit tests: an empty database, migrated once, and commits that do not wait for the disk."""

import pytest

import db.session
from tests.support.servers.quick_databases import PREPARE, commits_do_not_wait_for_the_disk, database, empty

__all__ = ["commits_do_not_wait_for_the_disk", "database", "durable", "empty"]


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set connections up as the product does."""
    monkeypatch.setattr(db.session, "_prepare_sqlite", PREPARE)
