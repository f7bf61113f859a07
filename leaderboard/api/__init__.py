"""The HTTP API: one router per resource."""

from collections import Counter

from fastapi import FastAPI

from evaluation.benchmarks import all_benchmarks
from evaluation.signature import CODE_VERSION
from leaderboard.api import auth, docs
from leaderboard.api.routes import (
    account_routes,
    admin_competition_routes,
    admin_listening_routes,
    admin_model_routes,
    admin_routes,
    admin_row_routes,
    audit_routes,
    benchmark_routes,
    citation_routes,
    comparison_routes,
    edition_routes,
    embed_routes,
    endpoint_routes,
    gallery_routes,
    health_routes,
    hub_model_routes,
    leaderboard_routes,
    limit_routes,
    listening_routes,
    model_routes,
    openid_routes,
    overview_routes,
    submission_routes,
    token_routes,
    validation_routes,
)
from leaderboard.boards.board_pages import BoardPages
from leaderboard.boards.overview_pages import OverviewPages
from leaderboard.http.caching.page_cache import PageCache
from leaderboard.http.caching.response_cache import ResponseCache
from leaderboard.http.caching.single_flight import SingleFlight
from leaderboard.http.problem_details import add_handlers
from leaderboard.services import Services

_ROUTERS = (
    health_routes.router,
    benchmark_routes.router,
    leaderboard_routes.router,
    overview_routes.router,
    comparison_routes.router,
    model_routes.router,
    listening_routes.router,
    validation_routes.router,
    submission_routes.sending_router,
    submission_routes.router,
    citation_routes.router,
    endpoint_routes.router,
    edition_routes.router,
    gallery_routes.router,
    limit_routes.router,
    token_routes.router,
    account_routes.router,
    hub_model_routes.router,
    audit_routes.router,
    admin_routes.router,
    admin_model_routes.router,
    admin_listening_routes.router,
    admin_competition_routes.router,
    admin_row_routes.router,
    auth.router,
    openid_routes.router,
    docs.router,
    embed_routes.router,
)


def build_api(services: Services, counts: Counter[int] | None = None) -> FastAPI:
    """Return the application that serves every address except the page.

    Args:
        services: The services.
        counts: Responses by status, as counted by the guard.
    """
    app = FastAPI(
        title="Earshot",
        version=CODE_VERSION,
        summary="The public leaderboard for audio reasoning.",
        openapi_url=None,  # served with an entity tag by `docs`
        docs_url=None,  # FastAPI's own page loads scripts from another host
        redoc_url=None,
        # A redirect to the same address with a slash would contain the host that the request claims.
        redirect_slashes=False,
    )
    app.state.services = services
    app.state.benchmark_pages = PageCache()
    app.state.board_pages = BoardPages(services.database)
    app.state.overview_pages = OverviewPages(services.database, all_benchmarks())
    app.state.comparison_waits = comparison_routes.make_limits()
    app.state.response_cache = ResponseCache(services.database)
    app.state.single_flight = SingleFlight()
    app.state.counts = counts if counts is not None else Counter()
    add_handlers(app)
    for router in _ROUTERS:
        app.include_router(router)
    return app


__all__ = ["build_api"]
