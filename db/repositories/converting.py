"""Conversion of database rows to records."""

from collections.abc import Mapping
from typing import Any

from db.hub_records import HubModel
from db.identity_records import IdentityRecord
from db.models import Evaluation, Identity, Model, Submission, User
from db.paper_records import PrintedRow
from db.records import EvaluationRecord, ModelRecord, SubmissionRecord, UserRecord


def to_user(row: User, identity: IdentityRecord | None = None) -> UserRecord:
    """Convert a user."""
    return UserRecord(row.id, row.name, identity)


def to_identity(row: Identity) -> IdentityRecord:
    """Convert an identity of a user at a provider."""
    return IdentityRecord(
        row.id, row.user_id, row.issuer, row.subject, row.handle, row.maintainer_org, row.maintainer_until
    )


def to_model(row: Model, described: Submission) -> ModelRecord:
    """Convert a model as a submission describes it."""
    return ModelRecord(
        id=row.id,
        name=described.model_name,
        organisation=described.organisation,
        kind=described.kind,
        size_billions=described.size_billions,
        open_weights=described.open_weights,
        url=described.url,
        links=tuple(described.links or ()),
        public_id=row.public_id,
        hub=to_hub_model(described.hub_model),
    )


def to_shown_model(shown: Model, described: Submission) -> ModelRecord:
    """Convert the model that a submission is shown under. Maintainers' descriptions take precedence."""
    submitted = to_model(shown, described)
    links = submitted.all_links if shown.links is None else tuple(shown.links)
    return ModelRecord(
        id=shown.id,
        name=shown.name,
        organisation=submitted.organisation if shown.organisation is None else shown.organisation,
        kind=submitted.kind if shown.kind is None else shown.kind,
        size_billions=submitted.size_billions if shown.size_billions is None else shown.size_billions,
        open_weights=submitted.open_weights if shown.open_weights is None else shown.open_weights,
        url=links[0] if links else None,
        links=links[1:],
        public_id=shown.public_id,
        hub=submitted.hub,
    )


def to_submission(row: Submission, owner: User, model: Model) -> SubmissionRecord:
    """Convert a submission with its owner and model."""
    return SubmissionRecord(
        id=row.id,
        benchmark=row.benchmark,
        version=row.version,
        setting=row.setting,
        lane=row.lane,
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
        fault=row.fault,
        current_evaluation_id=row.current_evaluation_id,
        printed_on=row.printed_on,
        printed_in=to_printed_row(row.printed_in),
        is_reference=row.is_reference,
        hub_pull_request=row.hub_pull_request,
        edition=row.edition,
    )


def to_printed_row(stored: Mapping[str, Any] | None) -> PrintedRow | None:
    """Convert the source of a reported row; None for submissions."""
    if stored is None:
        return None
    return PrintedRow(**{**stored, "authors": tuple(stored["authors"]), "tables": tuple(stored["tables"])})


def to_hub_model(stored: Mapping[str, Any] | None) -> HubModel | None:
    """Convert a model's Hub repository; None if the submission names none."""
    return None if stored is None else HubModel(**{**stored, "base_models": tuple(stored["base_models"])})


def to_evaluation(row: Evaluation) -> EvaluationRecord:
    """Convert an evaluation."""
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
