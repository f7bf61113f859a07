"""Retry policy, concurrency and end of a run, with a fixed clock and random numbers."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.endpoints.querying.query_records import CallFailure, EndpointReply, FailureKind
from submissions.endpoints.querying.rate_control import RateController
from submissions.endpoints.querying.retry_policy import RetryPolicy, find_pause, find_rest, read_retry_after
from submissions.endpoints.querying.run_stats import RunStats

RETRY_POLICY = RetryPolicy(max_calls=4, first_seconds=1.0, longest_seconds=3.0, max_retry_after=60.0)
BROKEN = CallFailure("server-error", "It broke.")
BUSY = CallFailure("throttled", "Later.")


@pytest.mark.parametrize("kind", ["unauthorised", "not-found", "rejected", "address", "redirect"])
def test_permanent_failure_is_not_retried(kind: FailureKind) -> None:
    assert find_pause(CallFailure(kind, ""), 1, RETRY_POLICY, random.Random(1)) is None


def test_pause_doubles_up_to_a_limit_with_full_jitter() -> None:
    rng = random.Random(1)
    for n_calls, longest in ((1, 1.0), (2, 2.0), (3, 3.0)):
        pauses = [find_pause(BROKEN, n_calls, RETRY_POLICY, rng) or 0.0 for _ in range(2_000)]
        assert 0 <= min(pauses) < 0.05 * longest
        assert 0.95 * longest < max(pauses) <= longest
        assert sum(pauses) / len(pauses) == pytest.approx(longest / 2, rel=0.05)


def test_no_retry_follows_the_last_call() -> None:
    assert find_pause(BROKEN, 4, RETRY_POLICY, random.Random(1)) is None


@pytest.mark.parametrize(("requested", "granted"), [(7.0, 7.0), (1e9, 60.0), (0.0, 0.0), (None, 0.0)])
def test_retry_after_is_respected_up_to_a_limit(requested: float | None, granted: float) -> None:
    pause = find_pause(CallFailure("throttled", "", requested), 1, RETRY_POLICY, random.Random(1))
    assert pause is not None
    assert granted <= pause <= granted + 1.0


@given(st.integers(1, 60))
def test_rest_never_exceeds_the_maximum(n_rests: int) -> None:
    retry_policy = RetryPolicy()
    assert 0 < find_rest(n_rests, retry_policy, random.Random(1)) <= retry_policy.longest_rest_seconds


NOW = "Sat, 21 Nov 2026 10:00:00 GMT"


def test_retry_after_is_parsed_as_seconds_or_date(subtests: pytest.Subtests) -> None:
    rows: list[tuple[str, float | None]] = [
        ("0", 0.0),
        ("12", 12.0),
        ("1.5", 1.5),
        ("Sat, 21 Nov 2026 10:01:00 GMT", 60.0),
        ("Sat, 21 Nov 2026 09:00:00 GMT", 0.0),
        ("99999999999999999999", 1e20),
        ("", None),
        ("-5", None),
        ("soon", None),
        ("1e9", None),
        ("nan", None),
        ("١٢", None),
        ("9" * 5_000, None),
        ("Sat, 99 Nov 2026 10:01:00 GMT", None),
        ("Sat, 21 Nov 99999999999999 10:01:00 GMT", None),
    ]
    for text, seconds in rows:
        with subtests.test(text=text, seconds=seconds):
            assert read_retry_after({"Retry-After": text, "Date": NOW}) == seconds


def test_retry_after_date_without_server_date_uses_the_local_clock() -> None:
    until = datetime.now(UTC) + timedelta(hours=1)
    seconds = read_retry_after({"Retry-After": until.strftime("%a, %d %b %Y %H:%M:%S GMT")})
    assert seconds == pytest.approx(3_600, abs=30)


@given(st.text(max_size=60), st.text(max_size=60))
def test_retry_after_of_any_text_never_raises(text: str, date: str) -> None:
    seconds = read_retry_after({"Retry-After": text, "Date": date})
    assert seconds is None or 0 <= seconds < math.inf


def make_controller(concurrency: int = 4) -> RateController:
    retry_policy = RetryPolicy(n_failures=3, first_rest_seconds=8.0, max_rests=2, max_retry_after=60.0)
    return RateController(concurrency, retry_policy, random.Random(1))


def test_window_limits_concurrent_calls() -> None:
    controller = make_controller(2)
    for _ in range(2):
        assert controller.seconds_to_wait(0.0) == 0
        controller.begin()
    assert controller.seconds_to_wait(0.0) == math.inf
    controller.leave()
    assert controller.seconds_to_wait(0.0) == 0


def test_window_shrinks_once_for_concurrent_failures() -> None:
    controller = make_controller(100)
    for _ in range(2):
        controller.fail(BUSY, began=1.0, now=2.0)
    assert controller.window == 70.0
    controller.fail(BUSY, began=3.0, now=4.0)
    assert controller.window == pytest.approx(49.0)


def test_window_grows_back_up_to_the_limit() -> None:
    controller = make_controller(10)
    controller.fail(BUSY, began=1.0, now=2.0)
    controller.succeed()
    assert 7 < controller.window < 8
    for _ in range(100):
        controller.succeed()
    assert controller.window == 10


def test_retry_after_applies_to_all_calls() -> None:
    controller = make_controller()
    controller.fail(CallFailure("throttled", "", 30.0), began=0.0, now=10.0)
    assert controller.seconds_to_wait(15.0) == 25.0
    assert controller.seconds_to_wait(40.0) == 0


def test_circuit_opens_after_consecutive_failures_and_admits_one_trial_call() -> None:
    controller = make_controller()
    for now in (1.0, 2.0, 3.0):
        assert controller.seconds_to_wait(now) == 0
        controller.fail(BROKEN, began=now, now=now)
    assert 4.0 <= controller.seconds_to_wait(3.0) <= 8.0
    assert controller.seconds_to_wait(11.0) == 0
    controller.begin()
    assert controller.seconds_to_wait(11.0) == math.inf


def test_circuit_stays_open_after_failed_trials_until_the_endpoint_is_dead() -> None:
    controller, now = make_controller(), 0.0
    for _ in range(3):
        controller.fail(BROKEN, began=1.0, now=1.0)
    rests = []
    while not controller.is_dead:
        wait = controller.seconds_to_wait(now)
        rests.append(wait)
        now += wait
        controller.begin()
        controller.leave()
        now += 1.0
        controller.fail(BROKEN, began=now, now=now)
    assert controller.n_rests == 3
    assert rests[1] > rests[0] / 2


def test_circuit_closes_after_a_reply_and_starts_slowly() -> None:
    controller = make_controller(64)
    for _ in range(3):
        controller.fail(BROKEN, began=1.0, now=1.0)
    controller.begin()
    controller.leave()
    controller.succeed()
    assert (controller.n_rests, controller.window) == (0, 2.0)
    for _ in range(62):
        controller.succeed()
    assert controller.window == 64


def test_circuit_closes_if_only_one_question_is_rejected() -> None:
    controller = make_controller()
    for _ in range(3):
        controller.fail(BROKEN, began=1.0, now=1.0)
    controller.begin()
    controller.leave()
    controller.close()
    assert controller.seconds_to_wait(100.0) == 0


def test_circuit_ignores_calls_in_flight_when_it_opened() -> None:
    controller = make_controller()
    for _ in range(10):
        controller.fail(BROKEN, began=1.0, now=2.0)
    assert controller.n_rests == 1


def test_replies_between_failures_keep_the_circuit_closed() -> None:
    controller = make_controller()
    for now in range(1, 100):
        controller.fail(BROKEN, began=float(now), now=float(now))
        if now % 2 == 0:
            controller.succeed()
    assert controller.n_rests == 0


def test_run_stats_count_replies_tokens_and_failures() -> None:
    stats = RunStats(4, 0.01)
    stats.n_calls = 3
    stats.count_reply(EndpointReply("a", "stop", 10, 2), 100.0)
    stats.count_reply(EndpointReply("b", "length"), 102.0)
    stats.count_failure(BUSY)
    progress = stats.snapshot(104.0)
    assert (progress.n_done, progress.n_calls, progress.n_truncated) == (2, 3, 1)
    assert (progress.tokens_in, progress.tokens_out, progress.failures) == (10, 2, {"throttled": 1})
    assert progress.per_second == pytest.approx(2 / 4)
    assert stats.snapshot(200.0).per_second == 0


def test_run_stats_end_the_run_after_too_many_abandoned_questions() -> None:
    stats = RunStats(1_000, 0.01)
    for _ in range(500):
        stats.count_reply(EndpointReply("a", "stop"), 0.0)
    endings = [stats.abandon(CallFailure("rejected", "Too long.")) for _ in range(6)]
    assert endings[:5] == [None] * 5
    assert endings[5] is not None
    assert (endings[5].code, endings[5].retryable) == ("endpoint-rejected", False)


def test_run_stats_report_unanswered_questions_at_the_end() -> None:
    stats = RunStats(1_000, 0.01)
    assert stats.find_ending() is None
    assert stats.abandon(BROKEN) is None
    ending = stats.find_ending()
    assert ending is not None
    assert ending.reason == "1 of 1,000 questions have no answer. It broke."
    assert (ending.code, ending.retryable) == ("endpoint-broken", True)
