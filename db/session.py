"""Database connection and units of work."""

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker
from sqlalchemy.pool import ConnectionPoolEntry

from db.errors import DatabaseError, DuplicateError, is_duplicate

# Transaction type for repositories, so that their callers need not import the SQL library.
Transaction = Session

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 30
# Between attempts to change the journal mode of a new database, while another connection changes it.
_MODE_CHANGE_SECONDS = 0.01
# A short timeout reports within seconds that the server is away. Every thread of a web process may have a connection.
_CONNECT_SECONDS = 5
_POOLED, _AT_MOST = 5, 50
_ONE_PICTURE = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_UPGRADING = threading.Lock()


class Confirmation(Protocol):
    """Confirmation that a change reached the replica, before it is acknowledged."""

    def require_writable(self) -> None:
        """Reject a change before it is made."""

    def confirm_commit(self) -> None:
        """Return once the replica has the change that was just committed."""

    def confirm_earlier(self) -> None:
        """Return once the replica has every earlier committed change."""

    def measure_lag(self) -> float | None:
        """Return how many seconds the replica is behind, or None if unknown."""


class Database:
    """A database: transactions for writing and reading, and its schema."""

    def __init__(
        self,
        url: str,
        confirmation: Confirmation | None = None,
        *,
        is_replicated: bool = False,
        lock_seconds: float = _BUSY_SECONDS,
    ) -> None:
        """Prepare a database from a SQLAlchemy URL and the confirmation of its replica. It connects on first use.

        Writers to a replicated database leave checkpoints to the replicating process. `lock_seconds` is how long a
        write transaction waits for SQLite's write lock; migrations wait longer.
        """
        self._lock_seconds = lock_seconds
        self.url = make_url(url)
        self._confirmation = confirmation
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = _create_sqlite(self.url, is_replicated) if self.is_sqlite else _create_postgresql(self.url)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)
        self._watching: sqlite3.Connection | None = None
        self._using_watch = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite, which has a single writer at a time."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def libpq_url(self) -> str:
        """URL of a PostgreSQL server in libpq form. It contains the password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    @contextmanager
    def write(self, *, acknowledged: bool = True, waits: bool = True) -> Iterator[Transaction]:
        """Open a write transaction that commits at the end, or rolls back if an exception is raised.

        If the database has a replica, this returns once the replica has the change, so acknowledged changes cannot be
        lost. An error may reveal an earlier change, so that is confirmed too.

        SQLite takes the write lock at the start. Otherwise a transaction that reads first and then writes would fail at
        once if another one wrote in between, whatever the busy timeout.

        PostgreSQL allows concurrent writers, and every statement sees what was committed before it began. Decisions
        based on reads need a lock: on the row (`lock_user`, `lock_submission`) or on a name (`lock_name`). To avoid
        deadlocks, take locks in this order: submission, evaluation, user, board, audit log.

        Args:
            acknowledged: False for a change that is not acknowledged, and is repeated if it is lost.
            waits: False for a change that a busy database may refuse at once.

        Raises:
            DuplicateError: A row that must be unique already exists.
            UnconfirmedError: The replica cannot be reached.
        """
        confirmation = self._confirmation if acknowledged else None
        if confirmation is None:
            with self._commit(waits=waits) as session:
                yield session
            return
        confirmation.require_writable()
        try:
            with self._commit(waits=waits) as session:
                yield session
        except DatabaseError:
            raise
        except Exception:
            confirmation.confirm_earlier()
            raise
        confirmation.confirm_commit()

    def confirm_earlier(self) -> None:
        """Wait until the replica has all earlier commits. Call it before a read acknowledges a change.

        Raises:
            UnconfirmedError: The replica cannot be reached.
        """
        if self._confirmation is not None:
            self._confirmation.confirm_earlier()

    def measure_lag(self) -> float | None:
        """Return how many seconds the replica is behind; None if unknown, or without a replica."""
        return None if self._confirmation is None else self._confirmation.measure_lag()

    @contextmanager
    def _commit(self, *, waits: bool) -> Iterator[Transaction]:
        try:
            with self._sessions.begin() as session:
                if self.is_sqlite:
                    seconds = self._lock_seconds if waits else 0.0
                    session.connection(execution_options={"earshot_begin": "IMMEDIATE", "earshot_lock": seconds})
                yield session
        except IntegrityError as error:
            if is_duplicate(error):
                raise DuplicateError("The record already exists.") from error
            raise

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a read transaction with a consistent snapshot."""
        with self._sessions() as session:
            if not self.is_sqlite:
                session.connection(execution_options=_ONE_PICTURE)
            yield session

    def upgrade(self) -> None:
        """Upgrade the schema to the newest revision. Several processes may call it at once."""
        if self.revision() == self.newest_revision:
            return
        # Two processes that start together must not both create the tables: the second one waits and then finds them.
        # Alembic keeps the connection in a global, so threads must take turns before that.
        with _UPGRADING, self.engine.connect().execution_options(earshot_begin="IMMEDIATE") as connection:
            if self.is_sqlite:
                _let_tables_be_rebuilt(connection)
            connection.begin()  # Alembic does not commit an existing transaction: all migrations apply, or none.
            if not self.is_sqlite:
                connection.execute(text("select pg_advisory_xact_lock(7860)"))
            # Import Alembic only when needed: it takes longer than all other imports, and schemas are rarely outdated.
            from db.migrating import run_migrations

            run_migrations(connection, _MIGRATIONS)
            if self.is_sqlite and connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
                raise DatabaseError("A migration left a row with a broken reference. Nothing was changed.")
            connection.commit()

    @property
    def newest_revision(self) -> str:
        """Newest revision that the code knows."""
        return list_revisions()[0]

    def revision(self) -> str | None:
        """Return the revision of the database, or None if it is empty."""
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            revision: str | None = connection.execute(text("select version_num from alembic_version")).scalar()
            return revision

    def find_version(self) -> int | None:
        """Return a number that changes with every commit; None if unavailable.

        It takes microseconds and never blocks, so event loops and any thread may call it. Only SQLite provides it. Data
        read after a number was returned stay valid while the number stays the same.
        """
        # SQLite crashes where one thread closes a connection that another uses.
        with self._using_watch:
            self._watching = self._watching or self._watch()
            if self._watching is None:
                return None
            try:
                # A connection sees the commits of others only, so this one never commits.
                (version,) = self._watching.execute("PRAGMA data_version").fetchone()
            except sqlite3.OperationalError:
                return None
        return int(version)

    def close(self) -> None:
        """Close every connection; connections in use by other threads are closed when they are returned."""
        with self._using_watch:
            if self._watching is not None:
                self._watching.close()
                self._watching = None
        event.listen(self.engine, "checkin", _close_returned)
        self.engine.dispose()

    def _watch(self) -> sqlite3.Connection | None:
        if not self.is_sqlite or not self.url.database:
            return None
        address = f"{Path(self.url.database).absolute().as_uri()}?mode=rw"
        try:
            return sqlite3.connect(address, uri=True, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.OperationalError:
            return None


def list_revisions() -> list[str]:
    """Return every schema revision that the code knows, newest first."""
    # Files are named by revision, and sort in that order.
    files = sorted((_MIGRATIONS / "versions").glob("[0-9]*.py"), reverse=True)
    return [file.name.split("_")[0] for file in files]


def _create_postgresql(url: URL) -> Engine:
    # Replace connections that the server closed since their last use before sending a query.
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_size=_POOLED,
        max_overflow=_AT_MOST - _POOLED,
        connect_args={"connect_timeout": _CONNECT_SECONDS},
    )


