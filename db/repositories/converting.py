"""From rows to records."""

from db.models import Evaluation, Model, Submission, User
from db.records import EvaluationRecord, ModelRecord, SubmissionRecord, UserRecord


def to_user(row: User) -> UserRecord:
    """Return a person."""
    return UserRecord(row.id, row.name)


def to_model(row: Model, described: Submission) -> ModelRecord:
    """Return a system as a submission describes it."""
    return ModelRecord(
        id=row.id,
        name=row.name,
        organisation=described.organisation,
        kind=described.kind,
        size_billions=described.size_billions,
        open_weights=described.open_weights,
        url=described.url,
    )


def to_submission(row: Submission, owner: User, model: Model) -> SubmissionRecord:
    """Return a submission with its owner and model."""
    return SubmissionRecord(
        id=row.id,
        benchmark=row.benchmark,
        version=row.version,
        setting=row.setting,
        source=row.source,
        owner=to_user(owner),
        model=to_model(model, row),
        state=row.state,
        visibility=row.visibility,
        allow_missing=row.allow_missing,
        artifact_sha256=row.artifact_sha256,
        artifact_bytes=row.artifact_bytes,
        created_at=row.created_at,
        updated_at=row.updated_at,
        attempts=row.attempts,
        not_before=row.not_before,
        reason_code=row.reason_code,
        reason=row.reason,
        retryable=row.retryable,
        whose_fault=row.whose_fault,
        current_evaluation_id=row.current_evaluation_id,
    )


def to_evaluation(row: Evaluation) -> EvaluationRecord:
    """Return a scoring."""
    return EvaluationRecord(
        id=row.id,
        submission_id=row.submission_id,
        started_at=row.started_at,
        finished_at=row.finished_at,
        progress=row.progress,
        signature=row.signature,
        ranking=row.ranking,
        parts=tuple(row.parts),
        runs=row.runs,
        expected=row.expected,
        missing=row.missing,
        unreadable=row.unreadable,
        unreadable_reasons=row.unreadable_reasons,
        notes=tuple(row.notes),
    )
