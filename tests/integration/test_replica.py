"""Replicated database: restored from litestream's files by the next holder of the lease only."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from submissions.operations.replication.errors import LeaseConflictError, ReplicaAwayError, ReplicaError
from submissions.operations.replication.folder import ReplicaFolder
from submissions.operations.replication.litestream import LitestreamClient, choose_environment
from submissions.operations.replication.startup import KEPT_GENERATIONS, ReplicaPlan, hold_replica
from submissions.operations.replication.stores import BucketStore, open_store
from submissions.operations.supervisor import keep_running
from tests.support.replicas.object_gateway import SECRET_KEY, ObjectGateway, run_gateway
from tests.support.servers.server import wait_for

URL = "s3://earshot/a/db"
LEASE_SECONDS = 2.0


@pytest.fixture(scope="module")
def shared_gateway() -> Iterator[ObjectGateway]:
    with run_gateway() as running:
        yield running


@pytest.fixture
def gateway(shared_gateway: ObjectGateway) -> ObjectGateway:
    shared_gateway.objects.clear()
    shared_gateway.is_away = False
    return shared_gateway


@dataclass
class Machine:
    """A machine with a disk and a launcher that replicates it."""

    plan: ReplicaPlan

    def add(self, value: int) -> None:
        with closing(sqlite3.connect(self.plan.database, isolation_level=None)) as connection:
            connection.execute("pragma journal_mode=wal")
            connection.execute("create table if not exists t (x)")
            connection.execute("insert into t values (?)", (value,))

    def read(self) -> list[int]:
        with closing(sqlite3.connect(self.plan.database)) as connection:
            return [value for (value,) in connection.execute("select x from t order by x")]

    def sync(self) -> None:
        client = LitestreamClient(ReplicaFolder(self.plan.data_dir).socket, self.plan.database)

        def is_synced() -> bool:
            try:
                client.sync(2.0)
            except ReplicaAwayError:
                return False
            return True

        wait_for(is_synced, "the synchronization")

    def wipe(self) -> None:
        shutil.rmtree(self.plan.data_dir)
        self.plan.data_dir.mkdir()


@contextmanager
def run_machine(machine: Machine, *, is_killed: bool = False) -> Iterator[None]:
    """Replicate for the duration of the block. A killed machine does not release its lease, and litestream does not
    finish.
    """
    with ExitStack() as held:
        replicator = held.enter_context(hold_replica(machine.plan))
        replicator.check_process()
        try:
            yield
        finally:
            assert replicator.process is not None
            replicator.process.kill() if is_killed else replicator.terminate()
            replicator.wait()


@pytest.fixture
def machine(tmp_path: Path, gateway: ObjectGateway) -> Machine:
    data_dir = tmp_path / "disk"
    data_dir.mkdir()
    environment = {"PATH": os.environ["PATH"], **gateway.environment()}
    return Machine(ReplicaPlan(URL, data_dir, data_dir / "e.db", LEASE_SECONDS, environment))


@pytest.mark.parametrize("kind", ["bucket", "folder"])
def test_database_on_an_erased_disk_is_restored_with_all_confirmed_changes(
    machine: Machine, tmp_path: Path, kind: str
) -> None:
    if kind == "folder":
        machine.plan = replace(machine.plan, url=f"file://{tmp_path}/replica")
    for value in range(KEPT_GENERATIONS + 2):
        # The next machine waits until the lease of a killed one ends.
        with run_machine(machine, is_killed=value == 0):
            assert (machine.read() if value else []) == list(range(value))
            machine.add(value)
            machine.sync()
        machine.wipe()
    with run_machine(machine):
        assert machine.read() == list(range(KEPT_GENERATIONS + 2))


def test_earlier_generations_are_deleted_once_the_current_one_has_the_database(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("submissions.operations.replication.startup._PRUNE_SECONDS", 0.2)
    machine.add(1)
    store = open_store(URL, machine.plan.environment)
    for _ in range(KEPT_GENERATIONS + 1):
        with run_machine(machine):
            machine.sync()
    with run_machine(machine):
        machine.sync()
        wait_for(lambda: store.list_generations() == [2, 3, 4], "the deletion")


def test_outdated_disk_is_set_aside_after_another_machine_has_written(machine: Machine, tmp_path: Path) -> None:
    with run_machine(machine):
        machine.add(1)
        machine.sync()
    other = Machine(replace(machine.plan, data_dir=tmp_path / "other", database=tmp_path / "other" / "e.db"))
    other.plan.data_dir.mkdir()
    with run_machine(other):
        other.add(2)
        other.sync()
    with run_machine(machine):
        assert machine.read() == [1, 2]
    assert len(list(machine.plan.data_dir.glob("e.db.older-*"))) == 1


def test_disk_ahead_of_the_replica_is_kept(machine: Machine) -> None:
    with run_machine(machine):
        machine.add(1)
        machine.sync()
    machine.add(2)
    with run_machine(machine):
        assert machine.read() == [1, 2]
        machine.sync()
    machine.wipe()
    with run_machine(machine):
        assert machine.read() == [1, 2]


def test_database_of_unknown_age_next_to_a_filled_replica_is_refused_and_kept(machine: Machine) -> None:
    with run_machine(machine):
        machine.add(1)
        machine.sync()
    machine.wipe()
    machine.add(9)
    with pytest.raises(ReplicaError, match="cannot tell which is newer"), run_machine(machine):
        pass
    assert machine.read() == [9]


def test_lost_lease_ends_the_launcher(machine: Machine) -> None:
    store = open_store(URL, machine.plan.environment)
    with hold_replica(machine.plan) as replicator:
        found = store.read_lease()
        assert found is not None
        while True:
            try:
                store.write_lease(json.dumps({"holder": "thief"}).encode(), found.version)
                break
            except LeaseConflictError:
                found = store.read_lease()
                assert found is not None
        assert keep_running([], [replicator]) == 1
    assert not ReplicaFolder(machine.plan.data_dir).is_lease_valid()


def test_files_of_the_replica_contain_no_secret_and_litestream_gets_only_its_own_credentials(machine: Machine) -> None:
    variables = {**machine.plan.environment, "AWS_CA_BUNDLE": "/x.pem", "EARSHOT_SECRET_KEY": "s", "HF_TOKEN": "t"}
    known = choose_environment(variables)
    assert known["AWS_SECRET_ACCESS_KEY"] == SECRET_KEY
    assert not {"AWS_CA_BUNDLE", "EARSHOT_SECRET_KEY", "HF_TOKEN"} & known.keys()
    assert known["AWS_REQUEST_CHECKSUM_CALCULATION"] == "when_required"
    with run_machine(machine):
        folder = machine.plan.data_dir / "replica"
        assert folder.stat().st_mode & 0o777 == 0o700
        for path in folder.iterdir():
            assert path.is_socket() or SECRET_KEY.encode() not in path.read_bytes()


def test_unreachable_bucket_is_distinguished_from_an_empty_one(gateway: ObjectGateway, machine: Machine) -> None:
    store = open_store(URL, gateway.environment())
    assert (store.read_lease(), store.list_generations()) == (None, [])
    version = store.write_lease(b"1", None)
    with pytest.raises(LeaseConflictError):
        store.write_lease(b"2", None)
    version = store.write_lease(b"2", version)
    with pytest.raises(LeaseConflictError):
        store.write_lease(b"3", '"another"')
    assert store.read_lease() == (b"2", version)
    gateway.is_away = True
    for act in (store.read_lease, store.list_generations, lambda: store.write_lease(b"4", version)):
        with pytest.raises(ReplicaAwayError):
            act()


def test_bucket_without_credentials_is_refused_with_the_names_of_the_variables() -> None:
    with pytest.raises(ReplicaError, match="AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is not set"):
        BucketStore("earshot", "db", {})
    credentials = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    with pytest.raises(ReplicaError, match="AWS_ENDPOINT_URL must be") as caught:
        BucketStore("earshot", "db", {**credentials, "AWS_ENDPOINT_URL": "https://user:hidden@host"})
    assert "hidden" not in str(caught.value)
