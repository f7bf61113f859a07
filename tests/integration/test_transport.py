"""Calls to servers that misbehave: every one ends soon, in bounded memory, with one error that never holds the key."""

import asyncio
import datetime
import gzip
import logging
import re
import ssl
import time
import traceback
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from submissions.transport import Answer, Limits, Target, Transport, TransportError, parse_base_url
from submissions.transport.client import make_trust
from submissions.transport.pinning import PinnedConnector, Pins
from submissions.vault import Secret
from tests.misbehaving import Asked, Behave, Served, always, make_completion, make_reply, reset, run_server

CANARY = "sk-canary-0123456789"
LIMITS = Limits(
    most_bytes=100_000, most_seconds=3.0, connect_seconds=2.0, grace_seconds=0.3, least_bytes_per_second=10_000
)
SHORT = Limits(most_seconds=0.3)
Writer = asyncio.StreamWriter


def post(
    served: Served | Target, pieces: Sequence[bytes] = (b"{}",), limits: Limits = LIMITS, **options: Any
) -> Answer:
    target = served if isinstance(served, Target) else parse_base_url(served.url, allows_loopback=True)

    async def call() -> Answer:
        async with Transport(target, Secret(CANARY), limits=limits, **options) as transport:
            return await transport.post("/chat/completions", pieces)

    return asyncio.run(call())


def fail(behave: Behave, **options: Any) -> TransportError:
    """Make a call that fails, and look for the key in whatever is left of it."""
    with run_server(behave) as served, pytest.raises(TransportError) as caught:
        post(served, **options)
    assert_no_key(caught.value)
    return caught.value


def assert_no_key(error: BaseException) -> None:
    assert CANARY not in "".join(traceback.format_exception(error))
    assert CANARY not in repr(error) + str(vars(error))
    # The library's errors hold the request and its headers: none of them may hang on ours.
    assert not isinstance(error.__context__, aiohttp.ClientError)
    assert error.__cause__ is None


def test_call_sends_the_pieces_as_one_body_and_no_more_than_it_must() -> None:
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


def test_call_takes_nothing_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
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


def test_cookie_of_an_answer_is_not_sent_back() -> None:
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
    assert f"redirect (status {status}), and none is followed" in str(error)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd", "GZIP", "identity, gzip", "x"])
def test_compressed_answer_is_refused_unread(encoding: str) -> None:
    bomb = gzip.compress(bytes(20_000_000))
    tracemalloc.start()
    try:
        error = fail(always(make_reply(body=bomb, headers={"content-encoding": encoding})))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.kind == "encoding"
    assert peak < 5_000_000


def test_compressed_answer_that_does_not_say_so_stays_as_it_is() -> None:
    body = gzip.compress(b"{}")
    with run_server(always(make_reply(body=body))) as served:
        assert post(served).body == body


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


