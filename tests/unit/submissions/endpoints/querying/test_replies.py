"""Parsing of endpoint replies, however malformed, without leaking the key."""

import base64
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.endpoints.querying.query_records import CallFailure, EndpointReply
from submissions.endpoints.querying.redaction import MAX_SHOWN, Redactor
from submissions.endpoints.querying.replies import read_answer
from submissions.endpoints.transport.http_client import TransportResponse
from submissions.endpoints.vault import Secret

KEY = "sk-canary/0123456789+abcdefgh"
REDACTOR = Redactor(Secret(KEY))


def read(body: Any, status: int = 200, **headers: str) -> EndpointReply | CallFailure:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return read_answer(TransportResponse(status, headers, data), REDACTOR)


def complete(content: Any, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"message": {"content": content}, "finish_reason": "stop"}], **fields}


def test_standard_response_is_parsed() -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": None}
    assert read(complete("B", usage=usage, model="m-1")) == EndpointReply("B", "stop", 9, 2, "m-1")


def test_response_in_an_unusual_form_is_parsed(subtests: pytest.Subtests) -> None:
    rows: list[tuple[Any, str, str]] = [
        (complete(None), "", "stop"),
        (complete(""), "", "stop"),
        (complete([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), "ab", "stop"),
        (complete([{"type": "audio"}, "b"]), "b", "stop"),
        (complete([]), "", "stop"),
        ({"choices": [{"message": {"content": None, "refusal": "No."}}]}, "No.", "refusal"),
        ({"choices": [{"message": {"content": "cut"}, "finish_reason": "length"}]}, "cut", "length"),
        ({"choices": [{"message": {"content": None}, "finish_reason": "length"}]}, "", "length"),
        ({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}, "", "filter"),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "tool_calls"}]}, "x", "other"),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": 7}]}, "x", "stop"),
        ({"choices": [{"message": {}}]}, "", "stop"),
        ({"choices": [{"message": {"content": "x"}}, {"message": None}], "error": None}, "x", "stop"),
        (complete("a\0b"), "a\ufffdb", "stop"),
    ]
    for body, text, finish in rows:
        with subtests.test(body=body, text=text, finish=finish):
            assert read(body) == EndpointReply(text, finish)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b"A \\ud83d", "A ?"),
        (b"A \xe4\xbd", "A \ufffd"),
        (b"A \\\\ud83d", "A \\ud83d"),
        (b"\\ud83d\\ude00", "\U0001f600"),
    ],
)
def test_text_with_half_characters_is_kept(written: bytes, text: str) -> None:
    body = b'{"choices": [{"message": {"content": "' + written + b'"}}]}'
    assert read(body) == EndpointReply(text, "stop")


@pytest.mark.parametrize(
    "usage", [None, 7, "many", [], {"prompt_tokens": "9"}, {"prompt_tokens": -1}, {"prompt_tokens": 10**30}]
)
def test_response_with_invalid_usage_is_parsed_without_it(usage: Any) -> None:
    outcome = read(complete("B", usage=usage, model=["m"]))
    assert outcome == EndpointReply("B", "stop")


def test_malformed_response_is_a_failure(subtests: pytest.Subtests) -> None:
    rows: list[Any] = [
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        b'"B"',
        b"\xff\xfe",
        b"<html>busy</html>",
        b'data: {"choices": []}\n\n',
        b"[" * 100_000,
        b'{"choices":' + b"[" * 100_000,
        b'{"choices":[' + b"{}," * 200_000 + b"{}]}",
        {"choices": []},
        {"choices": None},
        {"choices": {}},
        {"choices": [None]},
        {"choices": ["B"]},
        {"choices": [{}]},
        {"choices": [{"message": None}]},
        {"choices": [{"message": "B"}]},
        {"choices": [{"message": {"content": 7}}]},
        {"choices": [{"message": {"content": {"text": "B"}}}]},
        {"choices": [{"message": {"content": [[]]}}]},
        {},
    ]
    for body in rows:
        with subtests.test(body=body):
            outcome = read(body)
            assert isinstance(outcome, CallFailure)
            assert outcome.kind == "unreadable"


