"""Judge usage for maintainers: budget, cost so far, and estimated cost of the queue."""

import math
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from db.judge_records import JudgePrice, JudgeSpend
from db.records import JudgeRecord
from db.repositories import error_sortings, judging, submissions, workers
from db.session import Transaction
from evaluation.judge.asking import N_READINGS
from evaluation.judge.cost import GUARD_FACTOR
from evaluation.judge.mistakes import LABELS, SAMPLE_SIZE

DAYS_OF_SPEND = 30
# Two orders per answer and repeat, controls per submission, and probes of answers that scored.
_ORDERS, _CONTROLS = 2, 5
# Assumed tokens of a call before any was made: a prompt with question, reference and answer, and a verdict with quotes.
_PROMPT_TOKENS, _COMPLETION_TOKENS = 1_000, 150


class JudgeEstimate(NamedTuple):
    """Estimated usage for judging a queue.

    Attributes:
        spend: Calls and tokens.
        cost: Cost; None if no price is set.
        is_measured: Whether the tokens per call are measured over the last days; otherwise they are assumed.
    """

    spend: JudgeSpend
    cost: float | None
    is_measured: bool


@dataclass(frozen=True, slots=True)
class JudgeView:
    """Usage of the judge of open answers.

    Attributes:
        judge: Current judge; None if no evaluator has one.
        today: Usage today, in UTC.
        month: Usage in the last 30 days, including today.
        n_waiting: Number of queued submissions.
        n_held: Number of submissions that wait for a maintainer.
        n_open: Total number of open questions of queued submissions; a submission may omit some.
        n_unsorted: Scored submissions whose wrong answers are not classified, even while classification is off.
        stopped: Submissions at which judging stopped; releasing one resumes it.
        stop_reason: What the judge's replies lack; None if nothing is stopped.
    """

    judge: JudgeRecord | None
    today: JudgeSpend
    month: JudgeSpend
    n_waiting: int
    n_held: int
    n_open: int = 0
    n_unsorted: int = 0
    stopped: tuple[str, ...] = ()
    stop_reason: str | None = None

    @property
    def calls_left(self) -> int | None:
        """Remaining calls today; None without a judge."""
        return None if self.judge is None else max(0, self.judge.max_calls_per_day - self.today.calls)

    @property
    def cost_today(self) -> float | None:
        """Cost today; None if no price is set."""
        price = self._price
        return None if price is None else price.cost(self.today)

    @property
    def queue_estimate(self) -> JudgeEstimate:
        """Estimated usage for judging all queued submissions."""
        repeats = 1 if self.judge is None else self.judge.repeats
        n_calls = math.ceil(self.n_open * _ORDERS * repeats * GUARD_FACTOR) + _CONTROLS * self.n_waiting
        return self._estimate(n_calls)

    @property
    def sorting_estimate(self) -> JudgeEstimate:
        """Maximum usage for classifying the wrong answers of every scored submission, even while that is off.

        An answer is read up to `N_READINGS` times until a reply has a label; retries after server errors are extra.
        """
        return self._estimate(self.n_unsorted * self.sorting_limit * N_READINGS)

    @property
    def sorting_limit(self) -> int:
        """Wrong answers classified per submission; the default number while that is off."""
        return SAMPLE_SIZE if self.judge is None else self.judge.sort_errors or SAMPLE_SIZE

    @property
    def _price(self) -> JudgePrice | None:
        judge = self.judge
        if judge is None or judge.price_input is None or judge.price_output is None:
            return None
        return JudgePrice(judge.price_input, judge.price_output)

    def _estimate(self, n_calls: int) -> JudgeEstimate:
        month, price = self.month, self._price
        is_measured = month.calls > 0 and month.prompt_tokens > 0
        each: tuple[float, float] = (_PROMPT_TOKENS, _COMPLETION_TOKENS)
        if is_measured:
            each = (month.prompt_tokens / month.calls, month.completion_tokens / month.calls)
        spend = JudgeSpend(n_calls, round(n_calls * each[0]), round(n_calls * each[1]))
        return JudgeEstimate(spend, None if price is None else price.cost(spend), is_measured)


def read_judge_view(transaction: Transaction, now: datetime) -> JudgeView:
    """Return the judge's usage, and what waits for it."""
    judge = workers.find_judge(transaction, now)
    stopped = judging.list_stopped(transaction)
    first = submissions.find_submission(transaction, stopped[0]) if stopped else None
    return JudgeView(
        judge=judge,
        today=judging.find_spend(transaction, now.date()),
        month=judging.find_spend(transaction, now.date(), DAYS_OF_SPEND),
        n_waiting=submissions.count_in_lane(transaction, "awaiting-judge", "judge"),
        n_held=submissions.count_in_lane(transaction, "awaiting-judge", "held") - len(stopped),
        n_open=judging.count_open_items(transaction),
        n_unsorted=error_sortings.count_unsorted(transaction, tuple(LABELS)),
        stopped=tuple(stopped),
        stop_reason=first.reason if first is not None else None,
    )
