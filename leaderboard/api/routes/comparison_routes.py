"""Comparison route: paired differences of two submissions, computed by an evaluator while the client waits."""

import time
from dataclasses import fields
from typing import Annotated, Any, NamedTuple

import anyio
import orjson
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from db.records import UserRecord
from evaluation.benchmarks import Benchmark, Column
from leaderboard.api.auth import OptionalUser, ServicesOfApp
from leaderboard.boards.board_pages import describe_sent_model
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import parse_column
from leaderboard.boards.provenance.dates import describe_dates
from leaderboard.http.caching.etags import answer_unless_known, make_etag
from leaderboard.http.parameters import refuse_unknown_words
from leaderboard.services import Services
from submissions.comparisons.comparison_requests import ComparedSubmission, SubmissionPair
from submissions.comparisons.differences import ADJUSTMENT, RULE, ComparisonResult, ScoreDifference

router = APIRouter(prefix="/api/v1/comparisons", tags=["leaderboards"])
WAIT_SECONDS = 5.0
_LOOK_EVERY_SECONDS = 0.1
_RETRY_AFTER_SECONDS = 2
MAX_WAITING_REQUESTS = 40
_THREADS = 4
_WORDS = ("benchmark", "a", "b", "slice", "metric")
# Not `asdict`: it copies every value, which takes longer than the rest of the request.
_STATED = tuple(field.name for field in fields(ScoreDifference) if field.name not in ("figure", "first", "second"))
_MISSING = "This score is missing in one of the rows, or rests on too few items."

_METHOD = {
    "interval": "95 %: all differences that the test does not reject",
    "test": "two-sided score test of the paired difference over clusters (McNemar's where items are independent)",
    "clusters": "recordings with all their items",
    "adjustment": ADJUSTMENT,
    "rule": RULE,
}
_INDEPENDENT_TEST = (
    "two-sided score test of two independent samples over clusters (chi-square where items are independent)"
)
_WAITING = {
    "state": "waiting",
    "detail": "An evaluator is comparing the rows. Try again in 2 seconds; the result is then cached.",
}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    202: {
        "description": "Not ready within 5 seconds; try again",
        "content": {"application/json": {"example": _WAITING}},
    },
    304: {"description": "Not modified: your cached copy is current"},
}


class _Limits(NamedTuple):
    """Maximum numbers of requests that wait for an evaluator, and that query the database at once."""

    waiting: CapacityLimiter
    threads: CapacityLimiter


def make_limits() -> _Limits:
    """Return the limits of an application."""
    return _Limits(CapacityLimiter(MAX_WAITING_REQUESTS), CapacityLimiter(_THREADS))


@router.get("", summary="Compare two submissions of one board", responses=_RESPONSES)
async def show_comparison(
    request: Request,
    services: ServicesOfApp,
    current_user: OptionalUser,
    benchmark: Annotated[str, Query(description="Benchmark of both submissions", max_length=100)],
    a: Annotated[
        str, Query(description="ID of the first submission, as in `submission` of a board's row", max_length=60)
    ],
    b: Annotated[str, Query(description="ID of the second submission", max_length=60)],
    slice: Annotated[str | None, Query(description="Slice to compare first")] = None,  # noqa: A002, RUF100 - the contract's name
    metric: Annotated[str | None, Query(description="Metric of the slice; its first one by default")] = None,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
) -> Response:
    """Return differences with 95 % confidence intervals and p-values: of one score first, then of all.

    Differences are fractions, a minus b. `p_value` is two-sided and covers its score alone; `p_adjusted` is adjusted by
    Holm's method over all scores of the answer. `wins`, `losses` and `ties` count items on which a is better, b is
    better, or neither is; they are null if counts would reveal single answers.

    Rows that answered the same questions are compared in pairs. Otherwise `paired` is false and `reason` says why: rows
    of different editions are compared as independent samples; reported and human rows have no item-level outcomes, so
    `method` is null and only plain differences are returned.
    """
    refuse_unknown_words(request.query_params, _WORDS)
    limits: _Limits = request.app.state.comparison_waits
    pair = await to_thread.run_sync(
        services.comparisons.find_pair, benchmark, a, b, current_user, limiter=limits.threads
    )
    column = parse_column(pair.benchmark, BoardRequest(slice=slice, metric=metric))
    answer = await _wait_for(services, pair, current_user, limits)
    if answer is None:
        headers = {"Retry-After": str(_RETRY_AFTER_SECONDS), "Cache-Control": "no-store"}
        return Response(orjson.dumps(_WAITING), 202, headers, "application/json")
    return await to_thread.run_sync(_make_response, pair, answer, column, if_none_match, limiter=limits.threads)


