"""Requests that cannot be answered, and what is said of each."""

import io
import json
from typing import Any, NamedTuple

import numpy as np
import soundfile

from tests.support.endpoints.answering import audio_part, make_request, make_wav, text_part, url_part


class Malformed(NamedTuple):
    """A request, and the answer to it."""

    name: str
    body: bytes
    message: str
    param: str | None
    status: int = 400


HI = text_part("Hi")
WHERE = "messages[0].content[0]"


def raw(name: str, body: bytes, message: str, param: str | None = None) -> Malformed:
    return Malformed(name, body, message, param)


def fields(name: str, message: str, param: str | None, status: int = 400, **changed: Any) -> Malformed:
    """Return a good request with some fields set, or left out where they are set to `...`."""
    request = {field: value for field, value in make_request(HI, **changed).items() if value is not ...}
    return Malformed(name, json.dumps(request).encode(), message, param, status)


def part(name: str, piece: Any, message: str, param: str, role: str = "user") -> Malformed:
    return fields(name, message, f"{WHERE}{param}", messages=[{"role": role, "content": [piece]}])


def message(name: str, content: Any, sentence: str, param: str) -> Malformed:
    return fields(name, sentence, param, messages=[content])


def write(samples: Any, rate: int = 44_100, **options: Any) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, **options)
    return file.getvalue()


def audio(data: Any, form: Any = "wav") -> dict[str, Any]:
    return {"type": "input_audio", "input_audio": {"data": data, "format": form}}


def link(url: str) -> dict[str, Any]:
    return {"type": "audio_url", "audio_url": {"url": url}}


def unheard(name: str, content: bytes, reason: str) -> Malformed:
    return part(name, audio_part(content), f"The file cannot be heard: {reason}.", ".input_audio.data")


NOT_JSON = "The body is not JSON in UTF-8. Send one JSON object, as the API has it."
NOT_BASE64 = "The sound is not in base64. Send the whole file in standard base64 with padding, without line breaks."
NOT_FETCHED = (
    "`{}` is no sound in a data URL, and nothing is fetched from elsewhere. "
    "Send `data:audio/wav;base64,` and the file in base64."
)
NO_TEXT_OR_SOUND = "The messages hold neither text nor sound. Send a question."
NO_MESSAGES = "`messages` is missing or empty. Send at least one message of the role user."
NO_FILE = "it is no WAV, FLAC or OGG file. Save it as one of these"
DAMAGED = "it is damaged or cut short. Save it anew as WAV or FLAC"
NOT_PLAIN = (
    'These systems answer in plain text. Leave `response_format` out, or set it to {"type": "text"}, '
    "and ask for a form in the prompt."
)
SEED = "`seed` is out of range. Set it to a whole number from 0 to 2^63 - 1, or leave it out."
HOT = "`temperature` is out of range. Set it from 0 to 2, or leave it out; it changes nothing here."
ONE = "One answer is given to a request. Leave `n` out, or set it to 1."
STOP = "`stop` must be a text or up to 4 texts of 1 to 500 characters."
NO_TOOLS = "These systems call no tools. Leave `{}` out."

DEEP = b"[" * 900 + b"]" * 900 + b"}"

