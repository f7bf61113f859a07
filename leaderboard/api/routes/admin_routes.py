"""Maintainers' routes: the queue, re-evaluations, hiding and restoring."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from db.admin_records import ReevaluationRecord
from leaderboard.api.auth import CurrentUser, ServicesOfApp, get_maintainer
from leaderboard.api.cursors import Cursor, decode_queue_place, encode_place
from leaderboard.api.status_views import describe_status
from leaderboard.boards.board_pages import describe_model
from submissions.endpoints.rejection import reject_submission
from submissions.jobs.judge_usage import JudgeEstimate
from submissions.operations.maintenance import QueuedSubmission, ReevaluationRequest

_PREFIX = "/api/v1/admin"
_PRIVATE = {"Cache-Control": "no-store"}


class MaintainerRoute(APIRoute):
    """A route that authenticates before it reads anything else: for all others, every request looks alike."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return the handler with authentication in front."""
        handler = super().get_route_handler()

        async def ask_first(request: Request) -> Response:
            await run_in_threadpool(get_maintainer, request)
            return await handler(request)

        return ask_first


router = APIRouter(prefix=_PREFIX, tags=["maintainers"], route_class=MaintainerRoute)


class ReevaluationFields(BaseModel):
    """Scope of a re-evaluation."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={
            "example": {"benchmark": "audio-motion-bench", "dry_run": True, "reason": "Four keys were corrected."}
        },
    )

    submission: Annotated[str | None, Field(description="ID of a submission; send this or `benchmark`")] = None
    benchmark: Annotated[str | None, Field(description="ID of the benchmark to re-score")] = None
    version: Annotated[str | None, Field(description="Benchmark version; the first installed one by default")] = None
    dry_run: Annotated[bool, Field(description="Only preview the changes")] = False
    reason: Annotated[str, Field(description="Reason, shown in the history of every submission")]


class ReasonFields(BaseModel):
    """Reason of an action."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"example": {"reason": "Asked for by mail."}}
    )

    reason: Annotated[str, Field(description="Reason, shown in the audit log")]


