"""Judging one entry while its lease is kept: what is asked is bounded, remembered, and given up on demand."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

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
from evaluation.judge.mistakes import SAMPLE_SIZE, Sorted, WrongAnswer, sort_mistakes
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


_Result = TypeVar("_Result", bound=EntryJudged | Sorted)
Work = Callable[[Judge], Coroutine[Any, Any, _Result]]
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
        salt = name_salt(seed, answers)
        n_expected = max(1.0, len(answers) * 2 * self.repeats * _CALLS_OF_GUARD)

        async def judge_all(judge: Judge) -> EntryJudged:
            return await judge_entry(judge, questions, answers, repeats=self.repeats, salt=salt)

        try:
            return self._run(judge_all, n_expected, keep)
        except AllowanceSpentError:
            if not self.may_ask:
                raise self._count_unasked(questions, answers) from None
            raise SpentError(self._find_tomorrow()) from None

    def sort(self, benchmark: str, wrong: Sequence[WrongAnswer], seed: str, keep: Callable[[float], None]) -> Sorted:
        """Sort a sample of wrong answers by what went wrong.

        Args:
            benchmark: Whose labels are used.
            wrong: All wrong answers.
            seed: Secret of the answer key.
            keep: Called every other second with the share that is done.

        Raises:
            SpentError, JudgeAwayError, JudgingStoppedError: It cannot go on now; what was sorted is kept.
        """

        async def sort_all(judge: Judge) -> Sorted:
            return await sort_mistakes(judge, benchmark, wrong, seed=seed)

        try:
            return self._run(sort_all, max(1.0, min(len(wrong), SAMPLE_SIZE)), keep)
        except AllowanceSpentError:
            raise SpentError(self._find_tomorrow()) from None

    def _run(self, work: Work[_Result], n_expected: float, keep: Callable[[float], None]) -> _Result:
        try:
            return asyncio.run(self._ask(work, n_expected, keep))
        except JudgeRefusedError:
            raise JudgeAwayError(refuses=True) from None

    async def _ask(self, work: Work[_Result], n_expected: float, keep: Callable[[float], None]) -> _Result:
        cache = DatabaseCache(self.database, self.clock)
        allowance = DatabaseAllowance(self.database, self.max_calls_per_day if self.may_ask else 0, self.clock)
        async with self.connect(allowance) as connection:
            meter = _Meter(connection, allowance)

            def note() -> None:
                keep(min(_ALMOST, cache.n_known / n_expected))
                meter.note()

            try:
                return await self._keep_while(_check_presence(connection, work(Judge(connection, cache))), note)
            finally:
                meter.note()

    async def _keep_while(self, working: Coroutine[Any, Any, _Result], note: Callable[[], object]) -> _Result:
        """Return what a work comes to, noting every other second that it goes on; it is given up on demand."""
        judging = asyncio.ensure_future(working)
        noted_at = time.monotonic()
        try:
            while not judging.done():
                await asyncio.wait({judging}, timeout=_LOOK_SECONDS)
                if self.stop.is_set() and not judging.done():
                    raise JudgingStoppedError
                if time.monotonic() - noted_at > _KEEP_SECONDS:
                    # In a thread: the database may be busy, and verdicts go on coming in.
                    await asyncio.to_thread(note)
                    noted_at = time.monotonic()
            return judging.result()
        finally:
            judging.cancel()
            await asyncio.gather(judging, return_exceptions=True)

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


async def _check_presence(connection: Connection, working: Awaitable[_Result]) -> _Result:
    """Tell a judge that gives no verdicts from one that is not there: only the first speaks of the answers.

    Raises:
        JudgeAwayError: It does not say anything.
    """
    found = await working
    if _is_lacking(found):
        try:
            await connection.ask(_ARE_YOU_READY, _READY)
        except JudgeUnreachableError:
            raise JudgeAwayError(refuses=False) from None
    return found


def _is_lacking(found: EntryJudged | Sorted) -> bool:
    if isinstance(found, EntryJudged):
        return found.status == "incomplete"
    return bool(found.errors) and not found.labels
