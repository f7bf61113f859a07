"""Databases of the processes of one server, with or without a replica."""

from pathlib import Path

from db.session import Database
from submissions.operations.replication.confirmation import open_confirmation


def open_database(
    url: str, database: Path, data_dir: Path, *, is_replicated: bool, lock_seconds: float = 30.0
) -> Database:
    """Return the database of the web process.

    Args:
        url: SQLAlchemy URL.
        database: File of a SQLite database.
        data_dir: The data folder.
        is_replicated: Whether the launcher replicates it.
        lock_seconds: How long a change waits for SQLite's write lock.
    """
    if not is_replicated:
        return Database(url, lock_seconds=lock_seconds)
    confirmation = open_confirmation(data_dir, database)
    return Database(url, confirmation, is_replicated=True, lock_seconds=lock_seconds)
