"""From a name to the addresses that are connected to: resolved once, all of them public, and no other peer accepted."""

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
"""Looks up the addresses of a name."""


async def resolve_name(host: str, port: int) -> list[str]:
    """Ask the system for the addresses of a name.

    The dot at the end keeps the system from trying the name inside the networks it belongs to.
    """
    found = await asyncio.get_running_loop().getaddrinfo(f"{host}.", port, type=socket.SOCK_STREAM)
    return [str(info[4][0]) for info in found]


class Pins(AbstractResolver):
    """The addresses of one target: looked up at the first connection, and again only after none could be reached."""

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
            OSError: The name cannot be looked up.
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
        """There is nothing to close."""

    def accepts(self, peer: object) -> bool:
        """Tell whether the other end of a connection is one of the pinned addresses."""
        return isinstance(peer, tuple) and bool(peer) and peer[0] in self._accepted

    def forget(self) -> None:
        """Have the name looked up again: none of its addresses could be reached."""
        if not self._target.is_loopback:
            self._addresses = ()

    async def _look_up(self, port: int) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(await self._resolve(self._target.host, port)))
        if not found:
            raise OSError("no address")
        # One that is not public is enough: which of them is connected to would be up to the other side.
        if len(found) > MAX_ADDRESSES or not all(map(is_public, found)):
            raise TransportError(
                "address",
                f"{self._target.host} resolves to a non-public address, or to more than {MAX_ADDRESSES} addresses. "
                "Use a host with public addresses only.",
            )
        # As the system writes them, so that they can be compared with the other end of a connection.
        return tuple(str(ip_address(address)) for address in found)


class PinnedConnector(TCPConnector):
    """Connects to pinned addresses, and looks at who is at the other end before anything is sent there."""

    def __init__(self, pins: Pins, trust: SSLContext) -> None:
        # How many are open at once is for the caller; a limit here would only hide waiting from his clock.
        super().__init__(resolver=pins, use_dns_cache=False, ssl=trust, limit=0, keepalive_timeout=_KEEPALIVE_SECONDS)
        self._pins = pins

    async def connect(self, req: ClientRequest, traces: list[Trace], timeout: ClientTimeout) -> Connection:
        """Return a connection whose peer was checked.

        Raises:
            TransportError: The peer is none of the pinned addresses.
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