async def _wait_for(
    services: Services, pair: SubmissionPair, current_user: UserRecord | None, limits: _Limits
) -> ComparisonResult | None:
    """Return the answer; None if it takes longer, or if too many requests wait already.

    Between two queries it holds no thread, no connection and no transaction.
    """
    found = await to_thread.run_sync(services.comparisons.find_or_ask, pair, current_user, limiter=limits.threads)
    if found is not None or limits.waiting.borrowed_tokens >= MAX_WAITING_REQUESTS:
        return found
    async with limits.waiting:
        deadline = time.monotonic() + WAIT_SECONDS
        while found is None and time.monotonic() < deadline:
            await anyio.sleep(_LOOK_EVERY_SECONDS)
            found = await to_thread.run_sync(services.comparisons.find_result, pair, limiter=limits.threads)
    return found


def _make_response(
    pair: SubmissionPair, answer: ComparisonResult, column: Column, if_none_match: str | None
) -> Response:
    data = orjson.dumps(describe_comparison(pair, answer, column))
    headers = {} if pair.is_public else {"Cache-Control": "private, no-cache"}
    return answer_unless_known(data, make_etag(data), if_none_match, headers=headers)


def describe_comparison(pair: SubmissionPair, answer: ComparisonResult, column: Column) -> dict[str, Any]:
    """Return a comparison in the API's form; the score of one column comes first, and `slices` contains all of them."""
    columns = {one.key: one for one in pair.benchmark.columns}
    slices = [
        _describe_difference(pair.benchmark, columns[one.figure], one)
        for one in answer.differences
        if one.figure in columns
    ]
    asked = next((one for one in slices if one["figure"] == column.key), _describe_missing(pair.benchmark, column))
    submission = pair.a.submission
    return {
        "benchmark": submission.benchmark,
        "version": submission.version,
        "setting": submission.setting,
        "paired": answer.why_unpaired is None,
        "reason": answer.why_unpaired,
        **asked,
        "a": _describe_side(pair.a, asked["a"]),
        "b": _describe_side(pair.b, asked["b"]),
        "slices": slices,
        "method": _describe_method(answer),
    }


def _describe_difference(benchmark: Benchmark, column: Column, one: ScoreDifference) -> dict[str, Any]:
    metric = next(metric for metric in benchmark.metrics if metric.id == column.metric)
    return {
        "figure": column.key,
        "slice": column.slice,
        "metric": column.metric,
        "title": column.title,
        "higher_is_better": metric.higher_is_better,
        "a": one.first,
        "b": one.second,
        **{name: getattr(one, name) for name in _STATED},
    }


def _describe_missing(benchmark: Benchmark, column: Column) -> dict[str, Any]:
    """Return a score without a difference."""
    empty = _describe_difference(benchmark, column, ScoreDifference(column.key, 0.0, 0.0, 0.0, note=_MISSING))
    return empty | {"a": None, "b": None, "difference": None}


def _describe_side(side: ComparedSubmission, value: float | None) -> dict[str, Any]:
    return {
        "value": value,
        "submission": side.submission.id,
        "model": describe_sent_model(side.submission.model, side.shown_as),
        "source": side.submission.source,
        "signature": side.evaluation.signature,
        "runs": side.evaluation.runs,
        **describe_dates(side.submission),
    }


def _describe_method(answer: ComparisonResult) -> dict[str, Any] | None:
    if answer.reason is not None:
        return None
    test = {"test": _INDEPENDENT_TEST} if answer.is_independent else {}
    return _METHOD | test | {"tests": sum(one.p_value is not None for one in answer.differences)}
