"""Problem details (RFC 9457): one error format, `application/problem+json`, for every route."""

import errno
import logging
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import orjson
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from db.errors import DatabaseUnableError, UnconfirmedError, is_away, is_busy, is_full, is_read_only
from evaluation.errors import DataNotHeldError, SettingError, UnknownBenchmarkError, shorten
from evaluation.incidents import log_incident
from evaluation.predictions import PredictionFileError, Problem
from leaderboard.pages.inputs.upload_folder import UploadFolderFullError
from submissions.errors import (
    AlreadySubmittedError,
    BadRequestError,
    ClosedVersionError,
    LimitError,
    NotAllowedError,
    NotFoundError,
    NotReadyError,
    NotSignedInError,
    SplitEndedError,
    StateError,
    SubmissionError,
    TooManyWaitingError,
)
from submissions.intake.artifacts import TooLargeError

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger(__name__)
_RETRY_AFTER_SECONDS = "10"

STATUS_OF: Mapping[type[Exception], int] = {
    UnknownBenchmarkError: 404,
    SettingError: 400,
    DataNotHeldError: 409,
    ClosedVersionError: 409,
    SplitEndedError: 410,
    LimitError: 429,
    PredictionFileError: 422,
    TooLargeError: 413,
    UploadFolderFullError: 507,
    NotSignedInError: 401,
    NotFoundError: 404,
    NotAllowedError: 403,
    NotReadyError: 503,
    TooManyWaitingError: 429,
    StateError: 409,
    BadRequestError: 400,
    SubmissionError: 400,
}
NO_SUCH_ADDRESS = "There is no such address. /api/v1/docs lists all addresses."
# Starlette's one-word messages, replaced by what to do.
_EXPLANATIONS = {
    404: NO_SUCH_ADDRESS,
    405: "This address does not support {method}. See the Allow header or /api/v1/docs for the methods it supports.",
    400: "The request body is not readable. Send it as described for this address at /api/v1/docs.",
}
DISK_FULL = "The server's disk is full, so nothing was saved. Try again later, or tell the maintainers."
DATABASE_AWAY = (
    "The database is temporarily unavailable. Try again in a few seconds. A request with the same Idempotency-Key "
    "takes effect only once."
)
DATABASE_BUSY = "Another program is writing to the database, so nothing was saved. Try again in a few seconds."
READ_ONLY = "The server's data folder is read-only, so nothing was saved. Try again later, or tell the maintainers."
_AWAY_RETRY_SECONDS = "5"
_UNCONFIRMED_RETRY_SECONDS = "5"
_MAX_INVALID = 10
_DISK_FULL_CODES = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY_CODES = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def name_problem(status: int) -> str:
    """Return the kind of a problem that has no narrower one.

    >>> name_problem(404)
    'not-found'
    """
    return HTTPStatus(status).phrase.lower().replace(" ", "-")


def make_problem(
    status: int,
    detail: str,
    *,
    code: str | None = None,
    errors: Iterable[Mapping[str, Any]] = (),
    headers: Mapping[str, str] | None = None,
    **more: object,
) -> Response:
    """Return a problem.

    Args:
        status: HTTP status.
        detail: What was found, what is allowed, what to do.
        code: Kind of problem, if it is narrower than the status.
        errors: Located errors: `code`, `message`, `line`, `id`.
        headers: Headers in addition to the content type.
        more: Further fields.
    """
    title = HTTPStatus(status).phrase
    slug = code or name_problem(status)
    body = {
        "type": f"/api/v1/docs#{slug}",
        "title": title,
        "status": status,
        "detail": detail,
        "errors": list(errors),
        **more,
    }
    return Response(orjson.dumps(body), status, dict(headers or {}), MEDIA_TYPE)


def make_fault(code: str, message: str) -> dict[str, Any]:
    """Return an error that belongs to no line of a file."""
    return {"code": code, "message": message, "line": None, "id": None}


def describe_fault(problem: Problem) -> dict[str, Any]:
    """Return an error of a prediction file; an error that groups several lists the first of them as details."""
    details = [_describe_place(detail) for detail in problem.details]
    return {**_describe_place(problem), "count": problem.count, "details": details}


def _describe_place(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "message": problem.message, "line": problem.line, "id": problem.id}


def make_incident_problem(incident: str) -> Response:
    """Return the public answer to an unexpected error, without its text."""
    return make_problem(
        500,
        f"Something went wrong on our side. Try again, or report reference {incident}.",
        incident=incident,
    )