@router.post("/reevaluations", status_code=202, summary="Re-score submissions, or preview the changes")
def request_reevaluation(fields: ReevaluationFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Queue a re-evaluation of a submission or a benchmark. Run a dry run of the same scope first."""
    found = services.maintenance.request_reevaluation(current_user, ReevaluationRequest(**fields.model_dump()))
    body = describe_reevaluation(found)
    return _json(body, 202, {"Location": body["url"]})


@router.get("/reevaluations", summary="List re-evaluations, newest first")
def list_reevaluations(
    services: ServicesOfApp,
    current_user: CurrentUser,
    limit: Annotated[int, Query(ge=1, le=100, description="Number of re-evaluations, at most 100")] = 20,
    cursor: Annotated[int | None, Query(ge=1, description="`next_cursor` of the previous page")] = None,
) -> Response:
    """Return a page of re-evaluations without their results."""
    found = services.maintenance.list_reevaluations(current_user, limit + 1, cursor)
    page = [describe_reevaluation(one) | {"result": None} for one in found[:limit]]
    return _json({"reevaluations": page, "next_cursor": found[limit - 1].id if len(found) > limit else None})


@router.get("/reevaluations/{reevaluation_id}", summary="Status and result of a re-evaluation")
def show_reevaluation(reevaluation_id: int, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return state and progress, and old and new scores, ranks and signatures."""
    return _json(describe_reevaluation(services.maintenance.get_reevaluation(current_user, reevaluation_id)))


@router.get("/queue", summary="List unfinished submissions")
def show_queue(
    services: ServicesOfApp,
    current_user: CurrentUser,
    limit: Annotated[int, Query(ge=1, le=1000, description="Number of submissions, at most 1000")] = 200,
    cursor: Cursor = None,
) -> Response:
    """Return unfinished submissions in queue order, with position, age and lease."""
    view = services.maintenance.view_queue(current_user, limit + 1, decode_queue_place(cursor))
    places = [_describe_place(place) for place in view.places[:limit]]
    last = view.places[limit - 1].entry if len(view.places) > limit else None
    next_cursor = encode_place([last.submission.id, last.number]) if last else None
    return _json({"totals": dict(view.totals), "submissions": places, "next_cursor": next_cursor})


@router.get("/judge", summary="State and cost of the judge")
def show_judge(services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return the judge, its calls and tokens, and how many submissions wait for it or for a maintainer."""
    view = services.maintenance.view_judge(current_user)
    judge = view.judge
    return _json(
        {
            "model": judge.model if judge else None,
            "judging": judge.judging if judge else None,
            "max_calls_per_day": judge.max_calls_per_day if judge else None,
            "calls_left": view.calls_left,
            "max_cost_per_day": judge.max_cost_per_day if judge else None,
            "cost_today": view.cost_today,
            "sort_errors": judge.sort_errors if judge else None,
            "sorting_stopped": judge.is_sorting_stopped if judge else None,
            "queue_estimate": _describe_estimate(view.queue_estimate),
            "sorting_estimate": _describe_estimate(view.sorting_estimate),
            "stopped": list(view.stopped),
            "stop_reason": view.stop_reason,
            "today": asdict(view.today),
            "last_30_days": asdict(view.month),
            "waiting": view.n_waiting,
            "held": view.n_held,
        }
    )


def _describe_estimate(estimate: JudgeEstimate) -> dict[str, float | None]:
    return {**asdict(estimate.spend), "cost": estimate.cost}


@router.post("/submissions/{submission_id}/hide", summary="Hide a submission")
def hide(submission_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Hide a submission from everyone except its owner and maintainers."""
    services.maintenance.hide(submission_id, current_user, fields.reason)
    return _show(submission_id, services, current_user)


@router.post("/submissions/{submission_id}/restore", summary="Restore a hidden submission")
def restore(submission_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Restore the visibility that a hidden submission had before."""
    services.maintenance.restore(submission_id, current_user, fields.reason)
    return _show(submission_id, services, current_user)


@router.post("/submissions/{submission_id}/release", summary="Release a held submission")
def release(submission_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Accept the judge's verdicts on a held submission."""
    services.maintenance.release(submission_id, current_user, fields.reason)
    return _show(submission_id, services, current_user)


class ApprovalFields(BaseModel):
    """Reason of an approval."""

    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra={"example": {"reason": "Known to us."}})

    reason: Annotated[str, Field(description="Reason, shown in the audit log; optional")] = ""


@router.post("/submissions/{submission_id}/approve", summary="Approve an endpoint")
def approve(
    submission_id: str, services: ServicesOfApp, current_user: CurrentUser, fields: ApprovalFields | None = None
) -> Response:
    """Approve an endpoint. Earshot queries it as soon as it is next in the queue."""
    services.endpoints.approve(submission_id, current_user, fields.reason if fields else "")
    return _show(submission_id, services, current_user)


@router.post("/submissions/{submission_id}/reject", summary="Reject an endpoint or a held submission")
def reject(submission_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """End a submission that awaits approval, or one that is held because an answer may have manipulated the judge."""
    reject_submission(services.maintenance, services.endpoints, submission_id, current_user, fields.reason)
    return _show(submission_id, services, current_user)


def describe_reevaluation(found: ReevaluationRecord) -> dict[str, Any]:
    """Return a re-evaluation in the API's form."""
    share = found.n_done / found.n_rows if found.n_rows else 0.0
    return {
        "id": found.id,
        "submission": found.scope.submission_id,
        "benchmark": found.scope.benchmark,
        "version": found.scope.version,
        "dry_run": found.dry_run,
        "requested_by": found.requested_by,
        "reason": found.reason,
        "state": found.state,
        "explanation": found.explanation,
        "progress": 1.0 if found.state == "done" else share,
        "n_submissions": found.n_rows,
        "result": found.result,
        "created_at": found.created_at,
        "started_at": found.started_at,
        "finished_at": found.finished_at,
        "url": f"{_PREFIX}/reevaluations/{found.id}",
    }


def _describe_place(place: QueuedSubmission) -> dict[str, Any]:
    submission, entry = place.entry.submission, place.entry
    lease = {"worker": entry.worker, "expires_at": entry.lease_expires_at, "began_at": entry.started_at}
    return {
        "id": submission.id,
        "owner": submission.owner.name,
        "benchmark": submission.benchmark,
        "version": submission.version,
        "setting": submission.setting,
        "model": describe_model(submission.model),
        "state": submission.state,
        "position": place.position,
        "created_at": submission.created_at,
        "updated_at": submission.updated_at,
        "age_seconds": place.age_seconds,
        "attempts": submission.attempts,
        "not_before": submission.not_before,
        "progress": entry.progress,
        "lease": lease if entry.worker is not None else None,
    }


def _show(submission_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    status = services.submissions.status(submission_id, current_user)
    return _json(describe_status(status, sees_all=True))


def _json(value: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(value), status, _PRIVATE | (headers or {}), "application/json")
