"""Authentication: a personal token, or the cookie of a signed-in browser; local sign-in on the user's machine."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any, NamedTuple

import anyio.from_thread
import orjson
from fastapi import APIRouter, Depends, Request
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from db.records import UserRecord
from leaderboard.services import Services
from settings import LOOPBACK_HOSTS, Settings
from submissions.accounts.credentials import SESSION_LIFETIME, Accounts
from submissions.accounts.hub_tokens import is_hub_token
from submissions.errors import BadRequestError, NotFoundError, NotSignedInError

COOKIE = "earshot_session"
# Browsers accept this name only from the host itself, over HTTPS: no sibling domain can set it.
SECURE_COOKIE = f"__Host-{COOKIE}"
TOKEN_HEADER = "x-earshot-token"  # noqa: S105 - the name of a header
_HOW_TO = "Send `Authorization: Bearer esh_…` with a token from the Account tab, or sign in on the page."
_FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class BadTokenError(NotSignedInError):
    """The token is unknown or revoked."""

    challenge = 'Bearer error="invalid_token"'


def find_user(
    cookies: Mapping[str, str], headers: Mapping[str, str], accounts: Accounts, cookie_name: str = COOKIE
) -> UserRecord | None:
    """Return the current user, or None for an anonymous visitor.

    A token takes precedence over a cookie. A wrong token is refused even where none is required, because its sender
    expects to be signed in; an expired cookie makes its browser anonymous, because nobody sent it on purpose.

    With X-Earshot-Token the Authorization header is ignored: a private Space needs that one for the Hub.

    Raises:
        BadTokenError: The header contains no valid token.
    """
    token = headers.get(TOKEN_HEADER)
    if token is not None:
        return _find_by_token(token.strip(), "X-Earshot-Token", accounts)
    authorization = headers.get("authorization")
    if authorization is not None:
        scheme, _, token = authorization.partition(" ")
        return _find_by_token(token.strip() if scheme.lower() == "bearer" else "", "Authorization", accounts)
    cookie = cookies.get(cookie_name)
    return accounts.find_by_session(cookie) if cookie else None


def _find_by_token(token: str, header: str, accounts: Accounts) -> UserRecord:
    user = accounts.find_by_token(token)
    if user is None:
        raise BadTokenError(f"The token in the {header} header is not valid here. {_HOW_TO}")
    return user


def name_session_cookie(settings: Settings) -> str:
    """Return the name of the session cookie."""
    return SECURE_COOKIE if settings.is_https and settings.auth == "oidc" else COOKIE


def get_services(request: Request) -> Services:
    """Return the services of the application that received a request."""
    services: Services = request.app.state.services
    return services


def find_current_user(request: Request) -> UserRecord | None:
    """Return the sender of a request, or None for an anonymous visitor. Call it only from threads of the server's pool.

    Raises:
        BadTokenError, RefusedHubTokenError: The token is invalid.
        NotAllowedError: The Hub token lacks permissions.
        HubUnavailableError, HubBusyError: The Hub token cannot be verified now.
    """
    services = get_services(request)
    hub_token = _find_hub_token(request.headers)
    if hub_token is not None and services.hub_tokens is not None and services.identities is not None:
        profile = anyio.from_thread.run(services.hub_tokens.identify, hub_token)
        return services.identities.find_or_add_user(profile)
    cookie_name = name_session_cookie(services.settings)
    return find_user(request.cookies, request.headers, services.accounts, cookie_name)


def _find_hub_token(headers: Mapping[str, str]) -> str | None:
    """Return the Hub token of a request, unless the request also has one of our tokens."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    is_theirs = scheme.lower() == "bearer" and TOKEN_HEADER not in headers and is_hub_token(token.strip())
    return token.strip() if is_theirs else None


def get_current_user(request: Request) -> UserRecord:
    """Return the signed-in sender of a request.

    Raises:
        NotSignedInError: Nobody is signed in.
    """
    user = find_current_user(request)
    if user is None:
        raise NotSignedInError(f"You are not signed in. {_HOW_TO}")
    return user


