"""Maintainers' routes of competition mode: start it for a version with fixed questions, and end it."""

from typing import Annotated

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from db.admin_records import CompetitionRecord
from evaluation.benchmarks import Benchmark
from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.api.routes.admin_routes import MaintainerRoute, ReasonFields
from submissions.competitions.competition_texts import NOTICE

router = APIRouter(prefix="/api/v1/admin/competitions", tags=["maintainers"], route_class=MaintainerRoute)
Version = Annotated[str | None, Query(description="Benchmark version; the first installed one by default")]


@router.post("/{benchmark_id}/start", summary="Start competition mode of a version")
def start_competition(
    benchmark_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser, version: Version = None
) -> Response:
    """From now on, a submission to this version gets scores only if its headline gains significantly."""
    benchmark = services.catalogues.find_served(benchmark_id, version)
    return _show(benchmark, services.competitions.start_competition(current_user, benchmark, fields.reason))


@router.post("/{benchmark_id}/end", summary="End competition mode of a version")
def end_competition(
    benchmark_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser, version: Version = None
) -> Response:
    """Show all scores of later submissions again. Scores that were withheld stay withheld."""
    benchmark = services.catalogues.find_served(benchmark_id, version)
    services.competitions.end_competition(current_user, benchmark, fields.reason)
    return _show(benchmark, None)


def _show(benchmark: Benchmark, competition: CompetitionRecord | None) -> Response:
    value = {
        "benchmark": benchmark.id,
        "version": benchmark.version,
        "competition": competition is not None,
        "notice": None if competition is None else NOTICE,
        "started_by": None if competition is None else competition.started_by,
        "started_at": None if competition is None else competition.started_at,
    }
    return Response(orjson.dumps(value), headers={"Cache-Control": "no-store"}, media_type="application/json")
