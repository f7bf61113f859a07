"""Limits of editions."""

from datetime import UTC, datetime, timedelta

import pytest

from submissions.editions.edition_limits import NO_EDITION_LIMITS, EditionLimits, count_editions, require_edition_left
from submissions.errors import LimitError

NOW = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)
LIMITS = EditionLimits(open_at_once=2, per_day=3)


@pytest.mark.parametrize(
    ("n_open", "hours_ago", "left", "line"),
    [
        (0, [], 2, "0 of 2 open editions, 0 of 3 requested today"),
        (1, [1, 14], 1, "1 of 2 open editions, 2 of 3 requested today"),
        (0, [1, 2, 3], 0, "0 of 2 open editions, 3 of 3 requested today"),
        (5, [16, 30], 0, "5 of 2 open editions, 0 of 3 requested today"),
        (0, [-2], 2, "0 of 2 open editions, 1 of 3 requested today"),
    ],
)
def test_count_states_what_is_left(n_open: int, hours_ago: list[int], left: int, line: str) -> None:
    quota = count_editions(n_open, [NOW - timedelta(hours=hours) for hours in hours_ago], LIMITS, NOW)
    assert (quota.left, quota.describe()) == (left, line)


def test_without_limits_everything_is_left() -> None:
    quota = count_editions(50, [NOW] * 50, NO_EDITION_LIMITS, NOW)
    assert (quota.left, quota.describe()) == (None, "no limit")
    require_edition_left(quota, "T 1.0", [], NOW)


def test_refusal_says_which_limit_and_when_it_ends() -> None:
    quota = count_editions(0, [NOW] * 3, LIMITS, NOW)
    with pytest.raises(LimitError, match=r"Request the next one from 28 November 2026, 00:00 UTC\.") as refused:
        require_edition_left(quota, "T 1.0", [], NOW)
    assert (refused.value.span, refused.value.retry_after) == ("day", 9 * 3600)
    with pytest.raises(LimitError, match=r"the maximum: e-1, e-2\. Submit your files for one of them and close it"):
        require_edition_left(count_editions(2, [], LIMITS, NOW), "T 1.0", ["e-1", "e-2"], NOW)
