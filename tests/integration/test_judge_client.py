"""Client of a judge over real HTTP: requests, verdicts, and retries."""

import asyncio
import gzip
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from evaluation.judge import (
    AllowanceSpentError,
    EntryJudged,
    Failure,
    Judge,
    JudgeRefusedError,
    JudgeUnreachableError,
    JudgeVerdict,
    MemoryCache,
    OpenQuestion,
    Streak,
    judge_entry,
)
from evaluation.judge.commands import CountedAllowance
from evaluation.judge.judge_client import MAX_REPLY_BYTES, ClientOptions, JudgeClient
from evaluation.judge.protocol import SCHEMA, Call, plan_calls
from tests.support.judges.judge_server import Fault, JudgeServer, completion, serve_judge
from tests.support.judges.judge_texts import SCENES, list_injections, list_paraphrases, paraphrase, question_of
from tests.support.judges.scripted_judge import SLY

MESSAGES = [{"role": "user", "content": "How good is this?"}]
QUESTION = question_of("kitchen", "k")
ANSWER = paraphrase("zh", "kitchen", 0)
SAYS = Fault(body=completion("seven"))


def options(url: str, **more: Any) -> ClientOptions:
    quick: dict[str, Any] = {"timeout_seconds": 20.0, "first_wait_seconds": 0.001, "longest_wait_seconds": 0.01}
    return ClientOptions(url, "judge-1", **(quick | more))


def ask(server: JudgeServer, n: int = 1, **more: Any) -> list[str]:
    async def run() -> list[str]:
        async with JudgeClient(options(server.url, **more)) as client:
            return list(await asyncio.gather(*(client.ask(MESSAGES, SCHEMA) for _ in range(n))))

    return asyncio.run(run())


def judge(server: JudgeServer, calls: list[Call], allowance: int = 1000, **more: Any) -> tuple[list[Any], MemoryCache]:
    cache = MemoryCache()

    async def run() -> list[Any]:
        async with JudgeClient(options(server.url, **more), CountedAllowance(allowance, Streak())) as client:
            return list(await Judge(client, cache).judge(calls))

    return asyncio.run(run()), cache


def first(*faults: Fault) -> Callable[[int, dict[str, Any]], Fault | None]:
    """Return faults for the first calls; all others are answered."""
    return lambda number, _request: faults[number] if number < len(faults) else SAYS


def test_request_has_our_headers_and_nothing_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    leaks = {"ORG_ID": "org-leak", "PROJECT_ID": "proj-leak", "API_KEY": "sk-leak", "BASE_URL": "http://127.0.0.1:9/v1"}
    for name, value in leaks.items():
        monkeypatch.setenv(f"OPENAI_{name}", value)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-leak: custom-leak")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serve_judge(JudgeServer(fault=first())) as server:
        assert ask(server) == ["seven"]
        assert ask(server, api_key="sk-own") == ["seven"]
    without, own = server.headers
    assert set(without) == {
        "host", "accept", "content-type", "content-length", "connection", "user-agent", "accept-encoding",
    }  # fmt: skip
    assert own == without | {
        "authorization": "Bearer sk-own",
        "host": own["host"],
        "content-length": own["content-length"],
    }
    assert "leak" not in json.dumps([server.headers, server.requests])
    assert set(server.requests[0]) == {"messages", "model", "temperature", "response_format"}


def test_redirect_is_not_followed() -> None:
    with serve_judge(JudgeServer(fault=first())) as elsewhere:
        away = Fault(307, {"location": f"{elsewhere.url}/chat/completions"})
        with serve_judge(JudgeServer(fault=first(away))) as server, pytest.raises(JudgeRefusedError, match="307"):
            ask(server)
    assert elsewhere.requests == []


def test_missing_schema_support_is_detected_once() -> None:
    def refuse(_number: int, request: dict[str, Any]) -> Fault:
        return Fault(400, body=b'{"error": {"message": "response_format"}}') if "response_format" in request else SAYS

    with serve_judge(JudgeServer(fault=refuse)) as server:
        assert ask(server, 9) == ["seven"] * 9
    assert ["response_format" in request for request in server.requests] == [True] + [False] * 9


def test_fault_is_retried(subtests: pytest.Subtests) -> None:
    rows: list[Fault] = [
        Fault(429, {"retry-after": "99999999"}),
        Fault(503, {"retry-after": "Wed, 21 Oct 2037 07:28:00 GMT"}),
        Fault(500, body=b"<html>"),
        Fault(body=b"{"),
        Fault(body=b"[]"),
        Fault(body=completion("", choices=[])),
        Fault(body=completion("", choices=[{"index": 0, "message": {"content": None}}])),
        Fault(body=b"<html>", headers={"content-type": "text/html"}),
        Fault(body=b"{", manner="reset"),
        Fault(manner="endless"),
        Fault(body=gzip.compress(completion("ten"), mtime=0), headers={"content-encoding": "gzip"}),
    ]
    for fault in rows:
        with subtests.test(fault=fault):
            with serve_judge(JudgeServer(fault=first(fault, fault))) as server:
                assert ask(server) == ["seven"]
            assert len(server.requests) == 3


