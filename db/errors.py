"""What can go wrong with the database, in words that need no SQL library."""

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

DatabaseError = SQLAlchemyError

# SQLite's names and PostgreSQL's code of a value that has to be unique and is there already.
_SQLITE_NAMES = frozenset({"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
_POSTGRESQL_STATE = "23505"


class DuplicateError(Exception):
    """Something that may be there once is there already."""


def is_duplicate(error: IntegrityError) -> bool:
    """Tell whether a refusal is about something that is there already, rather than about a value that may never be."""
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorname", "") in _SQLITE_NAMES or getattr(cause, "sqlstate", "") == _POSTGRESQL_STATE
    )
