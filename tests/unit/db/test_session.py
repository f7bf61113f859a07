"""Database sessions: transactions without lost updates, and concurrent schema upgrades."""

import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, select, text, update
from sqlalchemy.exc import IntegrityError, StatementError

import db.session
from db.models import Base, Board, User
from db.session import Database

NOW = datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC)
ROOT = Path(db.session.__file__).parent.parent
N_THREADS = 4
N_TIMES = 25


@pytest.fixture
def board(database: Database) -> Database:
    with database.write() as transaction:
        transaction.add(Board(benchmark="b", version="1", setting="s", revision=0, changes=0, updated_at=NOW))
    return database


def count_changes(database: Database) -> int:
    with database.read() as transaction:
        return transaction.scalars(select(Board.changes)).one()


def add_user(database: Database, name: str) -> None:
    with database.write() as transaction:
        transaction.add(User(name=name, created_at=NOW))


def run_together(work: Callable[[], None], n_threads: int = N_THREADS) -> list[BaseException]:
    """Run the same work in several threads that start together; return the exceptions."""
    start = threading.Barrier(n_threads)
    raised: list[BaseException] = []

    def body() -> None:
        start.wait()
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - handed to the test
            raised.append(error)

    threads = [threading.Thread(target=body) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_concurrent_read_and_write_transactions_never_fail_or_lose_updates(board: Database) -> None:
    def increment() -> None:
        for _ in range(N_TIMES):
            with board.write() as transaction:
                seen = transaction.scalars(select(Board.changes)).one()
                transaction.execute(update(Board).values(changes=seen + 1))

    assert run_together(increment) == []
    assert count_changes(board) == N_THREADS * N_TIMES


def test_write_takes_the_lock_before_the_first_read(board: Database, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "earshot.db", timeout=0)) as other:
        with board.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")


def test_read_does_not_wait_for_a_writer_or_see_its_changes(board: Database) -> None:
    with board.write() as writing:
        writing.execute(update(Board).values(changes=7))
        assert count_changes(board) == 0
    assert count_changes(board) == 7


def test_read_is_a_consistent_snapshot_during_writes(board: Database) -> None:
    with board.read() as reading:
        before = reading.scalars(select(Board.changes)).one()
        with board.write() as writing:
            writing.execute(update(Board).values(changes=9))
        assert reading.execute(select(Board.changes)).scalar_one() == before
    assert count_changes(board) == 9


def test_failed_write_is_rolled_back(database: Database) -> None:
    with pytest.raises(RuntimeError, match="on purpose"), database.write() as transaction:
        transaction.add(User(name="nobody", created_at=NOW))
        transaction.flush()
        raise RuntimeError("on purpose")
    with database.read() as transaction:
        assert transaction.scalars(select(User)).all() == []
    add_user(database, "nobody")


def test_accidental_write_in_a_read_is_rolled_back(database: Database) -> None:
    with database.read() as transaction:
        transaction.add(User(name="nobody", created_at=NOW))
        transaction.flush()
    with database.read() as transaction:
        assert transaction.scalars(select(User)).all() == []


def test_foreign_keys_are_checked(database: Database) -> None:
    with pytest.raises(IntegrityError), database.write() as transaction:
        transaction.execute(
            text("insert into api_tokens (user_id, label, digest, created_at) values (999, '', '', '2026-01-01')")
        )


@pytest.mark.usefixtures("durable")
@pytest.mark.parametrize(
    ("pragma", "value"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 30_000)],
)
def test_sqlite_connection_is_durable(database: Database, pragma: str, value: object) -> None:
    with database.read() as transaction:
        assert transaction.execute(text(f"pragma {pragma}")).scalar_one() == value


def test_time_is_returned_in_utc_from_any_zone(database: Database) -> None:
    east = NOW.astimezone(timezone(timedelta(hours=9)))
    with database.write() as transaction:
        transaction.add(User(name="a", created_at=east))
    with database.read() as transaction:
        stored = transaction.scalars(select(User.created_at)).one()
    assert stored == NOW
    assert stored.tzinfo is UTC


