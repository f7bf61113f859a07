"""Embedded boards: one slice of a board as a page for frames in blogs and model cards."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import Response

from evaluation.benchmarks import Benchmark, get_benchmark
from leaderboard.api.board_requests import read_parameters
from leaderboard.api.routes.leaderboard_routes import get_board_pages
from leaderboard.boards.board_parameters import BoardRequest, ParameterGroup, list_parameters
from leaderboard.boards.board_query import BoardQuery, parse_request
from leaderboard.embed.addresses import EMBED_PATH
from leaderboard.embed.document import EMBED_POLICY, THEMES, EmbeddedBoard, render_embedded_board
from leaderboard.http.caching.etags import answer_unless_known, make_etag
from leaderboard.http.caching.single_flight import read_page
from leaderboard.http.content_policies import POLICY_HEADER
from leaderboard.http.parameters import unknown_word
from submissions.ranking.row_sources import BASELINE_SOURCES, RANKED_SOURCES

router = APIRouter(prefix=EMBED_PATH.rstrip("/"), include_in_schema=False)
_read_request = read_parameters(list_parameters((ParameterGroup.BOARD, ParameterGroup.RANKING)), "theme")
_N_ROWS = 10
# Shared caches may store it: it contains nothing about the reader.
_CACHE_CONTROL = "public, max-age=60"


@router.get("/{benchmark_id}")
async def show_embedded_board(
    request: Request,
    benchmark_id: str,
    words: Annotated[BoardRequest, Depends(_read_request)],
    theme: str | None = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Return the ten best rows of a slice as HTML without scripts."""
    if theme is not None and theme not in THEMES:
        raise unknown_word("theme", theme, THEMES)
    benchmark = get_benchmark(benchmark_id, words.version)
    board = await _read_board(request, benchmark, words)
    body = render_embedded_board(board, theme).encode()
    headers = {"Cache-Control": _CACHE_CONTROL, POLICY_HEADER: EMBED_POLICY}
    return answer_unless_known(body, make_etag(body), if_none_match, media_type="text/html", headers=headers)


async def _read_board(request: Request, benchmark: Benchmark, words: BoardRequest) -> EmbeddedBoard:
    is_chosen = words.slice is not None or words.metric is not None
    query = _narrow_query(benchmark, words, RANKED_SOURCES)
    page = await _read_page(request, benchmark, query)
    opening: str = page["opening"]
    if not is_chosen and opening != query.ranked.key:
        # The board opens with another score if no row scored here can have the headline.
        slice_name, _, metric = opening.partition("|")
        words = replace(words, slice=slice_name, metric=metric)
        query = _narrow_query(benchmark, words, RANKED_SOURCES)
        page = await _read_page(request, benchmark, query)
    references = await _read_page(request, benchmark, _narrow_query(benchmark, words, BASELINE_SOURCES))
    key = query.ranked.key
    rows = [row for row in page["rows"] if (row["scores"].get(key) or {}).get("value") is not None]
    link = {
        "version": words.version,
        "setting": query.setting if query.setting != benchmark.settings[0] else None,
        "sort": key if is_chosen and key != opening else None,
    }
    return EmbeddedBoard(benchmark, query.setting, query.ranked, rows, references["rows"], link)


def _narrow_query(benchmark: Benchmark, words: BoardRequest, sources: Iterable[str]) -> BoardQuery:
    """Return the query for the best rows of these sources, with only the score that ranks them."""
    ranked = parse_request(benchmark, words).ranked
    named = replace(words, slice=ranked.slice, metric=ranked.metric, columns=ranked.key)
    return parse_request(benchmark, replace(named, source=",".join(sources), limit=_N_ROWS))


async def _read_page(request: Request, benchmark: Benchmark, query: BoardQuery) -> dict[str, Any]:
    pages = get_board_pages(request)
    find, make = partial(pages.find_page, benchmark, query), partial(pages.build_page, benchmark, query)
    page = await read_page(request, find, make, is_search=False)
    found: dict[str, Any] = orjson.loads(page.body or b"")
    return found
