"""Allowed base URLs and addresses: public names over https only, in any spelling."""

import ipaddress
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.endpoints.transport.allowed_addresses import is_public, parse_base_url, parse_own_url
from submissions.errors import BadRequestError

# Spellings of 127.0.0.1, 10.0.0.1, 169.254.169.254 and similar addresses as the host of a URL.
ADDRESSES = """
    127.0.0.2 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.0.0.01
    127.0.0.1. 127.0.0.1.. 0 0.0.0.0 10.0.0.1 10.1 167772161 0xa000001 012.0.0.1 192.168.1.1 172.16.0.1 100.64.0.1
    169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 8.8.8.8 1.1.1.1 1.1 255.255.255.255
    224.0.0.1 [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [64:ff9b::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::] [fe80::1]
    [fd00:ec2::254] [ff02::1] [2606:4700::1111] 1.2.3.4.5 1.0x2 a.1 a.0x1 1e100
""".split()  # noqa: SIM905 - a list in rows of words is easier to read
NAMES = """
    localhost. LOCALHOST. a.localhost intranet metadata metadata.google.internal router.lan nas.home a.local. a.corp
    printer.local x.home.arpa hidden.onion models.example.com. models.example..com .example.com -a.example.com
    a-.example.com a_b.example.com example.c example.123 example.0x7f a@b.example.com a:b@example.com
    １２７.０.０.１ ⑫⑦.0.0.1 ｌocalhost lоcalhost 127。0。0。1 exämple.com example.com%2e %31%32%37.0.0.1 a..b
""".split()  # noqa: SIM905 - a list in rows of words is easier to read
MALFORMED = """
    http://models.example.com/v1 ftp://models.example.com //models.example.com models.example.com https://
    https:models.example.com https:/models.example.com https:///models.example.com https://models.example.com:8443/v1
    https://models.example.com:80 https://models.example.com:0 https://models.example.com:99999
    https://models.example.com:x https://models.example.com/v1?key=a https://models.example.com/v1#a
    https://models.example.com/../v1 https://models.example.com/./v1 https://models.example.com//v1
    https://models.example.com\\@evil.example.com https://evil.example.com\\.models.example.com
    https://models.example.com/a;b https://models.example.com/v1//chat/completions https://[models.example.com]/
    https://[::1 file:///etc/passwd gopher://models.example.com unix:/tmp/socket javascript:alert(1)
""".split()  # noqa: SIM905 - a list in rows of words is easier to read


def test_base_url_of_an_address_or_a_private_name_is_refused(subtests: pytest.Subtests) -> None:
    for allows_loopback in [False, True]:
        for host in [*ADDRESSES, *NAMES]:
            with (
                subtests.test(host=host, allows_loopback=allows_loopback),
                pytest.raises(BadRequestError, match="base"),
            ):
                parse_base_url(f"https://{host}/v1", allows_loopback=allows_loopback)


def test_malformed_base_url_is_refused(subtests: pytest.Subtests) -> None:
    rows: list[str] = [*MALFORMED, "", " ", "https://a b.example.com", "https://a.example.com/\t", "https://a\n"]
    for url in rows:
        with subtests.test(url=url):
            with pytest.raises(BadRequestError, match="base") as caught:
                parse_base_url(url, allows_loopback=True)
            assert caught.value.field == "base_url"


@pytest.mark.parametrize(
    "url",
    [
        "https://models.example.com:443/v1/",
        "HTTPS://Models.Example.COM/v1",
        "https://models.example.com/v1/chat/completions",
        "https://models.example.com/v1/chat/completions/",
        "https://models.example.com/v1/Chat/COMPLETIONS",
    ],
)
def test_base_url_of_a_public_name_is_accepted(url: str) -> None:
    target = parse_base_url(url)
    assert (target.url, target.is_loopback) == ("https://models.example.com/v1", False)


def test_base_url_of_a_punycode_name_is_accepted() -> None:
    assert parse_base_url("https://xn--exmple-cua.xn--p1ai").url == "https://xn--exmple-cua.xn--p1ai"


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/v1", "http://localhost:8000/v1", "https://[::1]:8000/v1"])
def test_base_url_of_loopback_requires_the_development_switch(url: str) -> None:
    assert parse_base_url(url, allows_loopback=True).url == url
    with pytest.raises(BadRequestError, match="points to this machine"):
        parse_base_url(url)


