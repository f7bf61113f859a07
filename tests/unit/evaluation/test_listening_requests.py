import base64
import io
import json
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from evaluation.listeners import Sound
from evaluation.listeners.server import RequestRefusedError, request_audio
from evaluation.listeners.server.request_audio import MAX_SECONDS
from evaluation.listeners.server.requests import ChatRequest, parse_question
from evaluation.listeners.server.wire import MAX_OBJECTS, Completion, Message, MessagePart
from tests.support.endpoints.answering import audio_part, make_request, make_wav, text_part, url_part

MODELS = ("echo", "other")
FIELDS = st.sampled_from([*Completion.__struct_fields__, *Message.__struct_fields__, *MessagePart.__struct_fields__])


def parse(request: Any) -> ChatRequest:
    return parse_question(json.dumps(request).encode(), MODELS)


def encode(samples: np.ndarray[Any, np.dtype[Any]], rate: int = 44_100, **options: Any) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, **options)
    return file.getvalue()


def hear(part: dict[str, Any]) -> Sound:
    (sound,) = parse(make_request(part)).heard
    assert isinstance(sound, Sound)
    return sound


def refusal_of(*parts: Any, **fields: Any) -> RequestRefusedError:
    with pytest.raises(RequestRefusedError) as caught:
        parse(make_request(*parts, **fields))
    return caught.value


def test_plain_text_question_has_default_options() -> None:
    request = parse({"model": "other", "messages": [{"role": "user", "content": "Left or right?"}]})
    assert request == ChatRequest(
        model="other",
        heard=("Left or right?",),
        seed=0,
        max_tokens=None,
        stops=(),
        is_streamed=False,
        shows_usage=False,
        text_tokens=4,
        audio_tokens=0,
    )


def test_messages_of_all_roles_are_heard_in_order() -> None:
    first, second = make_wav(seed=1), make_wav(seed=2)
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [text_part("Use a letter.")]},
        {"role": "user", "content": [text_part("One:"), audio_part(first), text_part("Two:"), url_part(second)]},
        {"role": "assistant", "content": None},
        {"role": "assistant", "content": "A"},
        {"role": "user", "content": ""},
    ]
    heard = parse({"model": "echo", "messages": messages}).heard
    texts = [piece if isinstance(piece, str) else "sound" for piece in heard]
    assert texts == ["Be brief.", "Use a letter.", "One:", "sound", "Two:", "sound", "A", ""]
    first_heard, second_heard = (piece for piece in heard if isinstance(piece, Sound))
    assert (first_heard.samples.shape, second_heard.samples.shape) == ((441, 2), (441, 2))
    assert not np.array_equal(first_heard.samples, second_heard.samples)


def test_unused_fields_and_nulls_are_ignored() -> None:
    nulls = dict.fromkeys(("seed", "max_tokens", "n", "stop", "stream", "tools", "response_format", "modalities"))
    extra = {"user": "x", "top_p": 0.1, "metadata": {"a": [1, {"b": None}]}, "tools": [], "logprobs": False, "n": 1}
    supported = {"response_format": {"type": "text", "x": 1}, "modalities": ["text"], "temperature": 2}
    plain = parse(make_request(text_part("Hi")))
    assert parse(make_request(text_part("Hi") | {"cache": 1}, **nulls)) == plain
    assert parse(make_request(text_part("Hi"), **extra, **supported)) == plain


def test_options_of_a_question_are_read() -> None:
    options = {"seed": 2**63 - 1, "stream": True, "stream_options": {"include_usage": True}, "stop": "\n"}
    request = parse(make_request(text_part("Hi"), max_tokens=7, max_completion_tokens=9, **options))
    assert (request.seed, request.max_tokens, request.stops) == (2**63 - 1, 7, ("\n",))
    assert (request.is_streamed, request.shows_usage) == (True, True)
    assert parse(make_request(text_part("Hi"), stop=["a", "b"])).stops == ("a", "b")


def test_lossless_audio_is_decoded_sample_for_sample(subtests: pytest.Subtests) -> None:
    form_rows: list[tuple[str, str | None]] = [("WAV", "PCM_16"), ("WAV", "FLOAT"), ("FLAC", "PCM_24"), ("RF64", None)]
    for form, subtype in form_rows:
        for n_channels in (1, 2):
            with subtests.test(n_channels=n_channels, form=form, subtype=subtype):
                steps = np.random.default_rng(3).integers(-(2**15), 2**15, (500, n_channels)) / 2**15
                sound = hear(audio_part(encode(steps, 16_000, format=form, subtype=subtype)))
                assert (sound.rate, sound.samples.dtype) == (16_000, np.dtype(np.float64))
                assert np.array_equal(sound.samples, steps)


def test_ogg_audio_is_decoded() -> None:
    sound = hear(audio_part(encode(np.zeros((4_000, 2)), format="OGG"), "ogg"))
    assert (sound.samples.shape, sound.rate) == ((4_000, 2), 44_100)


def test_format_of_audio_is_detected_from_its_data() -> None:
    content = make_wav()
    first = hear(audio_part(content, "FLAC"))
    second = hear({"type": "input_audio", "input_audio": {"data": encode64(content)}})
    assert np.array_equal(first.samples, second.samples)


