"""Hub model routes: metadata that a submission can adopt from a repository."""

from typing import Any

import orjson
from fastapi import APIRouter
from starlette.responses import Response

from db.hub_records import HubModel
from db.records import NewModel
from leaderboard.api.auth import ServicesOfApp
from leaderboard.boards.board_pages import describe_fields

router = APIRouter(prefix="/api/v1/hub-models", tags=["models"])


@router.get("/{organisation}/{repository}", summary="Look up a model's metadata on the Hub")
async def show_hub_model(organisation: str, repository: str, services: ServicesOfApp) -> Response:
    """Return a public model in the format of a submission's `model` field, with its repository and revision."""
    model = await services.hub_models.find_model(f"{organisation}/{repository}")
    body = {"model": describe_new_model(model)}
    return Response(orjson.dumps(body), headers={"Cache-Control": "no-store"}, media_type="application/json")


def describe_new_model(model: NewModel) -> dict[str, Any]:
    """Return a model in the form of a submission's `model` field."""
    return {**describe_fields(model), "hub": describe_hub_model(model.hub)}


def describe_hub_model(hub: HubModel | None) -> dict[str, Any] | None:
    """Return a repository in the API's form, or None."""
    if hub is None:
        return None
    return {
        "id": hub.repo_id,
        "revision": hub.revision,
        "licence": hub.licence,
        "base_models": hub.base_models,
        "access": hub.access,
        "pipeline_tag": hub.pipeline_tag,
        "created_on": hub.created_on,
    }
