"""Copies of a whole database file, taken while others write."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import NotSupportedError, OperationalError

from db.session import Database

_ALL_PAGES = -1


def copy_database(database: Database, target: Path) -> None:
    """Write a consistent copy of a database into a new file, with SQLite's own backup.

    All pages are read in one step: that is one snapshot, and in WAL mode it blocks nobody. A copy in several steps
    would restart whenever another process wrote in between, and under load it would never end.

    Raises:
        DatabaseError: The database cannot be read, or the target cannot be written.
    """
    if not database.is_sqlite:
        raise NotSupportedError("backup", {}, Exception("only SQLite is copied; use pg_dump for PostgreSQL"))
    with database.engine.connect() as connection, closing(sqlite3.connect(target)) as copy:
        try:
            source = connection.connection.driver_connection
            source.backup(copy, pages=_ALL_PAGES)  # type: ignore[union-attr]
        except sqlite3.Error as error:
            raise OperationalError("backup", {}, error) from error
    make_one_file(target)


def make_one_file(path: Path) -> None:
    """Merge the journals of an unused database into its file, and remove them.

    Raises:
        DatabaseError: The journals cannot be merged.
    """
    try:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise OperationalError("backup", {}, error) from error
