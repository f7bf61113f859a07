"""Confirmation that the replica holds committed changes, for the web process.

It talks to litestream over a socket and has no credentials. Concurrent requests share one synchronisation.
synchronisation.
"""

import http.client
import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from db.errors import NotConfirmedError, NotWritableError
from submissions.operations.replication.errors import ReplicaAwayError
from submissions.operations.replication.folder import ReplicaFolder

CONFIRM_SECONDS = 10.0
_PAUSE_SECONDS = 0.1
_LAG_SECONDS = 2.0
_LAG_IS_FRESH_SECONDS = 1.0
_MAX_ANSWER_BYTES = 100_000
_MAX_SOCKET_PATH = 100


class LitestreamClient:
    """litestream's commands over its socket."""

    def __init__(self, path: Path, database: Path) -> None:
        self._path, self._database = path, database

    def sync(self, seconds: float) -> None:
        """Return once the replica holds everything committed before.

        Raises:
            ReplicaAwayError: The timeout passed.
        """
        wanted = {"path": str(self._database), "wait": True, "timeout": max(1, round(seconds))}
        headers = {"Content-Type": "application/json"}
        try:
            with _connect(self._path, seconds) as connection:
                connection.request("POST", "/sync", json.dumps(wanted), headers)
                answer = connection.getresponse()
                body = json.loads(answer.read(_MAX_ANSWER_BYTES))
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ReplicaAwayError(f"litestream does not respond: {type(error).__name__}") from error
        if answer.status != http.HTTPStatus.OK or body.get("replicated_txid", 0) < body.get("txid", 1):
            raise ReplicaAwayError("litestream could not write to the replica")


@contextmanager
def _connect(path: Path, seconds: float) -> Iterator[http.client.HTTPConnection]:
    with socket.socket(socket.AF_UNIX) as plain:
        plain.settimeout(seconds)
        _connect_socket(plain, path)
        connection = http.client.HTTPConnection("localhost", timeout=seconds)
        connection.sock = plain
        try:
            yield connection
        finally:
            connection.close()


def _connect_socket(plain: socket.socket, path: Path) -> None:
    """Connect to a socket whose path may exceed the length limit of socket addresses."""
    if len(os.fsencode(path)) <= _MAX_SOCKET_PATH:
        plain.connect(str(path))
        return
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        plain.connect(f"/proc/self/fd/{descriptor}/{path.name}")
    finally:
        os.close(descriptor)


class ReplicaConfirmation:
    """Confirmation of changes that a database requires before it acknowledges them."""

    def __init__(self, sync: Callable[[float], None], is_lease_valid: Callable[[], bool], seconds: float) -> None:
        self._sync, self._is_lease_valid, self._seconds = sync, is_lease_valid, seconds
        self._changed = threading.Condition()
        # Changes committed by an earlier process of this server may be unconfirmed.
        self._n_commits = 1
        self._n_confirmed = 0
        self._is_syncing = False
        self._confirmed_at: float | None = None

    def require_writable(self) -> None:
        """Raise an error unless this machine holds the lease.

        Raises:
            NotWritableError: This machine does not hold the lease.
        """
        if not self._is_lease_valid():
            raise NotWritableError

    def confirm_commit(self) -> None:
        """Return once the replica holds the change that was just committed.

        Raises:
            NotConfirmedError: The change is stored here, but was not confirmed in time.
        """
        with self._changed:
            self._n_commits += 1
            wanted = self._n_commits
        self._confirm(wanted)

    def confirm_earlier(self) -> None:
        """Return once no committed change of this server is unconfirmed, because an answer may contain one.

        Raises:
            NotConfirmedError: A change was not confirmed in time.
        """
        with self._changed:
            wanted = self._n_commits
        if self._n_confirmed < wanted:
            self._confirm(wanted)

    def measure_lag(self) -> float | None:
        """Return the age in seconds of the last known synchronisation.

        None means that nothing has been confirmed since this process started.
        """
        if self._confirmed_at is None or time.monotonic() - self._confirmed_at > _LAG_IS_FRESH_SECONDS:
            with self._changed:
                self._n_commits += 1
                wanted = self._n_commits
            with suppress(NotConfirmedError):
                self._confirm(wanted, min(self._seconds, _LAG_SECONDS))
        return None if self._confirmed_at is None else time.monotonic() - self._confirmed_at

    def _confirm(self, wanted: int, seconds: float | None = None) -> None:
        deadline = time.monotonic() + (self._seconds if seconds is None else seconds)
        while self._n_confirmed < wanted:
            left = deadline - time.monotonic()
            if left <= 0:
                raise NotConfirmedError
            with self._changed:
                if self._is_syncing:
                    self._changed.wait(left)
                    continue
                self._is_syncing = True
                covered = self._n_commits
            self._sync_once(covered, left)

    def _sync_once(self, covered: int, seconds: float) -> None:
        """Synchronise once. It counts only if the lease is still held afterwards: the next holder starts from there."""
        began, is_done = time.monotonic(), False
        try:
            self._sync(seconds)
            is_done = self._is_lease_valid()
        except ReplicaAwayError:
            pass
        finally:
            with self._changed:
                self._is_syncing = False
                if is_done:
                    self._n_confirmed = max(self._n_confirmed, covered)
                    self._confirmed_at = began
                self._changed.notify_all()
        if not is_done:
            time.sleep(min(_PAUSE_SECONDS, seconds))


def open_confirmation(data_dir: Path, database: Path) -> ReplicaConfirmation:
    """Return the confirmation for a server whose launcher replicates this database."""
    folder = ReplicaFolder(data_dir)
    return ReplicaConfirmation(LitestreamClient(folder.socket, database).sync, folder.is_lease_valid, CONFIRM_SECONDS)
