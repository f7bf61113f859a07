"""Database errors that do not depend on the SQL library."""

from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

DatabaseError = SQLAlchemyError

# SQLite's names and PostgreSQL's code for a violated unique constraint.
_SQLITE_NAMES = frozenset({"SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
_POSTGRESQL_DUPLICATE = "23505"
_POSTGRESQL_FULL = "53100"

# Failures of the database, as opposed to invalid statements.
DatabaseUnableError = OperationalError


class DuplicateError(Exception):
    """A row that must be unique already exists."""


class UnconfirmedError(Exception):
    """A change cannot be acknowledged, because the database's replica does not have it."""


class NotConfirmedError(UnconfirmedError):
    """A change is stored locally but not yet confirmed by the replica."""

    def __init__(self) -> None:
        """Set the message: state, cause, fix."""
        super().__init__(
            "The change is saved on this server, but not yet confirmed in remote storage. Repeat the request in a "
            "few seconds: it takes effect only once, and a repeated file is recognized."
        )


class NotWritableError(UnconfirmedError):
    """This machine does not hold the replica's lease, so it cannot change the database."""

    def __init__(self) -> None:
        """Set the message: state, cause, fix."""
        super().__init__(
            "The server cannot reach its remote storage, or another server has taken over. Nothing was changed. "
            "Repeat the request in a few seconds."
        )


def is_full(error: BaseException) -> bool:
    """Return whether the database's disk is full."""
    if not isinstance(error, OperationalError):
        return False
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorname", None) == "SQLITE_FULL"
        or getattr(cause, "sqlstate", None) == _POSTGRESQL_FULL
    )


def is_busy(error: BaseException) -> bool:
    """Return whether another process kept the write lock of a SQLite database for too long."""
    name = getattr(error.orig, "sqlite_errorname", None) if isinstance(error, OperationalError) else None
    return name is not None and name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


def is_read_only(error: BaseException) -> bool:
    """Return whether the file of a SQLite database, or its folder, cannot be written to."""
    name = getattr(error.orig, "sqlite_errorname", None) if isinstance(error, OperationalError) else None
    return name is not None and name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN"))


def is_away(error: BaseException) -> bool:
    """Return whether a database server is temporarily unavailable: stopped, starting or overloaded."""
    # SQLite has no server, and errors of its driver lack this attribute.
    return isinstance(error, OperationalError) and hasattr(error.orig, "sqlstate") and not is_full(error)


def is_duplicate(error: IntegrityError) -> bool:
    """Return whether an integrity error is a duplicate key rather than an invalid value."""
    cause = error.orig
    return (
        getattr(cause, "sqlite_errorname", "") in _SQLITE_NAMES
        or getattr(cause, "sqlstate", "") == _POSTGRESQL_DUPLICATE
    )
