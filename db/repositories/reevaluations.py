"""Re-evaluations: requested by one process and run by another, step by step under a lease."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, or_, select, update

from db.admin_records import PastEvaluation, ReevaluationRecord, ReevaluationRowRecord, Scope, ScoredRecord
from db.lease_records import Lease
from db.models import Evaluation, Model, Outcome, Reevaluation, ReevaluationRow, StoredScore, Submission, User
from db.repositories.board_order import HAS_SCORES
from db.repositories.changing import count_changed, lock_name
from db.repositories.converting import to_evaluation, to_submission
from db.repositories.leases import JobTable, LeaseLostError
from db.repositories.tickets import leave_ticket
from db.session import Transaction

_OPEN = ("queued", "running")
LEASES = JobTable(Reevaluation, Reevaluation.id, Reevaluation.state.in_(_OPEN))
_LARGEST_ID = 2**31 - 1  # Type of the column; PostgreSQL rejects comparisons with larger numbers.


def add_reevaluation(
    transaction: Transaction, scope: Scope, *, requested_by: str, reason: str, dry_run: bool, now: datetime
) -> int:
    """Store a requested re-evaluation for an evaluator to find."""
    row = Reevaluation(
        benchmark=scope.benchmark,
        version=scope.version,
        submission_id=scope.submission_id,
        requested_by=requested_by,
        reason=reason,
        dry_run=dry_run,
        state="queued",
        created_at=now,
    )
    transaction.add(row)
    transaction.flush()
    leave_ticket(transaction)
    return row.id


def lock_scope(transaction: Transaction, scope: Scope) -> None:
    """Lock the scope of a re-evaluation against other requests until the transaction ends."""
    lock_name(transaction, f"re-evaluation of {scope.name}")


def find_reevaluation(transaction: Transaction, reevaluation_id: int) -> ReevaluationRecord | None:
    """Return a re-evaluation."""
    if not 0 < reevaluation_id <= _LARGEST_ID:
        return None
    row = transaction.execute(_with_progress().where(Reevaluation.id == reevaluation_id)).first()
    return _to_record(*row) if row else None


def list_reevaluations(transaction: Transaction, limit: int, before: int | None = None) -> list[ReevaluationRecord]:
    """Return re-evaluations, newest first; with `before`, only those requested earlier."""
    query = _with_progress().order_by(Reevaluation.id.desc()).limit(limit)
    if before is not None:
        query = query.where(Reevaluation.id < min(before, _LARGEST_ID))
    return [_to_record(*row) for row in transaction.execute(query)]


def find_open_of(transaction: Transaction, scope: Scope, *, dry_run: bool) -> int | None:
    """Return the unfinished re-evaluation of a scope."""
    query = select(Reevaluation.id).where(*_is(scope), Reevaluation.dry_run == dry_run, Reevaluation.state.in_(_OPEN))
    return transaction.scalar(query.limit(1))


def list_targets_looked_at(transaction: Transaction, scope: Scope) -> list[Mapping[str, str]]:
    """Return the target signatures of finished dry runs of a scope."""
    conditions = (*_is(scope), Reevaluation.dry_run.is_(True), Reevaluation.state == "done")
    return list(transaction.scalars(select(Reevaluation.target).where(*conditions)))


def find_first_open(transaction: Transaction) -> Lease | None:
    """Return the lease of the next re-evaluation: they run one at a time."""
    return LEASES.find_first(transaction, "re-evaluation", Reevaluation.id)


def claim_step(transaction: Transaction, current: Lease, lease: Lease) -> ReevaluationRecord | None:
    """Lease the next step of a re-evaluation; return None if another evaluator has leased it since it was read."""
    return find_reevaluation(transaction, current.id) if LEASES.claim(transaction, current, lease) else None


def begin(
    transaction: Transaction,
    lease: Lease,
    target: Mapping[str, str],
    affected: Iterable[ScoredRecord],
    now: datetime,
) -> None:
    """Store what to re-score, and the target signatures.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    rows = [
        {
            "reevaluation_id": lease.id,
            "submission_id": scored.submission.id,
            "old_evaluation_id": scored.evaluation.id,
            "state": "waiting",
        }
        for scored in affected
    ]
    _end_step(transaction, lease, state="running", target=dict(target), n_rows=len(rows), started_at=now)
    leave_ticket(transaction)
    transaction.execute(insert(ReevaluationRow), rows)


