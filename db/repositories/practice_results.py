"""Practice answers of submissions: attached by the web process, scored by an evaluator under a lease."""

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import and_, delete, or_, select, update

from db.lease_records import Lease
from db.models import Evaluation, PracticeAnswers, StoredScore, Submission
from db.practice_records import PracticeRecord, PracticeResult, PracticeWork
from db.records import ScoreRecord
from db.repositories.changing import count_changed
from db.repositories.evaluations import add_scores
from db.repositories.leases import JobTable
from db.repositories.submissions import find_submission
from db.session import Transaction

_CURRENT = (
    select(Submission.current_evaluation_id)
    .where(Submission.id == PracticeAnswers.submission_id)
    .correlate(PracticeAnswers)
    .scalar_subquery()
)
# A file is compared again whenever its submission gets another evaluation, such as by a re-scoring.
_IS_OUTDATED = and_(
    PracticeAnswers.state == "scored",
    _CURRENT.is_not(None),
    or_(PracticeAnswers.evaluation_id.is_(None), PracticeAnswers.evaluation_id != _CURRENT),
)
LEASES = JobTable(PracticeAnswers, PracticeAnswers.id, or_(PracticeAnswers.state == "queued", _IS_OUTDATED))
_NO_RESULT = dict.fromkeys(PracticeResult.__dataclass_fields__)
_NO_LEASE = {"lease_token": None, "lease_expires_at": None, "worker": None, "attempts": 0}


def find_practice(transaction: Transaction, submission_id: str) -> PracticeRecord | None:
    """Return the practice answers of a submission."""
    row = transaction.scalar(select(PracticeAnswers).where(PracticeAnswers.submission_id == submission_id))
    return _to_record(row) if row else None


def attach_file(transaction: Transaction, submission_id: str, sha256: str, n_bytes: int, now: datetime) -> None:
    """Store a file of practice answers for an evaluator to score; an earlier one is replaced, with its result.

    The transaction must hold the lock of the submission.
    """
    fresh = {"state": "queued", "artifact_sha256": sha256, "artifact_bytes": n_bytes, "attached_at": now}
    values = {**_NO_RESULT, **_NO_LEASE, **fresh, "finished_at": None}
    statement = update(PracticeAnswers).where(PracticeAnswers.submission_id == submission_id)
    if not count_changed(transaction, statement.values(n_files=PracticeAnswers.n_files + 1, **values)):
        transaction.add(PracticeAnswers(submission_id=submission_id, n_files=1, **values))
        transaction.flush()


def drop_gaps(transaction: Transaction, submission_id: str, slice_name: str, metric: str) -> bool:
    """Delete the gap among the scores of all evaluations of a submission; return False if none has one.

    Earlier evaluations are shown under their signatures, and must not show the gap of a replaced file.
    """
    own = select(Evaluation.id).where(Evaluation.submission_id == submission_id)
    is_gap = (StoredScore.evaluation_id.in_(own), StoredScore.slice == slice_name, StoredScore.metric == metric)
    return bool(count_changed(transaction, delete(StoredScore).where(*is_gap)))


def find_first_open(transaction: Transaction) -> Lease | None:
    """Return the lease of the next file: they are scored one at a time."""
    return LEASES.find_first(transaction, "practice answers", PracticeAnswers.attached_at, PracticeAnswers.id)


def claim_practice(transaction: Transaction, current: Lease, lease: Lease) -> PracticeWork | None:
    """Lease a file in the state in which it was read; return None if another evaluator has leased it since."""
    if not LEASES.claim(transaction, current, lease):
        return None
    row = transaction.get(PracticeAnswers, current.id)
    submission = None if row is None else find_submission(transaction, row.submission_id)
    return None if row is None or submission is None else PracticeWork(_to_record(row), submission)


def record_result(
    transaction: Transaction, lease: Lease, result: PracticeResult, gap: ScoreRecord | None, now: datetime
) -> None:
    """Store the result of a file, with the gap among the scores of the evaluation that it was compared with.

    The transaction must hold the lock of the submission.

    Raises:
        LeaseLostError: Another evaluator holds the lease now, or the file was replaced.
    """
    LEASES.end(transaction, lease, state="scored", finished_at=now, attempts=0, **asdict(result))
    if gap is not None and result.evaluation_id is not None:
        is_it = (StoredScore.slice == gap.slice, StoredScore.metric == gap.metric)
        transaction.execute(delete(StoredScore).where(StoredScore.evaluation_id == result.evaluation_id, *is_it))
        add_scores(transaction, result.evaluation_id, [gap])


def record_failure(transaction: Transaction, lease: Lease, explanation: str, now: datetime) -> None:
    """Store why a file could not be scored.

    Raises:
        LeaseLostError: Another evaluator holds the lease now, or the file was replaced.
    """
    LEASES.end(transaction, lease, **{**_NO_RESULT, "explanation": explanation}, state="failed", finished_at=now)


def _to_record(row: PracticeAnswers) -> PracticeRecord:
    is_scored = row.state == "scored"
    result = PracticeResult(**{name: getattr(row, name) for name in _NO_RESULT}) if is_scored else None
    return PracticeRecord(
        id=row.id,
        submission_id=row.submission_id,
        state=row.state,
        artifact_sha256=row.artifact_sha256,
        artifact_bytes=row.artifact_bytes,
        n_files=row.n_files,
        attached_at=row.attached_at,
        result=result,
        explanation=row.explanation,
    )
