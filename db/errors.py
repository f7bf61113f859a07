"""Errors of the database, in words that need no SQL library."""

from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

DatabaseError = SQLAlchemyError

# SQLite's names and PostgreSQL's code of a value that has to be unique and is there already.
_SQLITE_NAMES = frozenset({"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
_POSTGRESQL_DUPLICATE = "23505"
_POSTGRESQL_FULL = "53100"

# What the database could not do, as against what it was asked wrongly.
DatabaseUnableError = OperationalError


class DuplicateError(Exception):
    """Something that may be there once is there already."""


class UnconfirmedError(Exception):
    """A change may not be acknowledged, because the database's replica did not take part in it."""


class NotConfirmedError(UnconfirmedError):
    """A change is stored here, and is not confirmed in the replica yet."""

    def __init__(self) -> None:
        """Say what is so, why, and what to do."""
        super().__init__(
            "The change is saved on this server, but not yet confirmed in remote storage. Repeat the request in a "
            "few seconds: it takes effect only once, and a repeated file is recognized."
        )


class NotWritableError(UnconfirmedError):
    """This machine does not hold the lease of the replica, so it changes nothing."""

    def __init__(self) -> None:
        """Say what is so, why, and what to do."""
        super().__init__(
            "The server cannot reach its remote storage, or another server has taken over. Nothing was changed. "
            "Repeat the request in a few seconds."
        )


def is_full(error: BaseException) -> bool:
    """Tell whether the database has no room left on its disk."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorname", None) == "SQLITE_FULL"
        or getattr(cause, "sqlstate", None) == _POSTGRESQL_FULL
    )


def is_away(error: BaseException) -> bool:
    """Tell whether a database server cannot do its work for the moment: it is stopped, starts, or is overloaded."""
    # SQLite has no server; its driver's errors have no such attribute.
    return isinstance(error, OperationalError) and hasattr(error.orig, "sqlstate") and not is_full(error)


def is_duplicate(error: IntegrityError) -> bool:
    """Tell whether a refusal is about something that is there already, rather than about a value that may never be."""
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorname", "") in _SQLITE_NAMES
        or getattr(cause, "sqlstate", "") == _POSTGRESQL_DUPLICATE
    )
