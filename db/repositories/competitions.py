"""Competition mode: the benchmark versions in it, and an owner's series of released evaluations."""

from typing import NamedTuple

from sqlalchemy import and_, delete, func, select

from db.admin_records import CompetitionRecord
from db.models import Competition, StoredScore, Submission
from db.records import SubmissionRecord
from db.repositories.board_order import BoardKey, is_of_board
from db.repositories.changing import add_unless_there
from db.session import Transaction

SOURCES = ("submitted", "verified")


def add_competition(transaction: Transaction, competition: CompetitionRecord) -> bool:
    """Start competition mode; return False if the version is in it already."""
    row = Competition(
        benchmark=competition.benchmark,
        version=competition.version,
        started_by=competition.started_by,
        started_at=competition.started_at,
        reason=competition.reason,
    )
    return add_unless_there(transaction, row)


def delete_competition(transaction: Transaction, benchmark: str, version: str) -> bool:
    """End competition mode of a version; return False if it is not in it."""
    statement = delete(Competition).where(Competition.benchmark == benchmark, Competition.version == version)
    return transaction.scalar(statement.returning(Competition.version)) is not None


def find_competition(transaction: Transaction, benchmark: str, version: str) -> CompetitionRecord | None:
    """Return the competition of a benchmark version; None if it is not in competition mode."""
    row = transaction.get(Competition, (benchmark, version))
    if row is None:
        return None
    return CompetitionRecord(row.benchmark, row.version, row.started_by, row.started_at, row.reason)


def list_competitions(transaction: Transaction) -> frozenset[tuple[str, str]]:
    """Return the IDs and versions of the benchmarks in competition mode."""
    rows = transaction.execute(select(Competition.benchmark, Competition.version))
    return frozenset((row.benchmark, row.version) for row in rows)


def is_in_series(submission: SubmissionRecord) -> bool:
    """Return whether competition mode applies: to users' answers to the shared test split, not to system rows."""
    return submission.source in SOURCES and not submission.is_reference and submission.edition is None


class ReleasedEvaluation(NamedTuple):
    """An evaluation whose scores its owner has seen; `headline` is None where it has none."""

    id: int
    headline: float | None


def list_released(
    transaction: Transaction, owner_id: int, board: BoardKey, headline: tuple[str, str]
) -> list[ReleasedEvaluation]:
    """Return an owner's evaluations on a board whose scores were ever shown, the highest headline first.

    Withdrawn and hidden submissions belong to the series, or withdrawing the best one would start it again.

    Args:
        transaction: Transaction to read in.
        owner_id: The owner.
        board: The board.
        headline: Slice and metric of its headline.
    """
    is_headline = (
        StoredScore.evaluation_id == Submission.current_evaluation_id,
        StoredScore.slice == headline[0],
        StoredScore.metric == headline[1],
    )
    query = (
        select(Submission.current_evaluation_id, StoredScore.value)
        .outerjoin(StoredScore, and_(*is_headline))
        .where(Submission.owner_id == owner_id, *is_of_board(Submission, board), Submission.edition.is_(None))
        .where(Submission.source.in_(SOURCES), Submission.is_reference.is_(False))
        .where(Submission.current_evaluation_id.is_not(None))
        .order_by(func.coalesce(StoredScore.value, -1).desc(), Submission.current_evaluation_id)
    )
    return [ReleasedEvaluation(found, value) for found, value in transaction.execute(query) if found is not None]