def get_maintainer(request: Request) -> UserRecord:
    """Return the sender of a request that only maintainers may send.

    Raises:
        NotSignedInError: Nobody is signed in.
        NotAllowedError: The user is not a maintainer.
    """
    user = get_current_user(request)
    get_services(request).accounts.require_maintainer(user)
    return user


async def _provide_services(request: Request) -> Services:
    # Not a plain function: those occupy a thread of the pool, and this never blocks.
    return get_services(request)


ServicesOfApp = Annotated[Services, Depends(_provide_services)]
CurrentUser = Annotated[UserRecord, Depends(get_current_user)]
Maintainer = Annotated[UserRecord, Depends(get_maintainer)]
OptionalUser = Annotated[UserRecord | None, Depends(find_current_user)]


class SignedInRoute(APIRoute):
    """A route that authenticates before it reads the body, so that anonymous visitors cannot fill the disk."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return the handler with authentication in front."""
        handler = super().get_route_handler()

        async def ask_first(request: Request) -> Response:
            await run_in_threadpool(get_current_user, request)
            return await handler(request)

        return ask_first


class _SignIn(NamedTuple):
    name: str
    is_form: bool


async def _read_sign_in(request: Request) -> _SignIn:
    """Read the name from a form or from JSON."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    fields: Any
    if content_type in _FORM_TYPES:
        async with request.form(max_files=0, max_fields=10) as form:
            fields = dict(form)
    else:
        try:
            fields = orjson.loads(await request.body())
        except orjson.JSONDecodeError:
            fields = None
    name = fields.get("name") if isinstance(fields, dict) else None
    if not isinstance(name, str):
        raise BadRequestError("name", 'User name missing. Send the form field `name`, or JSON: {"name": "…"}.')
    return _SignIn(name, content_type in _FORM_TYPES)


router = APIRouter(tags=["account"])


@router.post("/auth/local", summary="Sign in by user name (local mode only)")
def sign_in_locally(sign_in: Annotated[_SignIn, Depends(_read_sign_in)], services: ServicesOfApp) -> Response:
    """Start a session and set its cookie. A form submission redirects to the page."""
    if services.settings.auth != "local":
        raise NotFoundError("Sign-in by user name works in local mode only (EARSHOT_AUTH=local).")
    user, cookie = services.accounts.sign_in(sign_in.name)
    response: Response = RedirectResponse("/", 303) if sign_in.is_form else _json({"name": user.name})
    set_session_cookie(response, cookie, services.settings, SESSION_LIFETIME)
    return response


@router.post("/auth/sign-out", summary="Sign out of this browser")
def sign_out(request: Request, services: ServicesOfApp) -> Response:
    """End the session. Its cookie is invalid afterwards."""
    name = name_session_cookie(services.settings)
    cookie = request.cookies.get(name)
    if cookie:
        services.accounts.sign_out(cookie)
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    response: Response = RedirectResponse("/", 303) if content_type in _FORM_TYPES else _json({"name": None})
    is_secure = name == SECURE_COOKIE
    response.delete_cookie(name, path="/", httponly=True, secure=is_secure, samesite="none" if is_secure else "lax")
    return response


def set_session_cookie(response: Response, cookie: str, settings: Settings, lifetime: timedelta) -> None:
    """Add a session to a response as a cookie that scripts cannot read.

    Over HTTPS the cookie is also sent inside another site's frame, in which a Space is shown; the guard's checks of
    Origin block other sites' forms. Loopback addresses have no TLS, and browsers would not send them a Secure cookie.
    """
    name = name_session_cookie(settings)
    is_secure = name == SECURE_COOKIE
    response.set_cookie(
        name,
        cookie,
        max_age=int(lifetime.total_seconds()),
        path="/",
        httponly=True,
        secure=is_secure or settings.host not in LOOPBACK_HOSTS,
        samesite="none" if is_secure else "lax",
    )


def _json(value: object) -> Response:
    return Response(orjson.dumps(value), media_type="application/json", headers={"Cache-Control": "no-store"})
