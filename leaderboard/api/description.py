"""OpenAPI description: FastAPI's, completed with responses, problems and authentication."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from threading import Lock
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import GenerateJsonSchema

from leaderboard.api.schemas import (
    account_answers,
    board_answers,
    edition_answers,
    health_answers,
    listening_answers,
    maintenance_answers,
    model_answers,
    row_answers,
    shared_answers,
    validation_answers,
)
from leaderboard.api.schemas.shared_answers import AnswerSchema, publish_name

PROBLEM_TYPE = "application/problem+json"
_JSON = "application/json"
_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": (
        "A personal access token, `esh_…`. Create one on the Account tab or with `python -m db tokens create NAME`. "
        "Servers that accept Hub tokens also take a Hub access token, `hf_…`, that may write in your name."
    ),
}
_TOKEN_HEADER = {
    "type": "apiKey",
    "in": "header",
    "name": "X-Earshot-Token",
    "description": "The same token, for clients that use Authorization for something else, which is then ignored.",
}
_COOKIE = {
    "type": "apiKey",
    "in": "cookie",
    "name": "earshot_session",
    "description": "The session cookie of a signed-in browser; over HTTPS, its name is `__Host-earshot_session`.",
}
_PROBLEM = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "errors"],
    "properties": {
        "type": {"type": "string", "description": "Link to the documentation of this problem type"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, why, and what to do"},
        "errors": {"type": "array", "items": {"$ref": "#/components/schemas/Fault"}},
    },
}
# (method, address) → response, and the route's own problems.
_Route = tuple[str, str]
ANSWERS: Mapping[_Route, type[AnswerSchema]] = {
    ("get", "/healthz"): health_answers.HealthAnswer,
    ("get", "/readyz"): health_answers.ReadinessAnswer,
    ("get", "/api/v1/benchmarks"): board_answers.BenchmarksAnswer,
    ("get", "/api/v1/benchmarks/{benchmark_id}"): board_answers.WholeBenchmarkAnswer,
    ("get", "/api/v1/leaderboards"): board_answers.BoardOptionsAnswer,
    ("get", "/api/v1/leaderboards/{benchmark_id}"): board_answers.BoardAnswer,
    ("get", "/api/v1/leaderboards/{benchmark_id}/filters"): board_answers.FiltersAnswer,
    ("get", "/api/v1/leaderboards/{benchmark_id}/export"): board_answers.ExportAnswer,
    ("get", "/api/v1/overview"): board_answers.OverviewAnswer,
    ("post", "/api/v1/validations"): validation_answers.ValidationAnswer,
    ("post", "/api/v1/submissions"): shared_answers.ReceivedAnswer,
    ("get", "/api/v1/submissions"): shared_answers.SubmissionsAnswer,
    ("get", "/api/v1/submissions/{submission_id}"): shared_answers.SubmissionAnswer,
    ("get", "/api/v1/submissions/{submission_id}/citation"): board_answers.CitationAnswer,
    ("post", "/api/v1/submissions/{submission_id}/publish"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/submissions/{submission_id}/withdraw"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/submissions/{submission_id}/retry"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/submissions/{submission_id}/practice"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/endpoint-submissions"): shared_answers.RegisteredAnswer,
    ("post", "/api/v1/benchmarks/{benchmark_id}/editions"): edition_answers.EditionAnswer,
    ("get", "/api/v1/editions"): edition_answers.EditionsAnswer,
    ("get", "/api/v1/editions/{edition_id}"): edition_answers.EditionAnswer,
    ("get", "/api/v1/editions/{edition_id}/items"): edition_answers.EditionItemsAnswer,
    ("post", "/api/v1/editions/{edition_id}/close"): edition_answers.EditionAnswer,
    ("post", "/api/v1/editions/{edition_id}/publish"): edition_answers.EditionAnswer,
    ("post", "/api/v1/editions/{edition_id}/hide"): edition_answers.EditionAnswer,
    ("get", "/api/v1/limits"): shared_answers.LimitsAnswer,
    ("get", "/api/v1/tokens"): shared_answers.TokensAnswer,
    ("post", "/api/v1/tokens"): shared_answers.NewTokenAnswer,
    ("delete", "/api/v1/tokens/{token_id}"): shared_answers.TokensAnswer,
    ("post", "/api/v1/tokens/exchange"): shared_answers.NewTokenAnswer,
    ("get", "/api/v1/sign-in"): account_answers.SignInAnswer,
    ("get", "/api/v1/me"): account_answers.AccountAnswer,
    ("get", "/api/v1/me/sessions"): account_answers.SessionsAnswer,
    ("delete", "/api/v1/me/sessions/{session_id}"): account_answers.SessionsAnswer,
    ("get", "/api/v1/admin/queue"): shared_answers.QueueAnswer,
    ("get", "/api/v1/admin/audit"): shared_answers.AuditAnswer,
    ("get", "/api/v1/admin/reevaluations"): maintenance_answers.ReevaluationsAnswer,
    ("post", "/api/v1/admin/reevaluations"): maintenance_answers.ReevaluationAnswer,
    ("get", "/api/v1/admin/reevaluations/{reevaluation_id}"): maintenance_answers.ReevaluationAnswer,
    ("post", "/api/v1/admin/submissions/{submission_id}/hide"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/admin/submissions/{submission_id}/restore"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/admin/submissions/{submission_id}/release"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/admin/submissions/{submission_id}/approve"): shared_answers.SubmissionAnswer,
    ("post", "/api/v1/admin/submissions/{submission_id}/reject"): shared_answers.SubmissionAnswer,
    ("get", "/api/v1/admin/reported-rows"): row_answers.ReportedRowsAnswer,
    ("post", "/api/v1/admin/reported-rows"): row_answers.PlannedRowsAnswer,
    ("post", "/api/v1/admin/reported-rows/{row_id}/remove"): row_answers.ReportedRowAnswer,
    ("post", "/api/v1/admin/reported-rows/{row_id}/undo"): row_answers.ReportedRowAnswer,
    ("get", "/api/v1/admin/judge"): maintenance_answers.JudgeAnswer,
    ("get", "/api/v1/comparisons"): model_answers.ComparisonAnswer,
    ("get", "/api/v1/models"): model_answers.ModelsAnswer,
    ("get", "/api/v1/models/{model_id}"): model_answers.WholeModelAnswer,
    ("post", "/api/v1/submissions/{submission_id}/hub-pull-request"): shared_answers.SubmissionAnswer,
    ("get", "/api/v1/hub-models/{organisation}/{repository}"): model_answers.HubModelAnswer,
    ("get", "/api/v1/admin/models"): model_answers.AdminModelsAnswer,
    ("post", "/api/v1/admin/models/{model_id}"): model_answers.AdminModelAnswer,
    ("get", "/api/v1/listening"): listening_answers.ListeningAnswer,
    ("get", "/api/v1/listening/{benchmark_id}"): listening_answers.RoundAnswer,
    ("post", "/api/v1/listening/{benchmark_id}/results"): listening_answers.MarkedAnswer,
    ("delete", "/api/v1/listening/{benchmark_id}/results/{result_id}"): listening_answers.WithdrawnAnswer,
    ("get", "/api/v1/admin/listening"): listening_answers.GroupsAnswer,
    ("post", "/api/v1/admin/listening/{benchmark_id}/show"): listening_answers.GroupsAnswer,
    ("post", "/api/v1/admin/listening/{benchmark_id}/hide"): listening_answers.GroupsAnswer,
    ("post", "/api/v1/admin/competitions/{benchmark_id}/start"): maintenance_answers.CompetitionAnswer,
    ("post", "/api/v1/admin/competitions/{benchmark_id}/end"): maintenance_answers.CompetitionAnswer,
    ("post", "/auth/local"): shared_answers.NameAnswer,
    ("post", "/auth/sign-out"): shared_answers.NameAnswer,
}
_OTHER_TYPES: Mapping[_Route, str] = {
    ("get", "/metrics"): "text/plain",
    ("get", "/api/v1/benchmarks/{benchmark_id}/pack"): "application/zip",
    ("get", "/api/v1/editions/{edition_id}/pack"): "application/zip",
    ("get", "/api/v1/editions/{edition_id}/audio/{name}"): "audio/wav",
    ("get", "/api/v1/leaderboards/{benchmark_id}/export"): "text/csv",
    ("get", "/api/v1/listening/{benchmark_id}/audio/{name}"): "audio/wav",
    ("get", "/api/v1/admin/reported-rows/file"): "text/csv",
    ("get", "/api/v1/admin/reported-rows/example"): "text/csv",
}
_NAME = {
    "type": "object",
    "required": ["name"],
    "properties": {"name": {"type": "string", "description": "Your user name: 1 to 39 letters, digits and `.-_`"}},
    "example": {"name": "ada"},
}
# Bodies that a route parses itself, because it accepts several formats.
_BODIES: Mapping[_Route, tuple[dict[str, Any], tuple[str, ...]]] = {
    ("post", "/auth/local"): (_NAME, (_JSON, "application/x-www-form-urlencoded", "multipart/form-data")),
}
_SIGNED_IN = tuple(
    f"/api/v1/{name}"
    for name in ("submissions", "endpoint-submissions", "editions", "limits", "tokens", "me/", "admin/")
)
_EXCHANGE = "/api/v1/tokens/exchange"
_OPEN = frozenset(
    {
        *(("get", f"/api/v1/submissions/{{submission_id}}{more}") for more in ("", "/citation")),
        *(("get", f"/api/v1/editions/{{edition_id}}/{more}") for more in ("items", "audio/{name}")),
        ("post", _EXCHANGE),
    }
)
_ASKS_PROVIDER = (_EXCHANGE, "/api/v1/sign-in")
_PRACTICE = "/api/v1/submissions/{submission_id}/practice"
_TAKES_FILES = frozenset({"/api/v1/submissions", "/api/v1/validations", _PRACTICE})
_CHANGES_STATE = (
    *(
        "/publish",
        "/hub-pull-request",
        "/practice",
        "/withdraw",
        "/retry",
        "/hide",
        "/show",
        "/restore",
        "/release",
        "/approve",
        "/reject",
        "/remove",
        "/undo",
        "/close",
        "/start",
        "/end",
    ),
    *("/admin/reevaluations", "/models/{model_id}"),
)
_DESCRIBING = Lock()
_LISTENING = "/api/v1/listening/"
_SENDS = ("/api/v1/submissions", "/api/v1/endpoint-submissions")


class _PublishedNames(GenerateJsonSchema):
    """Schemas under their published names."""

    def normalize_name(self, name: str) -> str:
        """Return the published name of a class."""
        return super().normalize_name(name).removesuffix("Schema")


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the description, computed once per application."""
    with _DESCRIBING:  # concurrent first requests would each compute it
        if app.openapi_schema is None:
            app.openapi_schema = _build_description(app)
        return app.openapi_schema


