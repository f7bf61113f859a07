"""Maintainers' routes of reported rows: add, correct, remove and restore."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

import orjson
from fastapi import APIRouter, File, Form, Query, UploadFile
from starlette.responses import Response

from db.records import UserRecord
from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.api.routes.admin_routes import MaintainerRoute, ReasonFields
from leaderboard.exports.published_rows import EXAMPLE_PATH, write_rows_csv, write_rows_json
from leaderboard.services import Services
from submissions.published_rows.row_files import LARGEST_BYTES
from submissions.published_rows.row_lists import PublishedRowView
from submissions.published_rows.row_plans import PlannedRow

router = APIRouter(prefix="/api/v1/admin/reported-rows", tags=["maintainers"], route_class=MaintainerRoute)
_CSV = "text/csv; charset=utf-8"
_FILE = File(description="Scores: CSV, a JSON list, or JSON in the format of assets/published/*.json")


@router.get("", summary="List reported and human rows, removed rows included")
def list_rows(
    services: ServicesOfApp,
    current_user: CurrentUser,
    limit: Annotated[int, Query(ge=1, le=500, description="Number of rows, at most 500")] = 200,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page", max_length=40)] = None,
) -> Response:
    """Return a page of rows in ID order, each with its paper and its last change."""
    found = services.reported_rows.list_rows(current_user, limit + 1, cursor)
    next_cursor = found[limit - 1].row.id if len(found) > limit else None
    return _json({"rows": [_describe_row(view) for view in found[:limit]], "next_cursor": next_cursor})


@router.get("/file", summary="Download the current rows, to edit and apply them again")
def download_rows(
    services: ServicesOfApp,
    current_user: CurrentUser,
    format: Annotated[Literal["csv", "json"], Query(description="File format")] = "csv",
) -> Response:
    """Return the scores of all reported and human rows, one per line, without derived scores."""
    scores = services.reported_rows.list_score_fields(current_user)
    if format == "json":
        return _attach(write_rows_json(scores), "published-rows.json", "application/json")
    return _attach(write_rows_csv(scores), "published-rows.csv", _CSV)


@router.get("/example", summary="Download an example file of rows")
def download_example() -> Response:
    """Return a CSV file with every common field, to fill in."""
    return _attach(EXAMPLE_PATH.read_bytes(), EXAMPLE_PATH.name, _CSV)


@router.post("", summary="Add and correct rows from a file, or preview the changes")
def add_rows(
    services: ServicesOfApp,
    current_user: CurrentUser,
    file: Annotated[UploadFile, _FILE],
    reason: Annotated[str, Form(description="Reason, shown in the audit log; optional for a dry run")] = "",
    dry_run: Annotated[bool, Form(description="Only preview the changes")] = False,
    source: Annotated[str, Form(description="Source of scores without one: reported or human")] = "",
    date: Annotated[str, Form(description="Date of the paper for scores without one")] = "",
) -> Response:
    """Apply all rows of a file, or none if it has an error. Every error names its line and the fix."""
    content = file.file.read(LARGEST_BYTES + 1)
    defaults = {"source": source, "date": date}
    done = services.reported_rows.add(current_user, content, reason, dry_run=dry_run, defaults=defaults)
    return _json({"dry_run": dry_run, "rows": [_describe_planned(one) for one in done]})


@router.post("/{row_id}/remove", summary="Remove a reported or human row from its board")
def remove_row(row_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Remove a shipped or added row. `undo` restores it."""
    services.reported_rows.remove(current_user, row_id, fields.reason)
    return _show(row_id, services, current_user)


@router.post("/{row_id}/undo", summary="Undo the last change to a row")
def undo_row(row_id: str, fields: ReasonFields, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Restore a removed row, revert the last correction, or remove an added row."""
    services.reported_rows.undo(current_user, row_id, fields.reason)
    return _show(row_id, services, current_user)


def _show(row_id: str, services: Services, current_user: UserRecord) -> Response:
    return _json(_describe_row(services.reported_rows.get(current_user, row_id)))


def _describe_row(view: PublishedRowView) -> dict[str, Any]:
    row, change = view.row, view.last_change
    return {
        "id": row.id,
        "benchmark": row.benchmark,
        "version": row.version,
        "setting": row.setting,
        "source": row.source,
        "model": row.model.name,
        "date": row.printed_on or None,
        "paper": asdict(row.printed_in) if row.printed_in else None,
        "origin": view.origin,
        "removed": view.is_removed,
        "can_be_undone": view.can_be_undone,
        "last_change": {"by": change.actor, "at": change.at, "reason": change.reason} if change else None,
    }


def _describe_planned(planned: PlannedRow) -> dict[str, Any]:
    given = planned.given
    return {
        "id": planned.id,
        "line": given.line,
        "benchmark": given.benchmark.id,
        "version": given.benchmark.version,
        "setting": given.setting,
        "source": given.source,
        "model": given.model.name,
        "verdict": planned.verdict,
        "changes": [asdict(change) for change in planned.changes],
    }


def _attach(content: bytes, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=media_type)


def _json(value: dict[str, Any]) -> Response:
    return Response(orjson.dumps(value), headers={"Cache-Control": "no-store"}, media_type="application/json")
