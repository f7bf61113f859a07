"""Submission routes: submit, follow the status, publish, withdraw, retry."""

from typing import Annotated, Any, BinaryIO

import orjson
from fastapi import APIRouter, Form, Header, Query
from pydantic import BaseModel, ConfigDict, Field, SecretStr
from starlette.responses import Response

from db.records import SubmissionRecord, UserRecord
from leaderboard.api.auth import CurrentUser, OptionalUser, ServicesOfApp, SignedInRoute
from leaderboard.api.cursors import Cursor, decode_moment, encode_moment
from leaderboard.api.routes.endpoint_routes import read_key
from leaderboard.api.status_views import describe_status, submission_url
from leaderboard.api.uploads import (
    SUBMISSIONS,
    AllowMissingField,
    BenchmarkField,
    PredictionFile,
    SettingField,
    VersionField,
    parse_model,
)
from leaderboard.services import Services
from submissions.errors import BadRequestError
from submissions.service import Request as SubmissionRequest

_PREFIX = "/api/v1/submissions"
router = APIRouter(prefix=_PREFIX, tags=["submissions"])
sending_router = APIRouter(prefix=_PREFIX, tags=["submissions"], route_class=SignedInRoute)
_LIST = "mine"
_PRIVATE = {"Cache-Control": "no-store"}
# Polled repeatedly while it changes: an unchanged status takes only a few bytes.
_WATCHED = {"Cache-Control": "private, no-cache", "Vary": "Authorization, X-Earshot-Token, Cookie"}


@sending_router.post("", status_code=201, summary="Submit predictions")
async def submit(
    services: ServicesOfApp,
    current_user: CurrentUser,
    file: PredictionFile,
    benchmark: BenchmarkField,
    model: Annotated[
        str,
        Form(
            description="JSON: name, organisation, kind, size_billions, open_weights, url, links",
            examples=['{"name": "My model"}'],
        ),
    ],
    version: VersionField = None,
    setting: SettingField = None,
    allow_missing: AllowMissingField = False,
    publish: Annotated[bool, Form(description="Publish the result as soon as it is scored")] = False,
    close: Annotated[bool, Form(description="Close the edition that the file answers, and score its files")] = False,
    idempotency_key: Annotated[
        str | None, Header(description="Requests with the same key return the same submission")
    ] = None,
) -> Response:
    """Accept a file. After 201 it is stored safely; after any other status, nothing was stored."""
    known = services.catalogues.find_served(benchmark, version)
    request = SubmissionRequest(
        benchmark=known,
        setting=setting or known.settings[0],
        model=parse_model(model),
        allow_missing=allow_missing,
        publish=publish,
        idempotency_key=idempotency_key,
        close=close,
    )
    submission = await SUBMISSIONS.run(current_user.id, _submit, services, current_user, request, file.file)
    return _created(submission)


def _submit(
    services: Services, current_user: UserRecord, request: SubmissionRequest, file: BinaryIO
) -> SubmissionRecord:
    return services.submissions.submit(current_user, request, file)


def _created(submission: SubmissionRecord) -> Response:
    url = submission_url(submission.id)
    body = {"id": submission.id, "state": submission.state, "sha256": submission.artifact_sha256, "url": url}
    body["edition"] = submission.edition
    return _json(body, 201, {"Location": url})


@router.get("", summary="List your submissions, newest first")
def list_submissions(
    services: ServicesOfApp,
    current_user: CurrentUser,
    mine: Annotated[bool, Query(description="Must be true: only your own submissions are listed")] = False,
    limit: Annotated[int, Query(ge=1, le=100, description="Number of submissions, at most 100")] = 50,
    cursor: Cursor = None,
) -> Response:
    """Return your own submissions. Boards show those of others."""
    if not mine:
        raise BadRequestError("mine", "This route lists your own submissions only. Send mine=true.")
    found = services.submissions.list_mine(current_user, limit + 1, decode_moment(_LIST, cursor))
    statuses = [services.submissions.status(submission.id, current_user) for submission in found[:limit]]
    body = {"submissions": [describe_status(status, sees_all=True) for status in statuses]}
    last = found[limit - 1] if len(found) > limit else None
    next_cursor = encode_moment(_LIST, last.created_at, last.id) if last else None
    return _json(body | {"next_cursor": next_cursor}, headers=_WATCHED)


