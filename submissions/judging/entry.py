"""Judging of one submission under its lease: bounded, cached, and abandoned on demand."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from db.judge_records import JudgeBudget
from db.records import JudgeRecord
from db.repositories import judging as judging_rows
from db.session import Database
from evaluation.judge import (
    AllowanceSpentError,
    EntryJudged,
    Judge,
    JudgeRefusedError,
    JudgeUnreachableError,
    NoVerdictsInARowError,
    OpenQuestion,
    Streak,
    count_calls,
    judge_entry,
    name_salt,
    sign_judging,
)
from evaluation.judge.cost import GUARD_FACTOR
from evaluation.judge.mistakes import Sorted, WrongAnswer, sort_mistakes
from submissions.jobs.leased_jobs import utc_now
from submissions.judging.errors import (
    JudgeAwayError,
    JudgingStoppedError,
    SpentError,
    StoppedJudgeError,
    UnaskedError,
    UnreadableJudgeError,
)
from submissions.judging.memory import DatabaseAllowance, DatabaseCache

_LOOK_SECONDS = 0.1
_KEEP_SECONDS = 2.0
# Judging is never quite complete before its last verdict.
_ALMOST = 0.95
_READY = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_ARE_YOU_READY = [{"role": "user", "content": 'Answer with the JSON object {"ready": true} and nothing else.'}]


class TokenUsage(Protocol):
    """Token usage of a connection."""

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens."""

    @property
    def completion_tokens(self) -> int:
        """Response tokens."""


class Connection(Protocol):
    """A connection to a judge."""

    @property
    def model(self) -> str:
        """Name of the judge."""

    @property
    def usage(self) -> TokenUsage:
        """Usage so far."""

    async def ask(self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], /) -> str:
        """Return the judge's response."""


_Result = TypeVar("_Result", bound=EntryJudged | Sorted)
Work = Callable[[Judge], Coroutine[Any, Any, _Result]]
Connect = Callable[[DatabaseAllowance], AbstractAsyncContextManager[Connection]]
"""Connects to the judge; every call is first deducted from the budget."""


