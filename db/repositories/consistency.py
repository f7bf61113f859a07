"""Consistency rules between rows, beyond what the schema can say. Read-only."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, or_, select, text

from db.models import Evaluation, StoredScore, Submission, SubmissionEvent
from db.session import Transaction

_READ_AT_ONCE = 1_000
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Artifact:
    """An upload that a submission names."""

    sha256: str
    n_bytes: int
    submission_id: str


@dataclass(frozen=True, slots=True)
class History:
    """What a submission is, and the steps that led there: (from, to)."""

    submission_id: str
    state: str
    reason: str | None
    steps: tuple[tuple[str | None, str], ...]


def find_damage(transaction: Transaction) -> str | None:
    """Return what SQLite finds wrong with the file itself; None when it is sound."""
    found = transaction.scalars(text(f"PRAGMA integrity_check({_SHOWN})")).all()
    return None if found == ["ok"] else "; ".join(" ".join(str(line).split()) for line in found)


def list_dangling(transaction: Transaction) -> list[str]:
    """Return the tables that have rows which point at nothing."""
    rows = transaction.execute(text("PRAGMA foreign_key_check"))
    return sorted({str(row[0]) for row in rows})


def list_artifacts(transaction: Transaction) -> list[Artifact]:
    """Return every upload that is named, once, by digest."""
    query = (
        select(Submission.artifact_sha256, func.max(Submission.artifact_bytes), func.min(Submission.id))
        .where(Submission.artifact_sha256.is_not(None))
        .group_by(Submission.artifact_sha256)
        .order_by(Submission.artifact_sha256)
    )
    return [
        Artifact(str(sha256), int(n_bytes or 0), submission_id)
        for sha256, n_bytes, submission_id in transaction.execute(query)
    ]


def list_unscored(transaction: Transaction) -> list[str]:
    """Return the submissions that are said to be scored and have no finished scoring of their own with figures.

    A file with gaps may have no figure that may be shown.
    """
    has_figures = select(StoredScore.evaluation_id).where(StoredScore.evaluation_id == Evaluation.id).exists()
    query = (
        select(Submission.id)
        .outerjoin(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .where(
            Submission.state == "scored",
            or_(
                Evaluation.id.is_(None),
                Evaluation.submission_id != Submission.id,
                Evaluation.finished_at.is_(None),
                ~has_figures & (func.coalesce(Evaluation.missing, 0) + func.coalesce(Evaluation.unreadable, 0) == 0),
            ),
        )
        .order_by(Submission.id)
    )
    return list(transaction.scalars(query))


def list_badly_leased(transaction: Transaction) -> list[str]:
    """Return the submissions whose leases cannot be.

    One that runs has one unfinished scoring, which somebody holds until a time; none has two that are unfinished; and
    nobody holds one that is finished.
    """
    is_open = Evaluation.finished_at.is_(None)
    is_held = Evaluation.lease_token.is_not(None) & Evaluation.lease_expires_at.is_not(None)
    held = select(Evaluation.submission_id).where(is_open, is_held)
    running = select(Submission.id).where(Submission.state == "running", Submission.id.not_in(held))
    twice = select(Evaluation.submission_id).where(is_open).group_by(Evaluation.submission_id).having(func.count() > 1)
    after_the_end = select(Evaluation.submission_id).where(~is_open, Evaluation.lease_token.is_not(None))
    return sorted({name for query in (running, twice, after_the_end) for name in transaction.scalars(query)})


def iter_histories(transaction: Transaction) -> Iterator[History]:
    """Yield every submission with its steps."""
    query = (
        select(Submission.id, Submission.state, Submission.reason, SubmissionEvent.from_state, SubmissionEvent.to_state)
        .outerjoin(SubmissionEvent, SubmissionEvent.submission_id == Submission.id)
        .order_by(Submission.id, SubmissionEvent.id)
        .execution_options(yield_per=_READ_AT_ONCE)
    )
    known: History | None = None
    for submission_id, state, reason, from_state, to_state in transaction.execute(query):
        step = () if to_state is None else ((from_state, to_state),)
        if known is not None and known.submission_id == submission_id:
            known = History(submission_id, state, reason, known.steps + step)
            continue
        if known is not None:
            yield known
        known = History(submission_id, state, reason, step)
    if known is not None:
        yield known