def _create_sqlite(url: URL, is_replicated: bool) -> Engine:
    engine = create_engine(url, connect_args={"timeout": _BUSY_SECONDS}, json_deserializer=orjson.loads)
    if is_replicated:
        event.listen(engine, "connect", _leave_checkpoints)
    event.listen(engine, "do_connect", _create_private_file)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _create_private_file(_dialect: Any, _record: Any, arguments: Sequence[Any], _options: Any) -> None:
    # SQLite would create the file for all users to read; its journals get the mode of the file.
    path = Path(arguments[0])
    if path.is_absolute() and not path.exists() and path.parent.is_dir():
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # Python's own transaction control begins too late and commits around schema changes; _begin_sqlite replaces it.
    connection.isolation_level = None
    _use_write_ahead_log(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    # Of several connections that change the mode of a new database at once, SQLite refuses all but one immediately: its
    # busy timeout does not apply to readers that become writers.
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
        time.sleep(_MODE_CHANGE_SECONDS)


def _leave_checkpoints(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA wal_autocheckpoint=0")


def _close_returned(_connection: Any, record: ConnectionPoolEntry) -> None:
    # Disposing of an engine closes idle connections only. Others would return to a pool that nobody closes again.
    record.invalidate()


def _let_tables_be_rebuilt(connection: Connection) -> None:
    """Postpone foreign key checks: SQLite alters a table by replacing it, while other tables refer to it.

    This works outside transactions only. The connection is closed at the end rather than reused.
    """
    connection.detach()
    driver_connection: Any = connection.connection.dbapi_connection
    driver_connection.execute("PRAGMA foreign_keys=OFF")


def _begin_sqlite(connection: Any) -> None:
    options = connection.get_execution_options()
    mode = options.get("earshot_begin", "DEFERRED")
    if mode == "IMMEDIATE":
        # The connection may have waited less in an earlier transaction.
        milliseconds = int(1000 * options.get("earshot_lock", _BUSY_SECONDS))
        connection.exec_driver_sql(f"PRAGMA busy_timeout={milliseconds}")
    connection.exec_driver_sql(f"BEGIN {mode}")
