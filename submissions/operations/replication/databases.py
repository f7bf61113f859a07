"""Databases of the processes of one server, with or without a replica."""

from pathlib import Path

from db.session import Database
from submissions.operations.replication.confirmation import open_confirmation


def open_database(url: str, database: Path, data_dir: Path, *, is_replicated: bool) -> Database:
    """Return the database of the web process.

    Args:
        url: SQLAlchemy URL.
        database: File of a SQLite database.
        data_dir: The data folder.
        is_replicated: Whether the launcher replicates it.
    """
    if not is_replicated:
        return Database(url)
    return Database(url, open_confirmation(data_dir, database), is_replicated=True)