def _build_description(app: FastAPI) -> dict[str, Any]:
    found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    schemas = found.setdefault("components", {}).setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    kinds: list[type[AnswerSchema]] = [shared_answers.FaultSchema, *ANSWERS.values()]
    for kind in kinds:
        schema = kind.model_json_schema(ref_template="#/components/schemas/{model}", schema_generator=_PublishedNames)
        schemas |= schema.pop("$defs", {})
        schemas[publish_name(kind)] = schema
    schemas["Problem"] = _PROBLEM
    found["components"]["securitySchemes"] = {
        "token": _TOKEN,
        "token_header": _TOKEN_HEADER,
        "session": _COOKIE,
    }
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            _complete(operation, method, path)
    return found


def _complete(operation: dict[str, Any], method: str, path: str) -> None:
    responses = operation["responses"]
    responses.pop("422", None)
    success = next(status for status in responses if status.startswith("2"))
    content: dict[str, Any] = {}
    if (method, path) in ANSWERS:
        content[_JSON] = {"schema": {"$ref": f"#/components/schemas/{publish_name(ANSWERS[method, path])}"}}
    if (method, path) in _OTHER_TYPES:
        content[_OTHER_TYPES[method, path]] = {"schema": {"type": "string"}}
    responses[success] = {"description": operation["summary"], "content": content}
    responses |= _list_other_answers(operation, path, content)
    if (method, path) in _BODIES:
        schema, kinds = _BODIES[method, path]
        operation["requestBody"] = {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}
    for status in _list_problems(operation, method, path):
        responses[str(status.value)] = {
            "description": status.phrase,
            "content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    if needs_name(method, path):
        operation["security"] = [{"token": []}, {"token_header": []}, {"session": []}]


def _list_other_answers(operation: Mapping[str, Any], path: str, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers that are neither the usual one nor a problem."""
    headers = {
        parameter["name"].lower() for parameter in operation.get("parameters", ()) if parameter["in"] == "header"
    }
    found: dict[str, Any] = {}
    if path == "/readyz":
        found["503"] = {"description": "Not ready, and why", "content": content}
    if path.startswith("/auth/"):
        found["303"] = {"description": "The page, if a form was sent"}
    if "if-none-match" in headers:
        found["304"] = {"description": "Not Modified"}
    if "range" in headers:
        found["206"] = {"description": "The range", "content": content}
    return found


def needs_name(method: str, path: str) -> bool:
    """Tell whether a route requires authentication."""
    return path.startswith(_SIGNED_IN) and (method, path) not in _OPEN


def _list_problems(operation: Mapping[str, Any], method: str, path: str) -> Iterator[HTTPStatus]:
    """Yield the statuses with which a route answers a problem of its own; any route may answer 500."""
    if operation.get("parameters") or "requestBody" in operation:
        yield HTTPStatus.BAD_REQUEST
    if needs_name(method, path) or path.startswith("/api/v1/"):
        yield HTTPStatus.UNAUTHORIZED
    if path.startswith("/api/v1/admin/") or (method == "post" and path.endswith(_CHANGES_STATE)):
        yield HTTPStatus.FORBIDDEN
    if "{" in path or "requestBody" in operation or path == "/api/v1/limits":
        yield HTTPStatus.NOT_FOUND
    if method == "get" and path == "/api/v1/comparisons":
        yield from (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS)
    if path.endswith((*_CHANGES_STATE, "/pack", "/items", "/citation")) or (method == "post" and path in _SENDS):
        yield HTTPStatus.CONFLICT
    if path == _EXCHANGE:
        yield HTTPStatus.CONFLICT
    if path in _ASKS_PROVIDER:
        yield from (HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE)
    if path.startswith(_LISTENING):
        yield from (HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE)
    if path.endswith("/audio/{name}"):
        yield HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
    if method in ("post", "delete"):
        yield HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if method == "post" and path in ("/api/v1/submissions", _PRACTICE, "/api/v1/admin/reported-rows"):
        yield HTTPStatus.UNPROCESSABLE_ENTITY
    if method == "post" and (path in _SENDS or path.endswith(("/retry", "/practice", "/editions"))):
        yield HTTPStatus.TOO_MANY_REQUESTS
    yield HTTPStatus.INTERNAL_SERVER_ERROR
    # Whatever is written waits for the database, and does not wait for long.
    if method in ("post", "delete") or path.endswith(("/pack", "/items", "/comparisons", "/audio/{name}")):
        yield HTTPStatus.SERVICE_UNAVAILABLE
    if method == "post" and path in _TAKES_FILES:
        yield HTTPStatus.INSUFFICIENT_STORAGE
