"""A validated request: audio and text, the model, and the response format."""

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
    """What is asked.

    Attributes:
        model: Who is asked.
        heard: Texts and sounds of all messages, in their order.
        seed: Decides what is left to chance.
        max_tokens: Where the answer is cut; None where it is not.
        stops: Texts before which the answer ends.
        is_streamed: Whether the answer goes back in pieces.
        shows_usage: Whether a stream ends with its usage.
        text_tokens: Length of the texts.
        audio_tokens: Length of the sounds.
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
    """Read the body of a request.

    Args:
        body: JSON.
        models: Who is there.

    Raises:
        RequestRefusedError: It cannot be answered; the message says why, `param` where.
    """
    asked = decode_completion(body)
    model = _read_model(asked, models)
    _check_support(asked)
    heard = tuple(read_messages(asked.messages))
    options = asked.stream_options
    return ChatRequest(
        model=model,
        heard=heard,
        seed=asked.seed or 0,
        max_tokens=_read_most_tokens(asked),
        stops=_read_stops(asked.stop),
        is_streamed=bool(asked.stream),
        shows_usage=options is not None and bool(options.include_usage),
        text_tokens=count_text_tokens(heard),
        audio_tokens=count_audio_tokens(heard),
    )


def _read_model(asked: Completion, models: Collection[str]) -> str:
    if asked.model is None:
        raise RequestRefusedError(
            f"`model` is missing. Use one of {', '.join(sorted(models))}.", param="model", code="missing_parameter"
        )
    if asked.model not in models:
        raise refuse_model(asked.model, models)
    return asked.model


# Field, whether a request is beyond what is done here, and the sentence that says so.
_UNSUPPORTED: tuple[tuple[str, Callable[[Completion], bool], str], ...] = (
    (
        "n",
        lambda asked: asked.n not in (None, 1),
        "Only one answer per request is supported. Remove `n` or set it to 1.",
    ),
    ("tools", lambda asked: is_given(asked.tools), "Tool calls are not supported. Remove `tools`."),
    ("functions", lambda asked: is_given(asked.functions), "Function calls are not supported. Remove `functions`."),
    (
        "response_format",
        lambda asked: asked.response_format is not None and asked.response_format.type != "text",
        'Only plain text is supported. Remove `response_format` or set it to {"type": "text"}, and ask for a format in '
        "the prompt.",
    ),
    (
        "modalities",
        lambda asked: decode_texts(asked.modalities) not in ((), ("text",)),
        'Only text output is supported. Remove `modalities` or set it to ["text"].',
    ),
    ("logprobs", lambda asked: bool(asked.logprobs), "Log probabilities are not supported. Remove `logprobs`."),
    (
        "temperature",
        lambda asked: asked.temperature is not None and not 0 <= asked.temperature <= _HOTTEST,
        "`temperature` is out of range. Set it from 0 to 2 or remove it; it has no effect.",
    ),
    (
        "seed",
        lambda asked: asked.seed is not None and not 0 <= asked.seed < _SEEDS,
        "`seed` is out of range. Set it to an integer from 0 to 2^63 - 1 or remove it.",
    ),
    (
        "stream_options",
        lambda asked: asked.stream_options is not None and not asked.stream,
        "`stream_options` requires streaming. Set `stream` to true or remove `stream_options`.",
    ),
)


def _check_support(asked: Completion) -> None:
    for param, is_beyond, sentence in _UNSUPPORTED:
        if is_beyond(asked):
            raise RequestRefusedError(sentence, param=param, code="unsupported_value")


def _read_most_tokens(asked: Completion) -> int | None:
    limits = {"max_completion_tokens": asked.max_completion_tokens, "max_tokens": asked.max_tokens}
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