@dataclass(frozen=True, slots=True)
class Judging:
    """A judge and its configuration.

    Attributes:
        database: Stores verdicts and calls.
        connect: Connects to the judge.
        model: Name of the judge.
        repeats: How often each order of each answer is judged.
        budget: Maximum number of calls of all evaluators per day.
        sort_errors: Maximum number of wrong answers to classify per submission; 0 disables it.
        stop: Set when this evaluator has to end.
        may_ask: Whether calls are allowed; otherwise only cached verdicts count.
        clock: Returns the time.
        streak: Counts consecutive replies without a verdict, across submissions; never shared by two threads.
    """

    database: Database
    connect: Connect
    model: str
    repeats: int
    budget: JudgeBudget
    sort_errors: int = 0
    stop: threading.Event = field(default_factory=threading.Event)
    may_ask: bool = True
    clock: Callable[[], datetime] = utc_now
    streak: Streak = field(default_factory=Streak)

    def with_own_streak(self, *, may_ask: bool = True) -> "Judging":
        """Return the same judge for other work, with a streak of its own."""
        return replace(self, may_ask=self.may_ask and may_ask, streak=Streak())

    @property
    def signature(self) -> str:
        """Judge and method, for the signature."""
        return sign_judging(self.model, self.repeats)

    @property
    def record(self) -> JudgeRecord:
        """Public description of the judge."""
        budget, price = self.budget, self.budget.price
        return JudgeRecord(
            self.model,
            self.signature,
            budget.max_calls,
            repeats=self.repeats,
            sort_errors=self.sort_errors,
            max_cost_per_day=budget.max_cost,
            price_input=None if price is None else price.prompt,
            price_output=None if price is None else price.completion,
        )

    def judge(
        self,
        questions: Mapping[str, OpenQuestion],
        answers: Mapping[str, str],
        seed: str,
        keep: Callable[[float], None],
    ) -> EntryJudged:
        """Judge the open answers of a submission.

        Args:
            questions: Item id → question and references.
            answers: Item id → answer.
            seed: Secret of the answer key.
            keep: Called regularly with the completed share.

        Raises:
            JudgingError: It cannot continue now; verdicts so far are cached.
            UnaskedError: A call would be necessary.
        """
        salt = name_salt(seed, answers)
        n_expected = max(1.0, len(answers) * 2 * self.repeats * GUARD_FACTOR)

        async def judge_all(judge: Judge) -> EntryJudged:
            return await judge_entry(judge, questions, answers, repeats=self.repeats, salt=salt)

        try:
            return self._run(judge_all, n_expected, keep)
        except AllowanceSpentError:
            if not self.may_ask:
                raise self._count_unasked(questions, answers) from None
            raise SpentError(self._find_tomorrow()) from None

    def sort(self, benchmark: str, wrong: Sequence[WrongAnswer], seed: str, keep: Callable[[float], None]) -> Sorted:
        """Classify a sample of wrong answers by error type.

        Args:
            benchmark: Benchmark that defines the labels.
            wrong: All wrong answers.
            seed: Secret of the answer key.
            keep: Called regularly with the completed share.

        Raises:
            JudgingError: It cannot continue now; labels so far are cached.
        """

        async def sort_all(judge: Judge) -> Sorted:
            return await sort_mistakes(judge, benchmark, wrong, seed=seed, size=self.sort_errors)

        try:
            return self._run(sort_all, max(1.0, min(len(wrong), self.sort_errors)), keep)
        except AllowanceSpentError:
            raise SpentError(self._find_tomorrow()) from None

    def _run(self, work: Work[_Result], n_expected: float, keep: Callable[[float], None]) -> _Result:
        if self.may_ask:
            self._refuse_while_stopped()
        try:
            return asyncio.run(self._ask(work, n_expected, keep))
        except JudgeRefusedError:
            raise JudgeAwayError(refuses=True) from None

    def _refuse_while_stopped(self) -> None:
        with self.database.read() as transaction:
            if judging_rows.list_stopped(transaction):
                raise StoppedJudgeError

    async def _ask(self, work: Work[_Result], n_expected: float, keep: Callable[[float], None]) -> _Result:
        cache = DatabaseCache(self.database, self.clock)
        budget = self.budget if self.may_ask else replace(self.budget, max_calls=0)
        self.streak.restart()
        allowance = DatabaseAllowance(self.database, budget, self.clock, self.streak)
        async with self.connect(allowance) as connection:
            meter = _Meter(connection, allowance)
            allowance.note_used = meter.note

            def note() -> None:
                keep(min(_ALMOST, cache.n_known / n_expected))
                meter.note()

            try:
                return await self._keep_while(
                    _check_presence(connection, work(Judge(connection, cache, self.streak))), note
                )
            except NoVerdictsInARowError as error:
                has_verdicts = cache.n_known > 0 and self.streak.n_ends == 1
                raise UnreadableJudgeError(str(error), has_verdicts=has_verdicts) from None
            finally:
                meter.note()
                # Retries repeat the same few answers: they say nothing about a judge that gave others a verdict.
                # Without calls, cached verdicts say nothing about the judge either.
                if self.may_ask and cache.n_known > 0 and not self.streak.has_ended:
                    self.streak.note_verdict()

    async def _keep_while(self, working: Coroutine[Any, Any, _Result], note: Callable[[], object]) -> _Result:
        """Return the result of some work, reporting progress regularly; it is abandoned on demand."""
        judging = asyncio.ensure_future(working)
        noted_at = time.monotonic()
        try:
            while not judging.done():
                await asyncio.wait({judging}, timeout=_LOOK_SECONDS)
                if self.stop.is_set() and not judging.done():
                    raise JudgingStoppedError
                if time.monotonic() - noted_at > _KEEP_SECONDS:
                    # In a thread: the database may be busy while verdicts keep arriving.
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
    """Records tokens as they are used."""

    def __init__(self, connection: Connection, allowance: DatabaseAllowance) -> None:
        self._usage = connection.usage
        self._allowance = allowance
        self._noted = (self._usage.prompt_tokens, self._usage.completion_tokens)
        self._lock = threading.Lock()

    def note(self) -> None:
        """Record the usage since the last call."""
        with self._lock:
            used = (self._usage.prompt_tokens, self._usage.completion_tokens)
            before, self._noted = self._noted, used
        self._allowance.note_tokens(used[0] - before[0], used[1] - before[1])


async def _check_presence(connection: Connection, working: Awaitable[_Result]) -> _Result:
    """Distinguish a judge that gives no verdicts from an unavailable one, which says nothing about answers.

    Raises:
        JudgeAwayError: The judge does not respond.
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
    return found.is_lacking
