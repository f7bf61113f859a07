"""Endpoint runs: with healthy, busy, broken and dead endpoints, and resumed after an interruption."""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from evaluation.types import AudioPart, TextPart
from submissions.endpoints.querying.engine import query_all
from submissions.endpoints.querying.query_records import ItemQuery, ItemResponse
from tests.support.endpoints.answering import make_wav
from tests.support.endpoints.endpoint_runs import (
    CANARY,
    MEANS,
    RETRY_POLICY,
    Run,
    Writer,
    make_endpoint,
    make_questions,
    run,
    run_against,
)
from tests.support.endpoints.misbehaving import (
    Behave,
    ServedRequest,
    answer,
    make_completion,
    make_reply,
    reset,
    run_server,
)


def test_healthy_endpoint_gets_every_question_once() -> None:
    done, served = run_against(answer, 100, concurrency=8)
    assert done.texts == {f"q{number}": f"re: text {number}" for number in range(100)}
    assert (done.code, len(served.asked)) == (None, 100)
    assert served.n_connections <= 8, "connections are kept"
    last = done.reports[-1]
    assert (last.n_questions, last.n_done, last.n_calls, last.n_abandoned) == (100, 100, 100, 0)
    assert (last.tokens_in, last.tokens_out, dict(last.failures)) == (500, 100, {})
    assert last.per_second > 0
    assert len({response.request_digest for response in done.kept}) == 100
    assert all(response.n_calls == 1 and response.seconds > 0 for response in done.kept)


def test_run_without_questions_sends_no_request() -> None:
    done, served = run_against(answer, 0)
    assert (done.code, served.asked, done.kept) == (None, [], [])


def test_concurrent_requests_stay_within_the_limit() -> None:
    together = asyncio.Event()
    counts: list[int] = [0, 0]

    async def hold(asked: ServedRequest, writer: Writer) -> None:
        counts[0] += 1
        counts[1] = max(counts)
        if counts[0] == 5:
            together.set()
        await together.wait()
        await asyncio.sleep(0.01)
        counts[0] -= 1
        await answer(asked, writer)

    done, _ = run_against(hold, 40, concurrency=5)
    assert len(done.kept) == 40
    assert counts[1] == 5


def test_interrupted_run_resumes_without_repeating_requests() -> None:
    questions, kept = make_questions(200), Run()

    class KilledError(Exception):
        pass

    def keep(responses: Sequence[ItemResponse]) -> None:
        if len(kept.kept) > 60:
            raise KilledError
        kept.kept += responses

    with run_server(answer) as served:
        endpoint = make_endpoint(served, concurrency=4)
        with pytest.raises(KilledError):
            query_all(endpoint, questions, make_wav_of, keep, kept.reports.append, MEANS)
        assert 60 < len(kept.kept) < 200
        rest = [question for question in questions if question.id not in kept.texts]
        second = run(endpoint, rest)
    assert kept.texts | second.texts == {f"q{number}": f"re: text {number}" for number in range(200)}
    times_asked = Counter(f"q{asked.question.removeprefix('text ')}" for asked in served.asked)
    assert {times_asked[question] for question in kept.texts} == {1}, "what was kept is not asked again"


def make_wav_of(_name: str) -> bytes:
    return make_wav()


def ignore(_anything: object) -> None:
    """Accept anything and do nothing."""


@pytest.mark.parametrize("where", ["keep", "report", "load_clip"])
def test_error_of_a_callback_ends_the_run_and_is_raised(where: str) -> None:
    def fail(*_anything: object) -> Any:
        raise LookupError(where)

    calls: dict[str, Any] = {"load_clip": make_wav_of, "keep": ignore, "report": ignore}
    questions = [ItemQuery(f"q{number}", 0, (AudioPart("a"), TextPart("x"))) for number in range(300)]
    with run_server(lambda _asked, writer: say(writer)) as served, pytest.raises(LookupError, match=where):
        query_all(make_endpoint(served), questions, means=MEANS, **(calls | {where: fail}))
    assert len(served.asked) < 300


