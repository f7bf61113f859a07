"""Address pinning: a name is resolved once, all its addresses must be public, and no other peer is accepted.

A target that users name on their own machine is only resolved once: it may have any address.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from ssl import SSLContext

from aiohttp import ClientConnectorError, ClientRequest, ClientTimeout, TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.connector import Connection
from aiohttp.tracing import Trace

from submissions.endpoints.transport.allowed_addresses import LOOPBACK, Target, is_public
from submissions.endpoints.transport.errors import TransportError

MAX_ADDRESSES = 32
_KEEPALIVE_SECONDS = 30.0

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Resolves a name to addresses."""


async def resolve_name(host: str, port: int) -> list[str]:
    """Resolve a name with the system's resolver.

    The trailing dot prevents the system from searching the name in local domains.
    """
    found = await asyncio.get_running_loop().getaddrinfo(f"{host}.", port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


async def resolve_own_name(host: str, port: int) -> list[str]:
    """Resolve a name as other programs on this machine do, also in local domains."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


class Pins(AbstractResolver):
    """Addresses of a target: resolved at the first connection, and again only after none could be reached."""

    def __init__(self, target: Target, resolve: Resolve) -> None:
        self._target = target
        self._resolve = resolve
        self._lock = asyncio.Lock()
        self._addresses: tuple[str, ...] = tuple(sorted(LOOPBACK)) if target.is_loopback else ()
        self._accepted = set(self._addresses)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the pinned addresses.

        Raises:
            TransportError: It is another host, or one of its addresses is not public.
            OSError: The name cannot be resolved.
        """
        if host != self._target.host:
            raise TransportError("address", f"{self._target.host} is asked, and nothing else.")
        async with self._lock:
            if not self._addresses:
                self._addresses = await self._look_up(port)
                self._accepted.update(self._addresses)
        pairs = ((socket.AF_INET6 if ":" in address else socket.AF_INET, address) for address in self._addresses)
        return [
            ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=socket.AI_NUMERICHOST)
            for kind, address in pairs
            if family in (socket.AF_UNSPEC, kind)
        ]

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def accepts(self, peer: object) -> bool:
        """Tell whether the peer of a connection is one of the pinned addresses."""
        is_pinned = isinstance(peer, tuple) and bool(peer) and peer[0] in self._accepted
        # 0.0.0.0 and some names of containers have other peers than they resolve to.
        return is_pinned or self._target.is_own

    def forget(self) -> None:
        """Resolve the name again next time, because none of its addresses could be reached."""
        if not self._target.is_loopback:
            self._addresses = ()

    async def _look_up(self, port: int) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(await self._resolve(self._target.host, port)))
        if not found:
            raise OSError("no address")
        if self._target.is_own:
            return found[:MAX_ADDRESSES]
        # A single address that is not public suffices to refuse: the other side would decide which one is used.
        if len(found) > MAX_ADDRESSES or not all(map(is_public, found)):
            raise TransportError(
                "address",
                f"{self._target.host} resolves to a non-public address, or to more than {MAX_ADDRESSES} addresses. "
                "Use a host with public addresses only.",
            )
        # In the system's spelling, so that they can be compared with the peer's address.
        return tuple(str(ip_address(address)) for address in found)


class PinnedConnector(TCPConnector):
    """Connects to pinned addresses, and verifies the peer before anything is sent."""

    def __init__(self, pins: Pins, trust: SSLContext) -> None:
        # The caller limits concurrency; a limit here would hide waiting from its clock.
        super().__init__(resolver=pins, use_dns_cache=False, ssl=trust, limit=0, keepalive_timeout=_KEEPALIVE_SECONDS)
        self._pins = pins

    async def connect(self, req: ClientRequest, traces: list[Trace], timeout: ClientTimeout) -> Connection:
        """Return a connection with a verified peer.

        Raises:
            TransportError: The peer is not one of the pinned addresses.
        """
        try:
            connection = await super().connect(req, traces, timeout)
        except ClientConnectorError:
            self._pins.forget()
            raise
        transport = connection.transport
        if transport is None or not self._pins.accepts(transport.get_extra_info("peername")):
            connection.close()
            raise TransportError(
                "address", "The connection reached a different address than the DNS lookup returned. Try again later."
            )
        return connection