def test_base_url_with_a_password_is_refused_without_quoting_it() -> None:
    with pytest.raises(BadRequestError, match="user name or password") as caught:
        parse_base_url("https://me:canary@models.example.com")
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://localhost:8000/v1/", "http://localhost:8000/v1"),
        ("http://GPU-3:8000/v1/chat/completions", "http://gpu-3:8000/v1"),
        ("http://10.0.0.7/v1", "http://10.0.0.7:80/v1"),
        ("http://0.0.0.0:30000", "http://0.0.0.0:30000"),
        ("http://[fd00::7]:8000/v1", "http://[fd00::7]:8000/v1"),
        ("https://vllm_1.lab.internal:8443/v1", "https://vllm_1.lab.internal:8443/v1"),
        ("https://models.example.com/v1", "https://models.example.com/v1"),
    ],
)
def test_base_url_in_a_network_of_the_users_own_is_accepted_from_them_only(url: str, expected: str) -> None:
    target = parse_own_url(url)
    assert (target.url, target.is_own) == (expected, True)
    if "models.example.com" not in url:
        with pytest.raises(BadRequestError):
            parse_base_url(url)


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("localhost:8000/v1", "must begin with http:// or https://"),
        ("ftp://localhost/v1", "must begin with http:// or https://"),
        ("http:///v1", "must contain a host name"),
        ("http://-gpu:8000/v1", "must contain a host name"),
        ("http://localhost:0/v1", "must have a port"),
        ("http://localhost:99999/v1", "is no URL"),
        ("http://me:canary@gpu-3/v1", "must not contain a user name"),
        ("http://gpu-3/v1?key=canary", "must not contain a query"),
        ("http://gpu-3/v1/../admin", "must have a plain path"),
        ("http://gpu 3/v1", "must have 1 to"),
    ],
)
def test_base_url_of_ones_own_that_cannot_be_used_is_refused_without_secrets(url: str, rule: str) -> None:
    with pytest.raises(BadRequestError, match=rule) as caught:
        parse_own_url(url)
    assert "canary" not in str(caught.value)


@given(st.text(max_size=40))
def test_base_url_of_any_text_is_a_public_name_or_refused(host: str) -> None:
    try:
        target = parse_base_url(f"https://{host}")
    except BadRequestError:
        return
    assert re.search(r"\.(xn--[a-z0-9-]+|[a-z]+)$", target.host)
    assert target.port == 443


@given(st.ip_addresses(v=4))
def test_base_url_of_any_address_spelling_is_refused(address: ipaddress.IPv4Address) -> None:
    number, octets = int(address), str(address).split(".")
    spellings = [str(address), str(number), hex(number), f"0{number:o}", ".".join(hex(int(octet)) for octet in octets)]
    spellings += [".".join(f"0{int(octet):o}" for octet in octets), f"{octets[0]}.{number & 0xFFFFFF}"]
    spellings += [f"[::ffff:{address}]", f"[64:ff9b::{address}]", f"[::{address}]"]
    for spelling in spellings:
        for url in (f"https://{spelling}/v1", f"https://{spelling}./v1"):
            with pytest.raises(BadRequestError):
                parse_base_url(url)


NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254
    172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::8.8.8.8
    64:ff9b:1::1 100::1 2001::1 2001:0:808:808::1 2001:10::1 2001:20::1 2001:db8::1 2002:808:808::1 3fff::1 5f00::1
    fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 2606:4700::5efe:a00:1 2606:4700::200:5efe:a00:1 x
    2130706433 0x7f.1 127.1
""".split()  # noqa: SIM905 - the same


def test_address_that_is_not_public_is_refused(subtests: pytest.Subtests) -> None:
    for address in NOT_PUBLIC:
        with subtests.test(address=address):
            assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "100.63.255.255", "172.32.0.1", "2606:4700:4700::1111"])
def test_public_address_is_accepted(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses())
def test_accepted_address_is_global_in_the_standard_library(address: ipaddress.IPv4Address) -> None:
    if is_public(str(address)):
        assert address.is_global
        assert not (address.is_multicast)
        assert not (address.is_private)
        assert not (address.is_reserved)
        assert not (address.is_link_local)


@given(st.ip_addresses(v=4), st.sampled_from(["::ffff:0:0", "64:ff9b::", "::"]))
def test_address_that_embeds_another_is_refused(address: ipaddress.IPv4Address, prefix: str) -> None:
    carrier = ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) + int(address))
    assert not is_public(str(carrier))
