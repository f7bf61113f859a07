"""Retry policy, concurrency and end of a run, with a fixed clock and random numbers."""

import math
import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from submissions.endpoints.querying import EndpointReply, RetryPolicy
from submissions.endpoints.querying.query_records import CallFailure, FailureKind
from submissions.endpoints.querying.rate_control import RateController
from submissions.endpoints.querying.retry_policy import find_pause, find_rest, read_retry_after
from submissions.endpoints.querying.run_stats import RunStats

RETRY_POLICY = RetryPolicy(max_calls=4, first_seconds=1.0, longest_seconds=3.0, max_retry_after=60.0)
BROKEN = CallFailure("server-error", "It broke.")
BUSY = CallFailure("throttled", "Later.")


@pytest.mark.parametrize("kind", ["unauthorised", "not-found", "rejected", "address", "redirect"])
def test_failure_that_stays_is_not_tried_again(kind: FailureKind) -> None:
    assert find_pause(CallFailure(kind, ""), 1, RETRY_POLICY, random.Random(1)) is None


def test_pause_doubles_up_to_a_limit_with_full_jitter() -> None:
    chance = random.Random(1)
    for n_calls, longest in ((1, 1.0), (2, 2.0), (3, 3.0)):
        pauses = [find_pause(BROKEN, n_calls, RETRY_POLICY, chance) or 0.0 for _ in range(2_000)]
        assert 0 <= min(pauses) < 0.05 * longest
        assert 0.95 * longest < max(pauses) <= longest
        assert sum(pauses) / len(pauses) == pytest.approx(longest / 2, rel=0.05)


def test_call_after_the_last_is_not_made() -> None:
    assert find_pause(BROKEN, 4, RETRY_POLICY, random.Random(1)) is None


@pytest.mark.parametrize(("asked", "granted"), [(7.0, 7.0), (1e9, 60.0), (0.0, 0.0), (None, 0.0)])
def test_wish_to_be_left_alone_is_granted_up_to_a_limit(asked: float | None, granted: float) -> None:
    pause = find_pause(CallFailure("throttled", "", asked), 1, RETRY_POLICY, random.Random(1))
    assert pause is not None
    assert granted <= pause <= granted + 1.0


@given(st.integers(1, 60))
def test_rest_is_never_longer_than_the_longest(n_rests: int) -> None:
    retry_policy = RetryPolicy()
    assert 0 < find_rest(n_rests, retry_policy, random.Random(1)) <= retry_policy.longest_rest_seconds


NOW = "Sat, 21 Nov 2026 10:00:00 GMT"


def test_retry_after_is_read_as_seconds_or_date(subtests: pytest.Subtests) -> None:
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


def test_retry_after_date_without_the_servers_own_is_compared_with_ours() -> None:
    until = datetime.now(UTC) + timedelta(hours=1)
    seconds = read_retry_after({"Retry-After": until.strftime("%a, %d %b %Y %H:%M:%S GMT")})
    assert seconds == pytest.approx(3_600, abs=30)


@given(st.text(max_size=60), st.text(max_size=60))
def test_retry_after_of_any_text_never_raises(text: str, date: str) -> None:
    seconds = read_retry_after({"Retry-After": text, "Date": date})
    assert seconds is None or 0 <= seconds < math.inf


def make_flow(concurrency: int = 4) -> RateController:
    retry_policy = RetryPolicy(n_failures=3, first_rest_seconds=8.0, max_rests=2, max_retry_after=60.0)
    return RateController(concurrency, retry_policy, random.Random(1))


def test_window_lets_as_many_through_as_allowed() -> None:
    flow = make_flow(2)
    for _ in range(2):
        assert flow.seconds_to_wait(0.0) == 0
        flow.begin()
    assert flow.seconds_to_wait(0.0) == math.inf
    flow.leave()
    assert flow.seconds_to_wait(0.0) == 0


def test_window_narrows_once_for_calls_that_were_on_their_way_together() -> None:
    flow = make_flow(100)
    for _ in range(2):
        flow.fail(BUSY, began=1.0, now=2.0)
    assert flow.window == 70.0
    flow.fail(BUSY, began=3.0, now=4.0)
    assert flow.window == pytest.approx(49.0)


def test_window_grows_back_and_never_beyond_what_is_allowed() -> None:
    flow = make_flow(10)
    flow.fail(BUSY, began=1.0, now=2.0)
    flow.succeed()
    assert 7 < flow.window < 8
    for _ in range(100):
        flow.succeed()
    assert flow.window == 10