@router.get("/{submission_id}", summary="Status of a submission")
def show_submission(submission_id: str, services: ServicesOfApp, current_user: OptionalUser) -> Response:
    """Return state, position, progress, estimate in seconds, events, and scores once they exist."""
    return _json(_describe(services, submission_id, current_user), headers=_WATCHED)


@router.post("/{submission_id}/publish", summary="Publish a result")
def publish(submission_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Show the result on the public board."""
    services.submissions.publish(submission_id, current_user)
    return _json(_describe(services, submission_id, current_user))


@router.post("/{submission_id}/withdraw", summary="Withdraw a submission")
def withdraw(submission_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """End the submission permanently and remove it from boards."""
    services.submissions.withdraw(submission_id, current_user)
    return _json(_describe(services, submission_id, current_user))


class RetryFields(BaseModel):
    """Secrets needed for a retry."""

    model_config = ConfigDict(
        extra="forbid", hide_input_in_errors=True, json_schema_extra={"example": {"api_key": "sk-0123456789"}}
    )

    api_key: Annotated[
        SecretStr | None, Field(description="API key of the endpoint; the earlier one was deleted when the run ended")
    ] = None


@router.post("/{submission_id}/retry", summary="Retry a failed submission")
def retry(
    submission_id: str, services: ServicesOfApp, current_user: CurrentUser, fields: RetryFields | None = None
) -> Response:
    """Queue the submission again. Earshot queries an endpoint only for the answers that are still missing."""
    services.endpoints.retry(submission_id, current_user, read_key(fields.api_key if fields else None))
    return _json(_describe(services, submission_id, current_user))


class PullRequestFields(BaseModel):
    """The pull request that proposes a result to a model card."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    url: Annotated[
        str,
        Field(
            description="URL of the pull request on the Hub",
            max_length=400,
            examples=["https://huggingface.co/lab/listener-7b/discussions/1"],
        ),
    ]


@router.post("/{submission_id}/hub-pull-request", summary="Link the pull request of a result")
def set_pull_request(
    submission_id: str, services: ServicesOfApp, current_user: CurrentUser, fields: PullRequestFields
) -> Response:
    """Store the link with the submission. The model page shows it."""
    services.pull_request_links.set(submission_id, current_user, fields.url)
    return _json(_describe(services, submission_id, current_user))


@sending_router.post("/{submission_id}/practice", summary="Attach practice answers")
async def attach_practice(
    submission_id: str, services: ServicesOfApp, current_user: CurrentUser, file: PredictionFile
) -> Response:
    """Attach a file of answers to the practice questions, in place of an earlier one.

    `practice` of the submission shows its score, and the gap to the test score once both exist.
    """
    await SUBMISSIONS.run(current_user.id, _attach, services, submission_id, current_user, file.file)
    return _json(_describe(services, submission_id, current_user))


def _attach(services: Services, submission_id: str, current_user: UserRecord, file: BinaryIO) -> None:
    services.practice.attach_file(submission_id, current_user, file)


def _describe(services: Services, submission_id: str, current_user: UserRecord | None) -> dict[str, Any]:
    status = services.submissions.status(submission_id, current_user)
    is_owner = current_user is not None and current_user.id == status.submission.owner.id
    sees_all = is_owner or services.accounts.is_maintainer(current_user)
    return describe_status(status, sees_all=sees_all)


def _json(value: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(value), status, _PRIVATE | (headers or {}), "application/json")