def find_waiting_row(transaction: Transaction, reevaluation_id: int) -> ReevaluationRowRecord | None:
    """Return the next submission of a re-evaluation that is not re-scored yet."""
    query = select(ReevaluationRow).where(
        ReevaluationRow.reevaluation_id == reevaluation_id, ReevaluationRow.state == "waiting"
    )
    row = transaction.scalar(query.order_by(ReevaluationRow.submission_id).limit(1))
    return _to_row(row) if row else None


def list_rows(transaction: Transaction, reevaluation_id: int) -> list[ReevaluationRowRecord]:
    """Return every submission of a re-evaluation."""
    query = select(ReevaluationRow).where(ReevaluationRow.reevaluation_id == reevaluation_id)
    return [_to_row(row) for row in transaction.scalars(query.order_by(ReevaluationRow.submission_id))]


def end_row(transaction: Transaction, lease: Lease, row: ReevaluationRowRecord) -> None:
    """Store the result of one submission, and return the lease.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    _end_step(transaction, lease)
    leave_ticket(transaction)
    statement = update(ReevaluationRow).where(
        ReevaluationRow.reevaluation_id == lease.id,
        ReevaluationRow.submission_id == row.submission_id,
        ReevaluationRow.state == "waiting",
    )
    changed = count_changed(
        transaction,
        statement.values(
            state=row.state,
            new_evaluation_id=row.new_evaluation_id,
            signature=row.signature,
            ranking=row.ranking,
            figures={name: list(values) for name, values in (row.figures or {}).items()},
            n_figures=row.n_figures,
            n_changed=row.n_changed,
            reason=row.reason,
            judge_calls=row.judge_calls,
            most_judge_calls=row.most_judge_calls,
        ),
    )
    if not changed:
        raise LeaseLostError(f"{row.submission_id} was re-scored by another process.")


def end_reevaluation(
    transaction: Transaction,
    lease: Lease,
    state: str,
    now: datetime,
    *,
    explanation: str | None = None,
    result: Mapping[str, Any] | None = None,
) -> None:
    """Store the result of a re-evaluation.

    Raises:
        LeaseLostError: Another evaluator holds the lease now.
    """
    _end_step(transaction, lease, state=state, explanation=explanation, result=result, finished_at=now)


def drop_new_evaluations(transaction: Transaction, reevaluation_id: int) -> None:
    """Delete the evaluations of a failed re-evaluation; none of them was ever current."""
    is_own = ReevaluationRow.reevaluation_id == reevaluation_id
    all_ids = list(transaction.scalars(select(ReevaluationRow.new_evaluation_id).where(is_own)))
    ids = [evaluation_id for evaluation_id in all_ids if evaluation_id is not None]
    transaction.execute(update(ReevaluationRow).where(is_own).values(new_evaluation_id=None))
    for table, column in (
        (Outcome, Outcome.evaluation_id),
        (StoredScore, StoredScore.evaluation_id),
        (Evaluation, Evaluation.id),
    ):
        transaction.execute(delete(table).where(column.in_(ids)))


def has_answers(row: type[Submission]) -> ColumnElement[bool]:
    """Return the condition that a submission's answers are stored, as a file or as endpoint responses."""
    return or_(row.artifact_sha256.is_not(None), row.source == "verified")


