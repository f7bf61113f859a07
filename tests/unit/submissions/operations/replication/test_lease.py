"""Lease of a replica: one holder, a bounded wait for the next one, and no use after its deadline."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from submissions.operations.replication import folder as folder_module
from submissions.operations.replication import lease as lease_module
from submissions.operations.replication.errors import LeaseConflictError, ReplicaAwayError
from submissions.operations.replication.folder import ReplicaFolder
from submissions.operations.replication.lease import MAX_CLOCK_DIFFERENCE_SECONDS, ReplicaLease, Takeover, decode_lease
from submissions.operations.replication.stores import FolderStore, LeaseObject

SECONDS = 20.0


class Clock:
    """Both clocks of a machine, which advance only when a test sets them."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.wall = 5_000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.wall

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.wall += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(lease_module, "time", fake)
    monkeypatch.setattr(folder_module, "time", fake)
    return fake


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    return FolderStore(tmp_path / "replica")


@pytest.fixture
def make_lease(tmp_path: Path, store: FolderStore) -> Callable[[str], tuple[ReplicaLease, ReplicaFolder]]:
    def make(name: str) -> tuple[ReplicaLease, ReplicaFolder]:
        (tmp_path / name).mkdir()
        folder = ReplicaFolder(tmp_path / name)
        folder.make()
        return ReplicaLease(store, folder, SECONDS), folder

    return make


Make = Callable[[str], tuple[ReplicaLease, ReplicaFolder]]


def test_first_holder_starts_generation_1_and_the_next_one_continues_from_it(clock: Clock, make_lease: Make) -> None:
    first, folder = make_lease("a")
    assert first.acquire(clock.sleep) == Takeover(0, 1)
    assert folder.is_lease_valid()
    first.release()
    assert not folder.is_lease_valid()
    second, _ = make_lease("b")
    before = clock.now
    assert second.acquire(clock.sleep) == Takeover(1, 2)
    assert clock.now == before, "a released lease is free immediately"


def test_second_machine_waits_until_the_lease_has_expired_and_logs_why(
    clock: Clock, make_lease: Make, caplog: pytest.LogCaptureFixture
) -> None:
    first, folder = make_lease("a")
    first.acquire(clock.sleep)
    n_polls, started = 0, clock.now

    def wait(seconds: float) -> None:
        nonlocal n_polls
        n_polls += 1
        if n_polls <= 30:
            first.renew()
        clock.sleep(seconds)

    second, _ = make_lease("b")
    assert second.acquire(wait) == Takeover(1, 2)
    assert clock.now - started > 30 + SECONDS
    assert [record.message[:15] for record in caplog.records] == ["Another Earshot"], "logged once, not at every poll"
    assert not folder.is_lease_valid(), "the first holder trusts it for a shorter time"


def test_replaced_holder_notices_the_loss_at_its_next_renewal(clock: Clock, make_lease: Make) -> None:
    first, folder = make_lease("a")
    first.acquire(clock.sleep)
    second, other = make_lease("b")
    second.acquire(clock.sleep)
    first.renew()
    assert first.is_lost
    assert not folder.is_lease_valid()
    assert other.is_lease_valid()
    second.renew()
    assert not second.is_lost
    first.release()
    second.renew()
    assert not second.is_lost, "a lost lease is not released"


@pytest.mark.parametrize(("late", "is_taken"), [(MAX_CLOCK_DIFFERENCE_SECONDS - 1, False), (61.0, True)])
def test_lease_that_expired_long_ago_is_taken_immediately(
    clock: Clock, make_lease: Make, late: float, is_taken: bool
) -> None:
    first, _ = make_lease("a")
    first.acquire(clock.sleep)
    clock.wall += SECONDS + late
    second, _ = make_lease("b")
    before = clock.now
    second.acquire(clock.sleep)
    assert (clock.now == before) is is_taken


def test_deadline_starts_before_the_request_and_applies_to_both_clocks(
    clock: Clock, make_lease: Make, store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease, folder = make_lease("a")
    write = store.write_lease

    def write_slowly(content: bytes, version: str | None) -> str:
        clock.sleep(10.0)
        return write(content, version)

    monkeypatch.setattr(FolderStore, "write_lease", lambda _self, *arguments: write_slowly(*arguments))
    lease.acquire(clock.sleep)
    clock.sleep(5.9)
    assert folder.is_lease_valid()
    clock.wall += 0.2
    assert not folder.is_lease_valid()


def test_lease_that_cannot_be_renewed_expires_and_is_valid_again_if_nobody_took_it(
    clock: Clock, make_lease: Make, store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease, folder = make_lease("a")
    lease.acquire(clock.sleep)

    def fail(*_: object) -> str:
        raise ReplicaAwayError("no route")

    with monkeypatch.context() as patch:
        patch.setattr(FolderStore, "write_lease", fail)
        lease.renew()
        clock.sleep(SECONDS)
        lease.renew()
    assert not folder.is_lease_valid()
    assert not lease.is_lost
    lease.renew()
    assert folder.is_lease_valid()


def test_renewal_with_a_lost_response_is_recognised_as_its_own(
    clock: Clock, make_lease: Make, store: FolderStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease, _ = make_lease("a")
    lease.acquire(clock.sleep)
    write = FolderStore.write_lease

    def write_and_lose_response(self: FolderStore, content: bytes, version: str | None) -> str:
        write(self, content, version)
        raise ReplicaAwayError("timeout")

    with monkeypatch.context() as patch:
        patch.setattr(FolderStore, "write_lease", write_and_lose_response)
        lease.renew()
    lease.renew()
    lease.renew()
    assert not lease.is_lost
    stored = store.read_lease()
    assert stored is not None
    record = decode_lease(stored.content)
    assert record is not None
    assert record.renewals == 2


def test_machines_that_start_simultaneously_get_one_lease(make_lease: Make, store: FolderStore) -> None:
    leases = [make_lease(name)[0] for name in "abcd"]
    acquired: list[ReplicaLease] = []
    stop = threading.Event()

    def run(lease: ReplicaLease) -> None:
        class StoppedError(Exception):
            pass

        def wait(seconds: float) -> None:
            if stop.wait(min(seconds, 0.05)):
                raise StoppedError

        try:
            lease.acquire(wait)
            acquired.append(lease)
        except StoppedError:
            pass
        stop.set()

    threads = [threading.Thread(target=run, args=(lease,)) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(acquired) == 1


def test_lease_file_is_created_once_and_a_writer_of_an_old_version_is_refused(store: FolderStore) -> None:
    assert store.read_lease() is None
    versions = [store.write_lease(b"0", None)]
    with pytest.raises(LeaseConflictError):
        store.write_lease(b"other", None)
    for number in range(1, 60):
        versions.append(store.write_lease(str(number).encode(), versions[-1]))
    with pytest.raises(LeaseConflictError):
        store.write_lease(b"late", versions[0])  # its successor was deleted long ago
    assert store.read_lease() == LeaseObject(b"59", versions[-1])