MALFORMED = [
    raw("empty", b"", NOT_JSON),
    raw("cut short", b'{"model": "echo"', NOT_JSON),
    raw("two values", b"{} {}", NOT_JSON),
    raw("byte order mark", b"\xef\xbb\xbf{}", NOT_JSON),
    raw("not a number", b'{"temperature": NaN}', NOT_JSON),
    raw("latin letters", '{"model": "écho"}'.encode("latin-1"), NOT_JSON),
    raw("lone surrogate", b'{"model": "\\ud800"}', NOT_JSON),
    raw("deep", b"[" * 100_000, "The body is not as it must be: Expected `object`, got `array`."),
    raw("deep inside", b'{"x":' * 9_000, "The body is nested too deeply. Send it as the API has it."),
    raw("list", b"[]", "The body is not as it must be: Expected `object`, got `array`."),
    fields("no model", "`model` is missing. Name one of echo, fails, other.", "model", model=...),
    fields("number as model", "`model` is not as it must be: Expected `str | null`, got `int`.", "model", model=3),
    fields(
        "unknown model", "There is no model `gpt-4o`. Served here: echo, fails, other.", "model", 404, model="gpt-4o"
    ),
    fields(
        "long model",
        f"There is no model `{'m' * 80}…`. Served here: echo, fails, other.",
        "model",
        404,
        model="m" * 5_000,
    ),
    fields("no messages", NO_MESSAGES, "messages", messages=...),
    fields("empty messages", NO_MESSAGES, "messages", messages=[]),
    fields(
        "text as messages",
        "`messages` is not as it must be: Expected `array | null`, got `str`.",
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
        "`messages[0]` is not as it must be: Object missing required field `role`.",
        "messages[0]",
    ),
    message(
        "role of tools",
        {"role": "tool", "content": "Hi"},
        "`tool` is no role that is heard here. Allowed: system, developer, user, assistant.",
        "messages[0].role",
    ),
    message(
        "no content",
        {"role": "user"},
        "The message has no content. Send a text, or a list of parts.",
        "messages[0].content",
    ),
    message(
        "number as content",
        {"role": "user", "content": 5},
        "`messages[0].content` is not as it must be: Expected `str | array | null`, got `int`.",
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
        "Parts of the type `image_url` are not heard here. Allowed: text, input_audio, audio_url.",
        ".type",
    ),
    part(
        "part without type",
        {"text": "Hi"},
        "`messages[0].content[0]` is not as it must be: Object missing required field `type`.",
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
        "`messages[0].content[0].input_audio` is not as it must be: Object missing required field `data`.",
        ".input_audio",
    ),
    fields(
        "sound from the system",
        "Sounds are heard in messages of the role user only. Move the part there.",
        f"{WHERE}.type",
        messages=[{"role": "system", "content": [audio_part(make_wav())]}, {"role": "user", "content": "Hi"}],
    ),
    part(
        "format that is not heard",
        audio("AAAA", "mp3"),
        "Sounds in the format `mp3` are not heard here. Allowed: wav, flac, ogg.",
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
    unheard("sound of six channels", make_wav(9, 6), "it has 6 channels. One or two are heard, the left ear first"),
    unheard("slow sound", make_wav(9, 1, 3_999), "its rate is 3,999 Hz. From 4,000 to 192,000 Hz are heard"),
    unheard("fast sound", make_wav(9, 1, 192_001), "its rate is 192,001 Hz. From 4,000 to 192,000 Hz are heard"),
    unheard("long sound", make_wav(2_400_001, 1, 4_000), "it is longer than 600 s. Send a part of it"),
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
        "The messages hold 17 sounds. Send 16 at most.",
        "messages",
        messages=[{"role": "user", "content": [audio("")] * 17}],
    ),
    fields(
        "long text",
        "The messages hold 100,001 characters of text. Send 100,000 at most.",
        "messages",
        messages=[{"role": "system", "content": "x" * 50_000}, {"role": "user", "content": [text_part("x" * 50_001)]}],
    ),
    fields("two answers", ONE, "n", n=2),
    fields("no answers", ONE, "n", n=0),
    fields("tools", NO_TOOLS.format("tools"), "tools", tools=[{"type": "function"}]),
    fields("functions", "These systems call no functions. Leave `functions` out.", "functions", functions=[{}]),
    fields("answer in JSON", NOT_PLAIN, "response_format", response_format={"type": "json_object"}),
    fields(
        "answer by a schema", NOT_PLAIN, "response_format", response_format={"type": "json_schema", "json_schema": {}}
    ),
    fields(
        "answer in sound",
        'These systems answer in text only. Leave `modalities` out, or set it to ["text"].',
        "modalities",
        modalities=["text", "audio"],
    ),
    fields(
        "probabilities", "These systems have no log probabilities. Leave `logprobs` out.", "logprobs", logprobs=True
    ),
    fields("cold", HOT, "temperature", temperature=-0.1),
    fields("hot", HOT, "temperature", temperature=2.1),
    fields("seed below zero", SEED, "seed", seed=-1),
    fields("seed of 64 bits", SEED, "seed", seed=2**63),
    fields("half a seed", "`seed` is not as it must be: Expected `int | null`, got `float`.", "seed", seed=0.5),
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
        "`stream_options` needs a stream. Set `stream` to true, or leave it out.",
        "stream_options",
        stream_options={"include_usage": True},
    ),
    fields(
        "word as stream", "`stream` is not as it must be: Expected `bool | null`, got `str`.", "stream", stream="yes"
    ),
]
