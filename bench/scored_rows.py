"""Rows of boards with encrypted outcomes, from which the next revision of a board is computed."""

from collections.abc import Iterable
from datetime import UTC, datetime

from db.records import NewModel, NewSubmission
from db.repositories import boards, evaluations, submissions, users
from db.repositories.boards import BoardKey
from db.session import Database, Transaction
from evaluation.answer_keys import AnswerKey
from evaluation.benchmarks import Benchmark
from evaluation.types import Report
from submissions.scoring.outcomes import seal_outcomes
from submissions.scoring.results import to_result

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def add_scored_rows(
    database: Database, benchmark: Benchmark, reports: Iterable[tuple[AnswerKey, Report]], n_before: int = 0
) -> None:
    """Add a row for each key and report to the board of the first setting, and request its next revision.

    Args:
        database: A database whose only evaluations are those of earlier calls.
        benchmark: Benchmark version.
        reports: The key of the questions that each row answered, and its report.
        n_before: Number of rows of earlier calls.
    """
    with database.write() as transaction:
        owner = users.get_or_add_user(transaction, "bench", NOW).id
        for number, (key, report) in enumerate(reports, start=n_before):
            _add_row(transaction, benchmark, key, report, owner, number)
        boards.touch_board(transaction, BoardKey(benchmark.id, benchmark.version, benchmark.settings[0]), NOW)


def _add_row(
    transaction: Transaction, benchmark: Benchmark, key: AnswerKey, report: Report, owner: int, number: int
) -> None:
    name = f"s-{number:04}"
    new = NewSubmission(
        id=name,
        benchmark=benchmark.id,
        version=benchmark.version,
        setting=benchmark.settings[0],
        source="submitted",
        owner_id=owner,
        model=NewModel(name),
        visibility="public",
        allow_missing=False,
        artifact_sha256=None,
        artifact_bytes=None,
        idempotency_key=None,
        edition=key.edition or None,
    )
    submissions.add_submission(transaction, new, "scored", NOW)
    expected_id = number + 1  # Outcomes are encrypted for their evaluation, whose number the database assigns.
    result = to_result(benchmark, report, seal_outcomes(key, expected_id, report.outcomes))
    assert evaluations.add_finished_evaluation(transaction, name, result, NOW) == expected_id
