"""Submission limits: a user's remaining submissions for a version of a benchmark, and when the next is free. Pure.

A use is a submission that was scored or may still be. Days and months follow the UTC calendar: they end for everyone
at the same moment, which one sentence can name ("free from 00:00 UTC on 1 March"); a sliding window would free each
submission at a different minute. A user may therefore submit twice the daily number around midnight. That is harmless:
the total limit, which ignores the calendar, bounds what can be learned about the answers.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from submissions.errors import LimitError

Span = Literal["day", "month", "all"]

_LEFT_WORDS: dict[Span, str] = {"day": "today", "month": "this month", "all": "in total"}
_LIMIT_NAMES: dict[Span, str] = {"day": "Daily limit", "month": "Monthly limit", "all": "Limit"}


@dataclass(frozen=True, slots=True)
class SubmissionLimits:
    """Maximum numbers of scored submissions per user and benchmark version; 0 means no limit."""

    per_day: int
    per_month: int
    in_all: int


NO_LIMITS = SubmissionLimits(0, 0, 0)


@dataclass(frozen=True, slots=True)
class LimitUsage:
    """A limit and its use.

    Attributes:
        span: Period of the limit.
        limit: Number of submissions in the period.
        used: Number of used submissions.
        renewed_at: When all of them are free again; None if never.
    """

    span: Span
    limit: int
    used: int
    renewed_at: datetime | None

    @property
    def left(self) -> int:
        """Number of free submissions; 0 if the limit was lowered below the number used."""
        return max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class Quota:
    """Every limit of a user, the shortest period first; empty if nothing is limited."""

    allowances: tuple[LimitUsage, ...]

    @property
    def left(self) -> int | None:
        """Number of submissions that would be accepted now; None if unlimited."""
        return min((allowance.left for allowance in self.allowances), default=None)

    @property
    def obstacle(self) -> LimitUsage | None:
        """The reached limit that lasts longest; None if submissions are left."""
        return next((allowance for allowance in reversed(self.allowances) if not allowance.left), None)

    def describe(self) -> str:
        """Return the remaining submissions in one line."""
        if not self.allowances:
            return "no limit"
        texts = [f"{one.left} of {one.limit} {{}}{_LEFT_WORDS[one.span]}" for one in self.allowances]
        return ", ".join(texts).format("left ", *("" for _ in texts[1:]))


UNLIMITED = Quota(())


def count_quota(uses: Iterable[datetime], limits: SubmissionLimits, now: datetime) -> Quota:
    """Return used and remaining submissions.

    Uses in the future, which occur after the clock is set back, count as now.

    Args:
        uses: Time of every counted use, in UTC.
        limits: The limits.
        now: Current time, in UTC.
    """
    made = list(uses)
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    this_month = today.replace(day=1)
    tomorrow = today + timedelta(days=1)
    next_month = (this_month + timedelta(days=31)).replace(day=1)
    spans: tuple[tuple[Span, int, datetime | None, datetime | None], ...] = (
        ("day", limits.per_day, today, tomorrow),
        ("month", limits.per_month, this_month, next_month),
        ("all", limits.in_all, None, None),
    )
    return Quota(
        tuple(
            LimitUsage(span, limit, sum(start is None or at >= start for at in made), end)
            for span, limit, start, end in spans
            if limit
        )
    )


def require_left(quota: Quota, title: str, now: datetime) -> None:
    """Raise an error if no submissions are left.

    Args:
        quota: Used and remaining submissions.
        title: Benchmark with its version, for the message.
        now: Current time.

    Raises:
        LimitError: A limit is reached; the message says which and when the next submission is free.
    """
    obstacle = quota.obstacle
    if obstacle is None:
        return
    renewed_at = obstacle.renewed_at
    when = (
        "No further submission is possible."
        if renewed_at is None
        else f"Submit again from {renewed_at.day} {renewed_at:%B %Y}, 00:00 UTC."
    )
    raise LimitError(
        f"{_LIMIT_NAMES[obstacle.span]} for {title} reached: {obstacle.used} of {obstacle.limit} submissions used. "
        f"{when} Checking a file is always free.",
        span=obstacle.span,
        limit=obstacle.limit,
        used=obstacle.used,
        renewed_at=renewed_at,
        retry_after=None if renewed_at is None else math.ceil((renewed_at - now).total_seconds()),
    )
