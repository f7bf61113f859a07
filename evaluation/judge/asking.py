"""Asking a judge: nothing twice, nothing unread, and an error where no verdict comes."""

import asyncio
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from evaluation.judge.errors import AllowanceSpentError, JudgeRefusedError, JudgeUnreachableError, VerdictError
from evaluation.judge.protocol import SCHEMA, Call, Message, Verdict, build_messages, new_seal
from evaluation.judge.verdicts import parse_verdict

N_READINGS = 3
"""How often a judge is asked again when its reply cannot be used."""

Stored = Mapping[str, Any]
_Read = TypeVar("_Read")


class Cache(Protocol):
    """Keeps verdicts under their digests. An error is never kept."""

    def find(self, key: str) -> Stored | None:
        """Return what is kept, or None."""

    def keep(self, key: str, value: Stored) -> None:
        """Keep a value that JSON can hold."""


@dataclass(frozen=True, slots=True)
class MemoryCache:
    """A cache for one run, and for tests."""

    values: MutableMapping[str, Stored] = field(default_factory=dict)

    def find(self, key: str) -> Stored | None:
        """Return what is kept, or None."""
        return self.values.get(key)

    def keep(self, key: str, value: Stored) -> None:
        """Keep a value."""
        self.values[key] = value


class Client(Protocol):
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


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge with a memory.

    Attributes:
        client: The way to it.
        cache: What it said before.
    """

    client: Client
    cache: Cache

    @property
    def model(self) -> str:
        """Name of the judge."""
        return self.client.model

    async def judge(self, calls: Sequence[Call]) -> list[Verdict | Failure]:
        """Return what becomes of each call, in their order. Equal calls are asked once.

        Raises:
            AllowanceSpentError: Nothing more may be asked today; what was answered is kept.
            JudgeRefusedError: The server will not answer whatever is tried.
        """
        keys = [call.key(self.model) for call in calls]
        distinct = dict(zip(keys, calls, strict=True))
        results = await gather_all([self._judge_one(key, call) for key, call in distinct.items()])
        found = dict(zip(distinct, results, strict=True))
        return [found[key] for key in keys]

    async def _judge_one(self, key: str, call: Call) -> Verdict | Failure:
        stored = self.cache.find(key)
        if stored is not None:
            return Verdict(stored["candidate"], stored["reference"], tuple(stored["quotes"]))
        verdict = await ask_until_read(
            self.client,
            lambda seal: build_messages(call, seal),
            SCHEMA,
            lambda reply, seal: parse_verdict(reply, call, seal),
        )
        if isinstance(verdict, Verdict):
            kept = {"candidate": verdict.candidate, "reference": verdict.reference, "quotes": list(verdict.quotes)}
            self.cache.keep(key, kept)
        return verdict


async def ask_until_read(
    client: Client,
    build: Callable[[str], Sequence[Message]],
    schema: Mapping[str, Any],
    read: Callable[[str, str], _Read],
) -> _Read | Failure:
    """Ask until a reply can be read, each time under a code of its own.

    Args:
        client: The way to the judge.
        build: Code → messages.
        schema: Form of the reply.
        read: Reply, code → what it says; raises `VerdictError` where it says nothing.

    Raises:
        AllowanceSpentError: Nothing more may be asked today.
        JudgeRefusedError: The server will not answer whatever is tried.
    """
    reason = ""
    for _ in range(N_READINGS):
        seal = new_seal()
        try:
            return read(await client.ask(build(seal), schema), seal)
        except VerdictError as error:
            reason = str(error)
        except JudgeUnreachableError as error:
            return Failure(str(error))
    return Failure(reason)


async def gather_all(asked: Sequence[Any]) -> list[Any]:
    """Wait for all, so that whatever was answered is kept; then raise the first error there was."""
    results = await asyncio.gather(*asked, return_exceptions=True)
    for kind in (JudgeRefusedError, AllowanceSpentError, BaseException):
        for result in results:
            if isinstance(result, kind):
                raise result
    return results
