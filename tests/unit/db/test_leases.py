"""Leases: one of two evaluators gets a job, and operations under a lost lease have no effect."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db.admin_records import Scope
from db.lease_records import Lease
from db.repositories import reevaluations
from db.repositories.leases import LeaseLostError
from db.session import Database
from tests.support.servers.postgres import KINDS, Databases

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LEASES = reevaluations.LEASES


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    """A database with a job."""
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        with opened.write() as transaction:
            scope = Scope("b", "1", None)
            reevaluations.add_reevaluation(transaction, scope, requested_by="may", reason="r", dry_run=True, now=NOW)
        yield opened


def find(database: Database) -> Lease:
    with database.read() as transaction:
        lease = reevaluations.find_first_open(transaction)
    assert lease is not None
    return lease


def claim(database: Database, current: Lease, worker: str) -> Lease | None:
    attempts = current.attempts + 1
    lease = replace(current, token=f"of {worker}", worker=worker, expires_at=NOW + MINUTE, attempts=attempts)
    with database.write() as transaction:
        return lease if LEASES.claim(transaction, current, lease) else None


def get_lease(database: Database, worker: str) -> Lease:
    lease = claim(database, find(database), worker)
    assert lease is not None
    return lease


def test_job_found_by_two_evaluators_is_claimed_by_the_first(database: Database) -> None:
    current = find(database)
    name = f"re-evaluation {current.id}"
    assert current == Lease(current.id, name, None, None, None, 0)
    first = claim(database, current, "first")
    assert claim(database, current, "second") is None
    assert find(database) == first == Lease(current.id, name, "of first", "first", NOW + MINUTE, 1)


def test_lost_lease_changes_nothing(database: Database) -> None:
    late = get_lease(database, "late")
    holder = get_lease(database, "holder")
    with database.write() as transaction:
        with pytest.raises(LeaseLostError, match=f"The lease of {late.name} was taken over"):
            LEASES.renew(transaction, late, NOW + 9 * MINUTE)
        with pytest.raises(LeaseLostError):
            LEASES.renew(transaction, late, NOW + 9 * MINUTE, attempts=0)
        with pytest.raises(LeaseLostError):
            LEASES.end(transaction, late, state="done")
        assert not LEASES.revoke(transaction, late)
    assert find(database) == holder


def test_postponed_job_keeps_its_holder_and_counts_no_attempt(database: Database) -> None:
    lease = get_lease(database, "w")
    with database.write() as transaction:
        LEASES.renew(transaction, lease, NOW + 9 * MINUTE, attempts=lease.attempts - 1)
    postponed = find(database)
    assert postponed == replace(lease, expires_at=NOW + 9 * MINUTE, attempts=0)
    # The lease that was read before the job was postponed is outdated.
    assert claim(database, lease, "other") is None
    assert claim(database, postponed, "other") is not None


def test_finished_or_revoked_job_has_no_holder(database: Database) -> None:
    lease = get_lease(database, "w")
    with database.write() as transaction:
        assert LEASES.revoke(transaction, lease)
    free = find(database)
    assert (free.token, free.worker, free.expires_at, free.attempts) == (None, None, None, 1)
    lease = get_lease(database, "w")
    with database.write() as transaction:
        LEASES.end(transaction, lease, state="done", attempts=0)
        assert reevaluations.find_first_open(transaction) is None
        with pytest.raises(LeaseLostError):
            LEASES.renew(transaction, lease, NOW)
