"""Remaining submissions under each limit, computed by hand, and the protection against guessing."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from settings import Settings
from submissions.errors import LimitError
from submissions.intake.submission_limits import (
    NO_LIMITS,
    UNLIMITED,
    Quota,
    SubmissionLimits,
    count_quota,
    require_left,
)

DEFAULT = SubmissionLimits(2, 10, 60)


def parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


NOW = parse_time("2026-03-15 12:00")
TOMORROW, NEXT_MONTH = parse_time("2026-03-16"), parse_time("2026-04-01")


def test_quota_counts_utc_days_and_months(subtests: pytest.Subtests) -> None:
    rows: list[tuple[list[str], tuple[int, ...], str]] = [
        ([], (0, 0, 0), "2 of 2 left today, 10 of 10 this month, 60 of 60 in total"),
        (["2026-03-15 12:00"], (1, 1, 1), "1 of 2 left today, 9 of 10 this month, 59 of 60 in total"),
        (["2026-03-15 00:00"], (1, 1, 1), "1 of 2 left today, 9 of 10 this month, 59 of 60 in total"),
        (["2026-03-14 23:59:59.999999"], (0, 1, 1), "2 of 2 left today, 9 of 10 this month, 59 of 60 in total"),
        (["2026-03-01 00:00"], (0, 1, 1), "2 of 2 left today, 9 of 10 this month, 59 of 60 in total"),
        (["2026-02-28 23:59:59.999999"], (0, 0, 1), "2 of 2 left today, 10 of 10 this month, 59 of 60 in total"),
        (["2025-03-15 12:00"], (0, 0, 1), "2 of 2 left today, 10 of 10 this month, 59 of 60 in total"),
        (["2026-03-15 01:00"] * 2, (2, 2, 2), "0 of 2 left today, 8 of 10 this month, 58 of 60 in total"),
        (["2026-03-15 01:00"] * 3, (3, 3, 3), "0 of 2 left today, 7 of 10 this month, 57 of 60 in total"),
        (["2026-03-02"] * 10, (0, 10, 10), "2 of 2 left today, 0 of 10 this month, 50 of 60 in total"),
        (["2026-01-02"] * 60, (0, 0, 60), "2 of 2 left today, 10 of 10 this month, 0 of 60 in total"),
        # Setting the clock back must not grant submissions.
        (["2026-03-16 08:00", "2026-05-01"], (2, 2, 2), "0 of 2 left today, 8 of 10 this month, 58 of 60 in total"),
    ]
    for uses, used, text in rows:
        with subtests.test(uses=uses, used=used, text=text):
            quota = count_quota([parse_time(use) for use in uses], DEFAULT, NOW)
            assert tuple(allowance.used for allowance in quota.allowances) == used
            assert tuple(allowance.renewed_at for allowance in quota.allowances) == (TOMORROW, NEXT_MONTH, None)
            assert quota.describe() == text
            assert quota.left == min(allowance.left for allowance in quota.allowances)


@pytest.mark.parametrize(
    ("now", "tomorrow", "next_month"),
    [
        ("2026-12-31 23:59:59", "2027-01-01", "2027-01-01"),
        ("2026-01-31 00:00", "2026-02-01", "2026-02-01"),
        ("2028-02-28 10:00", "2028-02-29", "2028-03-01"),
        ("2026-02-01 00:00", "2026-02-02", "2026-03-01"),
    ],
)
def test_quota_is_renewed_on_the_next_day_and_month(now: str, tomorrow: str, next_month: str) -> None:
    day, month, _ = count_quota([], DEFAULT, parse_time(now)).allowances
    assert (day.renewed_at, month.renewed_at) == (parse_time(tomorrow), parse_time(next_month))


@pytest.mark.parametrize(
    ("limits", "text", "left"),
    [
        (NO_LIMITS, "no limit", None),
        (SubmissionLimits(0, 10, 0), "9 of 10 left this month", 9),
        (SubmissionLimits(0, 0, 5), "4 of 5 left in total", 4),
        (SubmissionLimits(1, 0, 5), "0 of 1 left today, 4 of 5 in total", 0),
    ],
)
def test_limit_of_zero_means_no_limit(limits: SubmissionLimits, text: str, left: int | None) -> None:
    quota = count_quota([NOW], limits, NOW)
    assert (quota.describe(), quota.left) == (text, left)


def expect_refusal(uses: list[datetime], limits: SubmissionLimits = DEFAULT) -> LimitError:
    with pytest.raises(LimitError) as caught:
        require_left(count_quota(uses, limits, NOW), "MDAR demo", NOW)
    return caught.value


def test_refusal_states_the_limit_its_use_and_the_renewal_time() -> None:
    error = expect_refusal([NOW, NOW])
    assert str(error) == (
        "Daily limit for MDAR demo reached: 2 of 2 submissions used. "
        "Submit again from 16 March 2026, 00:00 UTC. Checking a file is always free."
    )
    assert (error.span, error.limit, error.used, error.renewed_at) == ("day", 2, 2, TOMORROW)
    assert error.retry_after == 12 * 3600


def test_refusal_names_the_limit_that_is_renewed_last() -> None:
    assert expect_refusal([NOW] * 10).renewed_at == NEXT_MONTH
    error = expect_refusal([NOW] * 60)
    assert (error.span, error.renewed_at, error.retry_after) == ("all", None, None)
    assert str(error).endswith("No further submission is possible. Checking a file is always free.")


def test_refusal_after_a_lowered_limit_states_the_number_used() -> None:
    assert str(expect_refusal([NOW] * 3, SubmissionLimits(1, 0, 0))).startswith(
        "Daily limit for MDAR demo reached: 3 of 1 submissions used."
    )


@pytest.mark.parametrize("quota", [UNLIMITED, Quota(()), count_quota([NOW], DEFAULT, NOW)])
def test_submission_within_the_quota_is_not_refused(quota: Quota) -> None:
    require_left(quota, "x", NOW)


@given(
    hours=st.lists(st.integers(-3000, 0), max_size=80),
    limits=st.builds(SubmissionLimits, st.integers(0, 3), st.integers(0, 12), st.integers(0, 70)),
)
def test_next_submission_is_possible_at_the_stated_time(hours: list[int], limits: SubmissionLimits) -> None:
    uses = [NOW + timedelta(hours=hour) for hour in hours]
    obstacle = count_quota(uses, limits, NOW).obstacle
    if obstacle is None:
        require_left(count_quota(uses, limits, NOW), "x", NOW)
        return
    if obstacle.renewed_at is None:
        assert count_quota(uses, limits, NOW + timedelta(days=9999)).left == 0
        return
    assert count_quota(uses, limits, obstacle.renewed_at - timedelta(microseconds=1)).left == 0
    assert count_quota(uses, limits, obstacle.renewed_at).left != 0


def gain_of_majority_vote(n_submissions: int, n_items: int, n_attacks: int) -> float:
    """Return the gain over guessing of a vote of random files, each inverted if it scores below half."""
    rng = np.random.default_rng(7)
    gains = []
    for _ in range(n_attacks):
        truth = rng.integers(0, 2, n_items)
        files = rng.integers(0, 2, (n_submissions, n_items))
        is_good = (files == truth).mean(axis=1) >= 0.5
        oriented = np.where(is_good[:, None], files, 1 - files)
        votes = oriented.sum(axis=0) + rng.uniform(-0.1, 0.1, n_items)
        gains.append(((votes > n_submissions / 2) == truth).mean() - 0.5)
    return float(np.mean(gains))


def test_default_limit_keeps_a_blind_vote_on_2000_items_within_six_points() -> None:
    total = Settings().submissions_in_all
    assert 0.03 < gain_of_majority_vote(total, 2000, 60) <= 0.06
    assert gain_of_majority_vote(2 * total, 2000, 60) > 0.06, "only the limit prevents it"
