"""Route of the current user's submission limits."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from db.records import UserRecord
from evaluation.benchmarks import Benchmark, all_benchmarks
from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.services import Services
from submissions.intake.submission_limits import LimitUsage

router = APIRouter(prefix="/api/v1/limits", tags=["submissions"])


@router.get("", summary="Your remaining submissions and editions per benchmark version")
def show_limits(
    services: ServicesOfApp,
    current_user: CurrentUser,
    benchmark: Annotated[
        str | None, Query(description="Benchmark ID; all benchmarks by default", max_length=100)
    ] = None,
    version: Annotated[
        str | None, Query(description="Benchmark version; the one open for submissions by default")
    ] = None,
) -> Response:
    """Return how many submissions, and editions, you have left under each limit. Maintainers have no limits."""
    asked = all_benchmarks() if benchmark is None else [services.catalogues.find_served(benchmark, version)]
    body = {"limits": [_describe(services, current_user, one) for one in asked]}
    return Response(orjson.dumps(body), 200, {"Cache-Control": "no-store"}, "application/json")


def _describe(services: Services, current_user: UserRecord, benchmark: Benchmark) -> dict[str, Any]:
    quota = services.submissions.find_quota(current_user, benchmark)
    return {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "left": quota.left,
        "text": quota.describe(),
        "spans": [_describe_allowance(allowance) for allowance in quota.allowances],
        "editions": _describe_editions(services, current_user, benchmark),
    }


def _describe_editions(services: Services, current_user: UserRecord, benchmark: Benchmark) -> dict[str, Any] | None:
    if not benchmark.has_editions:
        return None
    quota = services.editions.find_quota(current_user, benchmark)
    return {"left": quota.left, "text": quota.describe()}


def _describe_allowance(allowance: LimitUsage) -> dict[str, Any]:
    return {
        "span": allowance.span,
        "limit": allowance.limit,
        "used": allowance.used,
        "left": allowance.left,
        "renewed_at": allowance.renewed_at,
    }
