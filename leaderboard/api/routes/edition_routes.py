"""Routes of editions: request test questions, download them, close."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import Response

from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.api.pack_files import send_pack_file
from submissions.editions.edition_service import MAX_LISTED, EditionStatus

router = APIRouter(prefix="/api/v1", tags=["editions"])
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
        "pack": f"{edition_url(edition.id)}/pack" if edition.opened_at is not None else None,
        "url": edition_url(edition.id),
    }


def _json(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    data = orjson.dumps(body)
    return Response(data, status, _WATCHED | (headers or {}), "application/json")