def test_response_with_an_error_is_that_error() -> None:
    busy = read({"error": {"code": 429, "message": "later"}})
    assert isinstance(busy, CallFailure)
    assert busy.kind == "throttled"
    for error in ("oh", {"message": "oh"}, {"code": "odd", "message": "oh"}, {"code": 999, "message": "oh"}):
        outcome = read({"error": error, "choices": []})
        assert isinstance(outcome, CallFailure)
        assert (outcome.kind, outcome.message) == ("error-in-answer", "The endpoint answered with an error: oh")


def test_status_determines_the_failure_kind_and_the_message_quotes_the_response(subtests: pytest.Subtests) -> None:
    rows: list[tuple[int, str]] = [
        (201, "unreadable"),
        (204, "unreadable"),
        (400, "rejected"),
        (401, "unauthorised"),
        (403, "unauthorised"),
        (404, "not-found"),
        (408, "server-error"),
        (413, "rejected"),
        (422, "rejected"),
        (429, "throttled"),
        (500, "server-error"),
        (529, "server-error"),
    ]
    for status, kind in rows:
        with subtests.test(status=status, kind=kind):
            outcome = read({"error": {"message": "because\n of this"}}, status)
            assert isinstance(outcome, CallFailure)
            assert outcome.kind == kind
            assert outcome.message.endswith(f"(status {status}). Response: because of this")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"detail": "no model"}, "no model"),
        ({"message": "no model"}, "no model"),
        ({"error": "no model"}, "no model"),
        (b"plain \x1b[31mred\x07 \xe2\x80\xaetext", "plain [31mred text"),
        (b"", "empty"),
        (b"x" * 10_000, "x" * (MAX_SHOWN - 1) + "…"),
    ],
)
def test_server_messages_are_short_and_printable(body: Any, message: str) -> None:
    outcome = read(body, 500)
    assert isinstance(outcome, CallFailure)
    assert outcome.message == f"The endpoint has an internal error (status 500). Response: {message}"


def test_retry_after_is_read_only_with_status_429_or_503() -> None:
    for status, expected in ((429, 7.0), (503, 7.0), (500, None)):
        outcome = read({}, status, **{"Retry-After": "7"})
        assert isinstance(outcome, CallFailure)
        assert outcome.retry_after == expected


SPELLINGS = {
    "plain": KEY,
    "upper": KEY.upper(),
    "reversed": KEY[::-1],
    "hex": KEY.encode().hex(),
    "url": quote(KEY, safe=""),
    "base64": base64.b64encode(KEY.encode()).decode(),
    "basic": base64.b64encode(f"user:{KEY}".encode()).decode(),
    "bearer": base64.b64encode(f"Bearer {KEY}".encode()).decode(),
}


def test_key_echoed_by_a_server_is_redacted_everywhere(subtests: pytest.Subtests) -> None:
    for status in [200, 401, 500]:
        for name in SPELLINGS:
            with subtests.test(name=name, status=status):
                spelling = SPELLINGS[name]
                bodies = [
                    complete(f"You sent {spelling}.", model=spelling),
                    {"error": {"message": spelling}},
                    spelling.encode(),
                ]
                for body in bodies:
                    text = repr(read(body, status))
                    assert spelling not in text
                    assert spelling[8:-8] not in text


@pytest.mark.parametrize("piece", [KEY[:12], KEY[-10:], f"{KEY[:9]}\u200b{KEY[9:]}", KEY[5:20]])
def test_piece_of_the_key_in_a_message_is_redacted(piece: str) -> None:
    outcome = read({"error": {"message": f"Incorrect API key provided: {piece}. Find yours elsewhere."}}, 401)
    assert isinstance(outcome, CallFailure)
    assert "Incorrect API key provided: [key]. Find yours" in outcome.message


@pytest.mark.parametrize("key", [None, "EMPTY", "none"])
def test_placeholder_for_no_key_is_not_redacted(key: str | None) -> None:
    redactor = Redactor(None if key is None else Secret(key))
    text = "Empty room, none of them"
    assert (redactor.clean(text), redactor.show(text)) == (text, text)


@given(st.binary(max_size=300), st.sampled_from([200, 400, 429, 500]))
def test_response_of_any_bytes_never_raises(body: bytes, status: int) -> None:
    assert isinstance(read(body, status), CallFailure)
