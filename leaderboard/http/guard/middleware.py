"""Guard middleware: allowed addresses, body limits, and security headers on every response."""

import re
from collections import Counter

from starlette.types import ASGIApp, Receive, Scope, Send

from evaluation.incidents import log_incident
from leaderboard.embed.addresses import EMBED_PATH
from leaderboard.http.client_turns import name_client
from leaderboard.http.forwarded import AddressResolver, VisitorAddress
from leaderboard.http.guard.allowlist import FORWARDED, RULES, Cap, find_rule
from leaderboard.http.guard.body_streams import (
    BUSY,
    GuardedBody,
    GuardedResponse,
    Headers,
    Refusal,
    UploadGate,
    too_large_text,
    values,
)
from leaderboard.http.origin import OWN_ORIGIN
from leaderboard.http.problem_details import NO_SUCH_ADDRESS, make_incident_problem, make_problem
from settings import LOOPBACK_HOSTS, Settings

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(?::[0-9]{1,5})?")
_EVENT_BYTES = 100_000
_SMALL_BYTES = 1_000_000
# Addresses where Gradio looks up files by name, and the longest file name in bytes that a file system accepts.
_GRADIO_FILES = ("/assets/", "/static/")
_LONGEST_NAME = 255
# Allowance for multipart boundaries and fields beside the largest file.
_SLACK_BYTES = 1_000_000
# How many uploads of the largest size one address accepts at once.
_LARGEST_AT_ONCE = 4
# An embedded board is static HTML, and any site may frame it.
_ANY_SITE = ("*",)


