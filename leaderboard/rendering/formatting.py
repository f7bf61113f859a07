"""Numbers and times as texts: percentages, ranks, confidence intervals, points, ages."""

from datetime import UTC, datetime

NONE = "–"
_SECONDS_OF = (("day", 86_400), ("hour", 3_600), ("minute", 60))


def write_percent(fraction: float | None) -> str:
    """Return a fraction as a percentage with one decimal, or a dash."""
    return NONE if fraction is None else f"{100 * fraction:.1f}"


def write_rank(rank: int | None, low: int | None, high: int | None) -> str | None:
    """Return a rank, as its range where one is known: `4`, `3–6`; None where there is none.

    >>> write_rank(4, 3, 6), write_rank(1, 1, 1), write_rank(2, None, None)
    ('3–6', '1', '2')
    """
    if rank is None or low is None or high is None:
        return None if rank is None else str(rank)
    return str(low) if low == high else f"{low}–{high}"


def write_interval(low: float | None, high: float | None) -> str:
    """Return a confidence interval in percent, such as `45.1–52.0`; empty where there is none."""
    return "" if low is None or high is None else f"{write_percent(low)}–{write_percent(high)}"


def write_points(fraction: float | None, decimals: int = 1) -> str:
    """Return a difference in points with its sign; 0 has none."""
    if fraction is None:
        return NONE
    words = f"{100 * fraction:+.{decimals}f}"
    return words[1:] if float(words) == 0 else words.replace("-", "−")


def write_count(count: int, noun: str) -> str:
    """Return a number of things.

    >>> write_count(1, "row"), write_count(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def write_age(at: datetime, now: datetime) -> str:
    """Return how long ago something was: `3 days ago`."""
    seconds = (now - add_zone(at)).total_seconds()
    for unit, length in _SECONDS_OF:
        if seconds >= length:
            return f"{write_count(int(seconds // length), unit)} ago"
    return "just now"


def add_zone(at: datetime) -> datetime:
    """Return a time with its zone; one without is in UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)
