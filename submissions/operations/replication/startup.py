"""Startup of a replicated server: acquire the lease, restore the newest database, replicate to a new generation."""

import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from submissions.operations.data_folder import sync_folder
from submissions.operations.replication.errors import ReplicaAwayError, ReplicaError
from submissions.operations.replication.folder import ReplicaFolder
from submissions.operations.replication.lease import ReplicaLease
from submissions.operations.replication.litestream import (
    BREAKING_VARIABLE,
    LitestreamClient,
    choose_environment,
    hide_binary,
    make_command,
    restore_database,
    write_config,
)
from submissions.operations.replication.stores import ReplicaStore, open_store
from submissions.operations.supervisor import GaveUpError, KeptProcess, Program

_LOG = logging.getLogger(__name__)
# Earlier generations that are kept as a safety net for operators.
KEPT_GENERATIONS = 2
_RESTORE_TRIES = 5
_RESTORE_PAUSE_SECONDS = 2.0
_SIDE_FILES = ("-wal", "-shm", "-journal")
_PRUNE_SECONDS = 5.0
_FAILED = 1


@dataclass(frozen=True, slots=True)
class ReplicaPlan:
    """Configuration of a server's replication.

    Attributes:
        url: `s3://bucket/path` or `file:///folder`.
        data_dir: The data folder.
        database: The database file.
        lease_seconds: Lifetime of the lease.
        environment: Environment of the launcher.
    """

    url: str
    data_dir: Path
    database: Path
    lease_seconds: float
    environment: Mapping[str, str]


@contextmanager
def hold_replica(plan: ReplicaPlan, pause: Callable[[float], object] = time.sleep) -> Iterator["Replicator"]:
    """Acquire the lease, restore the database, and yield the replicating process; release the lease at the end.

    Raises:
        ReplicaError: The configured replica cannot be used.
        ReplicaAwayError: The database could not be restored.
    """
    if BREAKING_VARIABLE in plan.environment:
        _LOG.warning("%s makes litestream fail, so it is not passed on. Set SSL_CERT_FILE instead.", BREAKING_VARIABLE)
    environment = choose_environment(plan.environment)
    folder = ReplicaFolder(plan.data_dir)
    folder.make()
    folder.write_deadline(0)
    store = open_store(plan.url, environment)
    lease = ReplicaLease(store, folder, plan.lease_seconds)
    takeover = lease.acquire(pause)
    lease.start_renewal()
    try:
        hide_binary(folder)
        _bring_database(plan, folder, store, takeover.previous, environment, pause)
        folder.write_generation(plan.url, takeover.generation)
        _forget_local_state(plan.database)
        write_config(folder, plan.database, store.describe_generation(takeover.generation))
        program = Program("litestream", (), environment, command=make_command(folder), folder=folder.path)
        pruner = _Pruner(LitestreamClient(folder.socket, plan.database), store, takeover.generation)
        pruner.start()
        try:
            yield Replicator(program, lease)
        finally:
            pruner.stop()
    finally:
        lease.release()


def _bring_database(
    plan: ReplicaPlan,
    folder: ReplicaFolder,
    store: ReplicaStore,
    previous: int,
    environment: Mapping[str, str],
    pause: Callable[[float], object],
) -> None:
    """Install the newest database: the local one if nobody has replicated since, otherwise the replica's."""
    known = folder.read_generation(plan.url)
    if plan.database.exists() and known is not None and known == previous:
        _LOG.info("The database on this disk is up to date.")
        return
    restored = _restore_newest(plan, folder, store, environment, pause)
    if restored is None:
        return
    if plan.database.exists() and known is None:
        raise ReplicaError(
            f"EARSHOT_REPLICA_URL contains a database that differs from {plan.database}, and Earshot cannot tell "
            f"which is newer. To use the replica, move {plan.database.name} away. To use the local database, set "
            "EARSHOT_REPLICA_URL to an empty location."
        )
    _set_aside(plan.database)
    folder.write_generation(plan.url, previous)
    restored.replace(plan.database)
    sync_folder(plan.database.parent)


def _restore_newest(
    plan: ReplicaPlan,
    folder: ReplicaFolder,
    store: ReplicaStore,
    environment: Mapping[str, str],
    pause: Callable[[float], object],
) -> Path | None:
    """Restore the newest generation that contains a database; an empty one was abandoned before its first upload."""
    for generation in reversed(store.list_generations()):
        write_config(folder, plan.database, store.describe_generation(generation))
        restored = _restore_with_retries(folder, plan.database, environment, pause)
        if restored is not None:
            _LOG.info("Restored the database from generation %d of the replica.", generation)
            return restored
    return None


def _restore_with_retries(
    folder: ReplicaFolder, database: Path, environment: Mapping[str, str], pause: Callable[[float], object]
) -> Path | None:
    for _ in range(_RESTORE_TRIES - 1):
        try:
            return restore_database(folder, database, environment)
        except ReplicaAwayError as error:
            _LOG.warning("The database was not restored (%s). Retrying.", error)
            pause(_RESTORE_PAUSE_SECONDS)
    return restore_database(folder, database, environment)


def _set_aside(database: Path) -> None:
    """Rename a database that is older than the replica; its remaining journals must not meet the new one."""
    stamp = f"{datetime.now(UTC):%Y-%m-%dT%H-%M-%SZ}"
    for path in (database, *(database.with_name(database.name + suffix) for suffix in _SIDE_FILES)):
        if path.exists():
            path.replace(path.with_name(f"{path.name}.older-{stamp}"))


def _forget_local_state(database: Path) -> None:
    """Delete litestream's own files of an earlier run: a new generation begins with a snapshot."""
    state = database.with_name(f".{database.name}-litestream")
    if state.is_dir():
        shutil.rmtree(state)


class Replicator(KeptProcess):
    """litestream, restarted whenever it ends. The launcher gives up when the lease is lost."""

    def __init__(self, program: Program, lease: ReplicaLease) -> None:
        super().__init__(program)
        self._lease = lease

    def check_process(self) -> None:
        """Supervise the process.

        Raises:
            GaveUpError: Another machine holds the lease now.
        """
        if self._lease.is_lost:
            _LOG.error("Another Earshot has taken over the lease of this replica. This one stops.")
            raise GaveUpError(_FAILED)
        super().check_process()


class _Pruner(threading.Thread):
    """Deletes generations that are no longer needed, once the current one contains the database."""

    def __init__(self, client: LitestreamClient, store: ReplicaStore, generation: int) -> None:
        super().__init__(name="replica-pruner", daemon=True)
        self._client, self._store, self._generation = client, store, generation
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.wait(_PRUNE_SECONDS):
            try:
                self._client.sync(_PRUNE_SECONDS)
                self._prune()
            except ReplicaAwayError:
                continue
            return

    def stop(self) -> None:
        self._stopped.set()
        self.join()

    def _prune(self) -> None:
        for generation in self._store.list_generations():
            if generation < self._generation - KEPT_GENERATIONS:
                self._store.delete_generation(generation)
