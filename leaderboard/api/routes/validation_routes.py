"""Validation route: checks a file for free, for everyone, without storing it."""

from dataclasses import asdict
from typing import Annotated, Any, BinaryIO

import orjson
from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from db.records import UserRecord
from evaluation.predictions import Validation
from leaderboard.api.auth import ServicesOfApp, find_current_user
from leaderboard.api.uploads import (
    CHECKS,
    AllowMissingField,
    BenchmarkField,
    PredictionFile,
    SettingField,
    VersionField,
)
from leaderboard.http.client_turns import name_client
from leaderboard.http.problem_details import describe_fault
from leaderboard.services import Services

router = APIRouter(prefix="/api/v1/validations", tags=["submissions"])


@router.post("", summary="Check a file without submitting it")
async def validate(
    services: ServicesOfApp,
    request: Request,
    current_user: Annotated[UserRecord | None, Depends(find_current_user)],
    file: PredictionFile,
    benchmark: BenchmarkField,
    version: VersionField = None,
    setting: SettingField = None,
    allow_missing: AllowMissingField = False,
) -> Response:
    """Return 200 with the result, even for a file that cannot be scored."""
    client = current_user.id if current_user is not None else name_client(request.client and request.client.host)
    verdict = await CHECKS.run(
        client, _validate, services, current_user, benchmark, version, setting, file.file, allow_missing
    )
    return Response(orjson.dumps(_describe(verdict)), media_type="application/json")


def _validate(
    services: Services,
    viewer: UserRecord | None,
    benchmark_id: str,
    version: str | None,
    setting: str | None,
    file: BinaryIO,
    allow_missing: bool,
) -> Validation:
    benchmark = services.catalogues.find_served(benchmark_id, version)
    chosen = setting or benchmark.settings[0]
    return services.submissions.validate(benchmark, chosen, file, viewer, allow_missing=allow_missing)


def _describe(verdict: Validation) -> dict[str, Any]:
    parsing = verdict.parsing
    return {
        "ok": verdict.ok,
        "predictions": verdict.predictions,
        "expected": verdict.expected,
        "missing": verdict.missing,
        "parsed": parsing.parsed if parsing else None,
        "unreadable": parsing.unreadable if parsing else None,
        "unreadable_reasons": dict(parsing.reasons) if parsing else {},
        "unreadable_examples": [asdict(example) for example in parsing.examples] if parsing else [],
        "unparsed_reason": verdict.unparsed,
        "problems": [describe_fault(problem) for problem in verdict.problems],
        "totals": dict(verdict.totals),
    }
