"""Account routes: the current user, their sessions, and sign-in of programs."""

from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from leaderboard.api.auth import CurrentUser, OptionalUser, ServicesOfApp, name_session_cookie
from leaderboard.api.routes.openid_routes import LOGIN_PATH, answer_failure, find_sign_in
from leaderboard.api.routes.token_routes import describe_token
from leaderboard.openid.errors import SignInError
from leaderboard.openid.id_tokens import MAX_TOKEN_CHARACTERS
from leaderboard.services import Services
from submissions.accounts.credentials import get_session_id

router = APIRouter(prefix="/api/v1", tags=["account"])
_ProviderToken = Annotated[str, Body(min_length=1, max_length=MAX_TOKEN_CHARACTERS, examples=["eyJ…"])]


@router.get("/me", summary="Current user")
def show_account(services: ServicesOfApp, current_user: OptionalUser) -> Response:
    """Return your user name, or null if you are not signed in."""
    is_maintainer = services.accounts.is_maintainer(current_user)
    return _json({"name": current_user.name if current_user else None, "is_maintainer": is_maintainer})


@router.get("/me/sessions", summary="List your sessions")
def list_sessions(request: Request, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """Return the browsers in which you are signed in, newest first."""
    return _list_sessions(request, services, current_user)


@router.delete("/me/sessions/{session_id}", summary="Revoke one of your sessions")
def revoke_session(session_id: str, request: Request, services: ServicesOfApp, current_user: CurrentUser) -> Response:
    """End one of your sessions immediately, and return the remaining ones."""
    services.accounts.revoke_session(current_user, session_id)
    return _list_sessions(request, services, current_user)


@router.get("/sign-in", summary="Sign-in methods of this server")
async def describe_sign_in(services: ServicesOfApp) -> Response:
    """Return how to sign in, including what a program needs for the provider's device flow."""
    flow = services.sign_in
    if flow is None:
        method = "local" if services.settings.auth == "local" else "token"
        names = ("login_url", "issuer", "client_id", "device_authorization_endpoint", "token_endpoint")
        return _json({"method": method, "scopes": [], **dict.fromkeys(names)})
    try:
        metadata = await flow.provider.find_metadata()
    except SignInError as error:
        return answer_failure(error)
    return _json(
        {
            "method": "openid",
            "login_url": f"{services.settings.public_url}{LOGIN_PATH}",
            "issuer": flow.provider.issuer,
            "client_id": flow.client_id,
            "scopes": flow.scopes,
            "device_authorization_endpoint": metadata.device_authorization_endpoint,
            "token_endpoint": metadata.token_endpoint,
        }
    )


@router.post("/tokens/exchange", status_code=201, summary="Exchange the provider's tokens for an access token")
async def exchange_tokens(
    services: ServicesOfApp,
    id_token: Annotated[_ProviderToken, Body(description="ID token of the provider's device flow")],
    access_token: Annotated[_ProviderToken, Body(description="Access token that came with it")],
    label: Annotated[str, Body(description="Name of the token", examples=["laptop"])] = "",
) -> Response:
    """Create an access token from tokens that the provider issued to this server's client. Works once per sign-in."""
    flow, identities = find_sign_in(services)
    try:
        profile = await flow.verify_device(id_token, access_token)
    except SignInError as error:
        return answer_failure(error)
    # Two sign-ins within a second may have equal ID tokens.
    made = await run_in_threadpool(identities.exchange, profile, f"{id_token} {access_token}", label)
    return _json(describe_token(made.record) | {"token": made.secret}, 201)


def _list_sessions(request: Request, services: Services, current_user: CurrentUser) -> Response:
    cookie = request.cookies.get(name_session_cookie(services.settings))
    current = get_session_id(cookie) if cookie else None
    listed = [
        {
            "id": session.id,
            "created_at": session.created_at,
            "last_used_at": session.last_used_at,
            "expires_at": session.expires_at,
            "is_current": session.id == current,
        }
        for session in services.accounts.list_sessions(current_user)
    ]
    return _json({"sessions": listed})


def _json(value: dict[str, Any], status: int = 200) -> Response:
    return Response(orjson.dumps(value), status, {"Cache-Control": "no-store"}, "application/json")
