"""Columns of boards that have values."""

from collections.abc import Iterable
from dataclasses import asdict

from sqlalchemy import bindparam, select

from db.models import Score, Standing, Submission
from db.repositories.board_order import VISIBLE, BoardKey
from db.session import Transaction

# The first entry of an index answers this; a `distinct` would read the scores of all rows.
_HAS_VALUE = (
    select(Standing.submission_id)
    .where(*(getattr(Standing, name) == bindparam(name) for name in ("benchmark", "version", "setting")))
    .where(Standing.slice == bindparam("slice"), Standing.metric == bindparam("metric"), Standing.value.is_not(None))
    .limit(1)
)


def list_filled_columns(transaction: Transaction, board: BoardKey, columns: Iterable[str]) -> set[str]:
    """Return those of some columns, named `<slice>|<metric>`, in which a row of a board has a value."""
    connection = transaction.connection()

    def has_value(column: str) -> bool:
        slice_name, metric = column.split("|", 1)
        return (
            connection.execute(_HAS_VALUE, asdict(board) | {"slice": slice_name, "metric": metric}).first() is not None
        )

    return {column for column in columns if has_value(column)}


def list_chance_columns(transaction: Transaction, benchmark: str, version: str) -> set[str]:
    """Return the columns in which the seeded chance row of a version has a value; nothing where it is not scored.

    It answers every question but open ones, so it has a value wherever a whole file of answers has one.
    """
    query = (
        select(Score.slice, Score.metric)
        .join(Submission, Submission.current_evaluation_id == Score.evaluation_id)
        .where(Submission.benchmark == benchmark, Submission.version == version, Score.value.is_not(None))
        .where(Submission.source == "random", Submission.artifact_sha256.is_not(None), *VISIBLE)
    )
    return {f"{slice_name}|{metric}" for slice_name, metric in transaction.execute(query)}
