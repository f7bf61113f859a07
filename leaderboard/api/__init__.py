"""The HTTP API: one router a resource."""

from collections import Counter
from typing import Any

from fastapi import FastAPI

from evaluation.signature import CODE_VERSION
from leaderboard.api import (
    admin,
    admin_models,
    audit,
    auth,
    benchmarks,
    comparisons,
    docs,
    health,
    leaderboards,
    limits,
    models,
    submissions,
    tokens,
    validations,
)
from leaderboard.api.problems import MEDIA_TYPE, add_handlers
from leaderboard.board_pages import BoardPages
from leaderboard.services import Services

_PROBLEM_EXAMPLE = {
    "type": "/api/v1/docs#rejected-file",
    "title": "Unprocessable Content",
    "status": 422,
    "detail": "Line 812: id `amb-7f3k` is not in AudioMotionBench 1.0. Ids are copied from questions.jsonl.",
    "errors": [{"code": "unknown-id", "message": "Line 812: …", "line": 812, "id": "amb-7f3k"}],
}
_PROBLEM: dict[int | str, dict[str, Any]] = {
    "default": {"description": "A problem", "content": {MEDIA_TYPE: {"example": _PROBLEM_EXAMPLE}}}
}
_ROUTERS = (
    health.router,
    benchmarks.router,
    leaderboards.router,
    comparisons.router,
    models.router,
    validations.router,
    submissions.sending_router,
    submissions.router,
    limits.router,
    tokens.router,
    audit.router,
    admin.router,
    admin_models.router,
    auth.router,
    docs.router,
)


def build_api(services: Services, counts: Counter[int] | None = None) -> FastAPI:
    """Return the app behind every address that is not the page.

    Args:
        services: What it works with.
        counts: Answers by status, as the guard counts them.
    """
    app = FastAPI(
        title="Earshot",
        version=CODE_VERSION,
        summary="The public leaderboard for audio reasoning.",
        openapi_url=docs.OPENAPI_PATH,
        docs_url=None,  # FastAPI's own page asks a foreign host for its scripts
        redoc_url=None,
        responses=_PROBLEM,
        # A redirect to the same address with a slash would name the host that the request claims.
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.board_pages = BoardPages(services.database)
    app.state.comparison_waits = comparisons.make_limits()
    app.state.counts = counts if counts is not None else Counter()
    add_handlers(app)
    for router in _ROUTERS:
        app.include_router(router)
    return app


__all__ = ["build_api"]
