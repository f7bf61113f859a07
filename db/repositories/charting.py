"""Queries for charts: scores of several rows at once, and the rows of one model under several settings."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import or_, select

from db.models import Evaluation, Model, StoredScore, Submission
from db.records import ScoreRecord
from db.repositories.board_order import RANKABLE, SHOWN, SHOWN_AS
from db.session import Transaction


class SettingRow(NamedTuple):
    """A public row under a setting, how it was scored (None: a paper's), and the model that it is shown as."""

    submission_id: str
    evaluation_id: int
    setting: str
    source: str
    signature: str | None
    model_id: int
    model: str


def list_figures(
    transaction: Transaction, evaluation_ids: Iterable[int], slices: Iterable[str], least: int
) -> dict[int, list[ScoreRecord]]:
    """Return scoring → its figures of some slices, of those over at least so many items and those a paper prints."""
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
    found: dict[int, list[ScoreRecord]] = {evaluation_id: [] for evaluation_id in ids}
    for row in transaction.execute(query):
        found[row.evaluation_id].append(ScoreRecord(*tuple[Any, ...](row)[1:]))
    return found


def list_settings_of(
    transaction: Transaction,
    benchmark: str,
    version: str,
    settings: Sequence[str],
    model_ids: Sequence[int] | None,
    most: int,
) -> list[SettingRow]:
    """Return the public rows under some settings, the newest of each model and setting last.

    Args:
        transaction: To read in.
        benchmark: Whose rows.
        version: Of which version.
        settings: Under which settings.
        model_ids: Of which models, by what they are shown as; None for any.
        most: Rows at most; of more, the newest.
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
