"""ASGI application of the endpoint: routes, API keys and error handling."""

import asyncio
import hmac
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from evaluation.incidents import log_incident
from evaluation.listeners.listener_types import Listener
from evaluation.listeners.server.bodies import (
    BodyBudget,
    GoneError,
    Message,
    Receive,
    check_headers,
    find_header,
    read_body,
    refuse_overload,
)
from evaluation.listeners.server.errors import RequestRefusedError, refuse_model
from evaluation.listeners.server.requests import parse_question
from evaluation.listeners.server.server_replies import (
    ServerReply,
    describe_model,
    make_error_reply,
    make_json_reply,
    make_reply,
)
from evaluation.listeners.server.worker_threads import OverloadedError, Workers

Scope = Mapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

_MODELS, _COMPLETIONS, _HEALTH = "/v1/models", "/v1/chat/completions", "/healthz"
_HEADERS = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
_READING, _ASKING = ("GET", "HEAD"), ("POST",)


class ListeningApp:
    """Serves listeners on the routes of the OpenAI protocol."""

    def __init__(self, listeners: Mapping[str, Listener], workers: Workers, api_key: str | None = None) -> None:
        self._listeners = listeners
        self._workers = workers
        self._room = BodyBudget()
        self._expected = None if api_key is None else f"Bearer {api_key}".encode()
        self._created = int(time.time())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            reply = await self._answer(scope, receive)
        except GoneError:
            return
        except RequestRefusedError as error:
            reply = make_error_reply(error)
        except asyncio.CancelledError:
            # A request is only cancelled by a server that shuts down after its grace period.
            reply = make_error_reply(RequestRefusedError("The server is shutting down. Try again later.", status=503))
        except Exception as error:  # noqa: BLE001 - the outer edge: nobody else would answer
            reply = _make_incident_reply(error)
        await _send_reply(reply, send)

    async def _answer(self, scope: Scope, receive: Receive) -> ServerReply:
        path, method = scope["path"], scope["method"]
        model = path.removeprefix(f"{_MODELS}/")
        if path == _HEALTH:
            _check_method(method, _READING)
            return make_json_reply({"status": "ok"})
        self._check_key(scope)
        if path == _MODELS:
            _check_method(method, _READING)
            models = [describe_model(listener, self._created) for listener in self._listeners.values()]
            return make_json_reply({"object": "list", "data": models})
        if path == _COMPLETIONS:
            _check_method(method, _ASKING)
            return await self._complete(scope, receive)
        if model in (path, ""):
            routes = f"GET {_HEALTH}, GET {_MODELS}, GET {_MODELS}/ID and POST {_COMPLETIONS}"
            raise RequestRefusedError(f"Unknown URL. Use {routes}.", status=404, code="unknown_url")
        _check_method(method, _READING)
        if model not in self._listeners:
            raise refuse_model(model, self._listeners)
        return make_json_reply(describe_model(self._listeners[model], self._created))

    def _check_key(self, scope: Scope) -> None:
        header = find_header(scope["headers"], b"authorization") or ""
        # In constant time, or the key could be guessed character by character.
        if self._expected is not None and not hmac.compare_digest(header.encode("latin-1"), self._expected):
            raise RequestRefusedError(
                "The API key is missing or invalid. Send `Authorization: Bearer` with this server's key.",
                status=401,
                code="invalid_api_key",
                headers=[(b"www-authenticate", b"Bearer")],
            )

    async def _complete(self, scope: Scope, receive: Receive) -> ServerReply:
        check_headers(scope["headers"])
        with self._room.share() as share:
            body = await read_body(receive, share)
            asking = asyncio.ensure_future(self._workers.run(partial(answer_body, body, self._listeners)))
            leaving = asyncio.ensure_future(_wait_until_gone(receive))
            try:
                await asyncio.wait([asking, leaving], return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    raise GoneError
                return asking.result()
            except OverloadedError:
                raise refuse_overload() from None
            finally:
                asking.cancel()
                leaving.cancel()
                # Only after it leaves the queue are its body and memory released.
                await asyncio.wait([asking, leaving])


def answer_body(body: bytes | bytearray, listeners: Mapping[str, Listener]) -> ServerReply:
    """Process a request body and return the reply.

    Raises:
        RequestRefusedError: The request cannot be answered.
    """
    question = parse_question(body, listeners)
    return make_reply(question, listeners[question.model].answer(question.heard, question.seed))


def _check_method(method: str, allowed: tuple[str, ...]) -> None:
    if method not in allowed:
        names = ", ".join(allowed)
        raise RequestRefusedError(
            f"This URL supports {names} only.",
            status=405,
            code="method_not_allowed",
            headers=[(b"allow", names.encode())],
        )


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _make_incident_reply(error: Exception) -> ServerReply:
    """Log an unexpected failure without its text, which may quote the request; return its reference."""
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    incident = log_incident(f"{type(error).__name__} at {' < '.join(reversed(frames))}")
    message = f"Something went wrong on our side. Try again, or report reference {incident}."
    return make_error_reply(RequestRefusedError(message, status=500, code="internal_error"))


async def _send_reply(reply: ServerReply, send: Send) -> None:
    headers = [*reply.headers, *_HEADERS]
    await send({"type": "http.response.start", "status": reply.status, "headers": headers})
    for piece in reply.pieces:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
