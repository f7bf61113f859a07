"""Lease of a replica: at most one machine writes to it at a time.

The holder renews it several times within its lifetime, and stops acknowledging changes before it ends. Another
machine takes it over when it was released, when its end has passed by more than clocks may differ, or when it was not
renewed for its lifetime by the clock of the waiting machine.
"""

import json
import logging
import secrets
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

from submissions.operations.replication.errors import LeaseConflictError, ReplicaAwayError
from submissions.operations.replication.folder import ReplicaFolder
from submissions.operations.replication.stores import LeaseObject, ReplicaStore

_LOG = logging.getLogger(__name__)
MAX_CLOCK_DIFFERENCE_SECONDS = 60.0
# The holder trusts a lease for less time than others wait for its end.
_TRUSTED_SHARE = 0.8
_RENEWALS_PER_LIFETIME = 4
_MAX_POLL_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class _LeaseContent:
    """Content of a lease.

    Attributes:
        holder: Random name of the holding process.
        host: Machine of the holder, for operators.
        generation: Generation that the holder writes.
        seconds: Lifetime.
        expires_at: End of the lease by the holder's clock, as Unix time.
        renewals: Number of renewals; makes every content unique.
        is_released: Whether the holder released it.
    """

    holder: str
    host: str
    generation: int
    seconds: float
    expires_at: float
    renewals: int = 0
    is_released: bool = False

    def encode(self) -> bytes:
        """Return the lease as JSON."""
        return json.dumps(asdict(self)).encode()


def decode_lease(content: bytes) -> _LeaseContent | None:
    """Parse a lease; None for a file that is being written or is damaged."""
    try:
        return _LeaseContent(**json.loads(content))
    except (ValueError, TypeError):
        return None


class Takeover(NamedTuple):
    """Result of taking the lease: the last generation (0 for none), and our own."""

    previous: int
    generation: int


class ReplicaLease:
    """This process's claim to write to a replica."""

    def __init__(self, store: ReplicaStore, folder: ReplicaFolder, seconds: float) -> None:
        """Take the lease's store, the file for its deadline, and its lifetime."""
        self._store, self._folder, self._seconds = store, folder, seconds
        self._holder = secrets.token_hex(16)
        self._record: _LeaseContent | None = None
        self._version = ""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.is_lost = False

    def acquire(self, wait: Callable[[float], object] = time.sleep) -> Takeover:
        """Wait for the lease, acquire it, and return the generations."""
        watch = _Watch()
        while True:
            try:
                found = self._store.read_lease()
                if watch.is_free(found):
                    return self._take_over(found)
            except ReplicaAwayError as error:
                watch.report(f"Cannot reach the replica ({error}). Retrying.")
            except LeaseConflictError:
                pass  # another machine took it at the same moment
            wait(min(_MAX_POLL_SECONDS, self._seconds / _RENEWALS_PER_LIFETIME))

    def _take_over(self, found: LeaseObject | None) -> Takeover:
        known = decode_lease(found.content) if found is not None else None
        previous = max([known.generation if known else 0, *self._store.list_generations()])
        record = _LeaseContent(self._holder, socket.gethostname(), previous + 1, self._seconds, 0.0)
        self._write(record, found.version if found is not None else None)
        return Takeover(previous, record.generation)

    def start_renewal(self) -> None:
        """Renew the lease in a thread until it is released or lost."""
        self._thread = threading.Thread(target=self._renew_until_stopped, name="replica-lease", daemon=True)
        self._thread.start()

    def release(self) -> None:
        """Release the lease, so that the next machine need not wait."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
        self._folder.write_deadline(0)
        if self._record is None or self.is_lost:
            return
        try:
            self._store.write_lease(replace(self._record, is_released=True, expires_at=0.0).encode(), self._version)
        except (ReplicaAwayError, LeaseConflictError) as error:
            _LOG.warning("The lease of the replica was not released (%s). It will expire.", error)

    def renew(self) -> None:
        """Renew the lease once. While the replica is unreachable, the deadline approaches."""
        record = self._record
        if record is None:
            return
        try:
            self._write(replace(record, renewals=record.renewals + 1), self._version)
        except ReplicaAwayError as error:
            _LOG.warning("The lease of the replica was not renewed (%s). Retrying.", error)
        except LeaseConflictError:
            self._lose()

    def _renew_until_stopped(self) -> None:
        while not self.is_lost and not self._stop.wait(self._seconds / _RENEWALS_PER_LIFETIME):
            self.renew()

    def _write(self, record: _LeaseContent, version: str | None) -> None:
        """Write the lease; the deadline counts from before the request, whenever the response arrives."""
        began, began_wall = time.monotonic(), time.time()
        record = replace(record, expires_at=began_wall + self._seconds)
        try:
            self._version = self._store.write_lease(record.encode(), version)
        except LeaseConflictError:
            # An earlier attempt may have succeeded although its response was lost.
            found = self._store.read_lease()
            known = decode_lease(found.content) if found is not None else None
            if found is None or known is None or known.holder != self._holder:
                raise
            self._version, self._record = found.version, known
            return
        self._record = record
        self._folder.write_deadline(self._seconds * _TRUSTED_SHARE - (time.monotonic() - began))

    def _lose(self) -> None:
        self._folder.write_deadline(0)
        self.is_lost = True


class _Watch:
    """State of the lease as seen by a waiting machine."""

    def __init__(self) -> None:
        self._version: str | None = None
        self._seen_at = 0.0
        self._reported = ""

    def is_free(self, found: LeaseObject | None) -> bool:
        """Tell whether the lease may be taken over."""
        if found is None:
            return True
        if found.version != self._version:
            self._version, self._seen_at = found.version, time.monotonic()
        record = decode_lease(found.content)
        if record is None:
            return time.monotonic() - self._seen_at > MAX_CLOCK_DIFFERENCE_SECONDS
        if record.is_released or time.time() > record.expires_at + MAX_CLOCK_DIFFERENCE_SECONDS:
            return True
        if time.monotonic() - self._seen_at > record.seconds:
            return True
        self.report(
            f"Another Earshot on {_clean(record.host)} holds the lease of the replica. This one starts when the other "
            f"stops; the lease expires {record.seconds:.0f} s after its last renewal."
        )
        return False

    def report(self, text: str) -> None:
        """Log a line unless it repeats the last one."""
        if text != self._reported:
            _LOG.warning("%s", text)
            self._reported = text


def _clean(host: str) -> str:
    """Return a host name that is safe to log: whoever can write to the bucket chooses it."""
    return "".join(letter for letter in host[:100] if letter.isalnum() or letter in "-.") or "an unnamed machine"
