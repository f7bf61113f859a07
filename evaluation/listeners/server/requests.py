"""Validated requests: audio and text, the model, and the response format."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import msgspec

from evaluation.listeners.listener_types import Heard
from evaluation.listeners.server.errors import RequestRefusedError, refuse_model
from evaluation.listeners.server.messages import read_messages
from evaluation.listeners.server.token_counts import count_audio_tokens, count_text_tokens
from evaluation.listeners.server.wire import Completion, decode_completion, decode_texts, is_given

MAX_STOPS = 4
LONGEST_STOP = 500
_HOTTEST = 2.0
_SEEDS = 2**63


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A validated chat request.

    Attributes:
        model: Requested model.
        heard: Texts and clips of all messages, in order.
        seed: Seed of random choices.
        max_tokens: Maximum length of the answer; None for no limit.
        stops: Stop texts, before which the answer ends.
        is_streamed: Whether the answer is streamed.
        shows_usage: Whether a stream ends with its usage.
        text_tokens: Number of text tokens.
        audio_tokens: Number of audio tokens.
    """

    model: str
    heard: tuple[Heard, ...]
    seed: int
    max_tokens: int | None
    stops: tuple[str, ...]
    is_streamed: bool
    shows_usage: bool
    text_tokens: int
    audio_tokens: int


def parse_question(body: bytes | bytearray, models: Collection[str]) -> ChatRequest:
    """Parse and validate a request body.

    Args:
        body: JSON body.
        models: Available models.

    Raises:
        RequestRefusedError: The request is invalid; the message says why, `param` where.
    """
    completion = decode_completion(body)
    model = _read_model(completion, models)
    _check_support(completion)
    heard = tuple(read_messages(completion.messages))
    options = completion.stream_options
    return ChatRequest(
        model=model,
        heard=heard,
        seed=completion.seed or 0,
        max_tokens=_read_most_tokens(completion),
        stops=_read_stops(completion.stop),
        is_streamed=bool(completion.stream),
        shows_usage=options is not None and bool(options.include_usage),
        text_tokens=count_text_tokens(heard),
        audio_tokens=count_audio_tokens(heard),
    )


def _read_model(completion: Completion, models: Collection[str]) -> str:
    if completion.model is None:
        raise RequestRefusedError(
            f"`model` is missing. Use one of {', '.join(sorted(models))}.", param="model", code="missing_parameter"
        )
    if completion.model not in models:
        raise refuse_model(completion.model, models)
    return completion.model


# Field, test for unsupported requests, and error message.
_UNSUPPORTED: tuple[tuple[str, Callable[[Completion], bool], str], ...] = (
    (
        "n",
        lambda completion: completion.n not in (None, 1),
        "Only one answer per request is supported. Remove `n` or set it to 1.",
    ),
    ("tools", lambda completion: is_given(completion.tools), "Tool calls are not supported. Remove `tools`."),
    (
        "functions",
        lambda completion: is_given(completion.functions),
        "Function calls are not supported. Remove `functions`.",
    ),
    (
        "response_format",
        lambda completion: completion.response_format is not None and completion.response_format.type != "text",
        'Only plain text is supported. Remove `response_format` or set it to {"type": "text"}, and ask for a format in '
        "the prompt.",
    ),
    (
        "modalities",
        lambda completion: decode_texts(completion.modalities) not in ((), ("text",)),
        'Only text output is supported. Remove `modalities` or set it to ["text"].',
    ),
    (
        "logprobs",
        lambda completion: bool(completion.logprobs),
        "Log probabilities are not supported. Remove `logprobs`.",
    ),
    (
        "temperature",
        lambda completion: completion.temperature is not None and not 0 <= completion.temperature <= _HOTTEST,
        "`temperature` is out of range. Set it from 0 to 2 or remove it; it has no effect.",
    ),
    (
        "seed",
        lambda completion: completion.seed is not None and not 0 <= completion.seed < _SEEDS,
        "`seed` is out of range. Set it to an integer from 0 to 2^63 - 1 or remove it.",
    ),
    (
        "stream_options",
        lambda completion: completion.stream_options is not None and not completion.stream,
        "`stream_options` requires streaming. Set `stream` to true or remove `stream_options`.",
    ),
)


def _check_support(completion: Completion) -> None:
    for param, is_beyond, sentence in _UNSUPPORTED:
        if is_beyond(completion):
            raise RequestRefusedError(sentence, param=param, code="unsupported_value")


def _read_most_tokens(completion: Completion) -> int | None:
    limits = {"max_completion_tokens": completion.max_completion_tokens, "max_tokens": completion.max_tokens}
    for param, limit in limits.items():
        if limit is not None and limit < 1:
            raise RequestRefusedError(f"`{param}` must be 1 or more.", param=param, code="unsupported_value")
    return min((limit for limit in limits.values() if limit is not None), default=None)


def _read_stops(raw: msgspec.Raw) -> tuple[str, ...]:
    stops = decode_texts(raw)
    if stops is None or len(stops) > MAX_STOPS or not all(1 <= len(stop) <= LONGEST_STOP for stop in stops):
        raise RequestRefusedError(
            f"`stop` must be a string or up to {MAX_STOPS} strings of 1 to {LONGEST_STOP} characters.",
            param="stop",
            code="unsupported_value",
        )
    return stops