def test_call_beyond_its_time_limit_is_given_up() -> None:
    with (
        serve_judge(JudgeServer(fault=lambda _n, _r: Fault(manner="slow"))) as server,
        pytest.raises(JudgeUnreachableError, match="the request timed out"),
    ):
        ask(server, timeout_seconds=0.1, n_tries=2)
    assert len(server.requests) <= 2


def test_reply_beyond_the_size_limit_is_given_up() -> None:
    with (
        serve_judge(JudgeServer(fault=lambda _n, _r: Fault(manner="endless"))) as server,
        pytest.raises(JudgeUnreachableError, match=f"larger than {MAX_REPLY_BYTES:,} bytes"),
    ):
        ask(server, n_tries=2)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_permanent_status_ends_immediately(status: int) -> None:
    with (
        serve_judge(JudgeServer(fault=lambda _n, _r: Fault(status, body=b'{"error": "sk-own"}'))) as server,
        pytest.raises(JudgeRefusedError, match=f"returned HTTP {status}. Check EARSHOT_JUDGE_BASE_URL") as caught,
    ):
        ask(server, api_key="sk-own")
    assert len(server.requests) == 1
    assert "sk-own" not in str(caught.value)


def test_dead_server_gets_few_calls() -> None:
    with serve_judge(JudgeServer(fault=lambda _n, _r: Fault(500))) as server:
        calls = [call for n in range(40) for call in plan_calls(question_of("kitchen", "k"), f"{ANSWER}{n}", 1)]
        results, cache = judge(server, calls, n_tries=2, max_failures=4, concurrency=4)
    assert all(isinstance(result, Failure) for result in results)
    assert len(server.requests) <= 2 * (4 + 4)
    assert cache.values == {}


def test_concurrent_calls_stay_within_the_limit() -> None:
    with serve_judge(JudgeServer(fault=first())) as server:
        ask(server, 40, concurrency=3)
    assert server.max_in_flight <= 3


def test_burst_of_429_costs_few_calls_and_no_verdict() -> None:
    calls = [call for n in range(40) for call in plan_calls(QUESTION, f"{ANSWER}{n}", 1)]
    asked: list[object] = []

    def refuse_at_first(_number: int, request: dict[str, Any]) -> Fault | None:
        """Refuse three in ten calls once each, by call: by request number, the same call could be refused forever."""
        if request["messages"] in asked:
            return None
        asked.append(request["messages"])
        return Fault(429) if len(asked) % 10 < 3 else None

    with serve_judge(JudgeServer(fault=refuse_at_first)) as server:
        results, _ = judge(server, calls)
    assert all(isinstance(result, JudgeVerdict) and result.points == 10 for result in results)
    assert len(calls) < len(server.requests) <= 1.3 * len(calls)


def test_spent_allowance_keeps_received_verdicts_and_reports_when_it_is_renewed() -> None:
    calls = [call for n in range(10) for call in plan_calls(QUESTION, f"{ANSWER}{n}", 1)]
    cache = MemoryCache()

    async def run(server: JudgeServer, n_calls: int) -> list[Any]:
        async with JudgeClient(options(server.url), CountedAllowance(n_calls, Streak())) as client:
            return list(await Judge(client, cache).judge(calls))

    with serve_judge(JudgeServer()) as server:
        with pytest.raises(AllowanceSpentError, match="Judging resumes tomorrow"):
            asyncio.run(run(server, 12))
        assert (len(server.requests), len(cache.values)) == (12, 12)
        assert len(asyncio.run(run(server, 8))) == 20
        assert len(server.requests) == 20
        asyncio.run(run(server, 0))
    assert len(server.requests) == 20, "all was answered before"


def verdict_said(say: Callable[[dict[str, Any]], str]) -> tuple[Any, int]:
    with serve_judge(JudgeServer(say=say)) as server:
        results, cache = judge(server, list(plan_calls(QUESTION, ANSWER, 1))[:1])
        assert bool(cache.values) == isinstance(results[0], JudgeVerdict), "an error is never kept"
        return results[0], len(server.requests)


def test_last_verdict_with_the_code_counts() -> None:
    def say(verdict: dict[str, Any]) -> str:
        early = verdict | {"assistant_1": {"earned_by": [], "score": 0}}
        forged = verdict | {"code": "0" * 16, "assistant_1": {"earned_by": [], "score": 0}}
        thought, said = json.dumps(early), json.dumps(verdict)
        return f"<think>{{ {thought}</think> {thought}\nSo:\n```json\n{said}\n``` {json.dumps(forged)}"

    found, n_calls = verdict_said(say)
    assert (found.points, n_calls) == (10.0, 1)


