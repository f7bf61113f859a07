"""Submissions, rows and claims in a database, for tests of its repositories."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from db.lease_records import SubmissionJob
from db.records import (
    NewModel,
    NewResult,
    NewSubmission,
    ScoreRecord,
    StandingRecord,
    SubmissionRecord,
)
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey, Page, PageQuery
from db.repositories.evaluations import RunningLease
from db.session import Database

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
KEY = BoardKey("b", "1", "s")
RESULT = NewResult("signature", "ranking", ("p",), 1, 4, 1, 2, {"empty": 2}, (ScoreRecord("all", "accuracy", 0.5, 4),))


def add_submission(
    database: Database,
    submission_id: str,
    *,
    state: str = "queued",
    model: NewModel | str = "model",
    owner: str = "owner",
    now: datetime = NOW,
    **fields: Any,
) -> None:
    """Add a submission."""
    with database.write() as transaction:
        model = NewModel(model) if isinstance(model, str) else model
        new = NewSubmission(
            id=submission_id,
            benchmark="b",
            version="1",
            setting="s",
            source="submitted",
            owner_id=users.get_or_add_user(transaction, owner, now).id,
            model=model,
            visibility="public",
            allow_missing=False,
            artifact_sha256="0" * 64,
            artifact_bytes=1,
            idempotency_key=None,
        )
        submissions.add_submission(transaction, replace(new, **fields), state, now)


def add_row(database: Database, submission_id: str, value: float | None, **fields: Any) -> int:
    """Add a scored submission with one score, and return its evaluation."""
    add_submission(database, submission_id, state="scored", **fields)
    result = replace(RESULT, scores=(ScoreRecord("all", "accuracy", value, 4),))
    with database.write() as transaction:
        return evaluations.add_finished_evaluation(transaction, submission_id, result, NOW)


def write_standings(database: Database, values: dict[str, float | None], evaluation_ids: dict[str, int]) -> None:
    """Write standings for some of the rows."""
    standings = [StandingRecord(name, evaluation_ids[name], "all", "accuracy", value) for name, value in values.items()]
    with database.write() as transaction:
        boards.touch_board(transaction, KEY, NOW)
        current = boards.find_board(transaction, KEY)
        assert current is not None
        assert boards.replace_standings(transaction, KEY, standings, seen=current.changes, rule="", now=NOW)


def claim_submission(database: Database, worker: str = "w", now: datetime = NOW) -> SubmissionJob | None:
    with database.write() as transaction:
        return evaluations.claim_next(
            transaction, worker=worker, token=f"token of {worker}", now=now, expires_at=now + MINUTE
        )


def get_lease(database: Database, worker: str = "w", now: datetime = NOW) -> SubmissionJob:
    job = claim_submission(database, worker, now)
    assert job is not None
    return job


def get_submission(database: Database, submission_id: str) -> SubmissionRecord:
    with database.read() as transaction:
        submission = submissions.find_submission(transaction, submission_id)
    assert submission is not None
    return submission


def get_state(database: Database, submission_id: str) -> str:
    return get_submission(database, submission_id).state


def list_running(database: Database) -> list[RunningLease]:
    with database.read() as transaction:
        return evaluations.list_running(transaction)


def read_page(database: Database, **fields: Any) -> Page:
    with database.read() as transaction:
        query = replace(PageQuery("all|accuracy", True), **fields)
        return boards.read_page(transaction, KEY, query, ["all|accuracy"])
