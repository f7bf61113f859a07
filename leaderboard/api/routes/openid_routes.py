"""Sign-in routes for browsers: redirect to the OpenID provider, and callback."""

import logging
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from evaluation.incidents import log_incident
from leaderboard.api.auth import ServicesOfApp, name_session_cookie, set_session_cookie
from leaderboard.http.problem_details import make_problem
from leaderboard.openid.attempts import ATTEMPT_SECONDS, read_next_path
from leaderboard.openid.errors import SignInError
from leaderboard.openid.flow import CALLBACK_PATH, SignInFlow
from leaderboard.services import Services
from submissions.accounts.openid_users import Identities
from submissions.errors import NotFoundError

LOGIN_PATH = "/auth/login"
_NO_STORE = {"Cache-Control": "no-store"}

# For browsers only, so not in the API's description.
router = APIRouter(include_in_schema=False)


@router.get(LOGIN_PATH)
async def begin_sign_in(
    request: Request, services: ServicesOfApp, next_path: Annotated[str, Query(alias="next")] = "/"
) -> Response:
    """Redirect the visitor to the provider."""
    flow, _ = find_sign_in(services)
    next_path = read_next_path(next_path)
    try:
        begun = await flow.begin(next_path)
    except SignInError as error:
        error.next_path = next_path
        return answer_failure(error)
    response = RedirectResponse(begun.url, 303, _NO_STORE)
    for name in flow.cookies.list_surplus(request.cookies):
        _delete_attempt(response, name, services)
    # Lax: the provider returns the visitor by a link in the same tab.
    response.set_cookie(
        begun.cookie_name,
        begun.cookie,
        max_age=ATTEMPT_SECONDS,
        path="/",
        httponly=True,
        secure=services.settings.is_https,
        samesite="lax",
    )
    return response


@router.get(CALLBACK_PATH)
async def finish_sign_in(request: Request, services: ServicesOfApp) -> Response:
    """Start a session for a visitor returning from the provider."""
    flow, identities = find_sign_in(services)
    query = request.query_params
    attempt_cookie = flow.cookies.name_cookie(query.get("state", ""))
    try:
        finished = await flow.finish(query, request.cookies)
    except SignInError as error:
        response = answer_failure(error)
        _delete_attempt(response, attempt_cookie, services)
        return response
    begun = await run_in_threadpool(identities.sign_in, finished.profile)
    earlier = request.cookies.get(name_session_cookie(services.settings))
    if earlier:
        await run_in_threadpool(services.accounts.sign_out, earlier)
    response = RedirectResponse(finished.next_path, 303, _NO_STORE)
    _delete_attempt(response, attempt_cookie, services)
    set_session_cookie(response, begun.cookie, services.settings, begun.lifetime)
    return response


def find_sign_in(services: Services) -> tuple[SignInFlow, Identities]:
    """Return the sign-in flow.

    Raises:
        NotFoundError: This server has no OpenID provider.
    """
    if services.sign_in is None or services.identities is None:
        raise NotFoundError("This server has no OpenID provider. Sign in another way.")
    return services.sign_in, services.identities


def answer_failure(error: SignInError) -> Response:
    """Log a failed sign-in; answer with its incident id and a way to retry, without the provider's words."""
    incident = log_incident(f"sign-in failed: {error.reason}", level=logging.WARNING)
    url = f"{LOGIN_PATH}?next={quote(error.next_path, safe='/')}"
    return make_problem(
        error.status,
        f"{error.message} If this happens again, report reference {incident}.",
        code="sign-in-failed",
        headers=_NO_STORE,
        incident=incident,
        url=url,
    )


def _delete_attempt(response: Response, name: str, services: Services) -> None:
    response.delete_cookie(name, path="/", httponly=True, secure=services.settings.is_https, samesite="lax")
