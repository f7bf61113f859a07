"""JSON types of a request: the supported fields. All others are ignored."""

import re

import msgspec

from evaluation.listeners.server.errors import RequestRefusedError

MAX_OBJECTS = 10_000
MAX_LIST_BYTES = 30_000
_NOTHING = msgspec.Raw(b"null")
_PLACE = re.compile(r"(?P<rule>.*) - at `\$\.?(?P<place>[^`]*)`", re.DOTALL)


class InputAudio(msgspec.Struct):
    """An audio file in base64."""

    data: str
    format: str | None = None


class AudioUrl(msgspec.Struct):
    """An audio file as a URL."""

    url: str


class MessagePart(msgspec.Struct):
    """A content part of a message; its type determines which field is used."""

    type: str
    text: str | None = None
    input_audio: InputAudio | None = None
    audio_url: AudioUrl | None = None


class Message(msgspec.Struct):
    """A message of one role."""

    role: str
    content: str | list[MessagePart] | None = None
    tool_calls: msgspec.Raw = _NOTHING
    function_call: msgspec.Raw = _NOTHING


class StreamOptions(msgspec.Struct):
    """Options of a streamed reply."""

    include_usage: bool | None = None


class ResponseFormat(msgspec.Struct):
    """Requested format of the answer."""

    type: str


class Completion(msgspec.Struct):
    """The body of a request.

    Fields stay bytes if only their presence is checked, or if they could be lists of any number of texts.
    """

    model: str | None = None
    messages: list[Message] | None = None
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    response_format: ResponseFormat | None = None
    logprobs: bool | None = None
    stop: msgspec.Raw = _NOTHING
    modalities: msgspec.Raw = _NOTHING
    tools: msgspec.Raw = _NOTHING
    functions: msgspec.Raw = _NOTHING


_DECODER = msgspec.json.Decoder(Completion)
_TEXTS = msgspec.json.Decoder(str | list[str] | None)


def decode_completion(body: bytes | bytearray) -> Completion:
    """Decode a request body.

    Raises:
        RequestRefusedError: The body is not a JSON object in UTF-8, or a field has an invalid type.
    """
    # Base64 has no braces; without this limit the objects of a small body could be a thousand times larger.
    if body.count(b"{") > MAX_OBJECTS:
        raise RequestRefusedError(
            f"The body has more than {MAX_OBJECTS:,} objects. Send the prompt in fewer messages and parts.",
            code="too_many_objects",
        )
    try:
        return _DECODER.decode(body)
    except msgspec.ValidationError as error:
        raise _refuse_field(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise RequestRefusedError(
            "The body is not JSON in UTF-8. Send one JSON object as documented in the API.", code="invalid_json"
        ) from None
    except RecursionError:
        raise RequestRefusedError(
            "The body is nested too deeply. Send it as documented in the API.", code="invalid_json"
        ) from None


def decode_texts(raw: msgspec.Raw) -> tuple[str, ...] | None:
    """Decode a field that is a text, a few texts or null; return None for anything else."""
    data = bytes(raw)
    if len(data) > MAX_LIST_BYTES:
        return None
    try:
        texts = _TEXTS.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return (texts,) if isinstance(texts, str) else tuple(texts or ())


def is_given(raw: msgspec.Raw) -> bool:
    """Return whether an undecoded field has a value."""
    return bytes(raw).strip() not in (b"null", b"[]", b"{}", b"false")


def _refuse_field(message: str) -> RequestRefusedError:
    match = _PLACE.fullmatch(message)
    rule, place = (match["rule"], match["place"]) if match else (message, "")
    where = f"`{place}`" if place else "The body"
    return RequestRefusedError(f"{where} is invalid: {rule}.", param=place or None, code="invalid_type")
