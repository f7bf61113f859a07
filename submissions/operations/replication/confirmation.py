"""Confirmation that committed changes are in the replica, for the process that answers people.

It talks to litestream over a socket and has no credentials. Requests that wait at the same time share one
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
        """Return once everything that was committed before is in the replica.

        Raises:
            ReplicaAwayError: That did not happen in time.
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
    """Connect to a socket whose path may be longer than an address of a socket."""
    if len(os.fsencode(path)) <= _MAX_SOCKET_PATH:
        plain.connect(str(path))
        return
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        plain.connect(f"/proc/self/fd/{descriptor}/{path.name}")
    finally:
        os.close(descriptor)


class ReplicaConfirmation:
    """What a database asks before it lets a change be acknowledged."""

    def __init__(self, sync: Callable[[float], None], is_lease_valid: Callable[[], bool], seconds: float) -> None:
        self._sync, self._is_lease_valid, self._seconds = sync, is_lease_valid, seconds
        self._changed = threading.Condition()
        # What an earlier process of this server committed may not be confirmed.
        self._n_commits = 1
        self._n_confirmed = 0
        self._is_syncing = False
        self._confirmed_at: float | None = None

    def require_writable(self) -> None:
        """Refuse a change while this machine does not hold the lease.

        Raises:
            NotWritableError: It does not.
        """
        if not self._is_lease_valid():
            raise NotWritableError

    def confirm_commit(self) -> None:
        """Return once the change that was just committed is in the replica.

        Raises:
            NotConfirmedError: It is stored here, and could not be confirmed in time.
        """
        with self._changed:
            self._n_commits += 1
            wanted = self._n_commits
        self._confirm(wanted)

    def confirm_earlier(self) -> None:
        """Return once no committed change of this server is unconfirmed: an answer may tell of one.

        Raises:
            NotConfirmedError: One could not be confirmed in time.
        """
        with self._changed:
            wanted = self._n_commits
        if self._n_confirmed < wanted:
            self._confirm(wanted)

    def measure_lag(self) -> float | None:
        """Return the age in seconds of the moment up to which everything is known to be in the replica.

        None means that nothing was confirmed since this process started.
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
        """Synchronise once. It counts only if the lease still held afterwards: the next holder starts from there."""
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
    """Return the confirmation of a server whose launcher replicates this database."""
    folder = ReplicaFolder(data_dir)
    return ReplicaConfirmation(LitestreamClient(folder.socket, database).sync, folder.is_lease_valid, CONFIRM_SECONDS)
