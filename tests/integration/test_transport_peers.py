"""Peers of the transport: DNS rebinding, unexpected addresses, invalid certificates."""

import asyncio
import datetime
import gc
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from submissions.endpoints.transport.allowed_addresses import Target, parse_base_url, parse_own_url
from submissions.endpoints.transport.errors import TransportError
from submissions.endpoints.transport.http_client import TransportResponse, make_trust
from submissions.endpoints.transport.pinning import PinnedConnector, Pins
from tests.support.endpoints.misbehaving import always, make_completion, run_server
from tests.support.endpoints.transport_calls import SHORT, assert_no_key, post


class Names:
    """Resolver that returns one list of addresses after the other, and counts lookups."""

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
def test_name_with_a_non_public_address_is_refused(addresses: list[str]) -> None:
    with pytest.raises(TransportError, match="a non-public address") as caught:
        post(PUBLIC, resolve=Names(addresses))
    assert caught.value.kind == "address"
    assert_no_key(caught.value)


def test_name_without_addresses_is_a_lookup_error() -> None:
    with pytest.raises(TransportError, match="DNS lookup") as caught:
        post(PUBLIC, resolve=Names([]))
    assert caught.value.kind == "dns"


def test_name_is_resolved_once_and_a_second_answer_is_ignored() -> None:
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


def test_name_in_a_network_of_ones_own_may_have_any_address() -> None:
    with run_server(always(make_completion("yes"))) as served:
        target = parse_own_url(f"http://gpu-3:{served.port}/v1")
        assert post(target, resolve=Names(["127.0.0.1"])).status == 200
        assert post(parse_own_url(f"http://0.0.0.0:{served.port}/v1")).status == 200
        with pytest.raises(TransportError, match=r"DNS lookup of gpu-3 failed\. Check the spelling\.$") as caught:
            post(target, resolve=Names([]))
        assert_no_key(caught.value)
    with pytest.raises(TransportError, match="Check that it is running and that the port is right") as caught:
        post(target, resolve=Names(["127.0.0.1"]))
    assert_no_key(caught.value)


def test_other_spelling_of_an_address_is_the_same_peer() -> None:
    async def look_up() -> None:
        pins = Pins(PUBLIC, Names(["2606:4700:0:0:0:0:0:1111"]))
        await pins.resolve("models.example.com", 443)
        assert pins.accepts(("2606:4700::1111", 443, 0, 0))

    asyncio.run(look_up())


def test_name_resolved_again_after_connection_failures_is_checked_again() -> None:
    names = Names(["8.8.8.8"], ["127.0.0.1"])

    async def look_up() -> None:
        pins = Pins(PUBLIC, names)
        await pins.resolve("models.example.com", 443)
        pins.forget()
        with pytest.raises(TransportError, match="non-public"):
            await pins.resolve("models.example.com", 443)

    asyncio.run(look_up())


def test_connection_to_an_unexpected_address_is_closed_before_anything_is_sent() -> None:
    """The connector's resolver is wrong here; the address of the peer is checked nevertheless."""

    class Elsewhere(Pins):
        async def resolve(self, host: str, port: int = 0, family: Any = 0) -> Any:
            found = await super().resolve(host, port, family)
            return [result | {"host": "127.0.0.1"} for result in found]

    async def call(port: int) -> None:
        target = Target("http", "models.example.com", port, "")
        connector = PinnedConnector(Elsewhere(target, Names(["8.8.8.8"])), make_trust())
        async with aiohttp.ClientSession(connector=connector) as session:
            with pytest.raises(TransportError, match="reached a different address"):
                await session.post(target.url, data=b"{}")

    with run_server(always(make_completion("B"))) as served:
        asyncio.run(call(served.port))
    assert served.asked == []


@dataclass(frozen=True)
class Authority:
    """Certificate authority of this test run, with the server certificates that it signs."""

    trust: ssl.SSLContext
    good: ssl.SSLContext
    expired: ssl.SSLContext
    elsewhere: ssl.SSLContext


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
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
    return Authority(trust, serve("localhost", 10), serve("localhost", -1), serve("other.example.com", 10))


def post_over_tls(certificate: ssl.SSLContext, trust: ssl.SSLContext | None) -> TransportResponse:
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
def test_invalid_certificate_is_refused(authority: Authority, name: str, is_trusted: bool, reason: str) -> None:
    with pytest.raises(TransportError, match=f"certificate of localhost is invalid.*{reason}") as caught:
        post_over_tls(getattr(authority, name), authority.trust if is_trusted else None)
    assert caught.value.kind == "tls"


def test_server_without_tls_is_a_tls_error() -> None:
    with run_server(always(make_completion("B"))) as served, pytest.raises(TransportError) as caught:
        post(parse_base_url(f"https://127.0.0.1:{served.port}", allows_loopback=True), limits=SHORT)
    assert caught.value.kind in ("tls", "timeout", "reset", "connect")
    assert_no_key(caught.value)


def test_test_server_closes_connections_accepted_at_the_last_moment() -> None:
    for _ in range(20):
        with run_server(always(make_completion("B"))) as served, socket.create_connection(("127.0.0.1", served.port)):
            pass
    gc.collect()  # a leaked socket fails the test
