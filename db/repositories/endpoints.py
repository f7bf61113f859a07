"""Endpoints of submissions and their responses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update

from db.endpoint_records import EndpointRecord, ResponseRecord
from db.models import Endpoint, Model, StoredResponse, Submission, User
from db.records import NewSubmission, SubmissionRecord
from db.repositories.changing import count_changed
from db.repositories.converting import to_submission
from db.session import Transaction
from db.states import UNRELEASED

# A response may have hundreds of thousands of characters.
_READ_AT_ONCE = 100


def add_endpoint(transaction: Transaction, submission_id: str, endpoint: EndpointRecord) -> None:
    """Store the endpoint of a submission."""
    transaction.add(Endpoint(submission_id=submission_id, **asdict(endpoint)))


def find_endpoint(transaction: Transaction, submission_id: str) -> EndpointRecord | None:
    """Return the endpoint of a submission; None for a prediction file."""
    row = transaction.get(Endpoint, submission_id)
    return None if row is None else _to_endpoint(row)


def list_in_state(transaction: Transaction, state: str, limit: int) -> list[tuple[SubmissionRecord, EndpointRecord]]:
    """Return the endpoints whose submissions are in a state, oldest first."""
    query = (
        select(Submission, User, Model, Endpoint)
        .join(Endpoint, Endpoint.submission_id == Submission.id)
        .join(User, Submission.owner_id == User.id)
        .join(Model, Submission.model_id == Model.id)
        .where(Submission.state == state)
        .order_by(Submission.created_at, Submission.id)
        .limit(limit)
    )
    return [
        (to_submission(submission, owner, model), _to_endpoint(endpoint))
        for submission, owner, model, endpoint in transaction.execute(query)
    ]


def _to_endpoint(row: Endpoint) -> EndpointRecord:
    return EndpointRecord(
        base_url=row.base_url,
        model_name=row.model_name,
        sealed_key=row.sealed_key,
        wants_key=row.wants_key,
        concurrency=row.concurrency,
        multi_audio=row.multi_audio,
        audio_form=row.audio_form,
        parts=row.parts,
        findings=row.findings,
        progress=row.progress,
    )


def find_unfinished(transaction: Transaction, new: NewSubmission, endpoint: EndpointRecord) -> str | None:
    """Return an owner's unfinished submission of the same model and endpoint with the same request."""
    query = (
        select(Submission.id)
        .join(Endpoint, Endpoint.submission_id == Submission.id)
        .where(
            Submission.owner_id == new.owner_id,
            Submission.benchmark == new.benchmark,
            Submission.version == new.version,
            Submission.setting == new.setting,
            Submission.state.not_in(("scored", UNRELEASED, "failed", "withdrawn")),
            Endpoint.base_url == endpoint.base_url,
            Endpoint.model_name == endpoint.model_name,
        )
        .limit(1)
    )
    return transaction.scalar(query)


def list_unscored_of_editions(transaction: Transaction) -> list[SubmissionRecord]:
    """Return the submissions of endpoints with an edition of their own that are not scored and may still be queried."""
    query = (
        select(Submission, User, Model)
        .join(Endpoint, Endpoint.submission_id == Submission.id)
        .join(User, Submission.owner_id == User.id)
        .join(Model, Submission.model_id == Model.id)
        .where(Submission.edition.is_not(None), Submission.state.not_in(("scored", UNRELEASED, "withdrawn")))
        .where(or_(Submission.state != "failed", Submission.retryable.is_(True)))
        .order_by(Submission.created_at, Submission.id)
    )
    return [to_submission(submission, owner, model) for submission, owner, model in transaction.execute(query)]


def restart_with_edition(transaction: Transaction, submission_id: str, edition_id: str) -> None:
    """Give the submission of an endpoint another edition; its responses, findings and progress are deleted."""
    transaction.execute(update(Submission).where(Submission.id == submission_id).values(edition=edition_id))
    transaction.execute(delete(StoredResponse).where(StoredResponse.submission_id == submission_id))
    _set(transaction, submission_id, findings=None, progress=None)


