"""Retry policy: the delay before the next attempt. Pure: time and randomness are arguments."""

import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from submissions.endpoints.querying.query_records import CallFailure, FailureKind

# Failures that the next call would repeat.
_LASTING: frozenset[FailureKind] = frozenset({"unauthorised", "not-found", "rejected", "address", "redirect"})
_FREE = 2
_SECONDS = re.compile(r"[0-9]{1,20}(\.[0-9]{1,9})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Limits of retries in a run of questions.

    Attributes:
        max_calls: Maximum number of calls per question.
        first_seconds: Longest delay after the first failure; it doubles with every further one.
        longest_seconds: Longest delay after any failure.
        max_retry_after: Longest `Retry-After` that is honoured, in seconds.
        n_failures: Number of consecutive failures that open the circuit: all questions wait.
        first_rest_seconds: Duration of the first open circuit; it doubles every time.
        longest_rest_seconds: Longest duration of an open circuit.
        max_rests: After this many without a response in between, the endpoint is considered dead.
        abandoned_rate: Share of questions, beyond two, that may be given up before the run ends.
    """

    max_calls: int = 6
    first_seconds: float = 1.0
    longest_seconds: float = 30.0
    max_retry_after: float = 120.0
    n_failures: int = 10
    first_rest_seconds: float = 5.0
    longest_rest_seconds: float = 60.0
    max_rests: int = 10
    abandoned_rate: float = 0.01


def find_most_abandoned(n_questions: int, abandoned_rate: float) -> float:
    """Return how many of a number of questions may be given up."""
    return max(_FREE, abandoned_rate * n_questions)


def is_lasting(failure: CallFailure) -> bool:
    """Tell whether repeating the call would fail in the same way."""
    return failure.kind in _LASTING


def find_pause(failure: CallFailure, n_calls: int, retry_policy: RetryPolicy, chance: random.Random) -> float | None:
    """Decide what follows a failed call.

    Args:
        failure: The failure.
        n_calls: Number of calls for this question, including this one.
        retry_policy: The retry policy.
        chance: Spreads the delays, so that calls that failed together do not retry together.

    Returns:
        Seconds until the question is retried, or None if it is given up.
    """
    if is_lasting(failure) or n_calls >= retry_policy.max_calls:
        return None
    jitter = chance.uniform(0.0, min(retry_policy.longest_seconds, retry_policy.first_seconds * 2.0 ** (n_calls - 1)))
    return grant(failure, retry_policy) + jitter


def grant(failure: CallFailure, retry_policy: RetryPolicy) -> float:
    """Return the delay in seconds requested by an endpoint, within limits."""
    return min(failure.retry_after or 0.0, retry_policy.max_retry_after)


def find_rest(n_rests: int, retry_policy: RetryPolicy, chance: random.Random) -> float:
    """Return the duration of the nth open circuit, counted from 1."""
    longest = min(retry_policy.longest_rest_seconds, retry_policy.first_rest_seconds * 2.0 ** (n_rests - 1))
    return longest * chance.uniform(0.5, 1.0)


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a `Retry-After` header, a number or a date; None if it is missing or invalid.

    A date is compared with the server's own date, so that different clocks do no harm.

    >>> read_retry_after({"Retry-After": "7"})
    7.0
    """
    text = headers.get("Retry-After", "").strip()
    if _SECONDS.fullmatch(text):
        seconds = float(text)
        return seconds if math.isfinite(seconds) else None
    until = _read_date(text)
    if until is None:
        return None
    now = _read_date(headers.get("Date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _read_date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text[:64])
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
