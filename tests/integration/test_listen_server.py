"""Listener endpoint from the client side: the openai client and httpx2."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from typing import Any

import httpx2
import numpy as np
import openai
import pytest

from evaluation.listeners import Sound
from evaluation.listeners.server import bodies, serving
from tests.support.endpoints.answering import (
    COMPLETIONS,
    JSON,
    EchoListener,
    FailingListener,
    WaitingListener,
    audio_part,
    make_request,
    make_wav,
    open_client,
    run_endpoint,
    text_part,
    url_part,
)
from tests.support.endpoints.malformed_requests import MALFORMED

KEY = "a-key-of-this-test"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with run_endpoint([EchoListener(), EchoListener(id="other"), FailingListener()]) as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[httpx2.Client]:
    with open_client(url) as opened:
        yield opened


@pytest.fixture
def openai_client(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[openai.OpenAI]:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_CUSTOM_HEADERS"):
        monkeypatch.delenv(name, raising=False)
    with make_openai_client(url) as opened:
        yield opened


def make_openai_client(url: str, key: str = "none") -> openai.OpenAI:
    transport = openai.DefaultHttpxClient(trust_env=False)
    return openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0, timeout=120, http_client=transport)


def listen_directly(*heard: Any, seed: int = 0) -> str:
    return EchoListener().answer(heard, seed)


def sound_of(seed: int, n_channels: int = 2) -> Sound:
    rng = np.random.default_rng(seed)
    return Sound(rng.integers(-9_000, 9_000, (441, n_channels)).astype(np.int16) / 2**15, 44_100)


def error_of(response: httpx2.Response, status: int) -> dict[str, Any]:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    body = response.json()
    assert list(body) == ["error"]
    error: dict[str, Any] = body["error"]
    assert set(error) == {"message", "type", "param", "code"}
    return error


# --- the official client --------------------------------------------------------------------------------------------


def test_models_of_the_openai_client_are_the_listeners(openai_client: openai.OpenAI) -> None:
    models = list(openai_client.models.list())
    assert [(model.id, model.object, model.owned_by) for model in models] == [
        (name, "model", "earshot") for name in ("echo", "other", "fails")
    ]
    assert openai_client.models.retrieve("other") == models[1]
    assert models[0].created > 1_700_000_000


def test_content_of_the_openai_client_is_the_listener_s_answer(openai_client: openai.OpenAI) -> None:
    parts: Any = [text_part("First:"), audio_part(make_wav(seed=1)), text_part("Then:"), url_part(make_wav(seed=2))]
    messages: Any = [{"role": "system", "content": "Answer."}, {"role": "user", "content": parts}]
    answer = openai_client.chat.completions.create(model="echo", messages=messages, seed=7, temperature=0)
    expected = listen_directly("Answer.", "First:", sound_of(1), "Then:", sound_of(2), seed=7)
    (choice,) = answer.choices
    assert (choice.message.content, choice.message.role, choice.finish_reason) == (expected, "assistant", "stop")
    assert answer.usage is not None
    assert answer.usage.prompt_tokens_details is not None
    assert answer.usage.prompt_tokens_details.audio_tokens == 2
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens


def test_stream_of_the_openai_client_is_the_same_answer_in_chunks(openai_client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": [text_part("Where?"), audio_part(make_wav(seed=3))]}]
    options: Any = {"model": "echo", "messages": messages}
    whole = openai_client.chat.completions.create(**options)
    stream_options: Any = {"include_usage": True}
    chunks = list(openai_client.chat.completions.create(**options, stream=True, stream_options=stream_options))
    deltas = [chunk.choices[0].delta for chunk in chunks[:-1]]
    assert deltas[0].role == "assistant"
    assert len(deltas) > 10
    assert "".join(delta.content or "" for delta in deltas) == whole.choices[0].message.content
    assert [chunk.choices[0].finish_reason for chunk in chunks[-3:-1]] == [None, "stop"]
    assert (chunks[-1].choices, chunks[-1].usage) == ([], whole.usage)


def test_answer_that_is_too_long_for_the_openai_client_is_truncated(openai_client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": "one two three"}]
    answer = openai_client.chat.completions.create(model="echo", messages=messages, max_completion_tokens=4)
    assert answer.choices[0].message.content == "seed 0 | text"
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage is not None
    assert answer.usage.completion_tokens == 4


def test_errors_of_the_openai_client_have_their_classes(openai_client: openai.OpenAI) -> None:
    messages: Any = [{"role": "user", "content": "Hi"}]
    with pytest.raises(openai.NotFoundError) as absent:
        openai_client.chat.completions.create(model="ecco", messages=messages)
    assert (absent.value.code, absent.value.param, absent.value.type) == (
        "model_not_found",
        "model",
        "invalid_request_error",
    )
    assert "Did you mean `echo`?" in absent.value.message
    with pytest.raises(openai.BadRequestError) as empty:
        openai_client.chat.completions.with_raw_response.create(model="echo", messages=[])
    assert empty.value.param == "messages"
    with pytest.raises(openai.InternalServerError) as failed:
        openai_client.chat.completions.create(model="fails", messages=messages)
    assert failed.value.code == "internal_error"
    raw = openai_client.chat.completions.with_raw_response.create(model="echo", messages=messages)
    assert (raw.status_code, raw.headers["content-type"]) == (200, "application/json")


def test_asynchronous_openai_client_gets_the_same_answers(url: str) -> None:
    async def ask() -> list[str | None]:
        transport = openai.DefaultAsyncHttpxClient(trust_env=False)
        async with openai.AsyncOpenAI(base_url=f"{url}/v1", api_key="none", http_client=transport) as openai_client:
            messages: Any = [{"role": "user", "content": "Hi"}]
            calls = [openai_client.chat.completions.create(model="echo", messages=messages, seed=n) for n in range(4)]
            return [answer.choices[0].message.content for answer in await asyncio.gather(*calls)]

    assert asyncio.run(ask()) == [listen_directly("Hi", seed=n) for n in range(4)]


# --- responses ------------------------------------------------------------------------------------------------------


def test_same_request_gives_the_same_answer_except_id_and_time(client: httpx2.Client) -> None:
    request = make_request(text_part("Where?"), audio_part(make_wav()), seed=5)
    first, second = (client.post(COMPLETIONS, json=request).json() for _ in range(2))
    assert first.pop("id") != second.pop("id")
    assert abs(first.pop("created") - second.pop("created")) < 60
    assert first == second


def test_sixteen_clips_are_heard_in_order(client: httpx2.Client) -> None:
    parts = [audio_part(make_wav(seed=n, n_channels=1 + n % 2)) for n in range(16)]
    answer = client.post(COMPLETIONS, json=make_request(*parts)).json()
    expected = listen_directly(*(sound_of(n, 1 + n % 2) for n in range(16)))
    assert answer["choices"][0]["message"]["content"] == expected
    assert answer["usage"]["prompt_tokens_details"] == {"audio_tokens": 16, "text_tokens": 0}


def test_32_concurrent_requests_get_their_own_answers(url: str) -> None:
    with open_client(url) as client, ThreadPoolExecutor(32) as pool:
        requests = [make_request(text_part(f"Request {n}"), audio_part(make_wav(seed=n)), seed=n) for n in range(32)]
        answers = list(pool.map(lambda request: client.post(COMPLETIONS, json=request).json(), requests))
    contents = [answer["choices"][0]["message"]["content"] for answer in answers]
    assert contents == [listen_directly(f"Request {n}", sound_of(n), seed=n) for n in range(32)]


def test_stream_is_sent_as_events(client: httpx2.Client) -> None:
    response = client.post(COMPLETIONS, json=make_request(text_part("Hi"), stream=True))
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.text.endswith("\n\ndata: [DONE]\n\n")


def test_health_and_models_are_public(client: httpx2.Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.head("/healthz").status_code == 200
    listed = client.get("/v1/models").json()
    assert (listed["object"], [model["id"] for model in listed["data"]]) == ("list", ["echo", "other", "fails"])
    assert client.get("/v1/models/echo").json() == listed["data"][0]


def test_responses_are_neither_cached_nor_sniffed(client: httpx2.Client) -> None:
    headers = client.get("/v1/models").headers
    assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
    assert "server" not in headers


# --- refusals -------------------------------------------------------------------------------------------------------


def test_malformed_request_is_refused_with_a_message(client: httpx2.Client, subtests: pytest.Subtests) -> None:
    for case in MALFORMED:
        with subtests.test(case.name):
            response = client.post(COMPLETIONS, content=case.body, headers=JSON)
            error = error_of(response, case.status)
            assert (error["message"], error["param"]) == (case.message, case.param)
            assert error["type"] == "invalid_request_error"
            assert error["code"]


@pytest.mark.parametrize(
    ("method", "path", "status", "message"),
    [
        ("GET", "/", 404, "Unknown URL."),
        ("POST", "/v1/completions", 404, "Unknown URL."),
        ("GET", "/v1/models/", 404, "Unknown URL."),
        ("GET", "/v1/chat/completions", 405, "This URL supports POST only."),
        ("OPTIONS", "/v1/chat/completions", 405, "This URL supports POST only."),
        ("POST", "/v1/models", 405, "This URL supports GET, HEAD only."),
        ("DELETE", "/v1/models/echo", 405, "This URL supports GET, HEAD only."),
        ("POST", "/healthz", 405, "This URL supports GET, HEAD only."),
        ("GET", "/v1/models/gpt-4o", 404, "Unknown model `gpt-4o`. Models: echo, fails, other."),
        ("GET", "/v1/models/a%1b%0ab", 404, "Unknown model `a\\x1b\\nb`. Models: echo, fails, other."),
    ],
)
def test_unknown_address_or_method_is_refused(
    client: httpx2.Client, method: str, path: str, status: int, message: str
) -> None:
    response = client.request(method, path)
    assert error_of(response, status)["message"].startswith(message)
    if status == 405:
        assert response.headers["allow"] in message


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_body_of_another_kind_is_refused(client: httpx2.Client, kind: str | None) -> None:
    content = json.dumps(make_request(text_part("Hi"))).encode()
    response = client.post(COMPLETIONS, content=content, headers={"content-type": kind} if kind else {})
    expected = "The body must be JSON. Send `Content-Type: application/json`."
    assert error_of(response, 415)["message"] == expected


def test_compressed_body_is_refused(client: httpx2.Client) -> None:
    response = client.post(COMPLETIONS, content=b"{}", headers=JSON | {"content-encoding": "gzip"})
    assert error_of(response, 415)["message"] == "Compressed bodies are not supported. Remove Content-Encoding."


TOO_LARGE = "The body is larger than 64 MB. Send shorter or fewer clips."


def test_body_with_an_excessive_declared_length_is_refused(client: httpx2.Client) -> None:
    response = client.post(COMPLETIONS, content=bytes(bodies.MAX_BYTES + 1), headers=JSON)
    assert error_of(response, 413)["message"] == TOO_LARGE


def test_body_that_becomes_too_large_is_refused(client: httpx2.Client) -> None:
    pieces = (bytes(1_000_000) for _ in range(65))
    response = client.post(COMPLETIONS, content=pieces, headers=JSON)
    assert error_of(response, 413)["message"] == TOO_LARGE


def test_chunked_body_is_accepted(client: httpx2.Client) -> None:
    content = json.dumps(make_request(text_part("Hi"))).encode()
    response = client.post(COMPLETIONS, content=(content[n : n + 7] for n in range(0, len(content), 7)), headers=JSON)
    assert response.json()["choices"][0]["message"]["content"] == listen_directly("Hi")


def test_body_that_does_not_arrive_times_out(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "READING_SECONDS", 0.1)
    head = f"POST {COMPLETIONS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{{"
    with socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), timeout=120) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 408 ")


def test_required_key_must_be_sent() -> None:
    with run_endpoint([EchoListener()], KEY) as url, open_client(url) as client:
        assert client.get("/healthz").status_code == 200
        for headers in ({}, {"authorization": "Bearer another"}, {"authorization": KEY}, {"authorization": "Bearer é"}):
            encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
            for method, path in (("GET", "/v1/models"), ("POST", COMPLETIONS), ("GET", "/nowhere")):
                response = client.request(method, path, headers=encoded)
                error = error_of(response, 401)
                assert (error["code"], response.headers["www-authenticate"]) == ("invalid_api_key", "Bearer")
                assert KEY not in response.text
        with make_openai_client(url, KEY) as openai_client:
            assert [model.id for model in openai_client.models.list()] == ["echo"]
        with make_openai_client(url, "wrong") as openai_client, pytest.raises(openai.AuthenticationError):
            openai_client.models.list()


def test_failure_of_a_listener_is_reported_by_reference_and_logged_without_the_prompt(
    client: httpx2.Client, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    secret = "what-a-stranger-wrote"
    with caplog.at_level(logging.DEBUG):
        response = client.post(COMPLETIONS, json=make_request(text_part(secret), model="fails"))
        client.post(COMPLETIONS, json=make_request(text_part(secret), model=secret))
        client.get(f"/{secret}")
        client.post(COMPLETIONS, content=f"{secret}{{".encode(), headers=JSON)
    error = error_of(response, 500)
    assert error["type"] == "server_error"
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    incident = record.getMessage().split()[1].rstrip(":")
    assert error["message"] == (f"Something went wrong on our side. Try again, or report reference {incident}.")
    assert "LookupError" in record.getMessage()
    assert "answering.py" in record.getMessage()
    ours = [entry for entry in caplog.records if not entry.name.startswith(("httpx", "httpcore"))]
    assert secret not in "".join(entry.getMessage() + str(entry.exc_info) for entry in ours)
    assert secret not in "".join(capfd.readouterr())


# --- load -----------------------------------------------------------------------------------------------------------


def test_request_beyond_the_queue_is_refused_temporarily(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "MAX_WAITING", 3)
    monkeypatch.setattr(serving, "N_WORKERS", 1)
    waits = WaitingListener()
    with run_endpoint([waits]) as url, open_client(url) as client, ThreadPoolExecutor(8) as pool:
        request = make_request(text_part("Hi"), model="waits")
        first = pool.submit(client.post, COMPLETIONS, json=request)
        assert waits.asked.acquire(timeout=120)
        rest = [pool.submit(client.post, COMPLETIONS, json=request) for _ in range(5)]
        # Three wait behind the running one; only the other two can finish before it.
        done = as_completed(rest, timeout=120)
        refused = [next(done).result() for _ in range(2)]
        waits.may_answer.set()
        everything = [future.result() for future in [first, *rest]]
    assert [response.headers["retry-after"] for response in refused] == ["1", "1"]
    assert [error_of(response, 503)["code"] for response in refused] == ["overloaded"] * 2
    assert sorted(response.status_code for response in everything) == [200] * 4 + [503] * 2


def test_bodies_beyond_the_memory_limit_are_refused_temporarily(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies.BodyBudget.__init__, "__defaults__", (1_000,))
    waits = WaitingListener()
    with run_endpoint([waits]) as url, open_client(url) as client, ThreadPoolExecutor(2) as pool:
        request = make_request(text_part("x" * 500), model="waits")
        first = pool.submit(client.post, COMPLETIONS, json=request)
        assert waits.asked.acquire(timeout=120)
        assert error_of(client.post(COMPLETIONS, json=request), 503)["code"] == "overloaded"
        waits.may_answer.set()
        assert first.result().status_code == 200
        assert client.post(COMPLETIONS, json=request).status_code == 200


def test_announced_bodies_that_do_not_arrive_take_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies.BodyBudget.__init__, "__defaults__", (1_000,))
    with run_endpoint([WaitingListener()]) as url, open_client(url) as client, ExitStack() as connections:
        host, port = url.removeprefix("http://").split("/")[0].split(":")
        for _ in range(4):
            idle = connections.enter_context(socket.create_connection((host, int(port))))
            idle.sendall(
                b"POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                b"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"
            )
            assert idle.recv(100).startswith(b"HTTP/1.1 100")  # it is being read
        response = client.post(COMPLETIONS, json=make_request(text_part("Hi"), model="nobody"))
        assert error_of(response, 404)["code"] == "model_not_found"
