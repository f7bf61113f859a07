"""Read-only checks of consistency rules that the schema cannot express."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import func, inspect, or_, select, text, union_all

from db.models import Evaluation, PracticeAnswers, StoredScore, Submission, SubmissionEvent
from db.session import Transaction

_READ_AT_ONCE = 1_000
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Artifact:
    """An upload that a submission refers to."""

    sha256: str
    n_bytes: int
    submission_id: str


@dataclass(frozen=True, slots=True)
class History:
    """The state of a submission, and its transitions: (from, to)."""

    submission_id: str
    state: str
    reason: str | None
    steps: tuple[tuple[str | None, str], ...]


def find_damage(transaction: Transaction) -> str | None:
    """Return the problems that SQLite finds in the file; None if it is sound."""
    lines = transaction.scalars(text(f"PRAGMA integrity_check({_SHOWN})")).all()
    return None if lines == ["ok"] else "; ".join(" ".join(str(line).split()) for line in lines)


def list_dangling(transaction: Transaction) -> list[str]:
    """Return the tables with rows whose references are broken."""
    rows = transaction.execute(text("PRAGMA foreign_key_check"))
    return sorted({str(row[0]) for row in rows})


def list_artifacts(transaction: Transaction) -> list[Artifact]:
    """Return every upload that a submission or its practice answers refer to, once per digest."""
    own = select(
        Submission.artifact_sha256.label("sha256"),
        Submission.artifact_bytes.label("n_bytes"),
        Submission.id.label("submission_id"),
    ).where(Submission.artifact_sha256.is_not(None))
    practice = select(PracticeAnswers.artifact_sha256, PracticeAnswers.artifact_bytes, PracticeAnswers.submission_id)
    # A backup may be made of an earlier schema, which has no practice answers.
    has_practice = inspect(transaction.connection()).has_table(PracticeAnswers.__tablename__)
    files = (union_all(own, practice) if has_practice else own).subquery().c
    query = select(files.sha256, func.max(files.n_bytes), func.min(files.submission_id))
    query = query.group_by(files.sha256).order_by(files.sha256)
    return [
        Artifact(str(sha256), int(n_bytes or 0), submission_id)
        for sha256, n_bytes, submission_id in transaction.execute(query)
    ]


def list_unscored(transaction: Transaction) -> list[str]:
    """Return submissions in state `scored` without a finished evaluation of their own that has scores.

    An incomplete file may have no score that may be disclosed.
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
    """Return submissions whose leases are inconsistent.

    A running submission has one unfinished evaluation, leased until some time. No submission has two unfinished
    evaluations, and nobody leases a finished one.
    """
    is_open = Evaluation.finished_at.is_(None)
    is_held = Evaluation.lease_token.is_not(None) & Evaluation.lease_expires_at.is_not(None)
    leased = select(Evaluation.submission_id).where(is_open, is_held)
    running = select(Submission.id).where(Submission.state == "running", Submission.id.not_in(leased))
    twice = select(Evaluation.submission_id).where(is_open).group_by(Evaluation.submission_id).having(func.count() > 1)
    after_the_end = select(Evaluation.submission_id).where(~is_open, Evaluation.lease_token.is_not(None))
    return sorted({name for query in (running, twice, after_the_end) for name in transaction.scalars(query)})


def iter_histories(transaction: Transaction) -> Iterator[History]:
    """Yield every submission with its transitions."""
    query = (
        select(Submission.id, Submission.state, Submission.reason, SubmissionEvent.from_state, SubmissionEvent.to_state)
        .outerjoin(SubmissionEvent, SubmissionEvent.submission_id == Submission.id)
        .order_by(Submission.id, SubmissionEvent.id)
        .execution_options(yield_per=_READ_AT_ONCE)
    )
    history: History | None = None
    for submission_id, state, reason, from_state, to_state in transaction.execute(query):
        step = () if to_state is None else ((from_state, to_state),)
        if history is not None and history.submission_id == submission_id:
            history = History(submission_id, state, reason, history.steps + step)
            continue
        if history is not None:
            yield history
        history = History(submission_id, state, reason, step)
    if history is not None:
        yield history
