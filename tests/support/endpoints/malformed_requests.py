"""Invalid requests, each with the expected error response."""

import io
import json
from typing import Any, NamedTuple

import numpy as np
import soundfile

from tests.support.endpoints.answering import audio_part, make_request, make_wav, text_part, url_part


class MalformedRequest(NamedTuple):
    """A request, and the expected error response."""

    name: str
    body: bytes
    message: str
    param: str | None
    status: int = 400


HI = text_part("Hi")
WHERE = "messages[0].content[0]"


def raw(name: str, body: bytes, message: str, param: str | None = None) -> MalformedRequest:
    return MalformedRequest(name, body, message, param)


def fields(name: str, message: str, param: str | None, status: int = 400, **changed: Any) -> MalformedRequest:
    """Return a valid request with some fields replaced, or omitted where the value is `...`."""
    request = {field: value for field, value in make_request(HI, **changed).items() if value is not ...}
    return MalformedRequest(name, json.dumps(request).encode(), message, param, status)


def part(name: str, piece: Any, message: str, param: str, role: str = "user") -> MalformedRequest:
    return fields(name, message, f"{WHERE}{param}", messages=[{"role": role, "content": [piece]}])


def message(name: str, content: Any, sentence: str, param: str) -> MalformedRequest:
    return fields(name, sentence, param, messages=[content])


def write(samples: Any, rate: int = 44_100, **options: Any) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, **options)
    return file.getvalue()


def audio(data: Any, form: Any = "wav") -> dict[str, Any]:
    return {"type": "input_audio", "input_audio": {"data": data, "format": form}}


def link(url: str) -> dict[str, Any]:
    return {"type": "audio_url", "audio_url": {"url": url}}


def unheard(name: str, content: bytes, reason: str) -> MalformedRequest:
    return part(name, audio_part(content), f"The audio file cannot be used: {reason}.", ".input_audio.data")


NOT_JSON = "The body is not JSON in UTF-8. Send one JSON object as documented in the API."
NOT_BASE64 = (
    "The audio is not valid base64. Send the whole file in standard base64 with padding and without line breaks."
)
NOT_FETCHED = (
    "`{}` is not an audio data URL, and remote files are not fetched. "
    "Send `data:audio/wav;base64,` and the file in base64."
)
NO_TEXT_OR_SOUND = "The messages contain neither text nor audio. Send a question."
NO_MESSAGES = "`messages` is missing or empty. Send at least one message with the role user."
NO_FILE = "it is not a WAV, FLAC or OGG file. Convert it to one of these"
DAMAGED = "it is damaged or cut short. Save it again as WAV or FLAC"
NOT_PLAIN = (
    'Only plain text is supported. Remove `response_format` or set it to {"type": "text"}, and ask for a format in '
    "the prompt."
)
SEED = "`seed` is out of range. Set it to an integer from 0 to 2^63 - 1 or remove it."
HOT = "`temperature` is out of range. Set it from 0 to 2 or remove it; it has no effect."
ONE = "Only one answer per request is supported. Remove `n` or set it to 1."
STOP = "`stop` must be a string or up to 4 strings of 1 to 500 characters."
NO_TOOLS = "Tool calls are not supported. Remove `{}`."

DEEP = b"[" * 900 + b"]" * 900 + b"}"

