"""Slots for work that occupies a core: a free one goes to the waiting client that has used least lately."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

LONG_SECONDS = 1.0
_HALF_LIFE_SECONDS = 30.0
_FORGOTTEN_SECONDS = 0.01


@dataclass(eq=False)
class _Waiting:
    client: Hashable
    turn: asyncio.Event = field(default_factory=asyncio.Event)


class ClientSlots:
    """Lets some work begin at once, and orders what waits by what each client has used lately.

    Long work gives its slot back before it ends, so it keeps nobody waiting; it has a low priority by then (see
    `submissions/intake/file_checks/check_server.py`).
    """

    def __init__(self, n_slots: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Create slots.

        Args:
            n_slots: How much runs at once, besides long work.
            clock: The time in seconds.
        """
        self._n_free = n_slots
        self._clock = clock
        self._waiting: list[_Waiting] = []
        # Seconds by client; half is forgotten after 30 seconds.
        self._used: dict[Hashable, float] = {}
        self._decayed_at = clock()

    @asynccontextmanager
    async def take_slot(self, client: Hashable) -> AsyncIterator[None]:
        """Wait for a slot, and count the time until the work of the client ends."""
        await self._wait(client)
        # Several of one client at once do not all count as its first.
        self._count(client, LONG_SECONDS)
        began = self._clock()
        is_taken = [True]
        timer = asyncio.get_running_loop().call_later(LONG_SECONDS, self._give_back, is_taken)
        try:
            yield
        finally:
            timer.cancel()
            self._count(client, self._clock() - began - LONG_SECONDS)
            self._give_back(is_taken)

    async def _wait(self, client: Hashable) -> None:
        if self._n_free:
            self._n_free -= 1
            return
        waiting = _Waiting(client)
        self._waiting.append(waiting)
        try:
            await waiting.turn.wait()
        except asyncio.CancelledError:
            if waiting.turn.is_set():
                self._pass_on()
            else:
                self._waiting.remove(waiting)
            raise

    def _give_back(self, is_taken: list[bool]) -> None:
        if is_taken[0]:
            is_taken[0] = False
            self._pass_on()

    def _pass_on(self) -> None:
        """Give a slot to the client that has used least, to the first of several."""
        if not self._waiting:
            self._n_free += 1
            return
        chosen = min(self._waiting, key=lambda waiting: self._used.get(waiting.client, 0.0))
        self._waiting.remove(chosen)
        chosen.turn.set()

    def _count(self, client: Hashable, n_seconds: float) -> None:
        now = self._clock()
        factor = 0.5 ** ((now - self._decayed_at) / _HALF_LIFE_SECONDS)
        self._decayed_at = now
        # A dictionary of everyone who ever came would grow without end.
        left = {known: seconds * factor for known, seconds in self._used.items()}
        self._used = {known: seconds for known, seconds in left.items() if seconds > _FORGOTTEN_SECONDS}
        self._used[client] = max(self._used.get(client, 0.0) + n_seconds, 0.0)
