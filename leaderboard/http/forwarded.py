"""Forwarded headers: the scheme and host that a visitor used, and which origins are our own.

A proxy that ends TLS says in `X-Forwarded-Proto` and `X-Forwarded-Host` what the visitor's browser asked for. Anybody
else can send these headers too, so they count only from a trusted peer.
"""

import re
from ipaddress import IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.types import Scope

from leaderboard.http.client_turns import parse_address
from leaderboard.http.guard.body_streams import Headers, values
from settings import Settings

_HOST = re.compile(r"([a-z0-9]([a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[0-9]{1,5})?")
_SCHEMES = ("http", "https")
# Characters of X-Forwarded-For that are read, from its end: enough for twenty addresses.
_MAX_CHAIN = 1_000


class VisitorAddress(NamedTuple):
    """The scheme and host in a visitor's address bar."""

    scheme: str
    host: str


class AddressResolver:
    """Resolves the address that a visitor used, and tells which origins are ours."""

    def __init__(self, settings: Settings) -> None:
        """Read the trusted proxies. Local sign-in trusts none: browsers reach that server directly."""
        self.public_origin = settings.public_url
        self._public_host = urlsplit(self.public_origin or "").netloc
        self._networks = () if settings.auth == "local" else settings.trusted_proxies

    def resolve(self, scope: Scope, host: str) -> VisitorAddress:
        """Return the address that the visitor used.

        Args:
            scope: The request's ASGI scope.
            host: The request's Host header.
        """
        if not self._is_trusted(scope):
            return VisitorAddress(scope["scheme"], host)
        scheme = _read_first(scope["headers"], b"x-forwarded-proto")
        forwarded = _read_first(scope["headers"], b"x-forwarded-host")
        return VisitorAddress(
            scheme if scheme in _SCHEMES else scope["scheme"], forwarded if self._may_be_ours(forwarded) else host
        )

    def find_client(self, scope: Scope) -> str:
        """Return the address of the client, for limits per client.

        Behind a trusted proxy, it is the last address in `X-Forwarded-For` that is neither private nor a trusted
        proxy's: proxies append the address that connects to them, and clients can write anything before it.
        """
        peer = _read_peer(scope)
        if peer is None:
            return ""
        if self._is_trusted(scope):
            chain = b",".join(values(scope["headers"], b"x-forwarded-for")).decode("latin-1")
            for text in reversed(chain[-_MAX_CHAIN:].split(",")):
                address = parse_address(text.strip())
                if address is None:
                    break
                if not address.is_private and not self._is_proxy(address):
                    return str(address)
        return str(peer)

    def is_own_origin(self, origin: bytes, address: VisitorAddress) -> bool:
        """Tell whether an Origin header names this server; `null` (sandboxed frames, files) never does."""
        text = origin.decode("latin-1").lower()
        if text == self.public_origin:
            return True
        # At our public host only the exact origin counts: a page injected into plain HTTP is not ours.
        host = _read_host(text)
        return host is not None and host == address.host and host != self._public_host

    def _may_be_ours(self, forwarded: str) -> bool:
        # An edge that answers `OPTIONS` itself lets scripts of other sites send any header; where our own address is
        # configured, no other name may pass for it. Scripts cannot set Host.
        if self._public_host:
            return forwarded == self._public_host
        return _HOST.fullmatch(forwarded) is not None

    def _is_proxy(self, address: IPv4Address | IPv6Address) -> bool:
        # A network of all addresses says which peers are trusted, not which addresses are proxies.
        return any(address in network for network in self._networks if network.prefixlen)

    def _is_trusted(self, scope: Scope) -> bool:
        peer = _read_peer(scope)
        return peer is not None and any(peer in network for network in self._networks)


def _read_peer(scope: Scope) -> IPv4Address | IPv6Address | None:
    client = scope.get("client")
    if client is None:
        return None
    return parse_address(client[0])


def _read_first(headers: Headers, name: bytes) -> str:
    """Return the first value of a chain, which the proxy next to the visitor added."""
    chain = b",".join(values(headers, name)).decode("latin-1")
    return chain.split(",")[0].strip().lower()


def _read_host(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None