async def send_endlessly(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(chunk(b" " * 60_000))
        await writer.drain()


async def send_headers_endlessly(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"x-a: " + b"a" * 60 + b"\r\n")
        await writer.drain()


async def send_one_endless_header(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nx-a: ")
    while True:
        writer.write(b"a" * 10_000)
        await writer.drain()


async def drip(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        writer.write(chunk(b" "))
        await writer.drain()
        await asyncio.sleep(0.02)


async def drip_headers(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nx-a: ")
    while True:
        writer.write(b"a")
        await writer.drain()
        await asyncio.sleep(0.05)


async def stall(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n{")
    await asyncio.sleep(60)


async def say_nothing(_asked: Asked, _writer: Writer) -> None:
    await asyncio.sleep(60)


async def go_on_endlessly(_asked: Asked, writer: Writer) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.001)


async def break_off(_asked: Asked, writer: Writer) -> None:
    reset(writer)


async def break_off_later(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{")
    await writer.drain()
    await asyncio.sleep(0.05)
    reset(writer)


async def close_early(_asked: Asked, writer: Writer) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n{")
    writer.close()


async def close_at_once(_asked: Asked, writer: Writer) -> None:
    writer.close()


MISBEHAVIOUR: dict[str, tuple[Behave, str]] = {
    "endless body": (send_endlessly, "too-large"),
    "announced body": (always(make_reply(headers={"content-length": "9999999999"})), "too-large"),
    "endless headers": (send_headers_endlessly, "protocol"),
    "one endless header": (send_one_endless_header, "protocol"),
    "drip": (drip, "slow"),
    "drip of headers": (drip_headers, "timeout"),
    "stall": (stall, "slow"),
    "silence": (say_nothing, "timeout"),
    "endless continuing": (go_on_endlessly, "timeout"),
    "reset": (break_off, "reset"),
    "reset in the body": (break_off_later, "reset"),
    "cut short": (close_early, "reset"),
    "closed": (close_at_once, "reset"),
    "no HTTP": (always(b"SSH-2.0-OpenSSH_9.2\r\n\r\n"), "protocol"),
    "broken chunks": (always(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n"), "protocol"),
    "two lengths": (always(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"), "protocol"),
    "another protocol": (always(b"HTTP/1.1 101 Go\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nabc"), "protocol"),
}


@pytest.mark.parametrize("name", MISBEHAVIOUR)
def test_server_that_misbehaves_is_left_soon_and_in_bounded_memory(name: str, caplog: pytest.LogCaptureFixture) -> None:
    behave, kind = MISBEHAVIOUR[name]
    caplog.set_level(logging.DEBUG)
    tracemalloc.start()
    try:
        error = fail(behave, limits=SHORT if kind == "timeout" else LIMITS)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert error.kind == kind
    assert re.fullmatch(r"127\.0\.0\.1 .+\.", str(error))
    assert peak < 8_000_000
    assert CANARY not in caplog.text


def test_call_ends_when_its_time_is_up() -> None:
    began = time.monotonic()
    error = fail(say_nothing, limits=SHORT)
    assert error.kind == "timeout"
    assert time.monotonic() - began < 30, "the server would have kept it for a minute"


def test_answer_that_comes_slowly_and_long_enough_is_read() -> None:
    async def send_steadily(_asked: Asked, writer: Writer) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 20000\r\n\r\n")
        for _ in range(20):
            writer.write(b"x" * 1_000)
            await writer.drain()
            await asyncio.sleep(0.03)

    limits = Limits(grace_seconds=0.5, least_bytes_per_second=1_000)
    with run_server(send_steadily) as served:
        assert len(post(served, limits=limits).body) == 20_000


def test_port_where_nobody_listens_is_a_connection_that_fails() -> None:
    with run_server(always(b"")) as served:
        pass
    with pytest.raises(TransportError, match="cannot be connected to") as caught:
        post(served)
    assert caught.value.kind == "connect"
    assert_no_key(caught.value)


class Names:
    """A resolver that gives one list of addresses after the other, and counts."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.n_asked = 0

    async def __call__(self, _host: str, _port: int) -> Sequence[str]:
        self.n_asked += 1
        return self.answers.pop(0)


PUBLIC = parse_base_url("https://models.example.com/v1")


@pytest.mark.parametrize(
    "addresses",
    [
        ["127.0.0.1"],
        ["8.8.8.8", "10.0.0.1"],
        ["::ffff:8.8.8.8"],
        ["8.8.8.8", "fe80::1%lo"],
        ["not-an-address"],
        ["8.8.8.8", "8.8.8.8", "0.1.2.3"],
    ],
)
def test_name_that_leads_to_an_address_that_is_not_public_is_refused(addresses: list[str]) -> None:
    with pytest.raises(TransportError, match="an address that is not public") as caught:
        post(PUBLIC, resolve=Names(addresses))
    assert caught.value.kind == "address"
    assert_no_key(caught.value)


def test_name_without_addresses_cannot_be_looked_up() -> None:
    with pytest.raises(TransportError, match="cannot be looked up") as caught:
        post(PUBLIC, resolve=Names([]))
    assert caught.value.kind == "dns"


def test_name_is_looked_up_once_and_a_second_answer_changes_nothing() -> None:
    names = Names(["8.8.8.8"], ["127.0.0.1"])

    async def look_up() -> list[list[str]]:
        pins = Pins(PUBLIC, names)
        found = await asyncio.gather(*(pins.resolve("models.example.com", 443) for _ in range(5)))
        with pytest.raises(TransportError):
            await pins.resolve("other.example.com", 443)
        assert pins.accepts(("8.8.8.8", 443))
        assert not any(map(pins.accepts, [("127.0.0.1", 443), ("8.8.4.4", 443), None, (), "8.8.8.8"]))
        return [[result["host"] for result in results] for results in found]

    assert asyncio.run(look_up()) == [["8.8.8.8"]] * 5
    assert names.n_asked == 1


def test_address_in_another_spelling_is_the_same_peer() -> None:
    async def look_up() -> None:
        pins = Pins(PUBLIC, Names(["2606:4700:0:0:0:0:0:1111"]))
        await pins.resolve("models.example.com", 443)
        assert pins.accepts(("2606:4700::1111", 443, 0, 0))

    asyncio.run(look_up())


def test_name_looked_up_again_after_nothing_could_be_reached_is_checked_again() -> None:
    names = Names(["8.8.8.8"], ["127.0.0.1"])

    async def look_up() -> None:
        pins = Pins(PUBLIC, names)
        await pins.resolve("models.example.com", 443)
        pins.forget()
        with pytest.raises(TransportError, match="not public"):
            await pins.resolve("models.example.com", 443)

    asyncio.run(look_up())


def test_connection_that_led_elsewhere_is_dropped_before_anything_is_sent() -> None:
    """The resolver of the connector is wrong here: what is at the other end is looked at all the same."""

    class Elsewhere(Pins):
        async def resolve(self, host: str, port: int = 0, family: Any = 0) -> Any:
            found = await super().resolve(host, port, family)
            return [result | {"host": "127.0.0.1"} for result in found]

    async def call(port: int) -> None:
        target = Target("http", "models.example.com", port, "")
        connector = PinnedConnector(Elsewhere(target, Names(["8.8.8.8"])), make_trust())
        async with aiohttp.ClientSession(connector=connector) as session:
            with pytest.raises(TransportError, match="led to another address"):
                await session.post(target.url, data=b"{}")

    with run_server(always(make_completion("B"))) as served:
        asyncio.run(call(served.port))
    assert served.asked == []


@dataclass(frozen=True)
class Authority:
    """A certificate authority of this test run, and servers' certificates that it signed."""

    trust: ssl.SSLContext
    good: ssl.SSLContext
    expired: ssl.SSLContext
    elsewhere: ssl.SSLContext


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Authority]:
    folder = tmp_path_factory.mktemp("authority")
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test CA")])
    today = datetime.datetime.now(datetime.UTC)

    def sign(host: str | None, days: int) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
        own = key if host is None else ec.generate_private_key(ec.SECP256R1())
        subject = name if host is None else x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(name)
            .public_key(own.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(today - datetime.timedelta(days=10))
            .not_valid_after(today + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(ca=host is None, path_length=None), critical=True)
        )
        if host is not None:
            builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        return builder.sign(key, hashes.SHA256()), own

    def serve(host: str, days: int) -> ssl.SSLContext:
        certificate, own = sign(host, days)
        path = folder / f"{host}{days}.pem"
        private = own.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)
        return context

    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trust.load_verify_locations(cadata=sign(None, 10)[0].public_bytes(serialization.Encoding.PEM).decode())
    yield Authority(trust, serve("localhost", 10), serve("localhost", -1), serve("other.example.com", 10))


def post_over_tls(certificate: ssl.SSLContext, trust: ssl.SSLContext | None) -> Answer:
    with run_server(always(make_completion("B")), certificate) as served:
        target = parse_base_url(f"https://localhost:{served.port}/v1", allows_loopback=True)
        try:
            return post(target, trust=trust)
        except TransportError as error:
            assert served.asked == [], "nothing was sent"
            assert_no_key(error)
            raise


def test_certificate_of_a_trusted_authority_is_accepted(authority: Authority) -> None:
    assert post_over_tls(authority.good, authority.trust).status == 200


@pytest.mark.parametrize(
    ("name", "is_trusted", "reason"),
    [("expired", True, "expired"), ("elsewhere", True, "mismatch"), ("good", False, "issuer")],
)
def test_certificate_that_does_not_hold_is_refused(
    authority: Authority, name: str, is_trusted: bool, reason: str
) -> None:
    with pytest.raises(TransportError, match=f"certificate of localhost is refused.*{reason}") as caught:
        post_over_tls(getattr(authority, name), authority.trust if is_trusted else None)
    assert caught.value.kind == "tls"


def test_server_without_tls_is_a_failure_of_tls() -> None:
    with run_server(always(make_completion("B"))) as served, pytest.raises(TransportError) as caught:
        post(parse_base_url(f"https://127.0.0.1:{served.port}", allows_loopback=True), limits=SHORT)
    assert caught.value.kind in ("tls", "timeout", "reset", "connect")
    assert_no_key(caught.value)
