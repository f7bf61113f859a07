"""Queries for charts, on both databases: public rows only, the newest of each model and setting last."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db.records import NewModel, NewResult, NewSubmission, ScoreRecord
from db.repositories import charting, evaluations, submissions, users
from db.session import Database
from tests.support.servers.postgres import KINDS, Databases

NOW = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Database]:
    with databases.lend(request.param, tmp_path) as url, closing(Database(url)) as opened:
        yield opened


def add_row(
    database: Database, row_id: str, model: str, setting: str, *, visibility: str = "public", hours: int = 0
) -> int:
    """Add a scored submission with two scores, and return its evaluation."""
    at = NOW + timedelta(hours=hours)
    scores = (ScoreRecord("all", "accuracy", 0.5, 4, 0.1, "A note."), ScoreRecord("part", "accuracy", None))
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "owner", at).id
        new = NewSubmission(
            id=row_id,
            benchmark="b",
            version="1",
            setting=setting,
            source="submitted",
            owner_id=owner,
            model=NewModel(model),
            visibility=visibility,
            allow_missing=False,
            artifact_sha256="0" * 64,
            artifact_bytes=1,
            idempotency_key=None,
        )
        submissions.add_submission(transaction, new, "scored", at)
        result = NewResult("signature", "ranking", ("p",), 1, 4, 0, 0, {}, scores)
        return evaluations.add_finished_evaluation(transaction, row_id, result, at)


def test_list_scores_returns_the_scores_of_the_named_slices(database: Database) -> None:
    first, second = add_row(database, "s-1", "A", "default"), add_row(database, "s-2", "B", "default")
    with database.read() as transaction:
        scores_by_row = charting.list_scores(transaction, [first, second, 99], ["all"], least=4)
        fewer = charting.list_scores(transaction, [first], ["all"], least=5)
    assert scores_by_row[first] == [ScoreRecord("all", "accuracy", 0.5, 4, 0.1, "A note.")]
    assert {key: len(scores) for key, scores in scores_by_row.items()} == {first: 1, second: 1, 99: 0}
    assert fewer == {first: []}


def test_list_settings_of_skips_private_rows_and_returns_the_newest_last(database: Database) -> None:
    add_row(database, "s-new", "A", "noise", hours=2)
    add_row(database, "s-old", "A", "noise", hours=1)
    add_row(database, "s-usual", "A", "default")
    add_row(database, "s-private", "A", "noise", visibility="private")
    add_row(database, "s-other", "B", "noise", hours=3)

    def read(model_ids: list[int] | None, most: int = 10) -> list[charting.SettingRow]:
        with database.read() as transaction:
            return charting.list_settings_of(transaction, "b", "1", ["noise"], model_ids, most)

    rows = read(None)
    assert [(row.submission_id, row.model) for row in rows] == [("s-old", "A"), ("s-new", "A"), ("s-other", "B")]
    assert [row.submission_id for row in read([rows[0].model_id])] == ["s-old", "s-new"]
    assert [row.submission_id for row in read(None, most=1)] == ["s-other"]
    assert read([]) == []
