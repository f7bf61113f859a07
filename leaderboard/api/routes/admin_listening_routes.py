"""Maintainers' routes of listener groups, shown or not."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from db.records import UserRecord
from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.api.listening_views import describe_group
from leaderboard.api.routes.admin_routes import MaintainerRoute, ReasonFields
from leaderboard.services import Services
from submissions.listening_test.listening_tests import GroupView

router = APIRouter(prefix="/api/v1/admin/listening", tags=["maintainers"], route_class=MaintainerRoute)
Version = Annotated[str | None, Query(description="Benchmark version; the first with practice questions by default")]


@router.get("", summary="List groups of listeners, one per version")
def list_groups(services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return every group and whether it is public; null if no one has listened yet."""
    return _show(services, current_user)


@router.post("/{benchmark_id}/show", summary="Publish the listeners' scores of a version")
def show_group(
    benchmark_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser, version: Version = None
) -> Response:
    """Show a group on the Listen tab and in `GET /api/v1/listening`."""
    return _change(benchmark_id, version, fields.reason, services, current_user, shown=True)


@router.post("/{benchmark_id}/hide", summary="Hide the listeners' scores of a version")
def hide_group(
    benchmark_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser, version: Version = None
) -> Response:
    """Show a group to maintainers only, which is the default."""
    return _change(benchmark_id, version, fields.reason, services, current_user, shown=False)


def _change(
    benchmark_id: str, version: str | None, reason: str, services: Services, current_user: UserRecord, *, shown: bool
) -> Response:
    tests = services.listening_tests
    tests.set_shown(current_user, tests.find_version(benchmark_id, version), reason, shown=shown)
    return _show(services, current_user)


def _show(services: Services, current_user: UserRecord) -> Response:
    groups = [_describe(view) for view in services.listening_tests.list_groups(current_user)]
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps({"groups": groups}), headers=headers, media_type="application/json")


def _describe(view: GroupView) -> dict[str, Any]:
    return {
        "benchmark": view.benchmark.id,
        "version": view.benchmark.version,
        "shown": view.is_shown,
        "group": describe_group(view.benchmark, view.group),
    }
