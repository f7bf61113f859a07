"""Routes of editions: request test questions, download them, close."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from evaluation.answered_items import AnsweredItem
from leaderboard.api.auth import CurrentUser, OptionalUser, ServicesOfApp
from leaderboard.api.cursors import Cursor, decode_offset, encode_place
from leaderboard.api.pack_files import send_pack_file
from leaderboard.exports.answered_items_csv import write_items_csv
from leaderboard.exports.answered_items_parquet import write_items_parquet
from leaderboard.gallery.gallery_address import find_gallery_address
from submissions.editions.disclosed_items import ItemFilter
from submissions.editions.edition_service import MAX_LISTED, EditionStatus

router = APIRouter(prefix="/api/v1", tags=["editions"])
Outcome = Literal["correct", "wrong", "unreadable", "missing"]
ItemsFormat = Literal["json", "csv", "parquet"]
MAX_ITEMS = 200
_ITEMS = "edition-items"
_ITEM_FILES: Mapping[str, tuple[Callable[[Iterable[AnsweredItem]], bytes], str]] = {
    "csv": (write_items_csv, "text/csv; charset=utf-8"),
    "parquet": (write_items_parquet, "application/vnd.apache.parquet"),
}
# Personal, and polled repeatedly while it changes.
_WATCHED = {"Cache-Control": "private, no-cache", "Vary": "Authorization, X-Earshot-Token, Cookie"}
_PRIVATE = "private, no-cache"


@router.post("/benchmarks/{benchmark_id}/editions", status_code=201, summary="Request test questions of your own")
def request_edition(
    benchmark_id: str,
    services: ServicesOfApp,
    current_user: CurrentUser,
    version: Annotated[
        str | None, Query(description="Benchmark version; the current one by default", max_length=40)
    ] = None,
    idempotency_key: Annotated[
        str | None, Header(description="Requests with the same key return the same edition")
    ] = None,
) -> Response:
    """Request an edition: a test split that is rendered for you and used once."""
    benchmark = services.catalogues.find_served(benchmark_id, version)
    status = services.editions.request_edition(current_user, benchmark, idempotency_key)
    return _json(describe_edition(status), 201, {"Location": edition_url(status.edition.id)})


@router.get("/editions", summary="List your editions, newest first")
def list_editions(services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return your newest editions."""
    found = services.editions.list_mine(current_user, MAX_LISTED)
    return _json({"editions": [describe_edition(status) for status in found]})