def handle_known(_request: Request, error: Exception) -> Response:
    """Answer an error whose message is meant for the user."""
    status = next(status for kind, status in STATUS_OF.items() if isinstance(error, kind))
    if isinstance(error, PredictionFileError):
        faults = [describe_fault(problem) for problem in error.problems]
        return make_problem(status, str(error), code="rejected-file", errors=faults, total=error.total)
    if isinstance(error, AlreadySubmittedError):
        url = f"/api/v1/submissions/{error.submission_id}"
        return make_problem(status, str(error), code="already-submitted", submission=error.submission_id, url=url)
    if isinstance(error, ClosedVersionError):
        address = f"/?tab=submit&benchmark={error.benchmark}&version={error.open_version}"
        more: dict[str, Any] = {"open_version": error.open_version, "url": address if error.open_version else None}
        return make_problem(status, str(error), code="closed-version", **more)
    if isinstance(error, BadRequestError):
        return make_problem(status, str(error), errors=[make_fault(f"bad-{error.field}", str(error))])
    if isinstance(error, LimitError):
        return _make_limit_problem(status, error)
    headers = {}
    if status == HTTPStatus.UNAUTHORIZED:
        headers["WWW-Authenticate"] = getattr(error, "challenge", "Bearer")
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        headers["Retry-After"] = str(getattr(error, "retry_after", _RETRY_AFTER_SECONDS))
    return make_problem(status, str(error), headers=headers)


def _make_limit_problem(status: int, error: LimitError) -> Response:
    """Return the answer to a reached limit, with the time to wait if waiting helps."""
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    spent = {"span": error.span, "limit": error.limit, "used": error.used, "renewed_at": error.renewed_at}
    return make_problem(status, str(error), code="limit-reached", headers=headers, limit=spent)


def handle_http(request: Request, error: Exception) -> Response:
    """Answer the framework's errors: unknown addresses, wrong methods, unreadable bodies."""
    if not isinstance(error, HTTPException):
        raise error
    if is_disk_full(error.__cause__) or explain_outage(error.__cause__) is not None:
        # FastAPI reports any error that occurs while a body is read as a malformed body.
        return handle_disk(request, error)
    explanation = _EXPLANATIONS.get(error.status_code, "{detail}")
    detail = explanation.format(method=request.method, detail=error.detail)
    return make_problem(error.status_code, detail, headers=error.headers)


def handle_invalid(_request: Request, error: Exception) -> Response:
    """Answer a request whose parameters or fields are invalid."""
    if not isinstance(error, RequestValidationError):
        raise error
    faults = [_describe_invalid(fault) for fault in error.errors()[:_MAX_INVALID]]
    return make_problem(HTTPStatus.BAD_REQUEST, " ".join(fault["message"] for fault in faults), errors=faults)


def _describe_invalid(fault: Mapping[str, Any]) -> dict[str, Any]:
    # Only the location and the rule: the value may be a secret or a whole file. The location may be anything.
    place = shorten(".".join(str(part) for part in fault["loc"][1:])) or "body"
    return make_fault(f"bad-{place}", f"{place}: {fault['msg']}.")


def is_disk_full(error: BaseException | None) -> bool:
    """Tell whether an error means that a disk is full."""
    if error is None:
        return False
    return is_full(error) or (isinstance(error, OSError) and error.errno in _DISK_FULL_CODES)


def explain_outage(error: BaseException | None) -> str | None:
    """Return the message for a database or folder that is temporarily unavailable, or None if this is not the error."""
    if error is None:
        return None
    if is_read_only(error) or (isinstance(error, OSError) and error.errno in _READ_ONLY_CODES):
        return READ_ONLY
    if is_busy(error):
        return DATABASE_BUSY
    return DATABASE_AWAY if is_away(error) else None


def handle_disk(request: Request, error: Exception) -> Response:
    """Answer an error of the disk or the database if it is full or unavailable; raise all others."""
    cause = error.__cause__ if isinstance(error, HTTPException) else error
    outage = explain_outage(cause)
    if outage is not None:
        _LOG.error("%s %s failed: %s", request.method, request.url.path, getattr(cause, "orig", cause))
        headers = {"Retry-After": _AWAY_RETRY_SECONDS}
        return make_problem(HTTPStatus.SERVICE_UNAVAILABLE, outage, code="database-away", headers=headers)
    if not is_disk_full(cause):
        raise error
    _LOG.error("%s %s failed: %s", request.method, request.url.path, cause)
    return make_problem(HTTPStatus.INSUFFICIENT_STORAGE, DISK_FULL, headers={"Retry-After": "600"})


def handle_unconfirmed(request: Request, error: Exception) -> Response:
    """Answer a change that is stored here but not yet confirmed by the replica; repeating it is safe."""
    _LOG.error("%s %s was not acknowledged: %s", request.method, request.url.path, type(error).__name__)
    headers = {"Retry-After": _UNCONFIRMED_RETRY_SECONDS}
    return make_problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error), code="not-confirmed", headers=headers)


def handle_unexpected(request: Request, error: Exception) -> Response:
    """Answer an unexpected error. The error continues to the guard, which sees that it was answered."""
    return make_incident_problem(log_incident(f"{request.method} {request.url.path} failed", error))


def add_handlers(app: FastAPI) -> None:
    """Make an app answer every error with problem details."""
    for kind in STATUS_OF:
        app.add_exception_handler(kind, handle_known)
    app.add_exception_handler(HTTPException, handle_http)
    app.add_exception_handler(OSError, handle_disk)
    app.add_exception_handler(DatabaseUnableError, handle_disk)
    app.add_exception_handler(UnconfirmedError, handle_unconfirmed)
    app.add_exception_handler(RequestValidationError, handle_invalid)
    app.add_exception_handler(Exception, handle_unexpected)
