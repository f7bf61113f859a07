"""Limits of editions: how many a user may have open, and request in a day. Pure.

An edition that is not closed keeps its questions reserved, and rendering a pack costs an evaluator seconds. Scores are
limited elsewhere: nothing that an owner sees of one edition says anything about the next one.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from submissions.errors import LimitError

MAX_SUBMISSIONS = 20
"""Models whose files an edition accepts."""
MAX_FILES = 100
"""Files that an edition accepts, including withdrawn ones: each is stored for good, and costs no submission."""
OPEN_FOR = timedelta(days=30)
"""Time after which an open edition closes by itself."""


@dataclass(frozen=True, slots=True)
class EditionLimits:
    """Maximum numbers per user and benchmark version; 0 means no limit."""

    open_at_once: int
    per_day: int


NO_EDITION_LIMITS = EditionLimits(0, 0)


@dataclass(frozen=True, slots=True)
class EditionQuota:
    """What a user may still request.

    Attributes:
        limits: The limits.
        n_open: Editions that are not closed yet.
        n_today: Editions requested today (UTC).
        renewed_at: When the daily limit starts again.
    """

    limits: EditionLimits
    n_open: int
    n_today: int
    renewed_at: datetime

    @property
    def left(self) -> int | None:
        """Number of editions that may be requested now; None if unlimited."""
        pairs = ((self.limits.open_at_once, self.n_open), (self.limits.per_day, self.n_today))
        return min((max(0, limit - used) for limit, used in pairs if limit), default=None)

    def describe(self) -> str:
        """Return the limits and their use in one line."""
        texts = []
        if self.limits.open_at_once:
            texts.append(f"{self.n_open} of {self.limits.open_at_once} open editions")
        if self.limits.per_day:
            texts.append(f"{self.n_today} of {self.limits.per_day} requested today")
        return ", ".join(texts) or "no limit"


def count_editions(n_open: int, requested: Collection[datetime], limits: EditionLimits, now: datetime) -> EditionQuota:
    """Return what a user may still request.

    Args:
        n_open: Editions of the version that are not closed.
        requested: When the user requested editions of the version, in UTC.
        limits: The limits.
        now: Current time, in UTC. Requests in the future, after the clock was set back, count as today's.
    """
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return EditionQuota(limits, n_open, sum(at >= today for at in requested), today + timedelta(days=1))


def require_edition_left(quota: EditionQuota, title: str, open_ids: Collection[str], now: datetime) -> None:
    """Raise an error if a user may request no further edition.

    Raises:
        LimitError: A limit is reached; the message says which, and what to do.
    """
    limits = quota.limits
    if limits.open_at_once and quota.n_open >= limits.open_at_once:
        raise LimitError(
            f"You have {quota.n_open} open editions of {title}, the maximum: {', '.join(open_ids)}. Submit your files "
            "for one of them and close it, then request another.",
            span="open",
            limit=limits.open_at_once,
            used=quota.n_open,
            renewed_at=None,
            retry_after=None,
        )
    if limits.per_day and quota.n_today >= limits.per_day:
        raise LimitError(
            f"You have requested {quota.n_today} editions of {title} today, the maximum. Request the next one from "
            f"{quota.renewed_at.day} {quota.renewed_at:%B %Y}, 00:00 UTC.",
            span="day",
            limit=limits.per_day,
            used=quota.n_today,
            renewed_at=quota.renewed_at,
            retry_after=math.ceil((quota.renewed_at - now).total_seconds()),
        )
