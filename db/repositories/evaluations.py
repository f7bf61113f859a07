"""Evaluations: claims under a lease, lease renewal, and exactly-once results."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, update

from db.lease_records import Job, Lease, SubmissionJob
from db.models import Evaluation, Outcome, StoredScore, Submission
from db.records import EvaluationRecord, NewResult, ScoreRecord, SealedOutcomes
from db.repositories.converting import to_evaluation
from db.repositories.leases import LeaseLostError, LeaseTable
from db.repositories.queue_order import Lane, find_waiting_state, first_in_line
from db.repositories.submissions import change_state, find_submission, lock_submission
from db.session import Transaction

LEASES = LeaseTable(Evaluation, Evaluation.id, Evaluation.finished_at.is_(None))


@dataclass(frozen=True, slots=True)
class RunningLease:
    """A submission that is or was leased, and its queue."""

    submission_id: str
    lane: str
    lease: Lease


def has_waiting(transaction: Transaction, now: datetime, lane: Lane = "files") -> bool:
    """Return whether a submission is waiting, without the lock that a claim needs."""
    return transaction.scalar(first_in_line(now, lane)) is not None


def claim_next(
    transaction: Transaction, *, worker: str, token: str, now: datetime, expires_at: datetime, lane: Lane = "files"
) -> SubmissionJob | None:
    """Claim the first submission of a queue; return None if none is waiting.

    A conditional update of the state ensures that only one of two evaluators gets it. On PostgreSQL the other one does
    not wait for that, but takes the next submission.
    """
    free = first_in_line(now, lane).with_for_update(of=Submission, skip_locked=True, key_share=True)
    submission_id = transaction.scalar(free)
    attempts = Submission.attempts + 1
    waiting = find_waiting_state(lane)
    values: dict[str, object] = {"attempts": attempts, "not_before": None}
    if lane == "judge":  # The reason for waiting no longer applies.
        values |= {"reason_code": None, "reason": None, "fault": None}
    if submission_id is None or not change_state(transaction, submission_id, [waiting], now, state="running", **values):
        return None
    submission = find_submission(transaction, submission_id)
    if submission is None:
        return None
    evaluation_id = _open_evaluation(transaction, submission_id, now)
    lease = Lease(evaluation_id, submission_id, token, worker, expires_at, submission.attempts)
    LEASES.grant(transaction, lease, progress=0.0, started_at=now)
    return Job(submission, lease)


def _open_evaluation(transaction: Transaction, submission_id: str, now: datetime) -> int:
    """Return the unfinished evaluation that another evaluator left behind, or a new one."""
    query = select(Evaluation.id).where(Evaluation.submission_id == submission_id, Evaluation.finished_at.is_(None))
    left_behind = transaction.scalar(query)
    if left_behind is not None:
        return left_behind
    row = Evaluation(submission_id=submission_id, started_at=now)
    transaction.add(row)
    transaction.flush()
    return row.id


def revoke_lease(transaction: Transaction, running: RunningLease) -> bool:
    """Revoke a lease, so that its holder can no longer write; return False if the lease had changed hands."""
    lock_submission(transaction, running.submission_id)  # Before its evaluation, in the same order as a claim.
    return LEASES.revoke(transaction, running.lease, progress=0.0)


def record_result(
    transaction: Transaction, job: SubmissionJob, result: NewResult, now: datetime, **instead: object
) -> None:
    """Store outcomes, scores and signature, and make this evaluation current.

    Args:
        transaction: Transaction to write in.
        job: The submission, with the lease on its evaluation.
        result: Its result.
        now: Current time.
        instead: Values of the submission in place of those of a scored one: open answers may wait for a judge, or
            competition mode may withhold the scores.

    Raises:
        LeaseLostError: Another evaluator holds the lease now, or the submission was withdrawn.
    """
    lock_submission(transaction, job.work.id)  # Before its evaluation, in the same order as a claim.
    # The worker stays: it says who scored the submission.
    values = {"finished_at": now, "progress": 1.0, "worker": job.lease.worker, **_summary(result)}
    LEASES.end(transaction, job.lease, **values)
    _write_scores(transaction, job.lease.id, result)
    values = {
        "state": "scored",
        "current_evaluation_id": job.lease.id,
        "reason_code": None,
        "reason": None,
        "retryable": None,
        "fault": None,
    }
    if not change_state(transaction, job.work.id, ["running"], now, **values | instead):
        raise LeaseLostError(f"{job.work.id} is no longer running.")


def add_finished_evaluation(transaction: Transaction, submission_id: str, result: NewResult, now: datetime) -> int:
    """Store scores that were not computed, such as those of a paper, and make them current."""
    row = Evaluation(submission_id=submission_id, started_at=now, finished_at=now, progress=1.0, **_summary(result))
    transaction.add(row)
    transaction.flush()
    _write_scores(transaction, row.id, result)
    change_state(transaction, submission_id, ["scored"], now, current_evaluation_id=row.id)
    return row.id


def add_replacement(
    transaction: Transaction, submission_id: str, started_at: datetime, worker: str, now: datetime
) -> int:
    """Start an evaluation that finishes in the same transaction and is not current yet; return its ID."""
    row = Evaluation(submission_id=submission_id, started_at=started_at, finished_at=now, worker=worker, progress=1.0)
    transaction.add(row)
    transaction.flush()
    return row.id


def fill_replacement(transaction: Transaction, evaluation_id: int, result: NewResult) -> None:
    """Store the scores of an evaluation that was started in this transaction."""
    transaction.execute(update(Evaluation).where(Evaluation.id == evaluation_id).values(**_summary(result)))
    _write_scores(transaction, evaluation_id, result)


def _summary(result: NewResult) -> dict[str, object]:
    return {
        "signature": result.signature,
        "ranking": result.ranking,
        "parts": list(result.parts),
        "runs": result.runs,
        "expected": result.expected,
        "missing": result.missing,
        "unreadable": result.unreadable,
        "unreadable_reasons": dict(result.unreadable_reasons),
        "notes": list(result.notes),
    }


def _write_scores(transaction: Transaction, evaluation_id: int, result: NewResult) -> None:
    if result.outcomes is not None:
        transaction.add(Outcome(evaluation_id=evaluation_id, **asdict(result.outcomes)))
    add_scores(transaction, evaluation_id, result.scores)


def add_scores(transaction: Transaction, evaluation_id: int, scores: Iterable[ScoreRecord]) -> None:
    """Store scores of an evaluation."""
    rows = [
        {
            "evaluation_id": evaluation_id,
            "slice": score.slice,
            "metric": score.metric,
            "value": score.value,
            "n": score.n,
            "std": score.std,
            "note": score.note,
            "low": score.low,
            "high": score.high,
        }
        for score in scores
    ]
    if rows:
        transaction.execute(insert(StoredScore), rows)


def find_evaluation(transaction: Transaction, evaluation_id: int) -> EvaluationRecord | None:
    """Return an evaluation."""
    row = transaction.get(Evaluation, evaluation_id)
    return to_evaluation(row) if row else None


def find_open_evaluation(transaction: Transaction, submission_id: str) -> EvaluationRecord | None:
    """Return the running evaluation."""
    query = select(Evaluation).where(Evaluation.submission_id == submission_id, Evaluation.finished_at.is_(None))
    row = transaction.scalar(query)
    return to_evaluation(row) if row else None


def find_newest_finished(transaction: Transaction, submission_id: str) -> int | None:
    """Return the newest finished evaluation of a submission, whether or not it is current."""
    finished = (Evaluation.submission_id == submission_id, Evaluation.finished_at.is_not(None))
    return transaction.scalar(select(func.max(Evaluation.id)).where(*finished))


def find_outcomes(transaction: Transaction, evaluation_id: int) -> SealedOutcomes | None:
    """Return the encrypted outcomes of an evaluation; None for reported scores."""
    row = transaction.get(Outcome, evaluation_id)
    return SealedOutcomes(row.n_items, row.n_runs, row.data) if row else None


def list_scores(transaction: Transaction, evaluation_id: int) -> list[ScoreRecord]:
    """Return every score of an evaluation, by slice and metric."""
    query = (
        select(StoredScore)
        .where(StoredScore.evaluation_id == evaluation_id)
        .order_by(StoredScore.slice, StoredScore.metric)
    )
    return [_to_score(row) for row in transaction.scalars(query)]


def _to_score(row: StoredScore) -> ScoreRecord:
    return ScoreRecord(row.slice, row.metric, row.value, row.n, row.std, row.note, row.low, row.high)


def list_running(transaction: Transaction) -> list[RunningLease]:
    """Return every lease on a running submission."""
    query = (
        select(Submission.id, Submission.lane, Submission.attempts, Evaluation)
        .join(Evaluation, Evaluation.submission_id == Submission.id)
        .where(Submission.state == "running", Evaluation.finished_at.is_(None))
    )
    return [
        RunningLease(name, lane, Lease(row.id, name, row.lease_token, row.worker, row.lease_expires_at, attempts))
        for name, lane, attempts, row in transaction.execute(query)
    ]