class Guard:
    """Pure ASGI layer: it sees every request before Gradio and FastAPI, and every response after them."""

    def __init__(self, app: ASGIApp, settings: Settings, counts: Counter[int]) -> None:
        self._app = app
        self._counts = counts
        self._is_local = settings.auth == "local"
        self._addresses = AddressResolver(settings)
        upload_bytes = settings.max_upload_bytes + _SLACK_BYTES
        self._caps = {Cap.EVENT: _EVENT_BYTES, Cap.SMALL: _SMALL_BYTES, Cap.UPLOAD: upload_bytes}
        # One for each address, so that many file checks cannot block submissions.
        self._gates = {
            rule.path: UploadGate(_LARGEST_AT_ONCE * upload_bytes) for rule in RULES if rule.cap is Cap.UPLOAD
        }
        self._frame_ancestors = settings.frame_ancestors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._handle(scope, receive, send)
        else:
            # We use no WebSockets, and they would bypass the checks of Origin and size.
            await send({"type": "websocket.close", "code": 1008})

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_embed = scope["path"].startswith(EMBED_PATH)
        answer = GuardedResponse(send, _ANY_SITE if is_embed else self._frame_ancestors, self._counts)
        refusal = self._find_refusal(scope)
        if refusal is not None:
            await make_problem(*refusal)(scope, receive, answer.send)
            return
        rule = find_rule(scope["path"])
        gate = self._gates.get(rule.path) if rule is not None and scope["method"] not in _SAFE_METHODS else None
        if gate is None:
            await self._pass_on(scope, GuardedBody(receive, self._cap(scope)), answer)
            return
        with gate.enter(name_client(self._addresses.find_client(scope))) as reservation:
            if reservation is not None:
                await self._pass_on(scope, GuardedBody(receive, self._cap(scope), reservation.grow), answer)
            else:
                await _make_refusal(Refusal(503, BUSY))(scope, receive, answer.send)

    async def _pass_on(self, scope: Scope, body: GuardedBody, answer: GuardedResponse) -> None:
        try:
            await self._app(self._clean(scope), body.receive, answer.filter(body))
        except Exception as error:  # noqa: BLE001 - the outer edge of the web process: nobody else would answer
            await self._answer_failure(error, scope, body, answer)
            return
        if body.refusal is not None and not answer.has_started:
            await _make_refusal(body.refusal)(scope, body.receive, answer.send)

    async def _answer_failure(self, error: Exception, scope: Scope, body: GuardedBody, answer: GuardedResponse) -> None:
        if body.refusal is not None and not answer.has_started:
            await _make_refusal(body.refusal)(scope, body.receive, answer.send)
            return
        incident = log_incident(f"{scope['method']} {scope['path']} failed", error)
        if not answer.has_started:
            await make_incident_problem(incident)(scope, body.receive, answer.send)
        elif not answer.has_ended:
            # Half a response has been sent: only a broken connection tells the client that the rest is missing.
            raise error

    def _cap(self, scope: Scope) -> int:
        """Return the limit of a request's body."""
        rule = find_rule(scope["path"])
        return self._caps[rule.cap if rule is not None else Cap.SMALL]

    def _find_refusal(self, scope: Scope) -> Refusal | None:
        headers: Headers = scope["headers"]
        host = _find_host(headers)
        if host is None or (self._is_local and _name_of(host) not in LOOPBACK_HOSTS):
            # Under local sign-in a page of another site could reach us by its own name if it resolves to loopback
            # (DNS rebinding); the Host header then carries that name.
            return Refusal(403, f"Unknown host name. Use one of these host names: {', '.join(LOOPBACK_HOSTS)}.")
        if find_rule(scope["path"]) is None or _names_no_file(scope["path"]):
            return Refusal(404, NO_SUCH_ADDRESS)
        address = self._addresses.resolve(scope, host)
        if scope["method"] not in _SAFE_METHODS and self._is_foreign(scope["headers"], address):
            # A form or script of another site, sent with the cookie of a signed-in user.
            return Refusal(403, "The request came from another site's page. Send it from this site.")
        return self._find_size_refusal(scope)

    def _find_size_refusal(self, scope: Scope) -> Refusal | None:
        declared = values(scope["headers"], b"content-length")
        cap = self._cap(scope)
        if any(not value.isdigit() for value in declared) or len(set(declared)) > 1:
            return Refusal(400, "Content-Length must be one whole number.")
        return Refusal(413, too_large_text(cap)) if declared and int(declared[0][:20]) > cap else None

    def _is_foreign(self, headers: Headers, address: VisitorAddress) -> bool:
        """Tell whether a page of another site makes this request. Programs send neither header."""
        if any(site.strip().lower() == b"cross-site" for site in values(headers, b"sec-fetch-site")):
            return True
        return any(not self._addresses.is_own_origin(origin, address) for origin in values(headers, b"origin"))

    def _clean(self, scope: Scope) -> Scope:
        """Replace the headers that a proxy may set and a visitor may forge with the address that the visitor used."""
        address = self._addresses.resolve(scope, _find_host(scope["headers"]) or "")
        dropped = FORWARDED | {b"host"}
        if self._is_foreign(scope["headers"], address) and not _is_navigation(scope["headers"]):
            # A proxy may add Access-Control headers for other sites; without a cookie they get public data only.
            dropped |= {b"cookie"}
        headers = [(name, value) for name, value in scope["headers"] if name not in dropped]
        return {
            **scope,
            "headers": [(b"host", address.host.encode("latin-1")), *headers],
            "scheme": address.scheme,
            "client": (self._addresses.find_client(scope), 0),
            OWN_ORIGIN: self._addresses.public_origin,
        }


def _make_refusal(refusal: Refusal) -> ASGIApp:
    return make_problem(*refusal, headers={"Retry-After": "5"} if refusal.status == 503 else None)


def _names_no_file(path: str) -> bool:
    return path.startswith(_GRADIO_FILES) and any(len(name) > _LONGEST_NAME for name in path.encode().split(b"/"))


def _find_host(headers: Headers) -> str | None:
    """Return the Host header; None if there is none, or several, which programs interpret differently."""
    hosts = values(headers, b"host")
    return hosts[0].decode("latin-1").lower() if len(hosts) == 1 else None


def _name_of(host: str) -> str:
    """Return the name or address in a Host header; all of it if something else follows."""
    match = _HOST.fullmatch(host)
    return match[1].strip("[]") if match else host


def _is_navigation(headers: Headers) -> bool:
    return any(mode.strip().lower() == b"navigate" for mode in values(headers, b"sec-fetch-mode"))
