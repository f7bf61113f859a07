"""Confirmation that the replica holds committed changes, for the web process.

It talks to litestream over a socket and has no credentials. Concurrent requests share one synchronisation.
"""

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from db.errors import NotConfirmedError, NotWritableError
from submissions.operations.replication.errors import ReplicaAwayError
from submissions.operations.replication.folder import ReplicaFolder
from submissions.operations.replication.litestream import LitestreamClient

CONFIRM_SECONDS = 10.0
_PAUSE_SECONDS = 0.1
_LAG_SECONDS = 2.0
_LAG_IS_FRESH_SECONDS = 1.0


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
