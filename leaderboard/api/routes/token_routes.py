"""Token routes: create, list and revoke personal tokens. Only the creating response contains the secret."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body
from starlette.responses import Response

from db.records import TokenRecord
from leaderboard.api.auth import CurrentUser, ServicesOfApp

router = APIRouter(prefix="/api/v1/tokens", tags=["account"])


@router.get("", summary="List your access tokens, without their secrets")
def list_tokens(services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return your tokens, oldest first."""
    return _json({"tokens": [describe_token(token) for token in services.accounts.list_tokens(current_user)]})


@router.post("", status_code=201, summary="Create an access token; its secret is shown only once")
def create_token(
    services: ServicesOfApp,
    current_user: CurrentUser,
    label: Annotated[str, Body(embed=True, description="Name of the token", examples=["laptop"])] = "",
) -> Response:
    """Create a token with all of your own permissions."""
    made = services.accounts.add_token(current_user, label)
    return _json(describe_token(made.record) | {"token": made.secret}, 201)


@router.delete("/{token_id}", summary="Revoke an access token")
def revoke_token(token_id: int, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Revoke one of your tokens permanently, and return the remaining ones. It may be the token of this request."""
    services.accounts.revoke_token(current_user, token_id)
    return _json({"tokens": [describe_token(token) for token in services.accounts.list_tokens(current_user)]})


def describe_token(token: TokenRecord) -> dict[str, Any]:
    """Return a token in the API's form, without its secret."""
    return {"id": token.id, "label": token.label, "created_at": token.created_at}


def _json(value: dict[str, Any], status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, {"Cache-Control": "no-store"}, "application/json")
