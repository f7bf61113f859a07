"""Error pages for browsers: a problem becomes a small page instead of JSON when the user followed a link."""

from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leaderboard.http.content_policies import POLICY_HEADER, replace_policy, write_document_policy
from leaderboard.http.problem_details import MEDIA_TYPE, NO_SUCH_ADDRESS
from leaderboard.rendering.templating import Markup, render_template

_STYLE = Markup(Path(__file__).with_name("problem_page.css").read_text(encoding="utf-8"))
_POLICY = write_document_policy(_STYLE)
_POLICY_NAME = POLICY_HEADER.lower().encode()
_REPLACED = (b"content-type", b"content-length", b"vary", _POLICY_NAME)
_JSON_TYPES = ("application/json", MEDIA_TYPE)
_TITLES = {
    400: "This link is not valid",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    409: "Not available",
    416: "Download it again",
    429: "Too many requests",
    503: "Not ready yet",
    507: "The server is full",
}
# Problems whose text is meant for programs.
_TEXTS = {
    NO_SUCH_ADDRESS: "There is no page at this address. Check the address, or start at the leaderboards.",
}
_SIGN_IN = "Sign in on the Submit tab to see this page."


class ProblemAction(NamedTuple):
    """A link of a problem's page that solves the problem; `testid` names it for tests."""

    text: str
    href: str
    testid: str | None = None


class ProblemPages:
    """ASGI layer in front of the guard, whose errors become pages too."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and replace its problem with a page if a browser follows a link."""
        if scope["type"] == "http" and scope["method"] == "GET" and prefers_html(scope["headers"]):
            send = _Answer(send, scope).send
        await self._app(scope, receive, send)


class _Answer:
    """A response; only problems are held back until they are complete."""

    def __init__(self, send: Send, scope: Scope) -> None:
        self._send = send
        self._scope = scope
        self._start: Message | None = None
        self._pieces: list[bytes] = []

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_problem(message):
            self._start = message
        elif self._start is not None and message["type"] == "http.response.body":
            self._pieces.append(message.get("body", b""))
            if not message.get("more_body", False):
                await self._send_page(self._start)
        else:
            await self._send(message)

    async def _send_page(self, start: Message) -> None:
        page = render_problem(orjson.loads(b"".join(self._pieces)), _find_address(self._scope)).encode()
        kept = [one for one in start["headers"] if one[0].lower() not in _REPLACED]
        present = dict(start["headers"]).get(_POLICY_NAME, b"").decode("latin-1")
        headers = [
            (b"content-type", b"text/html; charset=utf-8"),
            (b"content-length", str(len(page)).encode()),
            (b"vary", b"Accept"),
            (b"cache-control", b"no-store"),
            (_POLICY_NAME, replace_policy(present, _POLICY).encode("latin-1")),
        ]
        await self._send({**start, "headers": [*kept, *headers]})
        await self._send({"type": "http.response.body", "body": page})


def prefers_html(headers: list[tuple[bytes, bytes]]) -> bool:
    """Tell whether a request prefers HTML to JSON; `*/*` means JSON."""
    accepted = b",".join(value for name, value in headers if name == b"accept").decode("latin-1").lower()
    weights: dict[str, float] = {}
    for entry in accepted.split(","):
        kind, *parameters = (word.strip() for word in entry.split(";"))
        weights[kind] = _read_weight(parameters)
    html = weights.get("text/html", 0.0)
    return html > 0 and html > max(weights.get(kind, 0.0) for kind in _JSON_TYPES)


def render_problem(problem: Mapping[str, Any], address: str) -> Markup:
    """Return a problem as a page: what happened, what to do, and where to go next.

    Args:
        problem: The fields of the problem.
        address: The requested address.
    """
    status = int(problem["status"])
    detail = str(problem["detail"])
    title = "Sign-in failed" if _is_failed_sign_in(problem) else _TITLES.get(status, "Something went wrong")
    return render_template(
        "http/problem_page.html",
        style=_STYLE,
        title=title,
        text=_SIGN_IN if status == HTTPStatus.UNAUTHORIZED else _TEXTS.get(detail, detail),
        action=_find_action(problem, status, address),
    )


def _find_action(problem: Mapping[str, Any], status: int, address: str) -> ProblemAction | None:
    if open_version := problem.get("open_version"):
        return ProblemAction(f"Submit to {open_version}", problem["url"])
    if _is_failed_sign_in(problem):
        return ProblemAction("Try again", problem["url"], "try-again")
    if status == HTTPStatus.UNAUTHORIZED:
        return ProblemAction("Sign in", "/?tab=submit")
    if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE):
        return ProblemAction("Try again", address)
    return None


def _is_failed_sign_in(problem: Mapping[str, Any]) -> bool:
    return str(problem.get("type", "")).endswith("#sign-in-failed")


def _is_problem(start: Message) -> bool:
    types = [value for name, value in start["headers"] if name.lower() == b"content-type"]
    return any(value.startswith(MEDIA_TYPE.encode()) for value in types)


def _find_address(scope: Scope) -> str:
    path: str = scope.get("raw_path", b"").decode("latin-1") or scope["path"]
    query = scope["query_string"].decode("latin-1")
    # A path that begins with two slashes would mean another host.
    return "/" + path.lstrip("/") + (f"?{query}" if query else "")


def _read_weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
