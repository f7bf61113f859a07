"""Fixtures of unit tests: an empty database, migrated once, and commits without fsync."""

import pytest

import db.session
from tests.support.servers.quick_databases import PREPARE, commits_do_not_wait_for_the_disk, database, empty

__all__ = ["commits_do_not_wait_for_the_disk", "database", "durable", "empty"]


@pytest.fixture
def durable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the product's connection settings, including fsync."""
    monkeypatch.setattr(db.session, "_prepare_sqlite", PREPARE)