@router.get("/editions/{edition_id}", summary="Status of an edition")
def show_edition(edition_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return state, progress, and the number of packs that are rendered before it."""
    return _json(describe_edition(services.editions.get_status(edition_id, current_user)))


@router.head("/editions/{edition_id}/pack", include_in_schema=False)
@router.get("/editions/{edition_id}/pack", summary="Download the questions of an edition (zip)")
def send_edition_pack(
    request: Request,
    edition_id: str,
    services: ServicesOfApp,
    current_user: CurrentUser,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
    range_: Annotated[str | None, Header(alias="Range", description="bytes=from-to")] = None,
) -> Response:
    """Stream the pack. A pack that was deleted a day after its last use is rendered again: retry after the 503."""
    edition, path = services.editions.open_pack(edition_id, current_user)
    return send_pack_file(request, path, edition.content_digest or "", if_none_match, range_, _PRIVATE)


@router.post("/editions/{edition_id}/close", summary="Close an edition and score its files")
def close_edition(edition_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Queue all files of the edition for scoring. It accepts no more files."""
    return _json(describe_edition(services.editions.close_edition(edition_id, current_user)))


@router.post("/editions/{edition_id}/publish", summary="Publish the gallery of a closed edition")
def publish_gallery(edition_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Let anybody see the items, the right answers and the responses of your public submissions."""
    return _json(describe_edition(services.editions.set_gallery_public(edition_id, current_user, is_public=True)))


@router.post("/editions/{edition_id}/hide", summary="Hide the gallery of an edition again")
def hide_gallery(edition_id: str, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Show the gallery to you and the maintainers only."""
    return _json(describe_edition(services.editions.set_gallery_public(edition_id, current_user, is_public=False)))


@router.get("/editions/{edition_id}/items", summary="Items of a closed edition, with answers and responses")
def list_edition_items(
    edition_id: str,
    services: ServicesOfApp,
    current_user: OptionalUser,
    submission: Annotated[
        str | None, Query(description="Submission of the edition; the first scored one by default", max_length=40)
    ] = None,
    task: Annotated[
        str | None, Query(description="Task, or its beginning, such as `sct/clean`", max_length=200)
    ] = None,
    outcome: Annotated[Outcome | None, Query(description="Only items with a run of this outcome")] = None,
    reason: Annotated[
        str | None, Query(description="Only items with a run that is unreadable for this reason", max_length=60)
    ] = None,
    format_: Annotated[ItemsFormat, Query(alias="format", description="Format of the answer")] = "json",
    limit: Annotated[int, Query(ge=1, le=MAX_ITEMS, description="Number of items in JSON")] = 50,
    cursor: Cursor = None,
) -> Response:
    """Return what was asked, what was right, what the model said, and how that was parsed.

    CSV and Parquet have all items, one row per run.
    """
    found = services.disclosed_items.read_edition(edition_id, current_user, submission)
    wanted = ItemFilter(task, outcome, reason)
    items = [one for one in found.items if wanted.admits(one)]
    if format_ != "json":
        name = f"{edition_id}-{found.submission.id}.{format_}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": _PRIVATE}
        write_items, media_type = _ITEM_FILES[format_]
        return Response(write_items(items), 200, headers, media_type)
    first = decode_offset(_ITEMS, cursor)
    page = items[first : first + limit]
    more = encode_place([_ITEMS, first + limit]) if first + limit < len(items) else None
    body = {
        "edition": edition_id,
        "benchmark": found.edition.benchmark,
        "version": found.edition.version,
        "submission": found.submission.id,
        "submissions": [{"id": one.id, "model": one.model.name} for one in found.others],
        "outcomes": dict(found.count_outcomes()),
        "reasons": dict(found.count_reasons()),
        "tasks": found.list_tasks(),
        "total": len(items),
        "items": [_describe_item(edition_id, one) for one in page],
        "next_cursor": more,
    }
    return _json(body)


@router.get("/editions/{edition_id}/audio/{name}", summary="Clip of an edition (WAV)")
def send_edition_clip(edition_id: str, name: str, services: ServicesOfApp, current_user: OptionalUser) -> Response:
    """Return a clip from the pack of an edition. A deleted or damaged pack is rendered again: retry after the 503."""
    sound = services.editions.read_clip(edition_id, current_user, name)
    return Response(sound, 200, {"Cache-Control": "private, max-age=3600"}, "audio/wav")


def _describe_item(edition_id: str, one: AnsweredItem) -> dict[str, Any]:
    item = one.item
    return {
        "id": item.id,
        "part": item.part,
        "task": item.task,
        "question": item.question,
        "answer_format": item.answer_format,
        "clips": [f"{edition_url(edition_id)}/audio/{clip}.wav" for clip in item.clips],
        "runs": [
            {
                "run": run.run,
                "options": list(run.options),
                "right": run.right,
                "response": run.response,
                "parsed": run.parsed,
                "outcome": run.outcome,
                "reason": run.reason,
            }
            for run in one.runs
        ],
    }


def edition_url(edition_id: str) -> str:
    """Return the address of an edition on this host."""
    return f"/api/v1/editions/{edition_id}"


def describe_edition(status: EditionStatus) -> dict[str, Any]:
    """Return an edition in the API's form."""
    edition = status.edition
    return {
        "id": edition.id,
        "state": status.state,
        "benchmark": edition.benchmark,
        "version": edition.version,
        "design": edition.design[:8] if edition.design else None,
        "items": edition.n_items or None,
        "submissions": status.n_files,
        "position": None if status.n_before is None else status.n_before + 1,
        "progress": edition.progress if edition.is_pack_wanted else None,
        "explanation": edition.explanation,
        "created": edition.created_at,
        "opened": edition.opened_at,
        "expires": edition.expires_at,
        "closed": edition.closed_at,
        "gallery": find_gallery_address(edition.id) if edition.state == "closed" else None,
        "gallery_is_public": edition.is_public,
        "pack": f"{edition_url(edition.id)}/pack" if edition.opened_at is not None else None,
        "url": edition_url(edition.id),
    }


def _json(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    data = orjson.dumps(body)
    return Response(data, status, _WATCHED | (headers or {}), "application/json")
