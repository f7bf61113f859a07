"""The layer in front of everything: what may come in, how large it may be, and what goes out with every answer."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from leaderboard.api.problems import log_incident, make_incident_problem, make_problem
from leaderboard.guard_rules import FORWARDED, Cap, find_rule, security_headers
from settings import LOOPBACK_HOSTS, Settings

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_SMALL_BYTES = 1_000_000
# Room for the multipart boundaries and fields beside the largest file.
_SLACK_BYTES = 1_000_000

Headers = Sequence[tuple[bytes, bytes]]


class _Refusal(NamedTuple):
    status: int
    detail: str


class _BodyTooLargeError(Exception):
    """More bytes came than the address takes."""


class Guard:
    """Pure ASGI: it sees every request before Gradio and FastAPI do, and every answer after them."""

    def __init__(self, app: ASGIApp, settings: Settings, counts: Counter[int]) -> None:
        """Take what it stands in front of, the limits, and where answers are counted."""
        self._app = app
        self._counts = counts
        self._is_local = settings.auth == "local"
        self._caps = {Cap.SMALL: _SMALL_BYTES, Cap.UPLOAD: settings.max_upload_bytes + _SLACK_BYTES}
        self._headers = security_headers(is_framed_by_hub=not self._is_local)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._handle(scope, receive, send)
        else:
            # Nothing here speaks over WebSockets, and one would pass by the checks of Origin and size.
            await send({"type": "websocket.close", "code": 1008})

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = _Answer(send, self._headers, self._counts)
        refusal = self._find_refusal(scope)
        if refusal is not None:
            await make_problem(*refusal)(scope, receive, answer.send)
            return
        cap = self._caps[find_cap(scope)]
        body = _Body(receive, cap)
        try:
            await self._app(self._clean(scope), body.receive, answer.filter(body))
        except Exception as error:  # noqa: BLE001 - the outer edge of the web process: nobody else would answer
            await self._answer_failure(error, scope, body, answer)
            return
        if body.is_too_large and not answer.has_started:
            await _too_large(cap)(scope, receive, answer.send)

    async def _answer_failure(self, error: Exception, scope: Scope, body: "_Body", answer: "_Answer") -> None:
        if body.is_too_large and not answer.has_started:
            await _too_large(body.cap)(scope, body.receive, answer.send)
            return
        incident = log_incident(error, f"{scope['method']} {scope['path']}")
        if not answer.has_started:
            await make_incident_problem(incident)(scope, body.receive, answer.send)
        elif not answer.has_ended:
            # Half an answer is out: only a broken connection tells the reader that the rest is missing.
            raise error

    def _find_refusal(self, scope: Scope) -> _Refusal | None:
        headers: Headers = scope["headers"]
        host = _find_host(headers)
        if host is None or (self._is_local and _name_of(host) not in LOOPBACK_HOSTS):
            # Under local sign-in a page of another site could reach us by a name of its own that resolves to loopback
            # (DNS rebinding); the Host header then carries that name.
            return _Refusal(403, f"This server answers to {', '.join(LOOPBACK_HOSTS)} only. Use one of these names.")
        if find_rule(scope["path"]) is None:
            return _Refusal(404, "There is no such address. The addresses are listed at /api/v1/docs.")
        if scope["method"] not in _SAFE_METHODS and _is_foreign(headers, host):
            # A form or script of another site, sent with the cookie of somebody who is signed in here.
            return _Refusal(403, "The request comes from another site's page. Send it from this one.")
        return self._find_size_refusal(scope)

    def _find_size_refusal(self, scope: Scope) -> _Refusal | None:
        declared = _values(scope["headers"], b"content-length")
        cap = self._caps[find_cap(scope)]
        if any(not value.isdigit() for value in declared) or len(set(declared)) > 1:
            return _Refusal(400, "Content-Length is not one whole number.")
        return _Refusal(413, _too_large_text(cap)) if declared and int(declared[0][:20]) > cap else None

    def _clean(self, scope: Scope) -> Scope:
        """Take out what a proxy may set and a visitor may forge; Gradio would build addresses from it."""
        headers = [(name, value) for name, value in scope["headers"] if name not in FORWARDED]
        # Behind the Hub's proxy TLS has ended already; its word for it can at worst spoil the sender's own page.
        is_https = not self._is_local and _values(scope["headers"], b"x-forwarded-proto")[:1] == [b"https"]
        return {**scope, "headers": headers, "scheme": "https" if is_https else scope["scheme"]}


class _Body:
    """A request body that ends with an error when it is too large, whatever its Content-Length said."""

    def __init__(self, receive: Receive, cap: int) -> None:
        self._receive = receive
        self._n_bytes = 0
        self.cap = cap

    @property
    def is_too_large(self) -> bool:
        return self._n_bytes > self.cap

    async def receive(self) -> Message:
        message = await self._receive()
        self._n_bytes += len(message.get("body", b""))
        if self.is_too_large:
            raise _BodyTooLargeError
        return message


class _Answer:
    """An answer on its way out: it gets the security headers and is counted."""

    def __init__(self, send: Send, headers: Headers, counts: Counter[int]) -> None:
        self._send = send
        self._headers = headers
        self._counts = counts
        self.has_started = False
        self.has_ended = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            self._counts[message["status"]] += 1
            message = {**message, "headers": [*_keep(message.get("headers", ())), *self._headers]}
        elif message["type"] == "http.response.body":
            self.has_ended = not message.get("more_body", False)
        await self._send(message)

    def filter(self, body: _Body) -> Send:
        """Return a `send` that swallows the answer of an app that took our error for a fault in the body."""

        async def send(message: Message) -> None:
            if self.has_started or not body.is_too_large:
                await self.send(message)

        return send


def find_cap(scope: Scope) -> Cap:
    """Return how large the body of a request may be."""
    rule = find_rule(scope["path"])
    return rule.cap if rule is not None else Cap.SMALL


def _keep(headers: Headers) -> Headers:
    # Gradio answers other sites' scripts with Access-Control headers of its own; no other site has business here.
    return [(name, value) for name, value in headers if not name.lower().startswith(b"access-control-")]


def _values(headers: Headers, name: bytes) -> list[bytes]:
    return [value for found, value in headers if found == name]


def _find_host(headers: Headers) -> str | None:
    """Return the Host header; None when there is none or more than one, which two programs may read differently."""
    hosts = _values(headers, b"host")
    return hosts[0].decode("latin-1").lower() if len(hosts) == 1 else None


def _name_of(host: str) -> str:
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def _is_foreign(headers: Headers, host: str) -> bool:
    origins = _values(headers, b"origin")
    sites = _values(headers, b"sec-fetch-site")
    if any(site.strip().lower() == b"cross-site" for site in sites):
        return True
    # `null` (sandboxed frames, files) has no host and is foreign too. Programs send no Origin.
    return any(urlsplit(origin.decode("latin-1").lower()).netloc != host for origin in origins)


def _too_large(cap: int) -> Response:
    return make_problem(413, _too_large_text(cap))


def _too_large_text(cap: int) -> str:
    return f"The request is larger than {cap:,} bytes, which is the limit of this address. Send a smaller one."
