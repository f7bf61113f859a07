"""Endpoint form markup: input of the owner and replies of their server are escaped."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from db.endpoint_records import EndpointRecord
from db.records import ModelRecord, UserRecord
from evaluation import all_benchmarks
from leaderboard.pages.submit.endpoint_form.markup import (
    FAILURE_WORDS,
    list_awaiting_choices,
    list_part_choices,
    render_awaiting,
    render_endpoint,
    render_endpoint_help,
)
from leaderboard.pages.submit.markup import can_retry, render_mine, render_status
from submissions.endpoints.querying.probing import Check
from submissions.endpoints.querying.query_records import FailureKind
from submissions.endpoints.transport.errors import TransportKind
from submissions.jobs.outlook import Outlook
from submissions.statuses import Status
from tests.support.pages.records import NOW, make_submission

HOSTILE = "<img src=x onerror=alert(1)>"
PLAIN = EndpointRecord("https://models.example.com/v1", "m-1", b"sealed-bytes", True, 8, False, "data-url")
PROGRESS = {
    "n_questions": 1_200,
    "n_done": 412,
    "n_abandoned": 2,
    "n_calls": 1_030,
    "per_second": 3.21,
    "failures": {"throttled": 3, "timeout": 14},
    "n_truncated": 1,
    "tokens_in": 123_456,
    "tokens_out": 789,
}
FINDINGS: list[dict[str, Any]] = [
    {"check": "reachable", "is_ok": True, "detail": "It answers."},
    {"check": "takes two", "is_ok": False, "detail": HOSTILE},
    {"check": "takes stereo", "is_ok": None, "detail": "x" * 5_000},
]


def test_render_endpoint_describes_the_requests_and_never_the_key() -> None:
    html = render_endpoint(replace(PLAIN, parts=("main", "multi")), "queued")
    assert "<code>https://models.example.com/v1</code>, model <code>m-1</code>, with a key, up to 8" in html
    assert "clips concatenated, as data-url, only main and multi." in html
    assert "sealed" not in html
    assert "Endpoint check" not in html


@pytest.mark.parametrize(("state", "is_shown"), [("running", True), ("failed", False), ("scored", False)])
def test_render_endpoint_shows_the_pace_only_while_running(state: str, is_shown: bool) -> None:
    html = render_endpoint(replace(PLAIN, progress=PROGRESS), state)
    assert "412 of 1,200 questions answered, 2 given up" in html
    assert (", 3.2/s, about 5 minutes left." in html) == is_shown  # 788 questions, 245 s
    assert "1,030 requests, 123,456 tokens in, 789 out; 1 answer cut off." in html
    assert "timeout 14 ×, rate limited 3 ×" in html, "the most frequent first"


@pytest.mark.parametrize(("done", "per_second", "text"), [(412, 0.0, "0.0/s."), (1_200, 9.0, "9.0/s.")])
def test_render_endpoint_has_no_estimate_without_a_pace_or_at_the_end(done: int, per_second: float, text: str) -> None:
    progress = PROGRESS | {"n_done": done, "per_second": per_second, "n_abandoned": 0}
    assert text in render_endpoint(replace(PLAIN, progress=progress), "running")


def test_render_endpoint_escapes_its_findings() -> None:
    html = render_endpoint(replace(PLAIN, findings=FINDINGS, model_name=HOSTILE), "running")
    assert HOSTILE not in html
    assert html.count("&lt;img src=x") == 2
    assert [html.count(f">{word}<") for word in ("yes", "no", "not tried")] == [1, 1, 1]
    assert "x" * 200 in html
    assert "x" * 201 not in html


def test_every_failure_kind_has_a_description() -> None:
    (transport, own) = get_args(FailureKind)
    assert set(FAILURE_WORDS) == {*get_args(TransportKind), *get_args(own)}
    assert get_args(transport) == get_args(TransportKind)
    assert len(get_args(Check)) == 6


def test_parts_of_every_benchmark_are_offered_under_every_endpoint_setting(
    subtests: pytest.Subtests,
) -> None:
    for benchmark in all_benchmarks():
        with subtests.test(benchmark=benchmark):
            assert f"all questions of {benchmark.title} {benchmark.version} " in render_endpoint_help(benchmark)
            for setting in benchmark.endpoint_settings:
                offered = [part for _, part in list_part_choices(benchmark, setting)]
                assert set(offered) == benchmark.parts_of(setting)
                assert list_part_choices(benchmark, setting, offered[:1])[0][1] == offered[0]
                assert list_part_choices(benchmark, setting, ()) == []


def test_render_awaiting_lists_owner_model_and_endpoint() -> None:
    assert "No endpoints are waiting" in render_awaiting([], NOW)
    submission = make_submission(
        owner=UserRecord(2, "bea"), model=ModelRecord(1, HOSTILE), setting="noise", benchmark="mdar"
    )
    endpoints = [(submission, PLAIN)]
    html = render_awaiting(endpoints, NOW)
    assert HOSTILE not in html
    assert "&lt;img" in html
    for word in ("bea", "<code>https://models.example.com/v1</code>", "<code>m-1</code>", "MDAR 1.0, noise"):
        assert word in html
    assert list_awaiting_choices(endpoints) == [("s-1 · bea · https://models.example.com/v1", "s-1")]


def test_render_status_shows_the_endpoint_if_there_is_one() -> None:
    submission = make_submission(source="verified", state="running")
    status = Status(submission, None, 0.3, (), None, (), endpoint=replace(PLAIN, progress=PROGRESS))
    html = render_status(status, NOW)
    assert 'aria-label="Evaluation progress"' in html
    assert 'aria-valuenow="30"' in html
    assert 'data-testid="endpoint"' in html
    assert "Querying the endpoint." in html
    stalled = replace(status, outlook=Outlook(is_stalled=True, text="The evaluator stopped responding."))
    assert "stopped responding" in render_status(stalled, NOW)
    assert 'data-testid="endpoint"' not in render_status(replace(status, endpoint=None), NOW)


def test_render_mine_distinguishes_files_from_endpoints() -> None:
    html = render_mine([make_submission(source="verified"), make_submission()], NOW)
    assert html.count("AudioMotionBench 1.0, default") == 2
    assert html.count("<td>endpoint</td>") == html.count("<td>file</td>") == 1


def test_render_mine_lists_submissions_to_removed_benchmarks() -> None:
    html = render_mine([make_submission(version="0.1"), make_submission(benchmark="gone"), make_submission()], NOW)
    for text in ("audio-motion-bench 0.1, default", "gone 1.0, default", "AudioMotionBench 1.0, default"):
        assert text in html


@pytest.mark.parametrize(
    ("state", "retryable", "expected"),
    [("failed", True, True), ("failed", False, False), ("failed", None, False), ("scored", True, False)],
)
def test_only_retryable_failures_can_be_retried(state: str, retryable: bool | None, expected: bool) -> None:
    assert can_retry(make_submission(state=state, retryable=retryable)) is expected
    assert not can_retry(None)
