"""Stub of a resolver whose answers change between lookups, and a record of every connection that this process makes.

A zone lists the answers of a name, lookup by lookup; the last one stays. An answer that names another host is a CNAME.
"""

import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Zone = Mapping[str, Sequence[Sequence[str]]]
NAME = "models.example.com"
PUBLIC = "8.8.8.8"


@dataclass
class RebindingNames:
    """Resolver of one zone; it counts the lookups of each name."""

    zone: Zone
    n_lookups: dict[str, int] = field(default_factory=dict)

    async def __call__(self, host: str, _port: int) -> Sequence[str]:
        return list(self._resolve(host, set()))

    def _resolve(self, host: str, seen: set[str]) -> Iterator[str]:
        answers = self.zone[host]
        number = self.n_lookups.get(host, 0)
        self.n_lookups[host] = number + 1
        seen.add(host)
        for record in answers[min(number, len(answers) - 1)]:
            if record in self.zone and record not in seen:
                yield from self._resolve(record, seen)
            else:
                yield record


@dataclass
class _Watch:
    attempts: list[tuple[Any, ...]] | None = None
    is_installed: bool = False


_WATCH = _Watch()


def _refuse_connection(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "socket.connect" and _WATCH.attempts is not None:
        connecting, address = arguments
        if connecting.family in (socket.AF_INET, socket.AF_INET6):
            _WATCH.attempts.append(address)
            raise ConnectionRefusedError


@contextmanager
def refuse_connections() -> Iterator[list[tuple[Any, ...]]]:
    """Record the address of each connection that any library attempts, and refuse it: nothing leaves this process.

    The interpreter itself reports them; its hooks cannot be removed, so one is installed once.
    """
    if not _WATCH.is_installed:
        sys.addaudithook(_refuse_connection)
        _WATCH.is_installed = True
    attempts: list[tuple[Any, ...]] = []
    _WATCH.attempts = attempts
    try:
        yield attempts
    finally:
        _WATCH.attempts = None
