"""Overview route: all benchmarks at a glance."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from evaluation.benchmarks import all_benchmarks
from leaderboard.boards.overview_pages import FIRST_ROWS, OverviewPages, parse_query
from leaderboard.http.caching.response_cache import CachedPage, answer_page, remember
from leaderboard.http.caching.single_flight import read_page
from leaderboard.http.parameters import refuse_unknown_words

router = APIRouter(prefix="/api/v1/overview", tags=["leaderboards"])
_WORDS = ("sort", "order", "q", "limit")
_IDS = tuple(dict.fromkeys(benchmark.id for benchmark in all_benchmarks()))


@router.get(
    "",
    summary="Overview: models and benchmarks",
    responses={304: {"description": "Not modified: your cached copy is current"}},
)
async def show_overview(
    request: Request,
    sort: Annotated[
        str | None, Query(description="A benchmark ID or `model`; by default, models on the most boards first")
    ] = None,
    order: Annotated[str | None, Query(description="asc or desc")] = None,
    q: Annotated[str | None, Query(description="Part of a model's or organisation's name")] = None,
    limit: Annotated[int, Query(description="Number of models, 1 to 500")] = FIRST_ROWS,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
) -> Response:
    """Return models with their best public row on each benchmark, the gap to the human baseline, and the newest rows.

    Each benchmark is shown in its default setting and current version; `counts` is false if a model has a score in
    another version only. `normalised` is (value − chance) / (human − chance), null without a human baseline.
    """
    refuse_unknown_words(request.query_params, _WORDS)
    pages: OverviewPages = request.app.state.overview_pages
    query = parse_query(sort, order, q, limit, _IDS)
    is_search = bool(query.search)
    find, make = partial(pages.find_page, query, if_none_match), partial(pages.build_page, query)
    page = await read_page(request, find, make, is_search=is_search)
    if not is_search:
        remember(request, CachedPage("overview", pages.find_etag, partial(pages.find_kept, query)))
    return answer_page(page)
