"""Citation route of a row."""

from typing import Any

import orjson
from fastapi import APIRouter, Request
from starlette.responses import Response

from evaluation.benchmarks import Benchmark, Column, get_benchmark
from leaderboard.api.auth import OptionalUser, ServicesOfApp
from leaderboard.api.routes.leaderboard_routes import get_board_pages, make_view
from leaderboard.api.status_views import describe_scores
from leaderboard.boards.board_pages import WholeBoard, describe_sent_model
from leaderboard.boards.board_parameters import BoardRequest
from leaderboard.boards.board_query import BoardQuery, parse_request
from leaderboard.boards.provenance.dates import describe_dates
from leaderboard.boards.provenance.papers import describe_printed
from leaderboard.exports.citation import find_lead_of, make_citation
from leaderboard.exports.view import link_to_board
from leaderboard.http.origin import find_origin
from submissions.errors import StateError
from submissions.statuses import Status

router = APIRouter(prefix="/api/v1/submissions", tags=["submissions"])
_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization, X-Earshot-Token, Cookie"}


@router.get("/{submission_id}/citation", summary="Citation of one row")
def show_citation(
    submission_id: str, request: Request, services: ServicesOfApp, current_user: OptionalUser
) -> Response:
    """Return a reference, a permanent link, BibTeX, and the files for the model's Hub repository.

    Anyone can cite a public row; other rows are visible to their owner and maintainers only.
    """
    status = services.submissions.status(submission_id, current_user)
    submission = status.submission
    if not submission.has_scores:
        raise StateError(f"This submission is {submission.state}. Only a scored submission can be cited.")
    row = describe_cited(status)
    benchmark = get_benchmark(submission.benchmark, submission.version)
    query = _query(benchmark, submission.setting, find_lead_of(benchmark, row))
    whole = WholeBoard([row], None)
    if submission.visibility == "public":
        found = get_board_pages(request).read_all(benchmark, query, submission_id)
        placed = found.rows[0]
        # Until the board is recomputed, a re-scored row has no rank under its new signature.
        is_same = placed["signature"] == row["signature"]
        whole = WholeBoard([row | _placed(row, placed) if is_same else row], found.board)
    origin = find_origin(request.scope)
    link = link_to_board(origin, benchmark, {"version": benchmark.version, "setting": submission.setting})
    citation = make_citation(make_view(benchmark, query, whole, origin, link))
    return Response(orjson.dumps(citation), headers=_HEADERS, media_type="application/json")


def describe_cited(status: Status) -> dict[str, Any]:
    """Return a submission as a row without ranks, which only public rows have."""
    submission, evaluation = status.submission, status.evaluation
    scores = describe_scores(status)
    return {
        **dict.fromkeys(("rank", "rank_low", "rank_high")),
        "model": describe_sent_model(submission.model, status.shown_as),
        "source": submission.source,
        "reference": submission.is_reference,
        "scores": {key: {"low": None, "high": None, **score} for key, score in scores.items()},
        "ranks": {},
        "signature": evaluation.signature if evaluation else None,
        "submission": submission.id,
        **describe_dates(submission),
        "paper": describe_printed(submission.printed_in),
        "score_notes": {key: score["note"] for key, score in scores.items() if score["note"]},
    }


def _placed(row: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Return ranks and intervals of a row from its board, once a revision contains it."""
    names = ("rank", "rank_low", "rank_high", "ranks")
    return {name: found[name] for name in names} | {"scores": row["scores"] | found["scores"]}


def _query(benchmark: Benchmark, setting: str, lead: Column) -> BoardQuery:
    shown = ",".join(column.key for column in benchmark.columns if column.shown)
    words = BoardRequest(setting=setting, slice=lead.slice, metric=lead.metric, columns=shown)
    return parse_request(benchmark, words)