def set_key(transaction: Transaction, submission_id: str, sealed_key: bytes | None) -> None:
    """Replace or delete the encrypted key of an endpoint."""
    _set(transaction, submission_id, sealed_key=sealed_key)


def give_key(transaction: Transaction, submission_id: str, sealed_key: bytes) -> None:
    """Set the API key of an endpoint, which its requests then use."""
    _set(transaction, submission_id, sealed_key=sealed_key, wants_key=True)


def replace_key(transaction: Transaction, submission_id: str, old: bytes, new: bytes) -> int:
    """Replace an encrypted key that is unchanged; return 0 if it has changed or was deleted."""
    is_same = (Endpoint.submission_id == submission_id) & (Endpoint.sealed_key == old)
    return count_changed(transaction, update(Endpoint).where(is_same).values(sealed_key=new))


def set_findings(transaction: Transaction, submission_id: str, findings: Sequence[Mapping[str, Any]] | None) -> None:
    """Store the results of an endpoint check; None deletes them, so that the check is repeated."""
    _set(transaction, submission_id, findings=None if findings is None else [dict(finding) for finding in findings])


def set_progress(transaction: Transaction, submission_id: str, progress: Mapping[str, Any] | None) -> None:
    """Store the progress of a run."""
    _set(transaction, submission_id, progress=None if progress is None else dict(progress))


def _set(transaction: Transaction, submission_id: str, **values: object) -> None:
    transaction.execute(update(Endpoint).where(Endpoint.submission_id == submission_id).values(**values))


def list_sealed_keys(transaction: Transaction) -> list[tuple[str, bytes]]:
    """Return submission and encrypted key of every endpoint with a key."""
    query = select(Endpoint.submission_id, Endpoint.sealed_key).where(Endpoint.sealed_key.is_not(None))
    return [(submission_id, bytes(key or b"")) for submission_id, key in transaction.execute(query)]


def keep_responses(
    transaction: Transaction, submission_id: str, responses: Sequence[ResponseRecord], now: datetime
) -> None:
    """Store responses. The caller holds the lease, so nobody else writes the same ones."""
    if responses:
        rows = [{"submission_id": submission_id, "at": now, **asdict(response)} for response in responses]
        transaction.execute(insert(StoredResponse), rows)


def list_answered(transaction: Transaction, submission_id: str) -> set[tuple[str, int]]:
    """Return item and run of all stored responses."""
    query = select(StoredResponse.item, StoredResponse.run).where(StoredResponse.submission_id == submission_id)
    return {(item, run) for item, run in transaction.execute(query)}


def count_awaiting(transaction: Transaction, owner_id: int) -> int:
    """Return how many endpoints of a user await approval."""
    query = select(func.count()).select_from(Submission)
    return (
        transaction.scalar(query.where(Submission.owner_id == owner_id, Submission.state == "awaiting-approval")) or 0
    )


def count_answered(transaction: Transaction, submission_id: str) -> tuple[int, int]:
    """Return the number of stored responses and their total number of characters."""
    n_characters = func.coalesce(func.sum(func.length(StoredResponse.text)), 0)
    row = transaction.execute(
        select(func.count(), n_characters)
        .select_from(StoredResponse)
        .where(StoredResponse.submission_id == submission_id)
    ).one()
    return row[0], int(row[1] or 0)


def iter_responses(transaction: Transaction, submission_id: str) -> Iterator[tuple[str, int, str]]:
    """Yield item, run and text of every response, in order."""
    query = (
        select(StoredResponse.item, StoredResponse.run, StoredResponse.text)
        .where(StoredResponse.submission_id == submission_id)
        .order_by(StoredResponse.item, StoredResponse.run)
        .execution_options(yield_per=_READ_AT_ONCE)
    )
    yield from ((item, run, text) for item, run, text in transaction.execute(query))
