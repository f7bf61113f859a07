"""Transport to misbehaving servers: calls end soon, in bounded memory, with an error that never contains the key."""

import asyncio
import gzip
import logging
import re
import tracemalloc
from pathlib import Path

import pytest

from submissions.endpoints.transport.allowed_addresses import parse_base_url
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.http_client import CallLimits, Transport, make_trust
from tests.support.endpoints.broken_http import MISBEHAVIOUR, say_nothing
from tests.support.endpoints.misbehaving import ServedRequest, always, make_completion, make_reply, run_server
from tests.support.endpoints.transport_calls import CANARY, LIMITS, SHORT, SLOW, Writer, assert_no_key, fail, post


def test_call_sends_the_pieces_as_one_body_with_minimal_headers() -> None:
    with run_server(always(make_completion("B"))) as served:
        sent = post(served, [b'{"a":"', b"x" * 300_000, b'"}'])
    (asked,) = served.asked
    assert sent.status == 200
    assert asked.body == b'{"a":"' + b"x" * 300_000 + b'"}'
    lines = asked.head.split("\r\n")
    assert lines[0] == "POST /v1/chat/completions HTTP/1.1"
    headers = dict(line.split(": ", 1) for line in lines[1:] if line)
    assert headers == {
        "Host": f"127.0.0.1:{served.port}",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "User-Agent": "Earshot/0.1.0",
        "Authorization": f"Bearer {CANARY}",
        "Content-Length": "300008",
    }


def test_call_ignores_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password netrc-canary\n")
    (tmp_path / ".netrc").chmod(0o600)
    keylog = tmp_path / "keys.log"
    values = {"NETRC": str(tmp_path / ".netrc"), "HOME": str(tmp_path), "SSLKEYLOGFILE": str(keylog)}
    values |= dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:1")
    values |= {"OPENAI_API_KEY": "env-canary", "OPENAI_ORG_ID": "env-canary", "OPENAI_PROJECT_ID": "env-canary"}
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    with run_server(always(make_completion("B"))) as served:
        post(served)
    assert "canary" not in served.asked[0].head.replace(CANARY, "")
    assert make_trust().keylog_filename is None


def test_cookies_are_not_sent_back() -> None:
    with run_server(always(make_reply(headers={"set-cookie": "a=b; path=/"}))) as served:
        target = parse_base_url(served.url, allows_loopback=True)

        async def call_twice() -> None:
            async with Transport(target, limits=LIMITS) as transport:
                for _ in range(2):
                    await transport.post("", [b"{}"])

        asyncio.run(call_twice())
    assert served.n_connections == 1, "the connection is kept"
    assert all("cookie" not in asked.head.lower() for asked in served.asked)
    assert all("authorization" not in asked.head.lower() for asked in served.asked), "no key, no header"


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
def test_redirect_is_not_followed(status: int) -> None:
    with run_server(always(make_completion("B"))) as other:
        error = fail(always(make_reply(status, headers={"location": other.url})))
    assert (error.kind, other.asked) == ("redirect", [])
    assert f"redirects (status {status}), but Earshot does not follow" in str(error)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "GZIP", "identity, gzip", "x"])
def test_compressed_response_is_refused_unread(encoding: str) -> None:
    bomb = gzip.compress(bytes(20_000_000))
    tracemalloc.start()
    try:
        error = fail(always(make_reply(body=bomb, headers={"content-encoding": encoding})))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.kind == "encoding"
    assert peak < 5_000_000


def test_undeclared_compression_is_left_unchanged() -> None:
    body = gzip.compress(b"{}")
    with run_server(always(make_reply(body=body))) as served:
        assert post(served).body == body


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_misbehaving_server_is_abandoned_soon_and_in_bounded_memory(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    behave, kind = MISBEHAVIOUR[name]
    caplog.set_level(logging.DEBUG)
    tracemalloc.start()
    try:
        error = fail(behave, limits={"timeout": SHORT, "slow": SLOW}.get(kind, LIMITS))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.kind == kind
    assert re.fullmatch(r"127\.0\.0\.1 .+\.", str(error))
    assert peak < 8_000_000
    assert CANARY not in caplog.text


def test_call_ends_at_its_timeout() -> None:
    # The server would keep the connection open forever.
    assert fail(say_nothing, limits=SHORT).kind == "timeout"


def test_slow_but_steady_response_is_read() -> None:
    limits = CallLimits(grace_seconds=0.1, min_bytes_per_second=1)

    async def send_slowly(_asked: ServedRequest, writer: Writer) -> None:
        # The bytes sent with the headers allow a thousand seconds, so that a busy machine does not matter.
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n" + b"x" * 1_000)
        await writer.drain()
        await asyncio.sleep(2 * limits.grace_seconds)
        writer.write(b"x" * 1_000)

    with run_server(send_slowly) as served:
        assert len(post(served, limits=limits).body) == 2_000


def test_port_without_a_listener_is_a_connection_error() -> None:
    with run_server(always(b"")) as served:
        pass
    with pytest.raises(TransportError, match="The connection to") as caught:
        post(served)
    assert caught.value.kind == "connect"
    assert_no_key(caught.value)
