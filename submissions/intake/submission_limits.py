"""Submission limits: what a user has left for a version of a benchmark, and when the next is free. Pure.

A use is a submission that was scored or still may be. Days and months are those of the UTC calendar: they end for
everybody at the same moment, which one sentence can name ("free from 00:00 UTC on 1 March"); a window that moves along
would free each submission at a minute of its own. Somebody may so send twice the day's number around midnight. That is
harmless: what bounds the guessing of answers is the number in all, and it knows no calendar.
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
    """How many submissions of a person and benchmark version may be scored; 0 is no limit."""

    per_day: int
    per_month: int
    in_all: int


NO_LIMITS = SubmissionLimits(0, 0, 0)


@dataclass(frozen=True, slots=True)
class LimitUsage:
    """One limit and what is used of it.

    Attributes:
        span: What it is counted over.
        limit: How many there are.
        used: How many of them are used.
        renewed_at: When all of them are free again; None is never.
    """

    span: Span
    limit: int
    used: int
    renewed_at: datetime | None

    @property
    def left(self) -> int:
        """How many are free; none where a limit was lowered below what was used before."""
        return max(0, self.limit - self.used)


@dataclass(frozen=True, slots=True)
class Quota:
    """Every limit that holds for somebody, the shortest span first; empty where nothing is limited."""

    allowances: tuple[LimitUsage, ...]

    @property
    def left(self) -> int | None:
        """How many submissions would be taken now; None is any number."""
        return min((allowance.left for allowance in self.allowances), default=None)

    @property
    def obstacle(self) -> LimitUsage | None:
        """The limit that is used up, the one that stays so longest; None where something is left."""
        return next((allowance for allowance in reversed(self.allowances) if not allowance.left), None)

    def describe(self) -> str:
        """Return what is left in one line."""
        if not self.allowances:
            return "no limit"
        texts = [f"{one.left} of {one.limit} {{}}{_LEFT_WORDS[one.span]}" for one in self.allowances]
        return ", ".join(texts).format("left ", *("" for _ in texts[1:]))


UNLIMITED = Quota(())


def count_quota(uses: Iterable[datetime], limits: SubmissionLimits, now: datetime) -> Quota:
    """Return what is used and left.

    A use after `now`, which a clock that was set back leaves behind, counts as one of now.

    Args:
        uses: When each use that stands was made, in UTC.
        limits: What is allowed.
        now: The time, in UTC.
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
    """Refuse a submission for which nothing is left.

    Args:
        quota: What is used and left.
        title: The benchmark with its version, for the sentence.
        now: The time.

    Raises:
        LimitError: A limit is used up; it says which and when the next submission is free.
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