def test_slow_disk_limits_the_number_of_unsaved_responses() -> None:
    """Responses that are not stored are requested again after a kill, and paid for twice."""
    n_at_once, n_kept, unkept = 4, 0, []

    with run_server(answer) as served:

        def keep(responses: Sequence[ItemResponse]) -> None:
            nonlocal n_kept
            # Longer than all answers take.
            time.sleep(0.02)
            unkept.append(len(served.asked) - n_kept)
            n_kept += len(responses)

        endpoint = make_endpoint(served, concurrency=n_at_once)
        query_all(endpoint, make_questions(100), make_wav_of, keep, ignore, MEANS)
    assert n_kept == len(served.asked) == 100
    assert max(unkept) < 2 * n_at_once


async def say(writer: Writer) -> None:
    await asyncio.sleep(0.005)
    writer.write(make_completion("B"))


def test_responses_are_saved_while_others_are_pending() -> None:
    was_kept = threading.Event()

    async def hold_the_last(asked: ServedRequest, writer: Writer) -> None:
        if asked.question == "text 9":
            await asyncio.to_thread(was_kept.wait, 30)
        await answer(asked, writer)

    kept: list[ItemResponse] = []

    def keep(responses: Sequence[ItemResponse]) -> None:
        kept.extend(responses)
        if len(kept) == 9:
            was_kept.set()

    with run_server(hold_the_last) as served:
        query_all(make_endpoint(served, concurrency=2), make_questions(10), make_wav_of, keep, ignore, MEANS)
    assert was_kept.is_set()
    assert kept[-1].id == "q9"


def sometimes(n_of_ten: int, fault: Callable[[Writer], None]) -> Behave:
    """Fail a share of ten questions, each on its first request."""
    seen: set[str] = set()

    async def behave(asked: ServedRequest, writer: Writer) -> None:
        is_new = asked.question not in seen
        seen.add(asked.question)
        if is_new and int(asked.question[-1]) < n_of_ten:
            fault(writer)
        else:
            await answer(asked, writer)

    return behave