def encode64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_audio_in_a_data_url_is_decoded(subtests: pytest.Subtests) -> None:
    for kind in ("audio/wav", "audio/x-wav", "AUDIO/WAV", "audio/wav;codecs=1"):
        with subtests.test(kind=kind):
            content = make_wav()
            assert np.array_equal(hear(url_part(content, kind)).samples, hear(audio_part(content)).samples)


def test_audio_of_the_maximum_length_is_accepted_and_longer_audio_is_refused() -> None:
    longest = np.zeros((MAX_SECONDS * 4_000, 1), np.int16)
    request = parse(make_request(audio_part(encode(longest, 4_000, format="FLAC"))))
    assert request.audio_tokens == 25 * MAX_SECONDS
    longer = encode(np.zeros((len(longest) + 1, 1), np.int16), 4_000, format="FLAC")
    error = refusal_of(audio_part(longer))
    assert str(error) == "The audio file cannot be used: it is longer than 600 s. Send a shorter clip."


def test_small_request_that_decodes_to_too_many_samples_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_audio, "MAX_SAMPLES", 4_000_000)
    silence = encode(np.zeros((500_000, 2), np.int16), 44_100, format="FLAC")
    assert len(silence) < 10_000, "silence is small"
    assert parse(make_request(*[audio_part(silence)] * 4)).audio_tokens == 4 * 284
    error = refusal_of(*[audio_part(silence)] * 5)
    assert error.param == "messages[0].content[4].input_audio.data"
    assert str(error) == (
        "The audio file cannot be used: the clips so far have 5,000,000 samples. Send at most 4,000,000."
    )


def test_audio_without_a_length_in_its_header_is_refused_before_decoding() -> None:
    content = bytearray(encode(np.zeros((100, 1), np.int16), format="FLAC"))
    content[21] &= 0xF0
    content[22:26] = bytes(4)
    assert str(refusal_of(audio_part(bytes(content)))).startswith(
        "The audio file cannot be used: it is longer than 600 s"
    )


@pytest.mark.parametrize("form", ["WAV", "FLAC", "OGG"])
def test_damaged_audio_is_refused_or_decoded_without_output_on_stderr(
    form: str, capfd: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(5)
    content = encode(np.sin(np.arange(4_000) / 10), format=form)
    codes = []
    for _ in range(200):
        broken = np.frombuffer(content, np.uint8)[: rng.integers(5, len(content))].copy()
        broken[rng.integers(4, min(len(broken), 120), 3)] = rng.integers(0, 256, 3)
        try:
            hear(audio_part(broken.tobytes()))
        except RequestRefusedError as error:
            codes.append(error.code)
    assert len(codes) > 20
    assert set(codes) == {"invalid_audio"}
    assert capfd.readouterr() == ("", "")


def test_prompt_tokens_are_those_of_all_texts_and_clips() -> None:
    parts = (text_part("Where is it?"), audio_part(make_wav(44_100)), audio_part(make_wav(441)))
    request = parse(make_request(*parts))
    assert (request.text_tokens, request.audio_tokens) == (4, 25 + 1)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(FIELDS, JSON_VALUES, max_size=4), st.sampled_from([{}, make_request(text_part("Hi"))]))
def test_any_request_is_accepted_or_refused_with_a_one_line_message(
    fields: dict[str, Any], base: dict[str, Any]
) -> None:
    try:
        parse(base | fields)
        refusal = None
    except RequestRefusedError as error:
        refusal = error
    assert refusal is None or (refusal.kind == "invalid_request_error" and str(refusal).isprintable() and refusal.code)


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 40))
def test_any_bytes_are_accepted_or_refused(inserted: bytes, position: int, n_cut: int) -> None:
    body = json.dumps(make_request(text_part("Hi"), audio_part(make_wav(2)), seed=1)).encode()
    with suppress(RequestRefusedError):
        parse_question(body[:position] + inserted + body[position + n_cut :], MODELS)


def test_deeply_nested_body_is_refused() -> None:
    for deep in (b'{"x":' + b"[" * 100_000, b'{"tools":' + b"[" * 50_000 + b"]" * 50_000 + b"}"):
        with pytest.raises(RequestRefusedError) as caught:
            parse_question(deep, MODELS)
        assert str(caught.value) == "The body is nested too deeply. Send it as documented in the API."


def test_number_of_a_million_digits_is_refused() -> None:
    with pytest.raises(RequestRefusedError) as caught:
        parse_question(b'{"model":"echo","seed":' + b"9" * 1_000_000 + b"}", MODELS)
    assert (str(caught.value), caught.value.param) == (
        "`seed` is invalid: Integer value out of range.",
        "seed",
    )


def test_body_with_too_many_objects_is_refused_before_parsing() -> None:
    part = b'{"type":"text","text":""},'
    body = b'{"model":"echo","messages":[{"role":"user","content":[' + part * MAX_OBJECTS + part[:-1] + b"]}]}"
    with pytest.raises(RequestRefusedError) as caught:
        parse_question(body, MODELS)
    assert str(caught.value) == "The body has more than 10,000 objects. Send the prompt in fewer messages and parts."


def test_same_body_gives_the_same_question() -> None:
    request = make_request(text_part("Hi"), audio_part(make_wav()), seed=4)
    first, second = parse(request), parse(request)
    assert (first.seed, first.heard[0]) == (second.seed, second.heard[0])
    assert np.array_equal(hear(audio_part(make_wav())).samples, hear(audio_part(make_wav())).samples)
