"""Forwarded headers: trusted proxies, the value of a chain that counts, and our own origins."""

from typing import Any

import pytest

from leaderboard.http.forwarded import AddressResolver, VisitorAddress
from leaderboard.http.origin import OWN_ORIGIN, find_origin, find_request_origin
from settings import Settings

PROXY = "10.1.2.3"


def make_resolver(**settings: Any) -> AddressResolver:
    return AddressResolver(Settings(**({"auth": "oidc", "trusted_proxies": "10.0.0.0/8"} | settings)))


def make_scope(peer: str | None = PROXY, **headers: str) -> dict[str, Any]:
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"scheme": "http", "client": (peer, 5) if peer else None, "headers": pairs}


def resolve(scope: dict[str, Any], **settings: Any) -> VisitorAddress:
    return make_resolver(**settings).resolve(scope, "10.9.9.9:7860")


def test_first_value_of_a_chain_is_the_visitor_address(subtests: pytest.Subtests) -> None:
    for proto, host, expected in (
        ("https", "earshot.example", ("https", "earshot.example")),
        ("https,http,http", "Earshot.example:8443, inner", ("https", "earshot.example:8443")),
        (" HTTPS , http", "[::1]:7860", ("https", "[::1]:7860")),
        ("wss", "a/b", ("http", "10.9.9.9:7860")),
        ("", "", ("http", "10.9.9.9:7860")),
        ("javascript", "a b", ("http", "10.9.9.9:7860")),
    ):
        with subtests.test(proto=proto, host=host):
            assert resolve(make_scope(x_forwarded_proto=proto, x_forwarded_host=host)) == expected


def test_headers_of_an_untrusted_peer_are_ignored(subtests: pytest.Subtests) -> None:
    headers = {"x_forwarded_proto": "https", "x_forwarded_host": "evil.example"}
    for peer in ("11.1.2.3", "::1", "127.0.0.1", "a-socket", None):
        with subtests.test(peer=peer):
            assert resolve(make_scope(peer, **headers)) == ("http", "10.9.9.9:7860")
    assert resolve(make_scope("::ffff:10.1.2.3", **headers)) == ("https", "evil.example")
    assert resolve(make_scope("127.0.0.1", **headers), auth="local", trusted_proxies="*").scheme == "http"
    assert resolve(make_scope("2001:db8::1", **headers), trusted_proxies="*").scheme == "https"


def test_forwarded_host_cannot_replace_a_configured_address() -> None:
    settings = {"public_url": "https://earshot.example"}
    assert resolve(make_scope(x_forwarded_host="earshot.example"), **settings).host == "earshot.example"
    forged = make_scope(x_forwarded_host="evil.example, earshot.example", x_forwarded_proto="https")
    address = resolve(forged, **settings)
    assert address == ("https", "10.9.9.9:7860")
    assert not make_resolver(**settings).is_own_origin(b"https://evil.example", address)


def test_own_origin_is_the_host_that_the_visitor_used(subtests: pytest.Subtests) -> None:
    resolver, address = make_resolver(), VisitorAddress("https", "earshot.example")
    for origin, is_own in (
        ("https://earshot.example", True),
        ("HTTPS://EARSHOT.EXAMPLE", True),
        ("https://earshot.example:8443", False),
        ("https://other.example", False),
        ("null", False),
        ("https://[", False),
        ("", False),
    ):
        with subtests.test(origin=origin):
            assert resolver.is_own_origin(origin.encode(), address) is is_own


def test_public_host_is_own_origin_only_with_its_exact_scheme() -> None:
    resolver = make_resolver(public_url="https://earshot.example")
    for host in ("earshot.example", "10.9.9.9:7860"):
        address = VisitorAddress("http", host)
        assert resolver.is_own_origin(b"https://earshot.example", address)
        assert not resolver.is_own_origin(b"http://earshot.example", address)
    assert resolver.is_own_origin(b"http://10.9.9.9:7860", VisitorAddress("http", "10.9.9.9:7860"))


def test_external_links_use_the_configured_origin() -> None:
    scope = make_scope(host="inner.example")
    assert find_origin(scope) == find_request_origin(scope) == "http://inner.example"
    scope[OWN_ORIGIN] = "https://earshot.example"
    assert find_origin(scope) == "https://earshot.example"
    assert find_request_origin(scope) == "http://inner.example"


@pytest.mark.parametrize(
    ("chain", "client"),
    [
        ("", PROXY),
        ("203.0.113.7", PROXY),
        ("8.8.8.8", "8.8.8.8"),
        ("1.1.1.1, 8.8.8.8", "8.8.8.8"),
        ("8.8.8.8, 10.0.0.9", "8.8.8.8"),
        ("8.8.8.8, 192.168.1.1, 10.0.0.9", "8.8.8.8"),
        ("8.8.8.8, made up", PROXY),
        ("made up, 8.8.8.8", "8.8.8.8"),
        ("2606:4700::1111", "2606:4700::1111"),
        ("::ffff:8.8.8.8", "8.8.8.8"),
    ],
)
def test_client_is_the_last_public_address_that_a_trusted_proxy_forwards(chain: str, client: str) -> None:
    assert make_resolver().find_client(make_scope(x_forwarded_for=chain)) == client
    assert make_resolver(trusted_proxies="*").find_client(make_scope(x_forwarded_for=chain)) == client


def test_client_of_an_untrusted_peer_is_the_peer() -> None:
    assert make_resolver().find_client(make_scope("9.9.9.9", x_forwarded_for="8.8.8.8")) == "9.9.9.9"
    assert make_resolver(auth="local").find_client(make_scope(x_forwarded_for="8.8.8.8")) == PROXY
    assert make_resolver().find_client(make_scope(None)) == ""


def test_address_of_a_trusted_proxy_is_no_client() -> None:
    resolver = make_resolver(trusted_proxies="10.0.0.0/8,8.8.4.0/24")
    assert resolver.find_client(make_scope(x_forwarded_for="8.8.8.8, 8.8.4.4")) == "8.8.8.8"
