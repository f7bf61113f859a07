"""Verdict cache shared by evaluators, and the daily call budget."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from db.judge_records import JudgeBudget
from db.repositories import judging
from db.session import Database
from evaluation.judge import Streak
from submissions.jobs.leased_jobs import utc_now


class DatabaseCache:
    """See `evaluation.judge.Cache`. Each verdict is committed immediately, so that a killed evaluator repeats none."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utc_now) -> None:
        self._database = database
        self._clock = clock
        self.n_known = 0

    def find_verdict(self, key: str) -> Mapping[str, Any] | None:
        """Return the cached verdict, or None."""
        with self._database.read() as transaction:
            found = judging.find_judgement(transaction, key)
        self.n_known += found is not None
        return found

    def store_verdict(self, key: str, value: Mapping[str, Any]) -> None:
        """Store a verdict."""
        with self._database.write() as transaction:
            judging.keep_judgement(transaction, key, value, self._clock())
        self.n_known += 1


class DatabaseAllowance:
    """Remaining calls of all evaluators today, in UTC."""

    def __init__(
        self,
        database: Database,
        budget: JudgeBudget,
        clock: Callable[[], datetime] = utc_now,
        streak: Streak | None = None,
    ) -> None:
        self._database = database
        self._budget = budget
        self._clock = clock
        self._streak = streak or Streak()
        # Tokens of received replies count before the next call.
        self.note_used: Callable[[], object] = lambda: None

    def spend_call(self) -> bool:
        """Deduct one call, or return False if none is left. It counts before it is made, so that no crash hides one."""
        if self._streak.has_ended:
            return False
        if self._budget.has_cost:
            self.note_used()
        with self._database.write() as transaction:
            return judging.take_call(transaction, self._clock().date(), self._budget)

    def note_tokens(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Count prompt and response tokens."""
        if prompt_tokens or completion_tokens:
            with self._database.write() as transaction:
                judging.add_tokens(transaction, self._clock().date(), prompt_tokens, completion_tokens)
