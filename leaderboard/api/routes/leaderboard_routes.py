"""Board routes: pages of boards, and exported boards."""

from dataclasses import replace
from functools import lru_cache, partial
from typing import Annotated

import orjson
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Depends, Header, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from evaluation.benchmarks import Benchmark, get_benchmark
from leaderboard.api.board_requests import read_parameters
from leaderboard.boards.board_options import describe_board_options
from leaderboard.boards.board_pages import BoardPages, WholeBoard
from leaderboard.boards.board_parameters import (
    BOARD_PARAMETERS,
    BoardRequest,
    ParameterGroup,
    list_parameters,
    read_address_values,
    read_narrowing_values,
)
from leaderboard.boards.board_query import BoardQuery, parse_request
from leaderboard.exports import FORMATS, ExportView, Format
from leaderboard.exports.view import link_to_board
from leaderboard.http.caching.response_cache import CachedPage, answer_page, remember
from leaderboard.http.caching.single_flight import read_page
from leaderboard.http.origin import find_origin
from leaderboard.http.parameters import MAX_LIMIT
from submissions.errors import BadRequestError

router = APIRouter(prefix="/api/v1/leaderboards", tags=["leaderboards"])
# A whole board takes a second of processor time: two at once, so that exports leave room for readers.
_EXPORTS = CapacityLimiter(2)
# In formats with a record per score, each takes a kilobyte or two of the file and several of memory.
_MAX_DESCRIBED = 20_000
_TOO_MANY = (
    f"The export would have {{1:,}} records, but {{0}} has at most {_MAX_DESCRIBED:,}. Choose fewer `columns`, a "
    "filter, or a `submission`."
)

BoardWords = Annotated[BoardRequest, Depends(read_parameters(BOARD_PARAMETERS.values()))]
FiltersWords = Annotated[BoardRequest, Depends(read_parameters(list_parameters((ParameterGroup.BOARD,))))]
ExportWords = Annotated[BoardRequest, Depends(read_parameters(BOARD_PARAMETERS.values(), "format", "submission"))]


def get_board_pages(request: Request) -> BoardPages:
    """Return the board reader, with its cache, of the application that received a request."""
    pages: BoardPages = request.app.state.board_pages
    return pages


async def _provide_board_pages(request: Request) -> BoardPages:
    return get_board_pages(request)


KnownTags = Annotated[str | None, Header(description="Entity tags of your cached copies")]
Pages = Annotated[BoardPages, Depends(_provide_board_pages)]


@router.get("", summary="Query parameters, sources and export formats of all boards")
async def show_board_options() -> Response:
    """Return the options that all boards share. Parameters with `in_address` make up the address of a board."""
    return Response(_encode_board_options(), media_type="application/json", headers={"Cache-Control": "no-cache"})


@lru_cache(maxsize=1)
def _encode_board_options() -> bytes:
    return orjson.dumps(describe_board_options())


@router.get("/{benchmark_id}", summary="Rows of a board")
async def show_board(
    request: Request, benchmark_id: str, words: BoardWords, pages: Pages, if_none_match: KnownTags = None
) -> Response:
    """Return a page of rows. Send the previous entity tag in If-None-Match to get 304 for an unchanged board."""
    benchmark = get_benchmark(benchmark_id, words.version)
    query = parse_request(benchmark, words)
    is_search = query.page.has_free_words
    find, make = partial(pages.find_page, benchmark, query, if_none_match), partial(pages.build_page, benchmark, query)
    page = await read_page(request, find, make, is_search=is_search)
    if not is_search:
        board = (benchmark.id, benchmark.version, query.setting)
        find_etag = partial(pages.find_etag, benchmark, query.setting)
        remember(request, CachedPage(board, find_etag, partial(pages.find_kept, benchmark, query)))
    return answer_page(page)


@router.get("/{benchmark_id}/filters", summary="Filter values of a board")
async def show_filters(
    benchmark_id: str, words: FiltersWords, pages: Pages, if_none_match: KnownTags = None
) -> Response:
    """Return the kinds and organisations of a board's models, with their numbers of rows."""
    benchmark = get_benchmark(benchmark_id, words.version)
    wanted = words.setting or benchmark.settings[0]
    benchmark.check_setting(wanted)
    return answer_page(await run_in_threadpool(pages.read_offered, benchmark, wanted, if_none_match))


@router.get("/{benchmark_id}/export", summary="Export a board")
async def export_board(
    request: Request,
    benchmark_id: str,
    words: ExportWords,
    format: Annotated[str, Query(description=f"One of {', '.join(FORMATS)}")] = "csv",
    submission: Annotated[
        str | None, Query(description="ID of a single row, as in `submission`", max_length=60)
    ] = None,
) -> Response:
    """Return every matching row; `limit` and `cursor` are ignored.

    `csv` and `json` contain every score unless `columns` selects some; `latex`, `hub` (`.eval_results/*.yaml`),
    `model-index` and `eee` (Every Eval Ever 0.3.0) contain the board's default columns. `hub`, `model-index` and `eee`
    describe models and omit human, chance and reference rows; the first two have one YAML document per row.
    """
    return await to_thread.run_sync(_export, request, benchmark_id, words, format, submission, limiter=_EXPORTS)


def _export(request: Request, benchmark_id: str, words: BoardRequest, name: str, submission: str | None) -> Response:
    benchmark = get_benchmark(benchmark_id, words.version)
    if name not in FORMATS:
        raise BadRequestError("format", f"Unknown format. Available formats: {', '.join(FORMATS)}.")
    kind = FORMATS[name]
    query = parse_request(benchmark, replace(words, limit=MAX_LIMIT, cursor=None))
    pages = get_board_pages(request)
    if words.columns is None and not kind.all_columns:
        usual = benchmark.columns_of(query.setting)
        query = replace(query, columns=tuple(column for column in query.columns if column in usual))
    query = pages.offer_columns(benchmark, query)
    whole = pages.read_all(benchmark, query, submission)
    origin = find_origin(request.scope)
    link = link_to_board(origin, benchmark, read_address_values(words))
    view = replace(make_view(benchmark, query, whole, origin, link), narrowed=_list_narrowing(words, submission))
    if kind.models_only and len(view.rows) * len(view.columns) > _MAX_DESCRIBED:
        raise BadRequestError("format", _TOO_MANY.format(name, len(view.rows) * len(view.columns)))
    if submission is not None and kind.models_only and not view.systems:
        raise BadRequestError(
            "submission", f"This row is not a model, but the format {name} is for models only. Choose another format."
        )
    return _file(view, kind, submission)


def _list_narrowing(words: BoardRequest, submission: str | None) -> tuple[str, ...]:
    """Return a description of the filters that exclude rows."""
    named = read_narrowing_values(words) | {"submission": submission}
    return tuple(f"{'search' if name == 'q' else name} {word}" for name, word in named.items() if word)


def make_view(benchmark: Benchmark, query: BoardQuery, whole: WholeBoard, origin: str, link: str) -> ExportView:
    """Return a board's rows as an exportable view."""
    revision, made_at = (whole.board.revision, whole.board.updated_at) if whole.board else (0, None)
    return ExportView(benchmark, query.setting, query.columns, whole.rows, revision, made_at, link, origin)


def _file(view: ExportView, kind: Format, submission: str | None) -> Response:
    of_row = [view.rows[0]["submission"]] if submission else []
    name = "-".join([view.benchmark.id, view.benchmark.version, view.setting, *of_row])
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind.extension}"', "Cache-Control": "no-cache"}
    return Response(kind.write(view), headers=headers, media_type=kind.media_type)
