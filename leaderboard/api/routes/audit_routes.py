"""The audit log, for maintainers: who did what, newest first."""

from dataclasses import asdict
from typing import Annotated

import orjson
from fastapi import APIRouter, Query
from starlette.responses import Response

from db.repositories import audit
from leaderboard.api.auth import Maintainer, ServicesOfApp
from submissions.errors import BadRequestError

_LARGEST_NUMBER = 2**63 - 1

router = APIRouter(prefix="/api/v1/admin", tags=["admin"])


@router.get("/audit", summary="Audit log, newest first (maintainers only)")
def list_audit(
    services: ServicesOfApp,
    _current_user: Maintainer,
    limit: Annotated[int, Query(ge=1, le=500, description="Number of entries, at most 500")] = 50,
    cursor: Annotated[str | None, Query(description="next_cursor of the previous page", max_length=40)] = None,
) -> Response:
    """Return a page of entries. Each digest covers its entry and the previous digest, which `db check` verifies."""
    before = None if cursor is None else _parse_cursor(cursor)
    with services.database.read() as transaction:
        found = audit.list_entries(transaction, limit=limit + 1, before=before)
    entries = found[:limit]
    next_cursor = str(entries[-1].number) if len(found) > limit else None
    body = {"entries": [asdict(entry) for entry in entries], "next_cursor": next_cursor}
    return Response(orjson.dumps(body), 200, {"Cache-Control": "no-store"}, "application/json")


def _parse_cursor(cursor: str) -> int:
    is_number = cursor.isascii() and cursor.isdecimal()
    number = int(cursor) if is_number else 0
    if not 0 < number <= _LARGEST_NUMBER:
        raise BadRequestError("cursor", "Invalid cursor for this list. Send next_cursor of the previous page.")
    return number
