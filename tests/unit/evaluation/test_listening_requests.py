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


def test_question_of_a_plain_text_has_the_usual_values() -> None:
    asked = parse({"model": "other", "messages": [{"role": "user", "content": "Left or right?"}]})
    assert asked == ChatRequest(
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


def test_messages_of_all_roles_are_heard_in_their_order() -> None:
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


def test_fields_that_mean_nothing_here_and_nulls_are_passed_over() -> None:
    nulls = dict.fromkeys(("seed", "max_tokens", "n", "stop", "stream", "tools", "response_format", "modalities"))
    extra = {"user": "x", "top_p": 0.1, "metadata": {"a": [1, {"b": None}]}, "tools": [], "logprobs": False, "n": 1}
    settled = {"response_format": {"type": "text", "x": 1}, "modalities": ["text"], "temperature": 2}
    plain = parse(make_request(text_part("Hi")))
    assert parse(make_request(text_part("Hi") | {"cache": 1}, **nulls)) == plain
    assert parse(make_request(text_part("Hi"), **extra, **settled)) == plain


def test_options_of_a_question_are_read() -> None:
    options = {"seed": 2**63 - 1, "stream": True, "stream_options": {"include_usage": True}, "stop": "\n"}
    asked = parse(make_request(text_part("Hi"), max_tokens=7, max_completion_tokens=9, **options))
    assert (asked.seed, asked.max_tokens, asked.stops) == (2**63 - 1, 7, ("\n",))
    assert (asked.is_streamed, asked.shows_usage) == (True, True)
    assert parse(make_request(text_part("Hi"), stop=["a", "b"])).stops == ("a", "b")


def test_sound_that_loses_nothing_is_heard_sample_for_sample(subtests: pytest.Subtests) -> None:
    form_rows: list[tuple[str, str | None]] = [("WAV", "PCM_16"), ("WAV", "FLOAT"), ("FLAC", "PCM_24"), ("RF64", None)]
    for form, subtype in form_rows:
        for n_channels in (1, 2):
            with subtests.test(n_channels=n_channels, form=form, subtype=subtype):
                steps = np.random.default_rng(3).integers(-(2**15), 2**15, (500, n_channels)) / 2**15
                sound = hear(audio_part(encode(steps, 16_000, format=form, subtype=subtype)))
                assert (sound.rate, sound.samples.dtype) == (16_000, np.dtype(np.float64))
                assert np.array_equal(sound.samples, steps)


def test_sound_in_ogg_is_heard() -> None:
    sound = hear(audio_part(encode(np.zeros((4_000, 2)), format="OGG"), "ogg"))
    assert (sound.samples.shape, sound.rate) == ((4_000, 2), 44_100)


def test_form_of_a_sound_is_what_the_data_are() -> None:
    content = make_wav()
    first = hear(audio_part(content, "FLAC"))
    second = hear({"type": "input_audio", "input_audio": {"data": encode64(content)}})
    assert np.array_equal(first.samples, second.samples)


def encode64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_sound_in_a_data_url_is_heard(subtests: pytest.Subtests) -> None:
    for kind in ("audio/wav", "audio/x-wav", "AUDIO/WAV", "audio/wav;codecs=1"):
        with subtests.test(kind=kind):
            content = make_wav()
            assert np.array_equal(hear(url_part(content, kind)).samples, hear(audio_part(content)).samples)


def test_sound_of_the_greatest_length_is_heard_and_a_longer_one_is_not() -> None:
    longest = np.zeros((MAX_SECONDS * 4_000, 1), np.int16)
    asked = parse(make_request(audio_part(encode(longest, 4_000, format="FLAC"))))
    assert asked.audio_tokens == 25 * MAX_SECONDS
    longer = encode(np.zeros((len(longest) + 1, 1), np.int16), 4_000, format="FLAC")
    error = refusal_of(audio_part(longer))
    assert str(error) == "The audio file cannot be used: it is longer than 600 s. Send a shorter clip."


def test_small_request_that_would_become_too_many_samples_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_audio, "MAX_SAMPLES", 4_000_000)
    silence = encode(np.zeros((500_000, 2), np.int16), 44_100, format="FLAC")
    assert len(silence) < 10_000, "silence is small"
    assert parse(make_request(*[audio_part(silence)] * 4)).audio_tokens == 4 * 284
    error = refusal_of(*[audio_part(silence)] * 5)
    assert error.param == "messages[0].content[4].input_audio.data"
    assert str(error) == (
        "The audio file cannot be used: the clips so far have 5,000,000 samples. Send at most 4,000,000."
    )


def test_header_that_does_not_know_its_length_is_refused_before_decoding() -> None:
    content = bytearray(encode(np.zeros((100, 1), np.int16), format="FLAC"))
    content[21] &= 0xF0
    content[22:26] = bytes(4)
    assert str(refusal_of(audio_part(bytes(content)))).startswith(
        "The audio file cannot be used: it is longer than 600 s"
    )


@pytest.mark.parametrize("form", ["WAV", "FLAC", "OGG"])
def test_damaged_sound_is_refused_or_heard_without_a_word_on_stderr(
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


def test_tokens_of_a_prompt_are_those_of_all_texts_and_sounds() -> None:
    parts = (text_part("Where is it?"), audio_part(make_wav(44_100)), audio_part(make_wav(441)))
    asked = parse(make_request(*parts))
    assert (asked.text_tokens, asked.audio_tokens) == (4, 25 + 1)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(FIELDS, JSON_VALUES, max_size=4), st.sampled_from([{}, make_request(text_part("Hi"))]))
def test_any_request_is_read_or_refused_in_one_line(fields: dict[str, Any], base: dict[str, Any]) -> None:
    try:
        parse(base | fields)
        refusal = None
    except RequestRefusedError as error:
        refusal = error
    assert refusal is None or (refusal.kind == "invalid_request_error" and str(refusal).isprintable() and refusal.code)


@given(st.binary(max_size=40), st.integers(0, 200), st.integers(0, 40))
def test_any_bytes_are_read_or_refused(inserted: bytes, place: int, n_cut: int) -> None:
    body = json.dumps(make_request(text_part("Hi"), audio_part(make_wav(2)), seed=1)).encode()
    with suppress(RequestRefusedError):
        parse_question(body[:place] + inserted + body[place + n_cut :], MODELS)


def test_nesting_is_no_way_to_end_the_parser() -> None:
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


def test_objects_without_number_are_refused_before_they_are_made() -> None:
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
