"""The connection to the database, and how a unit of work begins and ends."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, sessionmaker

from db.errors import DatabaseError, DuplicateError, is_duplicate

# What repositories work in; those who hand it on need not know the SQL library.
Transaction = Session

_MIGRATIONS = Path(__file__).parent / "migrations"
_BUSY_SECONDS = 30
# Whoever asks is told within seconds that a server is away, and every thread of a web process may have a connection.
_CONNECT_SECONDS = 5
_POOLED, _AT_MOST = 5, 50
_ONE_PICTURE = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
_UPGRADING = threading.Lock()


class Confirmation(Protocol):
    """Confirms that a change is in a replica of the database before it is acknowledged."""

    def require_writable(self) -> None:
        """Refuse a change before it is made."""

    def confirm_commit(self) -> None:
        """Return once the change that was just committed is in the replica."""

    def confirm_earlier(self) -> None:
        """Return once every change that was committed before is in the replica."""

    def measure_lag(self) -> float | None:
        """Return how many seconds the replica is behind, or None when that is unknown."""


class Database:
    """A database: transactions for writing and for reading, and its schema."""

    def __init__(self, url: str, confirmation: Confirmation | None = None, *, is_replicated: bool = False) -> None:
        """Take a SQLAlchemy URL, and what confirms changes in a replica. Nothing is opened until it is used.

        Whatever writes to a replicated database leaves checkpoints to the process that replicates it.
        """
        self.url = make_url(url)
        self._confirmation = confirmation
        if self.is_sqlite and self.url.database:
            Path(self.url.database).parent.mkdir(parents=True, exist_ok=True)
        self.engine = _create_sqlite(self.url, is_replicated) if self.is_sqlite else _create_postgresql(self.url)
        self._sessions = sessionmaker(self.engine, expire_on_commit=False)
        self._watching: sqlite3.Connection | None = None
        self._opening_watch = threading.Lock()

    @property
    def is_sqlite(self) -> bool:
        """Whether this is SQLite, which has one writer at a time."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def libpq_url(self) -> str:
        """The URL of a PostgreSQL server as other clients of it understand it; it holds the password."""
        return self.url.set(drivername="postgresql").render_as_string(hide_password=False)

    @contextmanager
    def write(self, *, acknowledged: bool = True) -> Iterator[Transaction]:
        """Open a transaction that will write; it commits at the end, or leaves no trace when something raises.

        Where the database has a replica, this returns when the change is there: an acknowledged change cannot be lost.
        An error may tell of an earlier change, so that is confirmed too.

        On SQLite the write lock is taken at the start: a transaction that reads first and then writes would otherwise
        fail at once where another one wrote in between, whatever the busy timeout.

        On PostgreSQL several write at once, and every statement sees what was committed before it began. What is
        decided by reading is read under a lock: of the row that it is about (`lock_user`, `lock_submission`), or of a
        name (`lock_name`). Locks are taken in one order, so that nobody waits in a circle: submission, person, board,
        audit log.

        Args:
            acknowledged: False for a change that is not acknowledged, and is made again if it is lost.

        Raises:
            DuplicateError: Something was added that may be there once and is there already.
            UnconfirmedError: The replica cannot be reached.
        """
        confirmation = self._confirmation if acknowledged else None
        if confirmation is None:
            with self._commit() as session:
                yield session
            return
        confirmation.require_writable()
        try:
            with self._commit() as session:
                yield session
        except DatabaseError:
            raise
        except Exception:
            confirmation.confirm_earlier()
            raise
        confirmation.confirm_commit()

    def confirm_earlier(self) -> None:
        """Return once what was committed before is in the replica: call it before a read acknowledges a change.

        Raises:
            UnconfirmedError: The replica cannot be reached.
        """
        if self._confirmation is not None:
            self._confirmation.confirm_earlier()

    def measure_lag(self) -> float | None:
        """Return how many seconds the replica is behind; None when that is unknown, or there is no replica."""
        return None if self._confirmation is None else self._confirmation.measure_lag()

    @contextmanager
    def _commit(self) -> Iterator[Transaction]:
        try:
            with self._sessions.begin() as session:
                if self.is_sqlite:
                    session.connection(execution_options={"earshot_begin": "IMMEDIATE"})
                yield session
        except IntegrityError as error:
            if is_duplicate(error):
                raise DuplicateError("The record already exists.") from error
            raise

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a transaction that only reads: one consistent picture."""
        with self._sessions() as session:
            if not self.is_sqlite:
                session.connection(execution_options=_ONE_PICTURE)
            yield session

    def upgrade(self) -> None:
        """Bring the schema to the newest revision; safe to call by several processes at once."""
        if self.revision() == self.newest_revision:
            return
        # Two processes that start together must not both create the tables: the second waits, then finds them. Alembic
        # keeps the connection in a global, so threads take turns before that.
        with _UPGRADING, self.engine.connect().execution_options(earshot_begin="IMMEDIATE") as connection:
            if self.is_sqlite:
                _let_tables_be_rebuilt(connection)
            connection.begin()  # Alembic leaves a transaction alone that it finds: all migrations take effect, or none
            if not self.is_sqlite:
                connection.execute(text("select pg_advisory_xact_lock(7860)"))
            # Alembic takes longer to import than everything else here, and a schema is seldom old.
            from db.migrating import run_migrations

            run_migrations(connection, _MIGRATIONS)
            if self.is_sqlite and connection.execute(text("PRAGMA foreign_key_check")).first() is not None:
                raise DatabaseError("A migration left a row with a broken reference. Nothing was changed.")
            connection.commit()

    @property
    def newest_revision(self) -> str:
        """The revision that the code expects."""
        return list_revisions()[0]

    def revision(self) -> str | None:
        """Return the revision that the database is at, or None when it is empty."""
        with self.engine.connect() as connection:
            if not inspect(connection).has_table("alembic_version"):
                return None
            revision: str | None = connection.execute(text("select version_num from alembic_version")).scalar()
            return revision

    def find_version(self) -> int | None:
        """Return a number that another one follows with every commit; None where none is to be had.

        It takes microseconds and waits for nobody, so an event loop may ask; SQLite alone knows one. What was read
        after a number was returned is still so while the same number is.
        """
        if self._watching is None:
            with self._opening_watch:
                self._watching = self._watching or self._watch()
        if self._watching is None:
            return None
        try:
            # A connection is told of the commits of others, so this one never makes any.
            (version,) = self._watching.execute("PRAGMA data_version").fetchone()
        except sqlite3.OperationalError:
            return None
        return int(version)

    def close(self) -> None:
        """Close every connection."""
        if self._watching is not None:
            self._watching.close()
            self._watching = None
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
    """Return every revision of the schema that the code knows, the newest first."""
    # Files are named by their revision, and follow each other in that order.
    files = sorted((_MIGRATIONS / "versions").glob("[0-9]*.py"), reverse=True)
    return [file.name.split("_")[0] for file in files]


def _create_postgresql(url: URL) -> Engine:
    # A connection that the server has ended since it was last used is replaced before anything is asked through it.
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
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # Python's own transaction control begins too late and commits around schema changes; _begin_sqlite does it instead.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_BUSY_SECONDS * 1000}"):
        connection.execute(f"PRAGMA {pragma}")


def _leave_checkpoints(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA wal_autocheckpoint=0")


def _let_tables_be_rebuilt(connection: Connection) -> None:
    """Put off the check of foreign keys: SQLite changes a table by replacing it, and others point at it meanwhile.

    That can only be said outside a transaction. The connection is closed at its end rather than used again.
    """
    connection.detach()
    driver_connection: Any = connection.connection.dbapi_connection
    driver_connection.execute("PRAGMA foreign_keys=OFF")


def _begin_sqlite(connection: Any) -> None:
    mode = connection.get_execution_options().get("earshot_begin", "DEFERRED")
    connection.exec_driver_sql(f"BEGIN {mode}")
