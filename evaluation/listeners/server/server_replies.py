"""Replies in the OpenAI protocol, complete or as a stream of events."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

import orjson

from evaluation.listeners.listener_types import Listener
from evaluation.listeners.server.errors import Header, RequestRefusedError
from evaluation.listeners.server.requests import ChatRequest
from evaluation.listeners.server.token_counts import split_tokens

_JSON = (b"content-type", b"application/json")
_EVENTS = (b"content-type", b"text/event-stream; charset=utf-8")
_OWNER = "earshot"


@dataclass(frozen=True, slots=True)
class ServerReply:
    """An HTTP reply.

    Attributes:
        status: HTTP status.
        headers: Headers, in order.
        pieces: Body; each piece is sent separately.
    """

    status: int
    headers: tuple[Header, ...]
    pieces: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _AnswerEnd:
    """The returned part of an answer, and why it ends.

    Attributes:
        tokens: The answer; the joined tokens are its text.
        reason: `length` if it was cut, else `stop`.
    """

    tokens: tuple[str, ...]
    reason: str


def make_json_reply(content: object, status: int = 200, headers: tuple[Header, ...] = ()) -> ServerReply:
    """Return a reply with one JSON value."""
    data = orjson.dumps(content)
    return ServerReply(status, (_JSON, (b"content-length", b"%d" % len(data)), *headers), (data,))


def make_error_reply(error: RequestRefusedError) -> ServerReply:
    """Return the reply for an error."""
    return make_json_reply(error.body(), error.status, error.headers)


def describe_model(listener: Listener, created: int) -> dict[str, object]:
    """Return a listener as a model object of the protocol."""
    return {"id": listener.id, "object": "model", "created": created, "owned_by": _OWNER}


def cut_answer(text: str, question: ChatRequest) -> _AnswerEnd:
    """Cut an answer before the first stop text, then to the requested number of tokens.

    A stop text beyond the cut has no effect.
    """
    positions = [place for stop in question.stops if (place := text.find(stop)) >= 0]
    tokens = split_tokens(text[: min(positions)] if positions else text)
    is_long = question.max_tokens is not None and len(tokens) > question.max_tokens
    return _AnswerEnd(tuple(tokens[: question.max_tokens]), "length" if is_long else "stop")


def make_reply(question: ChatRequest, text: str) -> ServerReply:
    """Return the reply with an answer."""
    ending = cut_answer(text, question)
    head = {"id": f"chatcmpl-{secrets.token_hex(12)}", "created": int(time.time()), "model": question.model}
    if question.is_streamed:
        return _make_stream(head, question, ending)
    message = {"role": "assistant", "content": "".join(ending.tokens), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": ending.reason}
    usage = _count_usage(question, ending)
    return make_json_reply(head | {"object": "chat.completion", "choices": [choice], "usage": usage})


def _make_stream(head: Mapping[str, object], question: ChatRequest, ending: _AnswerEnd) -> ServerReply:
    deltas: list[dict[str, object]] = [{"role": "assistant", "content": "", "refusal": None}]
    deltas += [{"content": token} for token in ending.tokens]
    reasons = [None] * len(deltas) + [ending.reason]
    chunks: list[dict[str, object]] = [
        {
            **head,
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}],
        }
        for delta, reason in zip([*deltas, {}], reasons, strict=True)
    ]
    if question.shows_usage:
        # As in the protocol: every chunk then has the field, and the last one, without choices, has its value.
        chunks = [chunk | {"usage": None} for chunk in chunks]
        chunks.append(chunks[-1] | {"choices": [], "usage": _count_usage(question, ending)})
    events = [b"data: %s\n\n" % orjson.dumps(chunk) for chunk in chunks]
    return ServerReply(200, (_EVENTS,), (*events, b"data: [DONE]\n\n"))


def _count_usage(question: ChatRequest, ending: _AnswerEnd) -> dict[str, object]:
    prompt, completion = question.text_tokens + question.audio_tokens, len(ending.tokens)
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"audio_tokens": question.audio_tokens, "text_tokens": question.text_tokens},
    }