MALFORMED = [
    raw("empty", b"", NOT_JSON),
    raw("cut short", b'{"model": "echo"', NOT_JSON),
    raw("two values", b"{} {}", NOT_JSON),
    raw("byte order mark", b"\xef\xbb\xbf{}", NOT_JSON),
    raw("not a number", b'{"temperature": NaN}', NOT_JSON),
    raw("latin letters", '{"model": "écho"}'.encode("latin-1"), NOT_JSON),
    raw("lone surrogate", b'{"model": "\\ud800"}', NOT_JSON),
    raw("deep", b"[" * 100_000, "The body is invalid: Expected `object`, got `array`."),
    raw("deep inside", b'{"x":' * 9_000, "The body is nested too deeply. Send it as documented in the API."),
    raw("list", b"[]", "The body is invalid: Expected `object`, got `array`."),
    fields("no model", "`model` is missing. Use one of echo, fails, other.", "model", model=...),
    fields("number as model", "`model` is invalid: Expected `str | null`, got `int`.", "model", model=3),
    fields("unknown model", "Unknown model `gpt-4o`. Models: echo, fails, other.", "model", 404, model="gpt-4o"),
    fields(
        "long model",
        f"Unknown model `{'m' * 80}…`. Models: echo, fails, other.",
        "model",
        404,
        model="m" * 5_000,
    ),
    fields("no messages", NO_MESSAGES, "messages", messages=...),
    fields("empty messages", NO_MESSAGES, "messages", messages=[]),
    fields(
        "text as messages",
        "`messages` is invalid: Expected `array | null`, got `str`.",
        "messages",
        messages="Hi",
    ),
    fields(
        "nobody asks",
        "No message has the role user. Send one.",
        "messages",
        messages=[{"role": "system", "content": "Be brief."}],
    ),
    message(
        "no role",
        {"content": "Hi"},
        "`messages[0]` is invalid: Object missing required field `role`.",
        "messages[0]",
    ),
    message(
        "role of tools",
        {"role": "tool", "content": "Hi"},
        "`tool` is not a supported role. Use system, developer, user, assistant.",
        "messages[0].role",
    ),
    message(
        "no content",
        {"role": "user"},
        "The message has no content. Send a string or a list of parts.",
        "messages[0].content",
    ),
    message(
        "number as content",
        {"role": "user", "content": 5},
        "`messages[0].content` is invalid: Expected `str | array | null`, got `int`.",
        "messages[0].content",
    ),
    message("blank content", {"role": "user", "content": " \n"}, NO_TEXT_OR_SOUND, "messages"),
    message("no parts", {"role": "user", "content": []}, NO_TEXT_OR_SOUND, "messages"),
    fields(
        "calls of tools",
        NO_TOOLS.format("tool_calls"),
        "messages[1].tool_calls",
        messages=[{"role": "user", "content": "Hi"}, {"role": "assistant", "tool_calls": [{"id": "1"}]}],
    ),
    part(
        "image",
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
        "Parts of the type `image_url` are not supported. Use text, input_audio, audio_url.",
        ".type",
    ),
    part(
        "part without type",
        {"text": "Hi"},
        "`messages[0].content[0]` is invalid: Object missing required field `type`.",
        "",
    ),
    part("part without text", {"type": "text"}, "A part of the type text needs the field `text`.", ".text"),
    part(
        "part without sound",
        {"type": "input_audio"},
        "A part of the type input_audio needs the field `input_audio`.",
        ".input_audio",
    ),
    part(
        "sound without data",
        {"type": "input_audio", "input_audio": {"format": "wav"}},
        "`messages[0].content[0].input_audio` is invalid: Object missing required field `data`.",
        ".input_audio",
    ),
    fields(
        "sound from the system",
        "Only user messages may contain audio. Move the part to a user message.",
        f"{WHERE}.type",
        messages=[{"role": "system", "content": [audio_part(make_wav())]}, {"role": "user", "content": "Hi"}],
    ),
    part(
        "format that is not heard",
        audio("AAAA", "mp3"),
        "The audio format `mp3` is not supported. Use wav, flac, ogg.",
        ".input_audio.format",
    ),
    part("no base64", audio("%%%%"), NOT_BASE64, ".input_audio.data"),
    part("base64 without padding", audio("UklGRg"), NOT_BASE64, ".input_audio.data"),
    part("base64 in lines", audio("UklG\nRgAA"), NOT_BASE64, ".input_audio.data"),
    part("base64 that is not ASCII", audio("ÜklG"), NOT_BASE64, ".input_audio.data"),
    unheard("no data", b"", NO_FILE),
    unheard("text as sound", b"This is no sound.", NO_FILE),
    unheard("sound in AIFF", write(np.zeros((9, 1)), format="AIFF"), NO_FILE),
    unheard("sound cut short", make_wav()[:30], DAMAGED),
    unheard(
        "sound shorter than it says",
        make_wav()[:-100],
        "the WAV file is cut short: its header declares 1764 bytes of audio, but 1664 follow",
    ),
    unheard("sound without samples", make_wav(0), "the audio is empty; it needs at least one sample"),
    unheard(
        "sound that is no number",
        write(np.full((9, 1), np.nan), format="WAV", subtype="FLOAT"),
        "the audio contains samples that are not numbers (NaN); save it without them",
    ),
    unheard("sound of six channels", make_wav(9, 6), "it has 6 channels. Send one or two, left ear first"),
    unheard("slow sound", make_wav(9, 1, 3_999), "its sample rate is 3,999 Hz. Use 4,000 to 192,000 Hz"),
    unheard("fast sound", make_wav(9, 1, 192_001), "its sample rate is 192,001 Hz. Use 4,000 to 192,000 Hz"),
    unheard("long sound", make_wav(2_400_001, 1, 4_000), "it is longer than 600 s. Send a shorter clip"),
    part(
        "address elsewhere",
        link("https://example.org/a.wav"),
        NOT_FETCHED.format("https://example.org/a.wav"),
        ".audio_url.url",
    ),
    part("address of a file", link("file:///etc/passwd"), NOT_FETCHED.format("file:///etc/passwd"), ".audio_url.url"),
    part(
        "picture in an address",
        url_part(b"", "image/png"),
        NOT_FETCHED.format("data:image/png;base64,"),
        ".audio_url.url",
    ),
    part("bad data in an address", link("data:audio/wav;base64,?"), NOT_BASE64, ".audio_url.url"),
    fields(
        "17 sounds",
        "The messages contain 17 clips. Send at most 16.",
        "messages",
        messages=[{"role": "user", "content": [audio("")] * 17}],
    ),
    fields(
        "long text",
        "The messages contain 100,001 characters of text. Send at most 100,000.",
        "messages",
        messages=[{"role": "system", "content": "x" * 50_000}, {"role": "user", "content": [text_part("x" * 50_001)]}],
    ),
    fields("two answers", ONE, "n", n=2),
    fields("no answers", ONE, "n", n=0),
    fields("tools", NO_TOOLS.format("tools"), "tools", tools=[{"type": "function"}]),
    fields("functions", "Function calls are not supported. Remove `functions`.", "functions", functions=[{}]),
    fields("answer in JSON", NOT_PLAIN, "response_format", response_format={"type": "json_object"}),
    fields(
        "answer by a schema", NOT_PLAIN, "response_format", response_format={"type": "json_schema", "json_schema": {}}
    ),
    fields(
        "answer in sound",
        'Only text output is supported. Remove `modalities` or set it to ["text"].',
        "modalities",
        modalities=["text", "audio"],
    ),
    fields("probabilities", "Log probabilities are not supported. Remove `logprobs`.", "logprobs", logprobs=True),
    fields("cold", HOT, "temperature", temperature=-0.1),
    fields("hot", HOT, "temperature", temperature=2.1),
    fields("seed below zero", SEED, "seed", seed=-1),
    fields("seed of 64 bits", SEED, "seed", seed=2**63),
    fields("half a seed", "`seed` is invalid: Expected `int | null`, got `float`.", "seed", seed=0.5),
    fields("no tokens", "`max_tokens` must be 1 or more.", "max_tokens", max_tokens=0),
    fields(
        "fewer than no tokens",
        "`max_completion_tokens` must be 1 or more.",
        "max_completion_tokens",
        max_completion_tokens=-5,
    ),
    fields("empty stop", STOP, "stop", stop=""),
    raw(
        "latin stop", b'{"model": "echo", "messages": [{"role": "user", "content": "a"}], "stop": "\xe9"}', STOP, "stop"
    ),
    raw(
        "deep stop", b'{"model": "echo", "messages": [{"role": "user", "content": "a"}], "stop": ' + DEEP, STOP, "stop"
    ),
    fields("long stop", STOP, "stop", stop=["a", "b" * 501]),
    fields("stops without number", STOP, "stop", stop=["a"] * 20_000),
    fields("number as stop", STOP, "stop", stop=5),
    fields("five stops", STOP, "stop", stop=list("abcde")),
    fields(
        "stream options without a stream",
        "`stream_options` requires streaming. Set `stream` to true or remove `stream_options`.",
        "stream_options",
        stream_options={"include_usage": True},
    ),
    fields("word as stream", "`stream` is invalid: Expected `bool | null`, got `str`.", "stream", stream="yes"),
]