def test_wish_to_be_left_alone_holds_for_all_calls() -> None:
    flow = make_flow()
    flow.fail(CallFailure("throttled", "", 30.0), began=0.0, now=10.0)
    assert flow.seconds_to_wait(15.0) == 25.0
    assert flow.seconds_to_wait(40.0) == 0


def test_circuit_opens_after_failures_in_a_row_and_lets_one_call_try() -> None:
    flow = make_flow()
    for now in (1.0, 2.0, 3.0):
        assert flow.seconds_to_wait(now) == 0
        flow.fail(BROKEN, began=now, now=now)
    assert 4.0 <= flow.seconds_to_wait(3.0) <= 8.0
    assert flow.seconds_to_wait(11.0) == 0
    flow.begin()
    assert flow.seconds_to_wait(11.0) == math.inf


def test_circuit_is_kept_open_by_a_failed_try_and_in_the_end_the_endpoint_is_dead() -> None:
    flow, now = make_flow(), 0.0
    for _ in range(3):
        flow.fail(BROKEN, began=1.0, now=1.0)
    rests = []
    while not flow.is_dead:
        wait = flow.seconds_to_wait(now)
        rests.append(wait)
        now += wait
        flow.begin()
        flow.leave()
        now += 1.0
        flow.fail(BROKEN, began=now, now=now)
    assert flow.n_rests == 3
    assert rests[1] > rests[0] / 2


def test_circuit_closes_with_an_answer_and_begins_gently() -> None:
    flow = make_flow(64)
    for _ in range(3):
        flow.fail(BROKEN, began=1.0, now=1.0)
    flow.begin()
    flow.leave()
    flow.succeed()
    assert (flow.n_rests, flow.window) == (0, 2.0)
    for _ in range(62):
        flow.succeed()
    assert flow.window == 64


def test_circuit_closes_when_a_question_is_refused_and_others_go_on() -> None:
    flow = make_flow()
    for _ in range(3):
        flow.fail(BROKEN, began=1.0, now=1.0)
    flow.begin()
    flow.leave()
    flow.close()
    assert flow.seconds_to_wait(100.0) == 0


def test_circuit_counts_no_call_that_was_on_its_way_when_it_opened() -> None:
    flow = make_flow()
    for _ in range(10):
        flow.fail(BROKEN, began=1.0, now=2.0)
    assert flow.n_rests == 1


def test_answers_between_failures_keep_the_circuit_closed() -> None:
    flow = make_flow()
    for now in range(1, 100):
        flow.fail(BROKEN, began=float(now), now=float(now))
        if now % 2 == 0:
            flow.succeed()
    assert flow.n_rests == 0


def test_tally_counts_answers_tokens_and_failures() -> None:
    tally = RunStats(4, 0.01)
    tally.n_calls = 3
    tally.count_reply(EndpointReply("a", "stop", 10, 2), 100.0)
    tally.count_reply(EndpointReply("b", "length"), 102.0)
    tally.count_failure(BUSY)
    progress = tally.snapshot(104.0)
    assert (progress.n_done, progress.n_calls, progress.n_truncated) == (2, 3, 1)
    assert (progress.tokens_in, progress.tokens_out, progress.failures) == (10, 2, {"throttled": 1})
    assert progress.per_second == pytest.approx(2 / 4)
    assert tally.snapshot(200.0).per_second == 0


def test_tally_ends_when_too_many_questions_are_given_up() -> None:
    tally = RunStats(1_000, 0.01)
    for _ in range(500):
        tally.count_reply(EndpointReply("a", "stop"), 0.0)
    endings = [tally.abandon(CallFailure("rejected", "Too long.")) for _ in range(6)]
    assert endings[:5] == [None] * 5
    assert endings[5] is not None
    assert (endings[5].code, endings[5].retryable) == ("endpoint-rejected", False)


def test_tally_names_questions_without_an_answer_at_the_end() -> None:
    tally = RunStats(1_000, 0.01)
    assert tally.find_ending() is None
    assert tally.abandon(BROKEN) is None
    ending = tally.find_ending()
    assert ending is not None
    assert ending.reason == "1 of 1,000 questions have no answer. It broke."
    assert (ending.code, ending.retryable) == ("endpoint-broken", True)
