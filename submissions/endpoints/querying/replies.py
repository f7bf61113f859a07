"""Parser of an endpoint's replies, which are untrusted. Pure."""

import json
from typing import Literal, TypeVar

import msgspec

from submissions.endpoints.querying.query_records import CallFailure, EndpointReply, FailureKind, Finish
from submissions.endpoints.querying.redaction import Redactor
from submissions.endpoints.querying.retry_policy import read_retry_after
from submissions.endpoints.transport.http_client import TransportResponse

# A small body could become a hundred times larger as objects.
_MAX_OBJECTS = 100_000
_MAX_TOKENS = 10**9
_Kind = TypeVar("_Kind")
_NOTHING = msgspec.Raw(b"null")

_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length", "content_filter": "filter"}
_STATUSES: dict[int, FailureKind] = {
    401: "unauthorised",
    403: "unauthorised",
    404: "not-found",
    405: "not-found",
    410: "not-found",
    408: "server-error",
    409: "server-error",
    425: "server-error",
    429: "throttled",
}
_WHAT: dict[FailureKind, str] = {
    "unauthorised": "rejects the API key: check the key and its permissions",
    "not-found": "does not know this URL or model: check `base_url` and `model_name`",
    "rejected": "rejects a question",
    "throttled": "limits our requests",
    "server-error": "has an internal error",
}


class _Part(msgspec.Struct, gc=False):
    text: str | None = None


class _Message(msgspec.Struct, gc=False):
    content: str | list[_Part | str] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct, gc=False):
    message: _Message | None = None
    finish_reason: msgspec.Raw = _NOTHING


class _Completion(msgspec.Struct, gc=False):
    choices: list[_Choice] | None = None
    usage: msgspec.Raw = _NOTHING
    model: msgspec.Raw = _NOTHING
    error: msgspec.Raw = _NOTHING


class _Usage(msgspec.Struct, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _ErrorBody(msgspec.Struct, gc=False):
    code: int | str | None = None
    message: str | None = None


class _Errors(msgspec.Struct, gc=False):
    error: _ErrorBody | str | None = None
    detail: str | None = None
    message: str | None = None


def read_answer(answer: TransportResponse, redactor: Redactor) -> EndpointReply | CallFailure:
    """Parse a response.

    Args:
        answer: The HTTP response.
        redactor: Removes the key from everything that is stored.

    Returns:
        The reply; or the failure with the server's explanation.
    """
    if answer.status != 200:
        return _read_failure(answer.status, answer, redactor)
    if answer.body.count(b"{") > _MAX_OBJECTS:
        return CallFailure("unreadable", f"The response has more than {_MAX_OBJECTS:,} objects.")
    found = _decode(answer.body, _Completion) or _decode_odd_text(answer.body)
    if found is None:
        said = redactor.show(answer.body[:1_000].decode(errors="replace"))
        return CallFailure("unreadable", f"The response does not follow the API's JSON format. It begins: {said}")
    if not found.choices:
        return _read_missing(found, answer, redactor)
    return _read_choice(found.choices[0], found, redactor)


def _read_choice(choice: _Choice, found: _Completion, redactor: Redactor) -> EndpointReply | CallFailure:
    message = choice.message
    if message is None:
        return CallFailure("unreadable", "The response has a choice without a message.")
    finish = _FINISHES.get(_decode_text(choice.finish_reason) or "stop", "other")
    text = _join(message.content)
    if not text and message.refusal:
        text, finish = message.refusal, "refusal"
    usage = _decode(found.usage, _Usage) or _Usage()
    model = _decode_text(found.model)
    return EndpointReply(
        # Some databases refuse NUL.
        redactor.clean(text).replace("\0", "\ufffd"),
        finish,
        _bound(usage.prompt_tokens),
        _bound(usage.completion_tokens),
        None if model is None else redactor.show(model),
    )


def _read_missing(found: _Completion, answer: TransportResponse, redactor: Redactor) -> CallFailure:
    """Parse a body without choices: some servers report errors with status 200."""
    if bytes(found.error) == b"null":
        return CallFailure("unreadable", "The response has no choices.")
    error = _decode(found.error, _ErrorBody)
    code = error.code if error is not None else None
    if isinstance(code, int) and 400 <= code < 600:
        return _read_failure(code, answer, redactor)
    return CallFailure("error-in-answer", f"The endpoint answered with an error: {_quote(answer, redactor)}")


def _read_failure(status: int, answer: TransportResponse, redactor: Redactor) -> CallFailure:
    kind: FailureKind = _STATUSES.get(status) or _classify(status)
    said = _quote(answer, redactor)
    what = _WHAT.get(kind, "sent an unexpected response")
    message = f"The endpoint {what} (status {status}). Response: {said or 'empty'}"
    return CallFailure(kind, message, read_retry_after(answer.headers) if status in (429, 503) else None)


def _classify(status: int) -> Literal["rejected", "server-error", "unreadable"]:
    if status >= 500:
        return "server-error"
    return "rejected" if status >= 400 else "unreadable"


def _quote(answer: TransportResponse, redactor: Redactor) -> str:
    """Return the server's explanation of a failure: the message in its JSON, or the beginning of its body."""
    body = answer.body
    found = _decode(body, _Errors) if body.count(b"{") <= _MAX_OBJECTS else None
    said: str | None = None
    if found is not None:
        inner = found.error.message if isinstance(found.error, _ErrorBody) else found.error
        said = inner or found.detail or found.message
    return redactor.show(said or body[:4_000].decode(errors="replace"))


def _join(content: str | list[_Part | str] | None) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part if isinstance(part, str) else part.text or "" for part in content)


def _bound(n_tokens: int | None) -> int | None:
    return n_tokens if n_tokens is not None and 0 <= n_tokens <= _MAX_TOKENS else None


def _decode_odd_text(body: bytes) -> _Completion | None:
    """Decode a completion whose text has bytes or escapes that stand for no character, which become U+FFFD or `?`."""
    try:
        decoded = json.loads(body.decode(errors="replace"))
        return _decode(json.dumps(decoded, ensure_ascii=False).encode(errors="replace"), _Completion)
    except (ValueError, RecursionError):
        return None


def _decode_text(raw: msgspec.Raw) -> str | None:
    return _decode(raw, str)


def _decode(data: bytes | msgspec.Raw, kind: type[_Kind]) -> _Kind | None:
    """Decode JSON of a given type; None for anything else, however malformed."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
