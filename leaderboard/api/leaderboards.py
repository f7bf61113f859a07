"""Boards: pages of them, and whole ones as files."""

from dataclasses import fields, replace
from typing import Annotated

import orjson
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import suggest
from leaderboard.board_csv import write_csv
from leaderboard.board_pages import BoardPages
from leaderboard.board_query import MAX_LIMIT, BoardRequest, parse_request
from leaderboard.kept_pages import answer_page
from submissions.errors import BadRequestError

router = APIRouter(prefix="/api/v1/leaderboards", tags=["leaderboards"])
_FORMATS = ("csv", "json")
_WORDS = (*(field.name for field in fields(BoardRequest)), "format")
# A whole board costs a second of a core: two at once, so that a crowd of exports leaves room for readers.
_EXPORTS = CapacityLimiter(2)


async def _board_request(
    request: Request,
    version: Annotated[str | None, Query(description="Version; the one that counts unless named")] = None,
    slice: Annotated[str | None, Query(description="Slice whose rank is shown")] = None,  # noqa: A002, RUF100 - the contract's name
    metric: Annotated[str | None, Query(description="Metric whose rank is shown")] = None,
    setting: Annotated[str | None, Query(description="Setting; the first one of the benchmark unless named")] = None,
    source: Annotated[str | None, Query(description="verified, submitted, reported, human, random")] = None,
    q: Annotated[str | None, Query(description="Part of a model's or organisation's name")] = None,
    sort: Annotated[str | None, Query(description="`<slice>|<metric>`, `model` or `date`")] = None,
    order: Annotated[str | None, Query(description="asc or desc; the best first unless named")] = None,
    limit: Annotated[int, Query(description=f"1 to {MAX_LIMIT}")] = 50,
    cursor: Annotated[str | None, Query(description="next_cursor of the page before", max_length=1_000)] = None,
    columns: Annotated[str | None, Query(description="`<slice>|<metric>` with commas, or all")] = None,
) -> BoardRequest:
    """Gather the words of a request; a misspelt one is refused, or its board would pass for the one asked for.

    Not a plain function: those wait for a thread, and there is nothing to wait for.
    """
    for name in request.query_params:
        if name not in _WORDS:
            meant = suggest(name[:40], _WORDS)
            raise BadRequestError(name[:40], f"There is no parameter `{name[:40]}`.{meant} Known: {', '.join(_WORDS)}.")
    return BoardRequest(version, slice, metric, setting, source, q, sort, order, limit, cursor, columns)


BoardWords = Annotated[BoardRequest, Depends(_board_request)]


def get_board_pages(request: Request) -> BoardPages:
    """Return the reader of boards, with its cache, of the app that a request came to."""
    pages: BoardPages = request.app.state.board_pages
    return pages


async def _provide_board_pages(request: Request) -> BoardPages:
    return get_board_pages(request)


KnownTags = Annotated[str | None, Header(description="Entity tags that one has")]
Pages = Annotated[BoardPages, Depends(_provide_board_pages)]


@router.get("/{benchmark_id}", summary="One page of a board")
async def show_board(
    request: Request, benchmark_id: str, words: BoardWords, pages: Pages, if_none_match: KnownTags = None
) -> Response:
    """Return a page. With the entity tag of the page before, an unchanged board is answered by 304 alone."""
    benchmark = get_benchmark(benchmark_id, words.version)
    query = parse_request(benchmark, words)
    page = await run_in_threadpool(pages.read, benchmark, query, if_none_match)
    request.app.state.asked_before.remember(request.scope, benchmark, query)
    return answer_page(page)


@router.get("/{benchmark_id}/export", summary="A whole board as a file")
async def export_board(
    request: Request,
    benchmark_id: str,
    words: BoardWords,
    format: Annotated[str, Query(description=f"One of {', '.join(_FORMATS)}")] = "csv",
) -> Response:
    """Return every row that the words of the request find; `limit` and `cursor` say nothing here."""
    return await to_thread.run_sync(_export, request, benchmark_id, words, format, limiter=_EXPORTS)


def _export(request: Request, benchmark_id: str, words: BoardRequest, file_format: str) -> Response:
    benchmark = get_benchmark(benchmark_id, words.version)
    if file_format not in _FORMATS:
        raise BadRequestError("format", f"This format is not offered yet. Offered: {', '.join(_FORMATS)}.")
    query = parse_request(benchmark, replace(words, limit=MAX_LIMIT, cursor=None))
    rows = get_board_pages(request).read_all(benchmark, query)
    if file_format == "json":
        body = {"benchmark": benchmark.id, "version": benchmark.version, "setting": query.setting, "rows": rows}
        return _file(benchmark, query.setting, "json", orjson.dumps(body), "application/json")
    columns = [column.key for column in query.columns]
    return _file(benchmark, query.setting, "csv", write_csv(rows, columns), "text/csv; charset=utf-8")


def _file(benchmark: Benchmark, setting: str, ending: str, data: bytes, media_type: str) -> Response:
    name = f"{benchmark.id}-{benchmark.version}-{setting}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-cache"}
    return Response(data, headers=headers, media_type=media_type)
