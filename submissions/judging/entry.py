"""Judging one entry while its lease is kept: what is asked is bounded, remembered, and given up on demand."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol

from db.records import JudgeRecord
from db.repositories import judging as judging_rows
from db.session import Database
from evaluation.judge import (
    AllowanceSpentError,
    EntryJudged,
    Judge,
    JudgeRefusedError,
    JudgeUnreachableError,
    OpenQuestion,
    count_calls,
    judge_entry,
    name_salt,
    sign_judging,
)
from submissions.judging.errors import JudgeAwayError, JudgingStoppedError, SpentError, UnaskedError
from submissions.judging.memory import DatabaseAllowance, DatabaseCache, utc_now

_LOOK_SECONDS = 0.1
_KEEP_SECONDS = 2.0
# Judging is never quite done before its last verdict; two calls an answer and repeat, and the guard's.
_ALMOST = 0.95
_CALLS_OF_GUARD = 1.15
_READY = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_ARE_YOU_READY = [{"role": "user", "content": 'Answer with the JSON object {"ready": true} and nothing else.'}]


class Usage(Protocol):
    """What asking has cost."""

    @property
    def prompt_tokens(self) -> int:
        """Tokens read."""

    @property
    def completion_tokens(self) -> int:
        """Tokens written."""


class Connection(Protocol):
    """The way to a judge."""

    @property
    def model(self) -> str:
        """Name of the judge."""

    @property
    def usage(self) -> Usage:
        """What asking has cost so far."""

    async def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], /) -> str:
        """Return what it writes."""


Connect = Callable[[DatabaseAllowance], AbstractAsyncContextManager[Connection]]
"""Opens the way to the judge; every call is taken from the allowance first."""


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge, and how it is asked.

    Attributes:
        database: Where verdicts and calls are written down.
        connect: Opens the way to it.
        model: Its name.
        repeats: How often each order of each answer is judged.
        max_calls_per_day: Calls of all evaluators together.
        stop: Set when this evaluator is to end.
        may_ask: Whether it is asked at all; otherwise only what it said before counts.
        clock: What tells the time.
    """

    database: Database
    connect: Connect
    model: str
    repeats: int
    max_calls_per_day: int
    stop: threading.Event = field(default_factory=threading.Event)
    may_ask: bool = True
    clock: Callable[[], datetime] = utc_now

    @property
    def signature(self) -> str:
        """By whom and how is judged."""
        return sign_judging(self.model, self.repeats)

    @property
    def record(self) -> JudgeRecord:
        """What may be known of it."""
        return JudgeRecord(self.model, self.signature, self.max_calls_per_day)

    def judge(
        self,
        questions: Mapping[str, OpenQuestion],
        answers: Mapping[str, str],
        seed: str,
        keep: Callable[[float], None],
    ) -> EntryJudged:
        """Judge the open answers of one entry.

        Args:
            questions: Item id → what its answer is judged by.
            answers: Item id → answer.
            seed: Secret of the answer key.
            keep: Called every other second with the share that is done.

        Raises:
            SpentError, JudgeAwayError, JudgingStoppedError: It cannot go on now; what was judged is kept.
            UnaskedError: It would have to be asked.
        """
        try:
            return asyncio.run(self._judge(questions, answers, name_salt(seed, answers), keep))
        except AllowanceSpentError:
            if not self.may_ask:
                raise self._count_unasked(questions, answers) from None
            raise SpentError(self._find_tomorrow()) from None
        except JudgeRefusedError:
            raise JudgeAwayError(refuses=True) from None

    async def _judge(
        self,
        questions: Mapping[str, OpenQuestion],
        answers: Mapping[str, str],
        salt: str,
        keep: Callable[[float], None],
    ) -> EntryJudged:
        cache = DatabaseCache(self.database, self.clock)
        allowance = DatabaseAllowance(self.database, self.max_calls_per_day if self.may_ask else 0, self.clock)
        n_expected = max(1.0, len(answers) * 2 * self.repeats * _CALLS_OF_GUARD)
        async with self.connect(allowance) as connection:
            meter = _Meter(connection, allowance)
            entry = judge_entry(Judge(connection, cache), questions, answers, repeats=self.repeats, salt=salt)
            judging = asyncio.ensure_future(entry)
            try:
                kept_at = time.monotonic()
                while not judging.done():
                    await asyncio.wait({judging}, timeout=_LOOK_SECONDS)
                    if self.stop.is_set() and not judging.done():
                        raise JudgingStoppedError
                    if time.monotonic() - kept_at > _KEEP_SECONDS:
                        # In a thread: the database may be busy, and verdicts go on coming in.
                        await asyncio.to_thread(keep, min(_ALMOST, cache.n_known / n_expected))
                        await asyncio.to_thread(meter.note)
                        kept_at = time.monotonic()
                judged = judging.result()
                if judged.status == "incomplete":
                    await _require_presence(connection)
                return judged
            finally:
                judging.cancel()
                await asyncio.gather(judging, return_exceptions=True)
                meter.note()

    def _count_unasked(self, questions: Mapping[str, OpenQuestion], answers: Mapping[str, str]) -> UnaskedError:
        with self.database.read() as transaction:
            needed = count_calls(
                questions,
                answers,
                self.model,
                self.repeats,
                lambda keys: judging_rows.count_judgements(transaction, keys),
            )
        return UnaskedError(needed.usual, needed.most)

    def _find_tomorrow(self) -> datetime:
        today = self.clock().replace(hour=0, minute=0, second=0, microsecond=0)
        return today + timedelta(days=1)


class _Meter:
    """Writes tokens down as they are used."""

    def __init__(self, connection: Connection, allowance: DatabaseAllowance) -> None:
        self._usage = connection.usage
        self._allowance = allowance
        self._noted = (self._usage.prompt_tokens, self._usage.completion_tokens)

    def note(self) -> None:
        """Write down what was used since the last time."""
        used = (self._usage.prompt_tokens, self._usage.completion_tokens)
        before, self._noted = self._noted, used
        self._allowance.note_tokens(used[0] - before[0], used[1] - before[1])


async def _require_presence(connection: Connection) -> None:
    """Tell a judge that gives no verdicts from one that is not there: only the first speaks of the answers.

    Raises:
        JudgeAwayError: It does not say anything.
    """
    try:
        await connection.ask(_ARE_YOU_READY, _READY)
    except JudgeUnreachableError:
        raise JudgeAwayError(refuses=False) from None
