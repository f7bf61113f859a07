"""Markup of endpoints. Pure; an endpoint's responses are never interpreted as markup."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from db.endpoint_records import EndpointRecord
from db.records import SubmissionRecord
from evaluation.benchmarks import Benchmark
from leaderboard.pages.shared.board_names import name_board
from leaderboard.rendering.formatting import write_count
from leaderboard.rendering.templating import Markup, render_template
from submissions.endpoints.querying.query_records import AudioForm

AUDIO_FORM_CHOICES: list[tuple[str, AudioForm]] = [
    ("input_audio: base64 WAV (OpenAI)", "input_audio"),
    ("audio_url: data URL (vLLM)", "data-url"),
]
_MAX_DETAIL = 200
_VERDICTS = {True: "yes", False: "no", None: "not tried"}
FAILURE_WORDS: Mapping[str, str] = {
    "address": "address not allowed",
    "dns": "DNS lookup failed",
    "connect": "connection failed",
    "tls": "TLS error",
    "timeout": "timeout",
    "slow": "response too slow",
    "reset": "connection reset",
    "protocol": "invalid HTTP response",
    "redirect": "redirected",
    "encoding": "compressed response",
    "too-large": "response too large",
    "unauthorised": "authentication failed",
    "not-found": "unknown address or model",
    "rejected": "request rejected",
    "throttled": "rate limited",
    "server-error": "server error",
    "unreadable": "unreadable response",
    "error-in-answer": "error message in the response",
}


class EndpointFinding(NamedTuple):
    """A finding of an endpoint probe: check, result, and details in a few words."""

    check: str
    verdict: str
    detail: str


def render_endpoint_help(benchmark: Benchmark, notice: str | None = None) -> Markup:
    """Return what happens to an endpoint after registration; `notice` says which parts are closed."""
    return render_template("pages/submit/endpoint_form/endpoint_help.html", benchmark=benchmark, notice=notice)


def list_part_choices(benchmark: Benchmark, setting: str, held: Collection[str] | None = None) -> list[tuple[str, str]]:
    """Return (title, id) of the parts available under a setting; `held` are the installed parts."""
    wanted = benchmark.parts_of(setting)
    return [
        (part.title, part.id) for part in benchmark.parts if part.id in wanted and (held is None or part.id in held)
    ]


def render_endpoint(record: EndpointRecord, state: str) -> Markup:
    """Return an endpoint with the findings of its probe and its progress."""
    progress = record.progress
    return render_template(
        "pages/submit/endpoint_form/endpoint.html",
        record=record,
        progress=_describe_progress(progress, is_running=state == "running") if progress is not None else "",
        failures=_describe_failures(progress) if progress is not None else "",
        findings=[_describe_finding(one) for one in record.findings or ()],
    )


def render_awaiting(found: Sequence[tuple[SubmissionRecord, EndpointRecord]], now: datetime) -> Markup:
    """Return the endpoints that await approval."""
    rows = [(one, endpoint, name_board(one.benchmark, one.version, one.setting)) for one, endpoint in found]
    return render_template("pages/submit/endpoint_form/awaiting.html", rows=rows, now=now)


def list_awaiting_choices(found: Sequence[tuple[SubmissionRecord, EndpointRecord]]) -> list[tuple[str, str]]:
    """Return (label, id) of each endpoint that awaits approval."""
    return [(f"{one.id} · {one.owner.name} · {record.base_url[:80]}", one.id) for one, record in found]


def _describe_progress(progress: Mapping[str, Any], *, is_running: bool) -> str:
    pace = _describe_pace(progress) if is_running else ""
    given_up = f", {progress['n_abandoned']:,} given up" if progress["n_abandoned"] else ""
    cut = f"; {write_count(progress['n_truncated'], 'answer')} cut off" if progress["n_truncated"] else ""
    return (
        f"{progress['n_done']:,} of {progress['n_questions']:,} questions answered{given_up}{pace}. "
        f"{progress['n_calls']:,} requests, {progress['tokens_in']:,} tokens in, {progress['tokens_out']:,} out{cut}."
    )


def _describe_failures(progress: Mapping[str, Any]) -> str:
    failures = sorted(progress["failures"].items(), key=lambda one: -one[1])
    return ", ".join(f"{FAILURE_WORDS.get(kind, kind)} {count:,} ×" for kind, count in failures)


def _describe_pace(progress: Mapping[str, Any]) -> str:
    per_second, left = progress["per_second"], progress["n_questions"] - progress["n_done"]
    minutes = math.ceil(left / per_second / 60) if per_second else None
    rest = "" if minutes is None or not left else f", about {write_count(minutes, 'minute')} left"
    return f", {per_second:.1f}/s{rest}"


def _describe_finding(finding: Mapping[str, Any]) -> EndpointFinding:
    detail = str(finding["detail"])
    shown = detail if len(detail) <= _MAX_DETAIL else f"{detail[:_MAX_DETAIL]}…"
    return EndpointFinding(finding["check"], _VERDICTS[finding["is_ok"]], shown)
