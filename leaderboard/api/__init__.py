"""The HTTP API: one router a resource."""

from collections import Counter

from fastapi import FastAPI

from evaluation.benchmarks import all_benchmarks
from evaluation.signature import CODE_VERSION
from leaderboard.api import auth, docs
from leaderboard.api.routes import (
    account,
    admin,
    admin_listening,
    admin_models,
    admin_rows,
    audit,
    benchmarks,
    citations,
    comparisons,
    embeds,
    endpoints,
    health,
    hub_models,
    leaderboards,
    limits,
    listening,
    models,
    openid,
    overview,
    submissions,
    tokens,
    validations,
)
from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.overview_pages import OverviewPages
from leaderboard.http.caching.response_cache import ResponseCache
from leaderboard.http.caching.single_flight import SingleFlight
from leaderboard.http.problem_details import add_handlers
from leaderboard.services import Services

_ROUTERS = (
    health.router,
    benchmarks.router,
    leaderboards.router,
    overview.router,
    comparisons.router,
    models.router,
    listening.router,
    validations.router,
    submissions.sending_router,
    submissions.router,
    citations.router,
    endpoints.router,
    limits.router,
    tokens.router,
    account.router,
    hub_models.router,
    audit.router,
    admin.router,
    admin_models.router,
    admin_listening.router,
    admin_rows.router,
    auth.router,
    openid.router,
    docs.router,
    embeds.router,
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
        openapi_url=None,  # served with an entity tag by `docs`
        docs_url=None,  # FastAPI's own page asks a foreign host for its scripts
        redoc_url=None,
        # A redirect to the same address with a slash would name the host that the request claims.
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.board_pages = BoardPages(services.database)
    app.state.overview_pages = OverviewPages(services.database, all_benchmarks())
    app.state.comparison_waits = comparisons.make_limits()
    app.state.asked_before = ResponseCache(services.database)
    app.state.turns = SingleFlight()
    app.state.counts = counts if counts is not None else Counter()
    add_handlers(app)
    for router in _ROUTERS:
        app.include_router(router)
    return app


__all__ = ["build_api"]
