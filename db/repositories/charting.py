"""Queries for charts: scores of several rows, and the rows of one model in several settings."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import or_, select

from db.models import Evaluation, Model, StoredScore, Submission
from db.records import ScoreRecord
from db.repositories.board_order import RANKABLE, SHOWN, SHOWN_AS
from db.session import Transaction


class SettingRow(NamedTuple):
    """A public row in a setting, its evaluation (None for reported rows), and the model that it is shown as."""

    submission_id: str
    evaluation_id: int
    setting: str
    source: str
    signature: str | None
    model_id: int
    model: str


def list_scores(
    transaction: Transaction, evaluation_ids: Iterable[int], slices: Iterable[str], least: int
) -> dict[int, list[ScoreRecord]]:
    """Return evaluation → its scores in some slices, if they cover at least `least` items or are reported."""
    ids = list(evaluation_ids)
    fields = (
        StoredScore.slice,
        StoredScore.metric,
        StoredScore.value,
        StoredScore.n,
        StoredScore.std,
        StoredScore.note,
        StoredScore.low,
        StoredScore.high,
    )
    query = select(StoredScore.evaluation_id, *fields).where(
        StoredScore.evaluation_id.in_(ids),
        StoredScore.slice.in_(list(slices)),
        or_(StoredScore.n.is_(None), StoredScore.n >= least),
    )
    scores: dict[int, list[ScoreRecord]] = {evaluation_id: [] for evaluation_id in ids}
    for row in transaction.execute(query):
        scores[row.evaluation_id].append(ScoreRecord(*tuple[Any, ...](row)[1:]))
    return scores


def list_settings_of(
    transaction: Transaction,
    benchmark: str,
    version: str,
    settings: Sequence[str],
    model_ids: Sequence[int] | None,
    most: int,
) -> list[SettingRow]:
    """Return the public rows in some settings, the newest of each model and setting last.

    Args:
        transaction: Transaction to read in.
        benchmark: Benchmark of the rows.
        version: Version of the benchmark.
        settings: Settings of the rows.
        model_ids: Models that the rows are shown as; None for any.
        most: Maximum number of rows; the newest are kept.
    """
    query = (
        select(
            Submission.id,
            Evaluation.id,
            Submission.setting,
            Submission.source,
            Evaluation.signature,
            SHOWN.id,
            SHOWN.name,
        )
        .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .join(Model, Model.id == Submission.model_id)
        .join(SHOWN, SHOWN.id == SHOWN_AS)
        .where(Submission.benchmark == benchmark, Submission.version == version, *RANKABLE)
        .where(Submission.setting.in_(list(settings)))
        .order_by(Submission.created_at.desc(), Submission.id.desc())
        .limit(most)
    )
    if model_ids is not None:
        query = query.where(SHOWN.id.in_(list(model_ids)))
    return [SettingRow(*row) for row in reversed(transaction.execute(query).all())]