def test_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="has no time zone"), database.write() as transaction:
        transaction.add(User(name="a", created_at=NOW.replace(tzinfo=None)))


def test_missing_folder_of_a_database_is_created(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/deep/er/earshot.db")) as database:
        database.upgrade()
    assert (tmp_path / "deep" / "er" / "earshot.db").is_file()


def test_upgrade_of_an_empty_database_reaches_the_newest_revision(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        assert database.revision() is None
        database.upgrade()
        assert database.revision() == database.newest_revision is not None
        database.upgrade()
        assert set(inspect(database.engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}


# Neither database can report the expressions of an index; test_board_plans shows that they are used.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
def test_models_match_the_migrations(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def alembic_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "db" / "migrations"))
    return config


def test_migrations_are_linear() -> None:
    script = ScriptDirectory.from_config(alembic_config())
    assert len(script.get_heads()) == len(script.get_bases()) == 1
    for number, revision in enumerate(reversed(list(script.walk_revisions())), start=1):
        assert revision.revision == f"{number:04}"


def test_downgrade_to_base_leaves_no_table_and_upgrade_restores_all(database: Database) -> None:
    config = alembic_config()
    with database.engine.connect().execution_options(earshot_begin="IMMEDIATE") as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        connection.commit()
    assert inspect(database.engine).get_table_names() == ["alembic_version"]
    assert database.revision() is None
    database.upgrade()
    assert set(inspect(database.engine).get_table_names()) == {*Base.metadata.tables, "alembic_version"}


def test_failed_upgrade_leaves_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_config: Config, _revision: str) -> None:
        connection = _config.attributes["connection"]
        connection.execute(text("create table half_way (id integer)"))
        raise RuntimeError("power cut")

    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        monkeypatch.setattr(command, "upgrade", fail)
        with pytest.raises(RuntimeError, match="power cut"):
            database.upgrade()
        monkeypatch.undo()
        assert inspect(database.engine).get_table_names() == []
        database.upgrade()


def test_version_changes_with_each_commit_only(empty: Path, tmp_path: Path) -> None:
    path = tmp_path / "a folder with % and ?" / "earshot.db"
    path.parent.mkdir()
    shutil.copy(empty, path)
    with closing(Database("sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F"))) as database:
        seen = [database.find_version()]
        for number in range(5):
            with database.write() as transaction:
                transaction.add(User(name=f"u{number}", created_at=NOW))
                transaction.flush()
                assert database.find_version() == seen[-1], "uncommitted changes are invisible"
            seen.append(database.find_version())
            with database.read() as transaction:
                transaction.scalars(select(User)).all()
            assert database.find_version() == seen[-1]
    assert None not in seen
    assert len(set(seen)) == 6


def test_version_of_a_missing_database_is_none_and_creates_no_file(tmp_path: Path) -> None:
    with closing(Database(f"sqlite:///{tmp_path}/earshot.db")) as database:
        assert database.find_version() is None
        assert list(tmp_path.iterdir()) == []
        database.upgrade()
        assert database.find_version() is not None


def test_connection_in_use_while_the_database_is_closed_is_closed_on_return(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/earshot.db")
    with database.read() as transaction:
        connection = transaction.connection().connection.driver_connection
        database.close()
        assert transaction.scalar(text("select 1")) == 1
    assert isinstance(connection, sqlite3.Connection)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.total_changes  # noqa: B018 - raises once the connection is closed


def test_version_is_read_by_any_thread_even_while_the_database_is_closed(empty: Path) -> None:
    database = Database(f"sqlite:///{empty}")
    errors: list[Exception] = []
    started = threading.Barrier(N_THREADS + 1)

    def read_versions() -> None:
        started.wait()
        try:
            for _ in range(500):
                version = database.find_version()
                assert version is None or version > 0
        except Exception as error:  # noqa: BLE001 - reported by the main thread
            errors.append(error)

    threads = [threading.Thread(target=read_versions) for _ in range(N_THREADS)]
    for thread in threads:
        thread.start()
    started.wait()
    while any(thread.is_alive() for thread in threads):
        database.close()
    for thread in threads:
        thread.join()
    database.close()
    assert errors == []
