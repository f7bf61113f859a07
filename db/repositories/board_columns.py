"""Columns of boards that have values."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import String, and_, bindparam, column, select, values

from db.models import BenchmarkVersion, Standing, StoredScore, Submission
from db.repositories.board_order import VISIBLE, BoardKey, is_of_board
from db.session import Transaction

# List all settings: without them the database would read every row of the version.
_IS_CHANCE = and_(
    Submission.benchmark == BenchmarkVersion.id,
    Submission.version == BenchmarkVersion.version,
    Submission.setting.in_(bindparam("settings", expanding=True)),
    Submission.source == "random",
    Submission.artifact_sha256.is_not(None),
    *VISIBLE,
)
_CHANCE_TAG = (
    select(BenchmarkVersion.content_digest, Submission.current_evaluation_id)
    .join_from(BenchmarkVersion, Submission, _IS_CHANCE, isouter=True)
    .where(BenchmarkVersion.id == bindparam("benchmark"), BenchmarkVersion.version == bindparam("version"))
    .order_by(Submission.current_evaluation_id)
)


class ChanceTag(NamedTuple):
    """Identity of a version's questions and seeded random baselines. The columns with chance scores depend on it.

    Attributes:
        content_digest: None if the questions are not registered.
        evaluation_ids: Current evaluations of the random baselines.
    """

    content_digest: str | None
    evaluation_ids: tuple[int, ...]


def list_filled_columns(transaction: Transaction, board: BoardKey, columns: Iterable[str]) -> set[str]:
    """Return the columns, named `<slice>|<metric>`, in which at least one row of a board has a value."""
    names = [tuple(name.split("|", 1)) for name in columns]
    if not names:
        return set()
    asked = values(column("slice", String), column("metric", String), name="asked").data(names).cte()
    # One index lookup per column answers this; `distinct` would read the scores of all rows.
    has_value = (
        select(Standing.submission_id)
        .where(*is_of_board(Standing, board), Standing.value.is_not(None))
        .where(Standing.slice == asked.c.slice, Standing.metric == asked.c.metric)
        .exists()
    )
    rows = transaction.execute(select(asked.c.slice, asked.c.metric).where(has_value))
    return {f"{slice_name}|{metric}" for slice_name, metric in rows}


def find_chance_tag(transaction: Transaction, benchmark: str, version: str, settings: Sequence[str]) -> ChanceTag:
    """Return a tag that identifies the state of a version's random baselines. Every page of a board asks for it."""
    params = {"benchmark": benchmark, "version": version, "settings": list(settings)}
    rows = transaction.connection().execute(_CHANCE_TAG, params).all()
    return ChanceTag(rows[0][0] if rows else None, tuple(row[1] for row in rows if row[1] is not None))


def list_chance_columns(transaction: Transaction, tag: ChanceTag) -> set[str]:
    """Return the columns in which a version's seeded random baseline has a value; none if it is not scored.

    It answers every question except open ones, so it has a value wherever a complete prediction file has one.
    """
    if not tag.evaluation_ids:
        return set()
    query = select(StoredScore.slice, StoredScore.metric).where(
        StoredScore.evaluation_id.in_(tag.evaluation_ids), StoredScore.value.is_not(None)
    )
    return {f"{slice_name}|{metric}" for slice_name, metric in transaction.execute(query)}
