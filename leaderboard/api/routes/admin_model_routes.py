"""Maintainers' routes of models: merging and describing them."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from db.model_records import ModelFacts, ModelIdentity
from leaderboard.api.auth import CurrentUser, ServicesOfApp
from leaderboard.api.routes.admin_routes import MaintainerRoute
from leaderboard.api.uploads import KindField, OrganisationField, SizeField, WeightsField
from submissions.errors import BadRequestError
from submissions.model_registry.descriptions import MAX_LINKS
from submissions.model_registry.merges import ModelEntry

router = APIRouter(prefix="/api/v1/admin/models", tags=["maintainers"], route_class=MaintainerRoute)


class SaidFields(BaseModel):
    """A maintainer's description of a model. Null removes a field; omitted fields stay unchanged."""

    model_config = ConfigDict(extra="forbid", strict=True, str_strip_whitespace=True)

    organisation: OrganisationField = None
    kind: KindField = None
    size_billions: SizeField = None
    open_weights: WeightsField = None
    links: Annotated[
        list[str] | None, Field(description=f"At most {MAX_LINKS} links; an empty list means that the model has none")
    ] = None


class ModelChange(BaseModel):
    """One change of a model: `join_to`, `split` or `describe`."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"example": {"join_to": "m-0123456789abcdef", "reason": "Two names of one model."}},
    )

    join_to: Annotated[str | None, Field(description="ID of the model to merge this one into")] = None
    split: Annotated[bool, Field(description="Undo the merge of this model")] = False
    describe: Annotated[SaidFields | None, Field(description="New description of the model")] = None
    reason: Annotated[str, Field(description="Reason, shown in the audit log")]


@router.get("", summary="List all models by name")
def list_models(
    services: ServicesOfApp,
    current_user: CurrentUser,
    q: Annotated[str, Query(description="Part of a name")] = "",
    limit: Annotated[int, Query(ge=1, le=200, description="Number of models, at most 200")] = 50,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the previous page")] = None,
) -> Response:
    """Return models with their number of submissions and likely duplicates."""
    found = services.model_maintenance.list(current_user, q, limit, cursor)
    return _json({"models": [_describe(one) for one in found.entries], "next_cursor": found.next_after})


@router.post("/{model_id}", summary="Merge, split or describe a model")
def change_model(model_id: str, fields: ModelChange, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Apply one of three changes. Submissions keep the names they were sent under, and scores do not change."""
    if (fields.join_to is not None) + fields.split + (fields.describe is not None) != 1:
        raise BadRequestError("join_to", "Send one of `join_to`, `split` and `describe`.")
    if fields.join_to is not None:
        services.model_maintenance.join(model_id, fields.join_to, current_user, fields.reason)
    elif fields.split:
        services.model_maintenance.split(model_id, current_user, fields.reason)
    elif fields.describe is not None:
        services.model_maintenance.describe(model_id, _read_said(fields.describe), current_user, fields.reason)
    return _json(_describe(services.model_maintenance.get(model_id, current_user)))


def _read_said(fields: SaidFields) -> dict[str, Any]:
    said = fields.model_dump(exclude_unset=True)
    if said.get("links") is not None:
        said["links"] = tuple(said["links"])
    return said


def _describe(entry: ModelEntry) -> dict[str, Any]:
    return {
        **_name(entry.model),
        "shown_as": _name(entry.shown_as) if entry.shown_as else None,
        "joined_to": _name(entry.joined_to) if entry.joined_to else None,
        "aliases": [_name(one) for one in entry.aliases],
        "said": _describe_said(entry.model.maintainer_facts),
        "n_submissions": entry.n_submissions,
        "n_public": entry.n_public,
        "likely_duplicates": [_name(one) for one in entry.likely_duplicates],
    }


def _name(model: ModelIdentity) -> dict[str, str]:
    return {"id": model.public_id, "name": model.name}


def _describe_said(said: ModelFacts) -> dict[str, Any]:
    return {name: getattr(said, name) for name in SaidFields.model_fields}


def _json(value: dict[str, Any]) -> Response:
    return Response(orjson.dumps(value), 200, {"Cache-Control": "no-store"}, "application/json")
