"""Totals over all boards."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from db.models import Model, Submission
from db.repositories.board_order import RANKABLE, SHOWN_AS
from db.session import Transaction


class BoardCounts(NamedTuple):
    """Numbers of public models and submissions."""

    models: int
    submissions: int


def count_public(transaction: Transaction, sources: Sequence[str], evaluated: Sequence[str]) -> BoardCounts:
    """Count public models and submissions, except reference systems.

    Args:
        transaction: Transaction to read in.
        sources: Sources of the rows whose models are counted.
        evaluated: Sources of the submissions that are counted.
    """
    rows = (
        select(func.count(SHOWN_AS.distinct()), func.count().filter(Submission.source.in_(evaluated)))
        .join_from(Submission, Model, Model.id == Submission.model_id)
        .where(*RANKABLE, Submission.source.in_(sources))
    )
    models, submissions = transaction.execute(rows).one()
    return BoardCounts(models, submissions)