FAULTS: dict[str, Callable[[Writer], None]] = {
    "throttled": lambda writer: writer.write(make_reply(429, b"{}", {"retry-after": "0.01"})),
    "server-error": lambda writer: writer.write(make_reply(500, b"oops")),
    "reset": reset,
    "unreadable": lambda writer: writer.write(make_reply(200, b'{"choices": [{"message": {"content": 7}}]}')),
    "error-in-answer": lambda writer: writer.write(make_reply(200, b'{"error": {"message": "oops"}}')),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_burst_of_failures_costs_few_extra_requests(kind: str) -> None:
    done, served = run_against(sometimes(3, FAULTS[kind]), 200, concurrency=16)
    assert len(done.texts) == 200
    assert done.code is None
    assert len(served.asked) <= 1.3 * 200
    assert done.result is not None
    assert done.result.progress.failures == {kind: len(served.asked) - 200}


def test_concurrency_adapts_to_an_endpoint_that_accepts_less() -> None:
    """It accepts 11 of 16 concurrent requests: a client that always sends 16 would be refused 30 % of the time."""
    n_now = 0

    async def behave(asked: ServedRequest, writer: Writer) -> None:
        nonlocal n_now
        if n_now >= 11:
            writer.write(make_reply(429, b"{}"))
            return
        n_now += 1
        await asyncio.sleep(0.01)
        n_now -= 1
        await answer(asked, writer)

    done, served = run_against(behave, 500, concurrency=16)
    assert len(done.texts) == 500
    assert len(served.asked) <= 1.3 * 500


@pytest.mark.parametrize("wish", ["99999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_excessive_retry_after_is_capped(wish: str) -> None:
    behave = sometimes(10, lambda writer: writer.write(make_reply(429, b"{}", {"retry-after": wish})))
    began = time.monotonic()
    done, _ = run_against(behave, 5, concurrency=1)
    assert len(done.texts) == 5
    assert time.monotonic() - began > 5 * RETRY_POLICY.max_retry_after, "it was left alone for so long each time"


@pytest.mark.parametrize("concurrency", [1, 64])
def test_dead_endpoint_ends_the_run_with_a_reason_after_few_requests(concurrency: int) -> None:
    with run_server(answer) as served:
        pass
    done = run(make_endpoint(served, concurrency=concurrency), make_questions(1_000))
    assert done.result is not None
    assert done.result.ending is not None
    assert done.code == "endpoint-unreachable"
    assert (done.result.ending.retryable, done.result.ending.fault) == (True, "yours")
    assert " failed. Check that it is running" in done.result.ending.reason
    assert done.result.progress.n_calls <= 64 + 2 * RETRY_POLICY.n_failures


def test_endpoint_that_recovers_gets_the_remaining_questions() -> None:
    async def behave(asked: ServedRequest, writer: Writer) -> None:
        if 50 <= asked.number < 64:
            reset(writer)
        else:
            await answer(asked, writer)

    done, served = run_against(behave, 200, concurrency=16)
    assert (len(done.texts), done.code) == (200, None)
    assert len(served.asked) == 214


@pytest.mark.parametrize(
    ("status", "code", "most"),
    [
        (400, "endpoint-rejected", 3),
        (401, "endpoint-unauthorised", 1),
        (403, "endpoint-unauthorised", 1),
        (404, "endpoint-not-found", 1),
        (307, "endpoint-redirect", 1),
    ],
)
def test_permanent_refusal_ends_the_run_immediately_with_the_message_of_the_server(
    status: int, code: str, most: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    async def refuse(asked: ServedRequest, writer: Writer) -> None:
        said = f'{{"error": {{"message": "No. {asked.head.count("Bearer")} You sent {CANARY}."}}}}'
        writer.write(make_reply(status, said.encode(), {"location": f"/{CANARY}"}))

    done, served = run_against(refuse, 500, concurrency=1)
    assert done.result is not None
    assert done.result.ending is not None
    # A retry supplies a key again.
    may_help = code == "endpoint-unauthorised"
    assert (done.code, done.result.ending.retryable, done.kept) == (code, may_help, [])
    assert len(served.asked) == most
    if status >= 400:
        assert "Response: No. 1 You sent [key]." in done.result.ending.reason
    assert CANARY not in repr(done) + caplog.text


def test_rejected_question_leaves_the_others_answered() -> None:
    async def behave(asked: ServedRequest, writer: Writer) -> None:
        if asked.question == "text 30":
            writer.write(make_reply(400, b'{"error": {"message": "too long"}}'))
        else:
            await answer(asked, writer)

    done, served = run_against(behave, 100)
    assert len(done.texts) == 99
    assert len(served.asked) == 100
    assert done.result is not None
    assert done.result.ending is not None
    assert done.result.ending.reason.startswith("1 of 100 questions have no answer. The endpoint rejects a question")


def test_unanswered_question_is_given_up_after_a_few_requests() -> None:
    async def behave(asked: ServedRequest, writer: Writer) -> None:
        if asked.question == "text 3":
            writer.write(make_reply(200, b"<html>"))
        else:
            await answer(asked, writer)

    done, served = run_against(behave, 100)
    assert len(done.texts) == 99
    assert len(served.asked) == 99 + RETRY_POLICY.max_calls
    assert done.code == "endpoint-broken"


def test_key_echoed_by_an_endpoint_is_stored_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def echo_headers(asked: ServedRequest, writer: Writer) -> None:
        writer.write(make_completion(f"B {asked.head}", model=CANARY))

    done, served = run_against(echo_headers, 3)
    assert f"Bearer {CANARY}" in served.asked[0].head
    assert "Bearer [key]" in done.kept[0].reply.text
    assert CANARY not in repr((done, make_endpoint(served))) + caplog.text