def list_scored_files(transaction: Transaction, scope: Scope) -> list[ScoredRecord]:
    """Return submissions of a scope with scores and stored answers, which excludes reported and human rows.

    They include submissions whose open answers wait for a judge, with the scores of their other parts.
    """
    query = (
        select(Submission, User, Model, Evaluation)
        .join(User, Submission.owner_id == User.id)
        .join(Model, Submission.model_id == Model.id)
        .join(Evaluation, Evaluation.id == Submission.current_evaluation_id)
        .where(Submission.benchmark == scope.benchmark, Submission.version == scope.version)
        .where(*HAS_SCORES, has_answers(Submission))
    )
    if scope.submission_id is not None:
        query = query.where(Submission.id == scope.submission_id)
    return [
        ScoredRecord(to_submission(submission, owner, model), to_evaluation(evaluation))
        for submission, owner, model, evaluation in transaction.execute(query.order_by(Submission.id))
    ]


def list_past_evaluations(
    transaction: Transaction, submission_id: str, slice_name: str, metric: str
) -> list[PastEvaluation]:
    """Return current and past evaluations, newest first, each with one score.

    Evaluations newer than the current one belong to an unfinished re-evaluation and are left out.
    """
    query = (
        select(
            Evaluation.id,
            Evaluation.signature,
            Evaluation.finished_at,
            StoredScore.value,
            StoredScore.n,
            Reevaluation.reason,
            Reevaluation.requested_by,
        )
        .join(Submission, Submission.id == Evaluation.submission_id)
        .outerjoin(
            StoredScore,
            (StoredScore.evaluation_id == Evaluation.id)
            & (StoredScore.slice == slice_name)
            & (StoredScore.metric == metric),
        )
        .outerjoin(ReevaluationRow, ReevaluationRow.new_evaluation_id == Evaluation.id)
        .outerjoin(Reevaluation, Reevaluation.id == ReevaluationRow.reevaluation_id)
        .where(Evaluation.submission_id == submission_id, Evaluation.finished_at.is_not(None))
        .where(Evaluation.id <= Submission.current_evaluation_id)
        .order_by(Evaluation.id.desc())
    )
    return [
        PastEvaluation(evaluation_id, signature, finished_at, value, n, reason, requested_by)
        for evaluation_id, signature, finished_at, value, n, reason, requested_by in transaction.execute(query)
        if finished_at is not None
    ]


def _end_step(transaction: Transaction, lease: Lease, **values: object) -> None:
    LEASES.end(transaction, lease, attempts=0, **values)


def _is(scope: Scope) -> tuple[ColumnElement[bool], ...]:
    submission_id = Reevaluation.submission_id
    return (
        Reevaluation.benchmark == scope.benchmark,
        Reevaluation.version == scope.version,
        submission_id.is_(None) if scope.submission_id is None else submission_id == scope.submission_id,
    )


def _with_progress() -> Select[Any]:
    n_done = (
        select(func.count())
        .select_from(ReevaluationRow)
        .where(ReevaluationRow.reevaluation_id == Reevaluation.id, ReevaluationRow.state != "waiting")
        .correlate(Reevaluation)
        .scalar_subquery()
    )
    # A statement of the same transaction may have changed what is read here.
    return select(Reevaluation, n_done).execution_options(populate_existing=True)


def _to_record(row: Reevaluation, n_done: int) -> ReevaluationRecord:
    return ReevaluationRecord(
        id=row.id,
        scope=Scope(row.benchmark, row.version, row.submission_id),
        requested_by=row.requested_by,
        reason=row.reason,
        dry_run=row.dry_run,
        state=row.state,
        explanation=row.explanation,
        target=row.target,
        result=row.result,
        n_rows=row.n_rows,
        n_done=n_done,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )


def _to_row(row: ReevaluationRow) -> ReevaluationRowRecord:
    return ReevaluationRowRecord(
        submission_id=row.submission_id,
        state=row.state,
        old_evaluation_id=row.old_evaluation_id,
        new_evaluation_id=row.new_evaluation_id,
        signature=row.signature,
        ranking=row.ranking,
        figures={name: (old, new) for name, (old, new) in row.figures.items()},
        n_figures=row.n_figures,
        n_changed=row.n_changed,
        reason=row.reason,
        judge_calls=row.judge_calls,
        most_judge_calls=row.most_judge_calls,
    )
