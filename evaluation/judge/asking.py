"""Asking a judge: nothing twice, nothing unread, and an error where no verdict comes."""

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
"""How often a judge is asked again when its reply cannot be used."""
MAX_WITHOUT_VERDICT = 20
"""Consecutive replies without a verdict after which a judge is asked no more."""

Stored = Mapping[str, Any]
_Read = TypeVar("_Read")


class Cache(Protocol):
    """Keeps verdicts under their digests. An error is never kept."""

    def find_verdict(self, key: str) -> Stored | None:
        """Return what is kept, or None."""

    def store_verdict(self, key: str, value: Stored) -> None:
        """Keep a value that JSON can hold."""


@dataclass(frozen=True, slots=True)
class MemoryCache:
    """A cache for one run, and for tests."""

    values: MutableMapping[str, Stored] = field(default_factory=dict)

    def find_verdict(self, key: str) -> Stored | None:
        """Return what is kept, or None."""
        return self.values.get(key)

    def store_verdict(self, key: str, value: Stored) -> None:
        """Keep a value."""
        self.values[key] = value


class ChatClient(Protocol):
    """The way to a judge."""

    @property
    def model(self) -> str:
        """Name of the judge."""

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any], /) -> str:
        """Return what it writes."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A call without a verdict.

    Attributes:
        reason: Why there is none, in one sentence.
    """

    reason: str


@dataclass(slots=True)
class Streak:
    """Consecutive replies without a verdict, over everything that one judge is asked.

    Attributes:
        n: How many there are.
        has_ended: Whether there were too many: nothing more is asked until `restart`, whatever still arrives.
        n_ends: How often there were too many since the last verdict.
    """

    n: int = 0
    has_ended: bool = False
    n_ends: int = 0

    def restart(self) -> None:
        """Ask again after the end."""
        if self.has_ended:
            self.n, self.has_ended = 0, False

    def note_verdict(self) -> None:
        """Count from 0 again."""
        self.n, self.n_ends = 0, 0 if not self.has_ended else self.n_ends

    def note_failure(self, reason: str) -> None:
        """Count a reply without a verdict.

        Raises:
            NoVerdictsInARowError: There were too many in a row.
        """
        self.n += 1
        if self.n >= MAX_WITHOUT_VERDICT and not self.has_ended:
            self.has_ended = True
            self.n_ends += 1
        if self.has_ended:
            raise NoVerdictsInARowError(MAX_WITHOUT_VERDICT, reason)


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with a memory.

    Attributes:
        client: The way to it.
        cache: What it said before.
        streak: Counts its replies without a verdict; None asks on, whatever it replies.
    """

    client: ChatClient
    cache: Cache
    streak: Streak | None = None

    @property
    def model(self) -> str:
        """Name of the judge."""
        return self.client.model

    async def judge(self, calls: Sequence[Call]) -> list[JudgeVerdict | Failure]:
        """Return what becomes of each call, in their order. Equal calls are asked once.

        Raises:
            AllowanceSpentError: Nothing more may be asked today; what was answered is kept.
            JudgeRefusedError: The server will not answer whatever is tried.
            NoVerdictsInARowError: Too many replies in a row hold no verdict.
        """
        keys = [call.key(self.model) for call in calls]
        distinct = dict(zip(keys, calls, strict=True))
        results = await gather_all([self._judge_one(key, call) for key, call in distinct.items()])
        found = dict(zip(distinct, results, strict=True))
        return [found[key] for key in keys]

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
            kept = {"candidate": verdict.candidate, "reference": verdict.reference, "quotes": list(verdict.quotes)}
            self.cache.store_verdict(key, kept)
        return verdict


async def ask_until_read(
    judge: Judge,
    build: Callable[[str], Sequence[Message]],
    schema: Mapping[str, Any],
    read: Callable[[str, str], _Read],
) -> _Read | Failure:
    """Ask until a reply can be read, each time under a code of its own.

    Args:
        judge: Who is asked.
        build: Code → messages.
        schema: Form of the reply.
        read: Reply, code → what it says; raises `JudgeVerdictError` where it says nothing.

    Raises:
        AllowanceSpentError: Nothing more may be asked today.
        JudgeRefusedError: The server will not answer whatever is tried.
        NoVerdictsInARowError: Too many replies in a row hold no verdict.
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


async def gather_all(asked: Sequence[Any]) -> list[Any]:
    """Wait for all, so that whatever was answered is kept; then raise the first error there was."""
    results = await asyncio.gather(*asked, return_exceptions=True)
    for kind in (JudgeRefusedError, NoVerdictsInARowError, AllowanceSpentError, BaseException):
        for result in results:
            if isinstance(result, kind):
                raise result
    return results
