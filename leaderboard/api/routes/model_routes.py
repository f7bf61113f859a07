"""Model routes: search across benchmarks and settings, and one model with its rows."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query
from starlette.responses import Response

from db.model_records import ModelFacts, ModelRowRecord
from db.records import StandingRecord
from leaderboard.api.auth import OptionalUser, ServicesOfApp
from leaderboard.api.routes.hub_model_routes import describe_hub_model
from leaderboard.api.status_views import submission_url
from leaderboard.boards.provenance.dates import describe_dates
from leaderboard.http.caching.etags import answer_unless_known, matches
from submissions.model_registry.directory import MAX_SUGGESTED, ModelSummary

_PREFIX = "/api/v1/models"
router = APIRouter(prefix=_PREFIX, tags=["models"])


_RESPONSES: dict[int | str, dict[str, Any]] = {304: {"description": "Not modified: your cached copy is current"}}


@router.get("", summary="Search models by name", responses=_RESPONSES)
def suggest_models(
    services: ServicesOfApp,
    current_user: OptionalUser,
    q: Annotated[
        str, Query(description="Part of a name, typos allowed; without it, the models with the most rows")
    ] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_SUGGESTED, description="Maximum number of models")] = 10,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
) -> Response:
    """Return models with public rows and, with a token, your own, under their names on boards, with aliases."""
    etag = services.models.make_etag(current_user)
    if matches(if_none_match, etag):
        return _answer(etag)
    found = services.models.suggest(q, current_user, limit)
    return _answer(etag, {"models": [describe_summary(one) for one in found]})


@router.get("/{model_id}", summary="One model with all its rows", responses=_RESPONSES)
def show_model(
    model_id: str,
    services: ServicesOfApp,
    current_user: OptionalUser,
    if_none_match: Annotated[str | None, Header(description="Entity tags of your cached copies")] = None,
) -> Response:
    """Return a model with its public rows and, with a token, your own, under any of its names."""
    etag = services.models.make_etag(current_user)
    page = services.models.get(model_id, current_user)
    if matches(if_none_match, etag):
        return _answer(etag)
    rows = [_describe_row(row) for row in page.rows]
    return _answer(etag, describe_summary(page.summary) | {"rows": rows})


def describe_summary(one: ModelSummary) -> dict[str, Any]:
    """Return a model in the API's form."""
    return {
        "id": one.public_id,
        "name": one.name,
        **describe_facts(one.facts),
        "aliases": one.aliases,
        "n_rows": one.n_rows,
    }


def describe_facts(facts: ModelFacts) -> dict[str, Any]:
    """Return a model's metadata in the API's form; `url` is the first of its links."""
    links = facts.links or ()
    return {
        "organisation": facts.organisation,
        "kind": facts.kind,
        "size_billions": facts.size_billions,
        "open_weights": facts.open_weights,
        "url": links[0] if links else None,
        "links": links,
    }


def _describe_row(row: ModelRowRecord) -> dict[str, Any]:
    return {
        "submission": row.submission,
        "url": submission_url(row.submission),
        "benchmark": row.benchmark,
        "version": row.version,
        "setting": row.setting,
        "source": row.source,
        "visibility": row.visibility,
        "sent_as": row.submitted.name,
        "signature": row.signature,
        "hub": describe_hub_model(row.submitted.hub),
        "hub_pull_request": row.hub_pull_request,
        **describe_dates(row),
        "headline": {key: _describe_standing(standing) for key, standing in row.headline.items()},
    }


def _describe_standing(standing: StandingRecord) -> dict[str, Any]:
    names = ("value", "low", "high", "std", "rank", "rank_low", "rank_high")
    return {name: getattr(standing, name) for name in names}


def _answer(etag: str, body: dict[str, Any] | None = None) -> Response:
    # Answers to a signed-in user are private.
    headers = {"Cache-Control": "private, no-cache", "Vary": "Authorization, X-Earshot-Token, Cookie"}
    return answer_unless_known(None if body is None else orjson.dumps(body), etag, None, headers=headers)
