"""Confirmation of changes: every writer of a database acknowledges a change only after it is replicated."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from db.errors import NotConfirmedError, NotWritableError
from db.session import Database
from submissions.operations.replication.confirmation import ReplicaConfirmation
from submissions.operations.replication.errors import ReplicaAwayError
from tests.support.servers.server import wait_for


class Replica:
    """Stub of Litestream and of the lease."""

    def __init__(self) -> None:
        self.n_syncs = 0
        self.is_away = False
        self.is_leased = True
        self.may_end = threading.Event()
        self.may_end.set()

    def sync(self, _seconds: float) -> None:
        self.n_syncs += 1
        self.may_end.wait(30)
        if self.is_away:
            raise ReplicaAwayError("away")

    def is_lease_valid(self) -> bool:
        return self.is_leased


@pytest.fixture
def replica() -> Replica:
    return Replica()


@pytest.fixture
def confirmation(replica: Replica) -> ReplicaConfirmation:
    return ReplicaConfirmation(replica.sync, replica.is_lease_valid, 0.3)


@pytest.fixture
def database(tmp_path: Path, confirmation: ReplicaConfirmation) -> Iterator[Database]:
    with closing(Database(f"sqlite:///{tmp_path}/e.db", confirmation, is_replicated=True)) as opened:
        with opened.write(acknowledged=False) as transaction:
            transaction.execute(text("create table t (x)"))
        yield opened


def add(database: Database, *, acknowledged: bool = True) -> None:
    with database.write(acknowledged=acknowledged) as transaction:
        transaction.execute(text("insert into t values (1)"))


def count(database: Database) -> int:
    with database.read() as transaction:
        return int(transaction.execute(text("select count(*) from t")).scalar_one())


def test_change_is_confirmed_before_it_returns_and_a_read_is_not(database: Database, replica: Replica) -> None:
    add(database)
    assert replica.n_syncs == 1
    assert count(database) == 1
    add(database, acknowledged=False)
    assert replica.n_syncs == 1


def test_unconfirmed_change_is_stored_and_not_acknowledged(database: Database, replica: Replica) -> None:
    replica.is_away = True
    with pytest.raises(NotConfirmedError, match="is saved on this server"):
        add(database)
    assert count(database) == 1


def test_refusal_that_may_reveal_an_unconfirmed_change_waits_for_its_confirmation(
    database: Database, replica: Replica
) -> None:
    """The refusal of a duplicate file names the earlier submission, which acknowledges it."""

    def refuse() -> None:
        with database.write():
            raise ValueError("already submitted")

    add(database)
    n_before = replica.n_syncs
    with pytest.raises(ValueError, match="already"):
        refuse()
    assert replica.n_syncs == n_before, "nothing was pending"
    replica.is_away = True
    with pytest.raises(NotConfirmedError):
        add(database)
    with pytest.raises(NotConfirmedError):
        refuse()
    with pytest.raises(NotConfirmedError):
        database.confirm_earlier()
    replica.is_away = False
    with pytest.raises(ValueError, match="already"):
        refuse()
    database.confirm_earlier()


def test_restarted_process_confirms_the_commits_of_its_predecessor(database: Database, replica: Replica) -> None:
    database.confirm_earlier()
    assert replica.n_syncs == 1
    database.confirm_earlier()
    assert replica.n_syncs == 1


def test_nothing_is_written_without_the_lease(database: Database, replica: Replica) -> None:
    replica.is_leased = False
    with pytest.raises(NotWritableError, match="Nothing was changed"):
        add(database)
    assert count(database) == 0


def test_lease_lost_during_replication_leaves_a_change_unconfirmed_until_it_is_regained(
    confirmation: ReplicaConfirmation, replica: Replica
) -> None:
    replica.is_leased = False
    with pytest.raises(NotConfirmedError):
        confirmation.confirm_commit()
    with pytest.raises(NotConfirmedError):
        confirmation.confirm_earlier()
    replica.is_leased = True
    confirmation.confirm_earlier()


def test_waiting_requests_share_a_synchronization_that_started_after_their_commit(replica: Replica) -> None:
    confirmation = ReplicaConfirmation(replica.sync, replica.is_lease_valid, 30)
    replica.may_end.clear()
    first = threading.Thread(target=confirmation.confirm_commit)
    first.start()
    wait_for(lambda: replica.n_syncs == 1, "the first synchronization")
    others = [threading.Thread(target=confirmation.confirm_commit) for _ in range(8)]
    for thread in others:
        thread.start()
    wait_for(lambda: confirmation._n_commits == 10, "all commits")
    replica.may_end.set()
    for thread in (first, *others):
        thread.join()
    assert replica.n_syncs == 2, "one that was running, and one for all later commits"


def test_lag_is_unknown_before_the_first_confirmation_and_grows_while_the_replica_is_away(
    confirmation: ReplicaConfirmation, replica: Replica, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("submissions.operations.replication.confirmation._LAG_IS_FRESH_SECONDS", 0.0)
    replica.is_away = True
    assert confirmation.measure_lag() is None
    replica.is_away = False
    lag = confirmation.measure_lag()
    assert lag is not None
    replica.is_away = True
    later = confirmation.measure_lag()
    assert later is not None
    assert later > 0.3


def test_replicated_database_is_not_checkpointed_by_its_writers(database: Database, tmp_path: Path) -> None:
    def read(of: Database) -> int:
        with of.read() as transaction:
            return int(transaction.execute(text("pragma wal_autocheckpoint")).scalar_one())

    assert read(database) == 0
    with closing(Database(f"sqlite:///{tmp_path}/other.db")) as other:
        assert read(other) > 0
