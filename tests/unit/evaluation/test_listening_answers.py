import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.listeners import Sound
from evaluation.listeners.server.errors import quote, refuse_model
from evaluation.listeners.server.requests import ChatRequest
from evaluation.listeners.server.server_replies import ServerReply, cut_answer, make_reply
from evaluation.listeners.server.token_counts import count_audio_tokens, count_text_tokens, split_tokens

PLAIN = ChatRequest(
    "echo", ("Where?",), 0, None, (), is_streamed=False, shows_usage=False, text_tokens=2, audio_tokens=50
)


def test_text_tokens_are_words_ideographs_and_punctuation(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, list[str]]] = [
        ("", []),
        ("(B) left", ["(", "B", ")", " left"]),
        ("答案是C。", ["答", "案", "是", "C", "。"]),
        ("東の音 is\n3.5 m ", ["東", "の", "音", " is", "\n3", ".", "5", " m", " "]),
        ("don't_stop", ["don", "'", "t_stop"]),
    ]
    for text, tokens in rows:
        with subtests.test(text=text, tokens=tokens):
            assert split_tokens(text) == tokens
            assert count_text_tokens([text]) == len(tokens)


@given(st.text())
def test_tokens_of_any_text_add_up_to_the_text(text: str) -> None:
    assert "".join(split_tokens(text)) == text


def test_audio_has_25_tokens_per_second_rounded_up(subtests: pytest.Subtests) -> None:
    for n_frames, tokens in ((1, 1), (320, 1), (321, 2), (8_000, 25), (8_001, 26)):
        with subtests.test(n_frames=n_frames, tokens=tokens):
            sound = Sound(np.zeros((n_frames, 2)), 8_000)
            assert count_audio_tokens(["text", sound, sound]) == 2 * tokens


def test_answer_is_cut_at_stop_texts_and_the_token_limit(subtests: pytest.Subtests) -> None:
    rows: list[tuple[int | None, tuple[str, ...], str, str]] = [
        (None, (), "One two, three.", "stop"),
        (5, (), "One two, three.", "stop"),
        (4, (), "One two, three", "length"),
        (1, (), "One", "length"),
        (None, (",",), "One two", "stop"),
        (None, ("three", " two"), "One", "stop"),
        (1, (" three",), "One", "length"),
        (3, (" three",), "One two,", "stop"),
        (None, ("One",), "", "stop"),
        (None, ("four",), "One two, three.", "stop"),
    ]
    for max_tokens, stops, text, reason in rows:
        with subtests.test(max_tokens=max_tokens, stops=stops, text=text, reason=reason):
            ending = cut_answer("One two, three.", replace(PLAIN, max_tokens=max_tokens, stops=stops))
            assert ("".join(ending.tokens), ending.reason) == (text, reason)


def content_of(reply: ServerReply) -> Any:
    return json.loads(b"".join(reply.pieces))


def test_reply_has_the_format_of_a_chat_completion() -> None:
    answer = content_of(make_reply(PLAIN, "To the left."))
    assert answer.pop("id").startswith("chatcmpl-")
    assert isinstance(answer.pop("created"), int)
    assert answer == {
        "object": "chat.completion",
        "model": "echo",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": "To the left.", "refusal": None},
                "logprobs": None,
                "finish_reason": "stop",
            }
        ],
        "usage": {
            "prompt_tokens": 52,
            "completion_tokens": 4,
            "total_tokens": 56,
            "prompt_tokens_details": {"audio_tokens": 50, "text_tokens": 2},
        },
    }


def events_of(reply: ServerReply) -> list[Any]:
    assert all(piece.startswith(b"data: ") and piece.endswith(b"\n\n") for piece in reply.pieces)
    *events, done = (piece[6:-2] for piece in reply.pieces)
    assert done == b"[DONE]"
    return [json.loads(event) for event in events]


def test_stream_begins_with_the_role_and_ends_with_the_finish_reason() -> None:
    events = events_of(make_reply(replace(PLAIN, is_streamed=True, max_tokens=2), "To the left."))
    assert len({(event["id"], event["created"], event["model"], event["object"]) for event in events}) == 1
    assert events[0]["object"] == "chat.completion.chunk"
    choices = [event["choices"] for event in events]
    assert choices == [
        [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]
        for delta, reason in (
            ({"role": "assistant", "content": "", "refusal": None}, None),
            ({"content": "To"}, None),
            ({"content": " the"}, None),
            ({}, "length"),
        )
    ]
    assert all("usage" not in event for event in events)


def test_stream_reports_usage_in_a_last_chunk_without_choices() -> None:
    *events, last = events_of(make_reply(replace(PLAIN, is_streamed=True, shows_usage=True), "Left."))
    assert [event["usage"] for event in events] == [None] * len(events)
    assert (last["choices"], last["usage"]["total_tokens"]) == ([], 54)


def test_unknown_model_is_refused_with_the_nearest_name() -> None:
    error = refuse_model("earshot-mona", ["earshot-mono", "earshot-chance"])
    assert str(error) == (
        "Unknown model `earshot-mona`. Did you mean `earshot-mono`? Models: earshot-chance, earshot-mono."
    )
    assert (error.status, error.param, error.code) == (404, "model", "model_not_found")


def test_user_supplied_text_is_quoted_escaped_and_shortened() -> None:
    assert quote("gpt") == "`gpt`"
    assert quote("a\x1b[2J\u202eb") == "`a\\x1b[2J\\u202eb`"
    assert quote("x" * 100) == f"`{'x' * 80}…`"
