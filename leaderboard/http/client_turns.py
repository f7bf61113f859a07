"""Turns of clients at work that occupies a core: each has a few at once, so that nobody keeps all others waiting."""

import os
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread

from leaderboard.http.client_slots import ClientSlots

_Result = TypeVar("_Result")
_Arguments = TypeVarTuple("_Arguments")
# A client with one IPv6 address usually has all 2⁶⁴ of its network.
_HOST_BITS = 64
_SLOTS = 2 * (os.cpu_count() or 1)


class ClientTurns:
    """Runs work in threads, for each client only some at once. What waits occupies no thread."""

    def __init__(self, n_threads: int, n_of_client: int, n_slots: int = _SLOTS) -> None:
        """Create turns.

        Args:
            n_threads: How much runs at once.
            n_of_client: How much of one client runs at once; what it sends beyond that waits, in order.
            n_slots: How much begins at once (see `ClientSlots`).
        """
        self._threads = CapacityLimiter(n_threads)
        self._n_of_client = n_of_client
        self._slots = ClientSlots(n_slots)
        self._limiters: dict[Hashable, CapacityLimiter] = {}

    async def run(self, client: Hashable, work: Callable[[*_Arguments], _Result], *arguments: *_Arguments) -> _Result:
        """Run work of a client when it is its turn, and return its result.

        Args:
            client: The client: the ID of its account, or its address (`name_client`).
            work: What is run in a thread.
            arguments: Its arguments.
        """
        async with self._take_turn(client), self._slots.take_slot(client):
            return await to_thread.run_sync(work, *arguments, limiter=self._threads)

    @asynccontextmanager
    async def _take_turn(self, client: Hashable) -> AsyncIterator[None]:
        limiter = self._limiters.setdefault(client, CapacityLimiter(self._n_of_client))
        try:
            async with limiter:
                yield
        finally:
            used = limiter.statistics()
            if not used.borrowed_tokens and not used.tasks_waiting and self._limiters.get(client) is limiter:
                del self._limiters[client]


def name_client(address: str | None) -> str:
    """Return the name of a client without an account: its address, or its network for IPv6."""
    found = parse_address((address or "").partition("%")[0])
    if found is None:
        return "unknown"
    return str(found if found.version == 4 else IPv6Address(int(found) >> _HOST_BITS << _HOST_BITS))


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an IP address, or None if the text is none. An IPv4 address in the form of IPv6 is the IPv4 address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address
