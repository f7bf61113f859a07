"""Integrity check `python -m db check`: every fault is found and located."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from db.errors import DatabaseError
from db.repositories import users
from submissions.operations.integrity import check_installation
from tests.support.servers.vaults import NOW, Vault

STATE = "in a state that no valid sequence of events leads to. Restore a backup."
LEASE = "under an invalid lease. Restart the evaluators."
SCORED = "scored without a complete evaluation with scores. Restore a backup."


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation with scored, withdrawn, running and waiting files."""
    vault = Vault(tmp_path_factory.mktemp("filled") / "data").make()
    for note in ("one", "two", "three"):
        vault.submit(note)
    vault.score_all()
    with vault.database.write() as transaction:
        ann = users.get_or_add_user(transaction, "ann", NOW)
    withdrawn = [vault.submit("withdrawn"), vault.submit("withdrawn while it runs")]
    vault.service.withdraw(withdrawn[0], ann)
    assert vault.queue.claim() is not None
    vault.service.withdraw(withdrawn[1], ann)
    vault.submit("runs", publish=False)
    assert vault.queue.claim() is not None
    vault.submit("waits", publish=False)
    vault.close()
    return vault.folder


@pytest.fixture
def vault(filled: Path, tmp_path: Path) -> Iterator[Vault]:
    shutil.copytree(filled, tmp_path / "data")
    with closing(Vault(tmp_path / "data")) as opened:
        yield opened


def find(vault: Vault, note: str) -> str:
    sql = "select submissions.id from submissions join models on models.id = model_id where name = ?"
    ((submission_id,),) = vault.query(sql, f"Model {note}")
    return str(submission_id)


def test_intact_installation_has_a_good_line_for_each_check(vault: Vault) -> None:
    findings = list(check_installation(vault.database, vault.artifacts))
    assert all(finding.is_good for finding in findings)
    texts = [finding.text for finding in findings]
    assert texts.pop(2).startswith("The audit log is intact: 7 entries, the last ")
    assert texts == [
        "The database file is intact.",
        "All references between rows are valid.",
        "Every scored submission has a complete evaluation.",
        "The state of every submission matches its events.",
        "Every running submission has exactly one valid lease, and no other submission has one.",
        "All 7 uploads are present and unmodified.",
    ]


@pytest.mark.parametrize(
    ("note", "sql", "fault"),
    [
        ("one", "update submissions set state = 'queued' where id = ?", STATE),
        ("one", "update submissions set state = 'lost' where id = ?", STATE),
        ("one", "delete from submission_events where submission_id = ?", STATE),
        ("one", "delete from submission_events where submission_id = ? and to_state = 'running'", STATE),
        ("one", "update submission_events set from_state = 'failed' where submission_id = ? and id > 3", STATE),
        ("waits", "update submission_events set to_state = 'scored' where submission_id = ?", STATE),
        ("one", "update submissions set current_evaluation_id = null where id = ?", SCORED),
        ("one", "update submissions set current_evaluation_id = current_evaluation_id + 1 where id = ?", SCORED),
        ("one", "update evaluations set finished_at = null where submission_id = ?", SCORED),
        (
            "one",
            "delete from scores where evaluation_id = (select current_evaluation_id from submissions where id = ?)",
            SCORED,
        ),
        ("runs", "update evaluations set lease_token = null where submission_id = ?", LEASE),
        ("runs", "update evaluations set lease_expires_at = null where submission_id = ?", LEASE),
        ("runs", "delete from evaluations where submission_id = ?", LEASE),
        ("one", "update evaluations set lease_token = 't' where submission_id = ?", LEASE),
        (
            "runs",
            "insert into evaluations (submission_id, started_at, progress, ranking, parts, unreadable_reasons, notes) "
            "select submission_id, started_at, 0, '', '[]', '{}', '[]' from evaluations where submission_id = ?",
            LEASE,
        ),
    ],
)
def test_inconsistent_row_is_reported_by_its_id(vault: Vault, note: str, sql: str, fault: str) -> None:
    submission = find(vault, note)
    vault.query(sql, submission)
    assert vault.faults() == [f"{submission} is {fault}"]


def test_failed_submission_needs_a_reason(vault: Vault) -> None:
    submission = find(vault, "runs")
    vault.query("update submissions set state = 'failed' where id = ?", submission)
    vault.query(
        "insert into submission_events (submission_id, at, actor, from_state, to_state, text) "
        "values (?, '2026-01-01', 'evaluator', 'running', 'failed', '')",
        submission,
    )
    assert vault.faults() == [f"{submission} is {STATE}"]
    vault.query("update submissions set reason = 'Our fault.' where id = ?", submission)
    assert vault.faults() == []


def test_file_with_missing_answers_may_have_no_score(vault: Vault) -> None:
    vault.query("delete from scores")
    vault.query("update evaluations set missing = 1")
    assert vault.faults() == []


def test_many_faults_are_counted(vault: Vault) -> None:
    vault.query("delete from submission_events")
    (fault,) = vault.faults()
    assert fault.endswith(f" and 4 more are {STATE}")
    assert fault.count("s-") == 3


def test_broken_reference_is_reported(vault: Vault) -> None:
    with closing(sqlite3.connect(vault.folder / "earshot.db")) as connection:
        connection.execute("delete from models where name = 'Model waits'")
        connection.commit()
    assert vault.faults() == ["Rows of submissions have broken references. Restore a backup."]


def test_altered_audit_log_is_reported_with_its_entry_number(vault: Vault) -> None:
    vault.query("update audit_log set actor = 'bob' where number = 3")
    assert vault.faults() == [
        "The audit log is broken at entry 3: the entry was modified or is missing. "
        "Compare the log with the one in a backup."
    ]


def test_damaged_or_missing_upload_is_reported(vault: Vault) -> None:
    files = sorted(path for path in (vault.folder / "artifacts").rglob("*") if path.is_file())
    files[0].write_bytes(b"other")
    files[3].unlink()
    ((owner,),) = vault.query("select id from submissions where artifact_sha256 = ?", files[0].name)
    assert vault.faults() == [
        f"2 of 7 uploads are damaged or missing; the first is {files[0].name} of {owner}. "
        "Restore them from a backup, or ask for the files again."
    ]


def test_overwritten_database_page_is_reported(vault: Vault) -> None:
    ((page,),) = vault.query("select rootpage from sqlite_master where name = 'ix_submissions_line'")
    ((size,),) = vault.query("pragma page_size")
    vault.close()
    with (vault.folder / "earshot.db").open("r+b") as file:
        file.seek((int(str(page)) - 1) * int(str(size)))
        file.write(b"\xff" * 512)
    try:
        faults = vault.faults()
    except DatabaseError as error:
        faults = [str(error)]
    assert faults
    assert any("damaged" in fault or "malformed" in fault for fault in faults)
