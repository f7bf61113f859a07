"""Audit log: entries are added exactly once, and later modifications are detected."""

import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from db.audit_records import AuditVerdict
from db.repositories import audit
from db.session import Database

NOW = datetime(2026, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC)
N_ENTRIES = 6
TEXTS = ("at", "actor", "action", "subject", "details", "previous", "digest")


@pytest.fixture(scope="module")
def template(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Database with a filled audit log."""
    path = Path(shutil.copy(empty, tmp_path_factory.mktemp("template")))
    with closing(Database(f"sqlite:///{path}")) as opened:
        fill(opened)
    return path


def fill(database: Database, n_entries: int = N_ENTRIES) -> None:
    for number in range(n_entries):
        with database.write() as transaction:
            audit.append(transaction, "ann", "publish", f"s-{number}", {"b": number, "a": "é"}, NOW)


def verify(database: Database) -> AuditVerdict:
    with database.read() as transaction:
        return audit.verify(transaction)


def verify_after(template: Path, sql: str, *values: object) -> AuditVerdict:
    """Return the findings after the file was modified by hand."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(template, folder))
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute(sql, values).rowcount > 0
            connection.commit()
        with closing(Database(f"sqlite:///{path}")) as altered:
            return verify(altered)


def test_empty_log_is_unbroken(database: Database) -> None:
    assert verify(database) == AuditVerdict(0, audit.FIRST_PREVIOUS, None)


def test_entry_contains_the_digest_of_its_predecessor(database: Database) -> None:
    with database.write() as transaction:
        first = audit.append(transaction, "ann", "publish", "s-1", {}, NOW)
        second = audit.append(transaction, "bob", "withdraw", "s-2", {"why": "é"}, NOW.astimezone(timezone.min))
    assert (first.number, first.previous, second.number, second.previous) == (1, audit.FIRST_PREVIOUS, 2, first.digest)
    assert second.at == first.at == "2026-01-02T03:04:05.678901+00:00"
    assert verify(database) == AuditVerdict(2, second.digest, None)


def test_entry_of_a_failed_transaction_leaves_no_trace_and_no_gap(database: Database) -> None:
    fill(database, 1)
    with pytest.raises(RuntimeError, match="on purpose"), database.write() as transaction:
        audit.append(transaction, "ann", "publish", "s-1", {}, NOW)
        raise RuntimeError("on purpose")
    assert verify(database).n_entries == 1
    fill(database, 1)
    assert (verify(database).n_entries, verify(database).broken_at) == (2, None)


def test_concurrently_added_entries_form_one_chain(database: Database) -> None:
    threads = [threading.Thread(target=fill, args=(database, 10)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (verify(database).n_entries, verify(database).broken_at) == (40, None)


def test_entries_are_listed_newest_first_and_paginated(database: Database) -> None:
    fill(database)
    with database.read() as transaction:
        first = audit.list_entries(transaction, limit=4)
        rest = audit.list_entries(transaction, limit=4, before=first[-1].number)
    assert [entry.number for entry in (*first, *rest)] == [6, 5, 4, 3, 2, 1]
    assert first[0].details == {"a": "é", "b": 5}


def test_details_that_are_not_json_are_refused_without_an_entry(database: Database) -> None:
    for details in ({"x": float("nan")}, {"x": object()}):
        with pytest.raises((ValueError, TypeError)), database.write() as transaction:
            audit.append(transaction, "ann", "publish", "s-1", details, NOW)
    assert verify(database).n_entries == 0


@given(number=st.integers(1, N_ENTRIES), column=st.sampled_from(TEXTS), value=st.text(max_size=80) | st.binary())
def test_modified_field_is_found_at_its_entry(template: Path, number: int, column: str, value: str | bytes) -> None:
    assume(not isinstance(value, str) or value.isprintable())
    with closing(sqlite3.connect(template)) as connection:
        select = f"select {column} from audit_log where number = ?"  # noqa: S608 - our own column
        assume(connection.execute(select, (number,)).fetchone() != (value,))
    verdict = verify_after(template, f"update audit_log set {column} = ? where number = ?", value, number)  # noqa: S608
    assert verdict.broken_at == number


@pytest.mark.parametrize("number", range(1, N_ENTRIES + 1))
def test_removed_entry_is_found(template: Path, number: int) -> None:
    assert verify_after(template, "delete from audit_log where number = ?", number).broken_at == number


@pytest.mark.parametrize("number", range(1, N_ENTRIES))
def test_truncated_log_is_found(template: Path, number: int) -> None:
    assert verify_after(template, "delete from audit_log where number > ?", number).broken_at == number + 1


def test_emptied_log_is_found(template: Path) -> None:
    assert verify_after(template, "delete from audit_log").broken_at == 1


@pytest.mark.parametrize("number", [0, -5, N_ENTRIES + 1, 10**9])
def test_renumbered_entry_is_found(template: Path, number: int) -> None:
    assert verify_after(template, "update audit_log set number = ? where number = 3", number).broken_at is not None


@pytest.mark.parametrize(
    "sql",
    ["update audit_head set number = 3", "update audit_head set digest = 'x'", "delete from audit_head"],
)
def test_modified_head_is_found(template: Path, sql: str) -> None:
    assert verify_after(template, sql).broken_at is not None


def test_forged_entry_is_found(template: Path) -> None:
    sql = (
        "insert into audit_log select number + 1, at, actor, action, subject, details, digest, digest "
        "from audit_log where number = ?"
    )
    assert verify_after(template, sql, N_ENTRIES).broken_at == N_ENTRIES + 1


def test_time_in_another_zone_is_stored_in_utc(database: Database) -> None:
    with database.write() as transaction:
        entry = audit.append(transaction, "a", "b", "c", {}, NOW.astimezone(timezone(timedelta(hours=9))))
    assert entry.at == "2026-01-02T03:04:05.678901+00:00"
