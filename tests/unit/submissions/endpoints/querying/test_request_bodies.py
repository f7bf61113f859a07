"""Request bodies: JSON of the protocol, with clips encoded from the cached bytes."""

import base64
import hashlib

import orjson
import pytest

from evaluation.types import AudioPart, PromptPart, TextPart
from submissions.endpoints.querying.query_records import AudioForm, EndpointConfig, ItemQuery, describe_endpoint
from submissions.endpoints.querying.request_bodies import build_body, encode_clip, list_sounds
from submissions.errors import BadRequestError

TWO: tuple[PromptPart, ...] = (TextPart('Say "A" or\n"B"'), AudioPart("a"), TextPart("é"), AudioPart("b"))
FIRST, SECOND = encode_clip(b"first"), encode_clip(b"second")


def make_endpoint(audio_form: AudioForm = "input_audio", *, multi_audio: bool = True) -> EndpointConfig:
    return describe_endpoint("https://m.example.com/v1", 'm"1', None, audio_form=audio_form, multi_audio=multi_audio)


def test_body_contains_the_prompt_in_order() -> None:
    body = build_body(make_endpoint(), ItemQuery("q", 0, TWO, seed=7), [FIRST, SECOND])
    clips = [
        {"type": "input_audio", "input_audio": {"data": base64.b64encode(data).decode(), "format": "wav"}}
        for data in (b"first", b"second")
    ]
    assert orjson.loads(b"".join(body.pieces)) == {
        "model": 'm"1',
        "temperature": 0,
        "seed": 7,
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": 'Say "A" or\n"B"'},
                    clips[0],
                    {"type": "text", "text": "é"},
                    clips[1],
                ],
            }
        ],
    }


def test_body_contains_the_audio_without_a_copy() -> None:
    body = build_body(make_endpoint(), ItemQuery("q", 0, TWO), [FIRST, SECOND])
    assert [piece for piece in body.pieces if piece is FIRST.encoded or piece is SECOND.encoded] == [
        FIRST.encoded,
        SECOND.encoded,
    ]


def test_body_in_the_form_data_url_contains_data_urls() -> None:
    body = build_body(make_endpoint("data-url"), ItemQuery("q", 0, (AudioPart("a"),)), [FIRST])
    (part,) = orjson.loads(b"".join(body.pieces))["messages"][0]["content"]
    assert part == {"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,Zmlyc3Q="}}


def test_body_without_a_seed_omits_it() -> None:
    body = build_body(make_endpoint(), ItemQuery("q", 0, (TextPart("x"),)), [])
    assert "seed" not in orjson.loads(b"".join(body.pieces))


def test_body_with_concatenated_clips_contains_one_clip_and_explains_it() -> None:
    endpoint, question = make_endpoint(multi_audio=False), ItemQuery("q", 0, TWO)
    assert list_sounds(question, multi_audio=False) == (("a", "b"),)
    content = orjson.loads(b"".join(build_body(endpoint, question, [FIRST]).pieces))["messages"][0]["content"]
    assert [part["type"] for part in content] == ["text", "text", "input_audio", "text"]
    assert "2 audios of this question are in one recording" in content[0]["text"]
    assert "2 seconds of silence" in content[0]["text"]


def test_body_digest_depends_on_everything_that_is_sent_and_nothing_else() -> None:
    question = ItemQuery("q", 0, TWO)
    bodies = [
        build_body(make_endpoint(), question, [FIRST, SECOND]),
        build_body(make_endpoint(), question, [SECOND, FIRST]),
        build_body(make_endpoint("data-url"), question, [FIRST, SECOND]),
        build_body(make_endpoint(), ItemQuery("q", 0, TWO, seed=0), [FIRST, SECOND]),
        build_body(make_endpoint(), ItemQuery("q", 0, TWO[1:]), [FIRST, SECOND]),
    ]
    assert len({body.digest for body in bodies}) == len(bodies)
    assert build_body(make_endpoint(), ItemQuery("other", 3, TWO), [FIRST, SECOND]).digest == bodies[0].digest
    (head, _clip, tail) = build_body(make_endpoint(), ItemQuery("q", 0, TWO[:2]), [FIRST]).pieces
    expected = hashlib.sha256(head + hashlib.sha256(b"first").digest() + tail).hexdigest()
    assert build_body(make_endpoint(), ItemQuery("q", 0, TWO[:2]), [FIRST]).digest == expected


def test_endpoint_form_is_valid_in_a_signature() -> None:
    forms = {
        make_endpoint(form, multi_audio=many).form for form in ("input_audio", "data-url") for many in (True, False)
    }
    assert len(forms) == 4
    assert "1.temperature-0.input_audio.parts" in forms


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"model": ""}, "model_name"),
        ({"model": "a\nb"}, "model_name"),
        ({"model": "m" * 201}, "model_name"),
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": 257}, "concurrency"),
        ({"key": "a b"}, "api_key"),
        ({"base_url": "https://127.0.0.1"}, "base_url"),
    ],
)
def test_endpoint_with_a_field_out_of_bounds_is_refused(fields: dict[str, object], field: str) -> None:
    arguments: dict[str, object] = {"base_url": "https://m.example.com", "model": "m", "key": None} | fields
    with pytest.raises(BadRequestError) as caught:
        describe_endpoint(**arguments)  # type: ignore[arg-type]
    assert caught.value.field == field
