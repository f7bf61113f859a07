"""Calls to a judge with caching, parsing retries, and an error if no verdict is obtained."""

import asyncio
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from evaluation.judge.errors import (
    AllowanceSpentError,
    JudgeRefusedError,
    JudgeUnreachableError,
    JudgeVerdictError,
    NoVerdictsInARowError,
)
from evaluation.judge.protocol import SCHEMA, Call, JudgeVerdict, Message, build_messages, new_seal
from evaluation.judge.verdict_parser import parse_verdict

N_READINGS = 3
"""Maximum number of attempts for a usable reply."""
MAX_WITHOUT_VERDICT = 20
"""Number of consecutive replies without a verdict after which calls stop."""

Stored = Mapping[str, Any]
_Read = TypeVar("_Read")


class Cache(Protocol):
    """Stores verdicts under their digests. Errors are never cached."""

    def find_verdict(self, key: str) -> Stored | None:
        """Return the cached value, or None."""

    def store_verdict(self, key: str, value: Stored) -> None:
        """Cache a JSON value."""


@dataclass(frozen=True, slots=True)
class MemoryCache:
    """An in-memory cache, for single runs and tests."""

    values: MutableMapping[str, Stored] = field(default_factory=dict)

    def find_verdict(self, key: str) -> Stored | None:
        """Return the cached value, or None."""
        return self.values.get(key)

    def store_verdict(self, key: str, value: Stored) -> None:
        """Cache a value."""
        self.values[key] = value


class ChatClient(Protocol):
    """Client of a judge."""

    @property
    def model(self) -> str:
        """Name of the judge model."""

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any], /) -> str:
        """Return the reply."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call without a verdict.

    Attributes:
        reason: The reason, in one sentence.
    """

    reason: str


@dataclass(slots=True)
class Streak:
    """Counts consecutive replies without a verdict, over all calls to one judge.

    Attributes:
        n: Current number.
        has_ended: Whether the limit was reached: no more calls until `restart`, whatever still arrives.
        n_ends: How often the limit was reached since the last verdict.
    """

    n: int = 0
    has_ended: bool = False
    n_ends: int = 0

    def restart(self) -> None:
        """Allow calls again."""
        if self.has_ended:
            self.n, self.has_ended = 0, False

    def note_verdict(self) -> None:
        """Reset the count."""
        self.n, self.n_ends = 0, 0 if not self.has_ended else self.n_ends

    def note_failure(self, reason: str) -> None:
        """Count a reply without a verdict.

        Raises:
            NoVerdictsInARowError: The limit was reached.
        """
        self.n += 1
        if self.n >= MAX_WITHOUT_VERDICT and not self.has_ended:
            self.has_ended = True
            self.n_ends += 1
        if self.has_ended:
            raise NoVerdictsInARowError(MAX_WITHOUT_VERDICT, reason)


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with a cache.

    Attributes:
        client: Its client.
        cache: Its cached verdicts.
        streak: Counts its replies without a verdict; None never stops.
    """

    client: ChatClient
    cache: Cache
    streak: Streak | None = None

    @property
    def model(self) -> str:
        """Name of the judge model."""
        return self.client.model

    async def judge(self, calls: Sequence[Call]) -> list[JudgeVerdict | Failure]:
        """Return the result of each call, in order. Equal calls are made once.

        Raises:
            AllowanceSpentError: The day's budget is used up; verdicts so far are cached.
            JudgeRefusedError: The server refuses all calls.
            NoVerdictsInARowError: Too many consecutive replies contain no verdict.
        """
        keys = [call.key(self.model) for call in calls]
        distinct = dict(zip(keys, calls, strict=True))
        results = await gather_all([self._judge_one(key, call) for key, call in distinct.items()])
        by_call = dict(zip(distinct, results, strict=True))
        return [by_call[key] for key in keys]

    async def _judge_one(self, key: str, call: Call) -> JudgeVerdict | Failure:
        stored = self.cache.find_verdict(key)
        if stored is not None:
            return JudgeVerdict(stored["candidate"], stored["reference"], tuple(stored["quotes"]))
        verdict = await ask_until_read(
            self,
            lambda seal: build_messages(call, seal),
            SCHEMA,
            lambda reply, seal: parse_verdict(reply, call, seal),
        )
        if isinstance(verdict, JudgeVerdict):
            cached = {"candidate": verdict.candidate, "reference": verdict.reference, "quotes": list(verdict.quotes)}
            self.cache.store_verdict(key, cached)
        return verdict


async def ask_until_read(
    judge: Judge,
    build: Callable[[str], Sequence[Message]],
    schema: Mapping[str, Any],
    read: Callable[[str, str], _Read],
) -> _Read | Failure:
    """Call until a reply can be parsed, each time with a new code.

    Args:
        judge: The judge.
        build: Code → messages.
        schema: Format of the reply.
        read: Reply, code → its content; raises `JudgeVerdictError` if there is none.

    Raises:
        AllowanceSpentError: The day's budget is used up.
        JudgeRefusedError: The server refuses all calls.
        NoVerdictsInARowError: Too many consecutive replies contain no verdict.
    """
    reason = ""
    for _ in range(N_READINGS):
        seal = new_seal()
        try:
            result = read(await judge.client.ask(build(seal), schema), seal)
        except JudgeVerdictError as error:
            reason = str(error)
            if judge.streak is not None:
                judge.streak.note_failure(reason)
        except JudgeUnreachableError as error:
            return Failure(str(error))
        else:
            if judge.streak is not None:
                judge.streak.note_verdict()
            return result
    return Failure(reason)


async def gather_all(tasks: Sequence[Any]) -> list[Any]:
    """Wait for all tasks, so that all verdicts are cached; then raise the first error, if any."""
    results = await asyncio.gather(*tasks, return_exceptions=True)
    for kind in (JudgeRefusedError, NoVerdictsInARowError, AllowanceSpentError, BaseException):
        for result in results:
            if isinstance(result, kind):
                raise result
    return results