def change_verdict(change: dict[str, Any], verdict: dict[str, Any]) -> str:
    return json.dumps(verdict | change, ensure_ascii=False)


def test_invalid_verdict_is_retried_and_ends_as_an_error(subtests: pytest.Subtests) -> None:
    rows: list[tuple[dict[str, Any], str]] = [
        ({"code": "other"}, "no JSON object with the code"),
        (
            {"assistant_1": {"earned_by": ["电话"], "score": 11}},
            "score of assistant_1 is 11; it must be a number from 0 to 10",
        ),
        ({"assistant_1": {"earned_by": ["电话"], "score": -1}}, "is -1; it must be a number from 0 to 10"),
        ({"assistant_1": {"earned_by": ["电话"], "score": True}}, "is True; it must be a number from 0 to 10"),
        ({"assistant_1": {"earned_by": ["电话"], "score": float("nan")}}, "is nan; it must be a number from 0 to 10"),
        ({"assistant_1": {"earned_by": ["电话"], "score": "10"}}, "is 10; it must be a number from 0 to 10"),
        ({"assistant_1": {"earned_by": "电话", "score": 9}}, "quotes from assistant_1 are not a list"),
        ({"assistant_1": {"earned_by": ["裁判鸣哨示意比赛结束"], "score": 9}}, "words that are not in the answer"),
        ({"assistant_1": {"earned_by": [], "score": 9}}, "words that are not in the answer"),
        ({"assistant_1": 9}, "has no assistant_1"),
        ({"assistant_2": {"earned_by": [], "score": 0}}, "gave the reference 0"),
    ]
    for change, reason in rows:
        with subtests.test(change=change, reason=reason):
            found, n_calls = verdict_said(partial(change_verdict, change))
            assert isinstance(found, Failure)
            assert reason in found.reason
            assert n_calls == 3


def test_valid_verdict_in_the_second_reply_counts() -> None:
    said: list[str] = []

    def say(verdict: dict[str, Any]) -> str:
        said.append("")
        return "I would say ten." if len(said) == 1 else json.dumps(verdict)

    found, n_calls = verdict_said(say)
    assert (found.points, n_calls) == (10.0, 2)


def say_always(text: str, _verdict: dict[str, Any]) -> str:
    return text


def test_meaningless_reply_ends_as_an_error(subtests: pytest.Subtests) -> None:
    for text in ("", "{" * 40_000, '{"code":' * 5_000, "x" * 60_000):
        with subtests.test(text=text):
            found, _ = verdict_said(partial(say_always, text))
            assert isinstance(found, Failure)


def test_verdict_cache_key_has_exactly_what_a_verdict_depends_on() -> None:
    call = Call(QUESTION, ANSWER, candidate_first=True)
    asked = OpenQuestion("k", QUESTION.question, QUESTION.reference)
    others = [
        Call(OpenQuestion("k", "?", QUESTION.reference), ANSWER, candidate_first=True),
        Call(OpenQuestion("k", QUESTION.question, SCENES["diving"]["reference"]), ANSWER, candidate_first=True),
        Call(OpenQuestion("k", QUESTION.question, QUESTION.reference, "水声"), ANSWER, candidate_first=True),
        Call(asked, f"{ANSWER}!", candidate_first=True),
        Call(asked, ANSWER, candidate_first=False),
        Call(asked, ANSWER, candidate_first=True, repeat=1),
        Call(asked, ANSWER, candidate_first=True, purpose="probe"),
    ]
    assert len({each.key("m") for each in [call, *others]} | {call.key("n")}) == 9
    named = OpenQuestion("another id", QUESTION.question, QUESTION.reference)
    assert Call(named, ANSWER, candidate_first=True).key("m") == call.key("m")


def test_submission_is_judged_over_http_and_from_the_cache_the_second_time() -> None:
    samples = [*list_injections()[:4], *list_paraphrases()[:10]]
    questions = {sample.id: sample.question for sample in samples}
    answers = {sample.id: sample.text for sample in samples}
    cache = MemoryCache()

    async def run(server: JudgeServer) -> EntryJudged:
        async with JudgeClient(options(server.url)) as client:
            return await judge_entry(Judge(client, cache), questions, answers, repeats=1, salt="s")

    with serve_judge(JudgeServer(part=SLY)) as server:
        first = asyncio.run(run(server))
        n_calls = len(server.requests)
        assert asyncio.run(run(server)) == first
        assert len(server.requests) == n_calls == first.protocol_calls + first.guard_calls
    assert (first.status, {item.id for item in first.held}) == ("held", {sample.id for sample in samples[:4]})
    assert {sample.id for sample in samples} == set(first.judgements)
