"""Web application: the guard, behind it API and page, and the timer that requeues work of lost evaluators."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import gradio as gr
from apscheduler.schedulers.background import BackgroundScheduler
from fastapi import FastAPI
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from evaluation.benchmarks import all_benchmarks
from leaderboard.agents.gradio_clients import add_gradio_clients
from leaderboard.agents.server import MCP_PATH, AgentServer
from leaderboard.api import build_api
from leaderboard.api.docs import OPENAPI_PATH
from leaderboard.assets import add_assets
from leaderboard.embed.addresses import EMBED_PATH, find_embed_address
from leaderboard.gallery.gallery_address import GALLERY_PATH
from leaderboard.http.caching.etags import Conditional
from leaderboard.http.caching.response_cache import cache_responses
from leaderboard.http.caching.warm_up import run_warm_up
from leaderboard.http.compression import Compression
from leaderboard.http.guard.middleware import Guard
from leaderboard.http.problem_details import add_handlers
from leaderboard.http.problem_pages import ProblemPages
from leaderboard.http.security_contact import add_security_contact
from leaderboard.pages.inputs.event_states import keep_no_sessions
from leaderboard.pages.inputs.page_events import PageEvents
from leaderboard.pages.inputs.page_uploads import add_upload_routes
from leaderboard.pages.shell.manifest import add_manifest
from leaderboard.pages.shell.masthead import SUMMARY
from leaderboard.pages.shell.opening import TITLE, Opening
from leaderboard.pages.shell.page_html import PageHtml
from leaderboard.services import Services
from submissions.jobs.queue import open_queue

REQUEUE_SECONDS = 5
UPLOAD_CLEANUP_SECONDS = 60
_API_PATHS = ("/api/", "/auth/", "/login/", EMBED_PATH, GALLERY_PATH)
_API_ADDRESSES = frozenset({"/healthz", "/readyz", "/metrics"})

# Gradio announces the end of each event with a text that it does not translate.
_MISSING_WORDS = {"common.complete": "Done"}

# Answers that take longest at first, and that everybody needs.
SLOW_PATHS = (
    "/api/v1/overview",
    *(f"/api/v1/leaderboards/{benchmark}" for benchmark in dict.fromkeys(one.id for one in all_benchmarks())),
    "/api/v1/benchmarks",
    OPENAPI_PATH,
)


class _Switch:
    """Routes the API's addresses to the API and all others to the page.

    The page is mounted at `/`, where it would handle every address that the API has under another method with 404.
    """

    def __init__(self, api: ASGIApp, page: ASGIApp, agents: ASGIApp) -> None:
        self._api = api
        self._page = page
        self._agents = agents
        self._benchmarks = {benchmark.id for benchmark in all_benchmarks()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        query = scope.get("query_string", b"").decode("latin-1")
        embedded = find_embed_address(query, self._benchmarks) if path == "/" else None
        if embedded is not None:
            await RedirectResponse(embedded, 307)(scope, receive, send)
            return
        if path == MCP_PATH:
            await self._agents(scope, receive, send)
            return
        is_api = path.startswith(_API_PATHS) or path in _API_ADDRESSES
        await (self._api if is_api else self._page)(scope, receive, send)


def create_app(
    services: Services,
    page: gr.Blocks | None = None,
    page_options: Mapping[str, Any] | None = None,
    opening: Opening | None = None,
    *,
    warms_up: bool = False,
) -> ASGIApp:
    """Return the application.

    Args:
        services: The services.
        page: The page; without it only the API is served.
        page_options: `theme`, `css` and the like, for `gr.mount_gradio_app`.
        opening: HTML shown until Gradio has loaded.
        warms_up: Whether to fill the caches after the start.
    """
    counts: Counter[int] = Counter()
    api = Conditional(cache_responses(build_api(services, counts)))
    agents = AgentServer(api)
    lifespan = _make_lifespan(services, agents, run_warm_up(api, SLOW_PATHS) if warms_up else nullcontext())
    # A redirect to the same address with a slash would contain the host that the request claims.
    site = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, redirect_slashes=False, lifespan=lifespan)
    add_handlers(site)
    add_assets(site)
    add_manifest(site, TITLE, SUMMARY)
    add_security_contact(site, services.settings)
    add_gradio_clients(site)
    behind: ASGIApp = site
    if page is not None:
        add_upload_routes(site, services)
        _mount(site, page, services, page_options or {})
        behind = PageEvents(site, page)
    if opening is not None:
        behind = PageHtml(behind, opening)
    return ProblemPages(Guard(Compression(_Switch(api, behind, agents)), services.settings, counts))


def _mount(site: FastAPI, page: gr.Blocks, services: Services, options: Mapping[str, Any]) -> None:
    gr.mount_gradio_app(
        site,
        page,
        path="/",
        show_error=False,  # the message of an unknown error belongs in the log only
        footer_links=[],
        run_history=False,  # Gradio would store what visitors type, passwords included, in their browser
        enable_monitoring=False,
        mcp_server=False,
        ssr_mode=False,
        pwa=False,
        i18n=gr.I18n(en=_MISSING_WORDS),
        max_file_size=services.settings.max_upload_bytes,
        **options,
    )
    # `launch` sets these two. Without them Gradio assumes that a script is being set up: it opens every path that an
    # event names, and from then on serves every image that one names as its own.
    page.has_launched = True
    page.is_running = True
    keep_no_sessions(site, page)


def _make_lifespan(services: Services, agents: AgentServer, warm_up: AbstractAsyncContextManager[None]) -> Any:
    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        scheduler = build_scheduler(services)
        scheduler.start()
        try:
            async with agents.run(), warm_up:
                yield
        finally:
            scheduler.shutdown(wait=False)
            services.checks.close()
            services.database.close()

    return lifespan


def build_scheduler(services: Services) -> BackgroundScheduler:
    """Return the timer, not started yet: it requeues the work of lost evaluators and deletes old uploads."""
    queue = open_queue(services.database, "web")
    scheduler = BackgroundScheduler(timezone="UTC")
    uploads = services.page_uploads
    scheduler.add_job(
        uploads.delete_abandoned_uploads, "interval", seconds=UPLOAD_CLEANUP_SECONDS, id="uploads", max_instances=1
    )
    scheduler.add_job(
        queue.requeue_lost, "interval", seconds=REQUEUE_SECONDS, id="sweep", max_instances=1, coalesce=True
    )
    return scheduler
