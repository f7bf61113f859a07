"""Rate control: a window that shrinks when the endpoint is overloaded, and a circuit breaker.

`RateController` is pure and takes times as arguments; `ConcurrencyLimiter` makes calls wait for it.
"""

import asyncio
import math
import random
import time
from contextlib import suppress

from submissions.endpoints.querying.query_records import CallFailure
from submissions.endpoints.querying.retry_policy import RetryPolicy, find_rest, grant

_NARROWING = 0.7


class RateController:
    """Estimated condition of an endpoint.

    Attributes:
        window: Maximum number of concurrent calls, as a growing fraction.
        n_in_flight: Number of current calls.
        n_rests: How often the circuit has opened since the last response; 0 while it is closed.
    """

    def __init__(self, concurrency: int, retry_policy: RetryPolicy, chance: random.Random) -> None:
        self._concurrency = concurrency
        self._retry_policy = retry_policy
        self._chance = chance
        self.window = float(concurrency)
        self.n_in_flight = 0
        self.n_rests = 0
        self._calm_window = float(concurrency)
        self._n_in_a_row = 0
        self._is_trying = False
        self._resting_until = -math.inf
        self._opened_at = -math.inf
        self._narrowed_at = -math.inf

    @property
    def is_dead(self) -> bool:
        """Whether the endpoint is considered dead."""
        return self.n_rests > self._retry_policy.max_rests

    def seconds_to_wait(self, now: float) -> float:
        """Return how long the next call has to wait: 0 for not at all, infinity until something changes."""
        if now < self._resting_until:
            return self._resting_until - now
        is_full = self.n_in_flight >= int(self.window)
        return math.inf if is_full or (self.n_rests and self._is_trying) else 0.0

    def begin(self) -> None:
        """Count a call that starts now."""
        self.n_in_flight += 1
        # While the circuit is open, one call tests whether it can close.
        self._is_trying = self.n_rests > 0

    def leave(self) -> None:
        """Count a call that ended in any way."""
        self.n_in_flight -= 1

    def succeed(self) -> None:
        """Record a response: the circuit closes, the window grows.

        It doubles in each round of calls up to the last good size, and then grows by one per round.
        """
        self.close()
        step = 1.0 if self.window < self._calm_window else 1.0 / self.window
        self.window = min(self._concurrency, self.window + step)

    def close(self) -> None:
        """Record a sign of life, such as a refused question: the circuit closes."""
        self.n_rests = self._n_in_a_row = 0

    def fail(self, failure: CallFailure, began: float, now: float) -> None:
        """Record a failure of a call that started at a given time.

        Calls that started before the window shrank or the circuit opened tell nothing new.
        """
        is_news = began > self._narrowed_at
        if failure.kind == "throttled" and is_news:
            self.window, self._narrowed_at = max(1.0, self.window * _NARROWING), now
            self._calm_window = self.window
        self._resting_until = max(self._resting_until, now + grant(failure, self._retry_policy))
        if began <= self._opened_at:
            return
        self._is_trying = False
        if failure.kind == "throttled" and not is_news:
            return
        self._n_in_a_row += 1
        if self.n_rests or self._n_in_a_row >= self._retry_policy.n_failures:
            self._open(now)

    def _open(self, now: float) -> None:
        self.n_rests, self._n_in_a_row, self._opened_at = self.n_rests + 1, 0, now
        # A recovering server must not receive all calls at once.
        self.window = 1.0
        rest = find_rest(self.n_rests, self._retry_policy, self._chance)
        self._resting_until = max(self._resting_until, now + rest)


class ConcurrencyLimiter:
    """Admits calls one after the other as the controller allows."""

    def __init__(self, controller: RateController) -> None:
        self._controller = controller
        self._changed = asyncio.Event()
        self._turn = asyncio.Lock()

    async def enter(self) -> float:
        """Wait until a call may start, count it, and return the time."""
        async with self._turn:
            while (seconds := self._controller.seconds_to_wait(time.monotonic())) > 0:
                self._changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(None if math.isinf(seconds) else seconds):
                        await self._changed.wait()
            self._controller.begin()
        # The event loop's clock has millisecond resolution: a fast call would take no time.
        return time.monotonic()

    def leave(self) -> None:
        """Count an ended call."""
        self._controller.leave()
        self._changed.set()
