"""The judge of open answers as maintainers see it: its budget, what it has cost, and what the queue will cost."""

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
from submissions.jobs.worker_names import SEEN_WITHIN

DAYS_OF_SPEND = 30
# Two orders an answer and repeat, controls for each submission, and probes of answers that scored.
_ORDERS, _CONTROLS = 2, 5
# Of a call, while none was made: a prompt with question, reference and answer, and a verdict with quotes.
_PROMPT_TOKENS, _COMPLETION_TOKENS = 1_000, 150


class JudgeEstimate(NamedTuple):
    """What judging a queue takes, about.

    Attributes:
        spend: Calls and tokens.
        cost: Money; None where no price is set.
        is_measured: Whether the tokens of a call are those of the last days; otherwise they are assumed.
    """

    spend: JudgeSpend
    cost: float | None
    is_measured: bool


@dataclass(frozen=True, slots=True)
class JudgeView:
    """The judge of open answers as maintainers see it.

    Attributes:
        judge: Which one is at work; None where no evaluator has one.
        today: What was asked today, in UTC.
        month: What was asked in the last 30 days, with today.
        n_waiting: Submissions in line for it.
        n_held: Submissions that wait for a maintainer.
        n_open: Open questions of those in line, together; a submission may leave some out.
        n_unsorted: Scored submissions whose wrong answers are not sorted, also while sorting is off.
        stopped: Submissions at which judging stopped; releasing one resumes it.
        stop_reason: What the judge's replies lack; None where nothing is stopped.
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
        """Calls that may still be made today; None where no judge is at work."""
        return None if self.judge is None else max(0, self.judge.max_calls_per_day - self.today.calls)

    @property
    def cost_today(self) -> float | None:
        """Money spent today; None where no price is set."""
        price = self._price
        return None if price is None else price.cost(self.today)

    @property
    def queue_estimate(self) -> JudgeEstimate:
        """What it takes to judge every submission in line."""
        repeats = 1 if self.judge is None else self.judge.repeats
        n_calls = math.ceil(self.n_open * _ORDERS * repeats * GUARD_FACTOR) + _CONTROLS * self.n_waiting
        return self._estimate(n_calls)

    @property
    def sorting_estimate(self) -> JudgeEstimate:
        """What it takes at most to sort the wrong answers of every scored submission, or would take while it is off.

        An answer is read up to `N_READINGS` times until a reply holds a label; retries after server errors come on top.
        """
        return self._estimate(self.n_unsorted * self.sorting_limit * N_READINGS)

    @property
    def sorting_limit(self) -> int:
        """Wrong answers sorted per submission; the usual number while sorting is off."""
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
    """Return which judge is at work, what it has cost, and what waits for it."""
    judge = workers.find_judge(transaction, now - SEEN_WITHIN)
    stopped = judging.list_stopped(transaction)
    first = submissions.find_submission(transaction, stopped[0]) if stopped else None
    return JudgeView(
        judge=judge,
        today=judging.find_spend(transaction, now.date()),
        month=judging.find_spend(transaction, now.date(), DAYS_OF_SPEND),
        n_waiting=submissions.count_in_lane(transaction, "awaiting-judge", "judge"),
        n_held=submissions.count_in_lane(transaction, "awaiting-judge", "held") - len(stopped),
        n_open=judging.count_open_items(transaction),
        n_unsorted=error_sortings.count_unsorted(transaction, tuple(LABELS), error_sortings.SOURCES),
        stopped=tuple(stopped),
        stop_reason=first.reason if first is not None else None,
    )
