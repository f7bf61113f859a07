"""Markup of endpoints. Pure: records in, HTML out; a response of an endpoint is never markup."""

import math
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from db.endpoint_records import EndpointRecord
from db.records import SubmissionRecord
from evaluation.benchmarks import Benchmark, get_benchmark
from evaluation.errors import UnknownBenchmarkError
from leaderboard.html_elements import Markup, element, since, table
from submissions.endpoints.querying.query_records import AudioForm

AUDIO_FORM_CHOICES: list[tuple[str, AudioForm]] = [
    ("input_audio: base64 WAV (OpenAI)", "input_audio"),
    ("audio_url: data URL (vLLM)", "data-url"),
]
_MAX_SAID = 200
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


def render_endpoint_help(benchmark: Benchmark, notice: str | None = None) -> Markup:
    """Return what happens to an endpoint, said before somebody registers one; `notice` says which parts are closed."""
    title = f"{benchmark.title} {benchmark.version}"
    points = (
        "A maintainer approves the address first. Until then, Earshot sends nothing to it.",
        f"Then Earshot sends four short trial requests and all questions of {title} with their audio to the base URL "
        "only, at temperature 0. The correct answers stay on our server.",
        "Your API key is encrypted on arrival, never shown, and deleted when the run ends.",
        "It counts as one submission. You get it back if it is not approved or ends without a score.",
    )
    first = element(
        "p",
        "Earshot queries your model through its OpenAI-compatible API and marks the result ",
        element("b", "verified"),
        ".",
    )
    listed = element("ul", *(element("li", point) for point in points), class_="es-points")
    closed = element("p", notice, class_="es-quiet") if notice else ""
    return element("div", first, listed, closed)


def list_part_choices(benchmark: Benchmark, setting: str, held: Collection[str] | None = None) -> list[tuple[str, str]]:
    """Return (title, id) of the parts that can be asked under a setting; `held` are those of which there are any."""
    wanted = benchmark.parts_of(setting)
    return [
        (part.title, part.id) for part in benchmark.parts if part.id in wanted and (held is None or part.id in held)
    ]


def render_endpoint(record: EndpointRecord, state: str) -> Markup:
    """Return where a model is asked, what a first look found, and how far asking is."""
    parts = [element("p", *_describe_address(record))]
    if record.progress is not None:
        parts += _describe_querying(record.progress, is_running=state == "running")
    if record.findings:
        found = element("ul", *(_describe_finding(one) for one in record.findings), class_="es-findings")
        parts += [element("h4", "Endpoint check"), found]
    return element("div", *parts, class_="es-endpoint", data_testid="endpoint")


def render_awaiting(found: Sequence[tuple[SubmissionRecord, EndpointRecord]], now: datetime) -> Markup:
    """Return the endpoints that somebody has to approve."""
    if not found:
        return element("p", "No endpoints are waiting for approval.", class_="es-quiet", data_testid="awaiting")
    rows = (
        [
            element("code", one.id),
            one.owner.name,
            one.model.name,
            element("code", record.base_url),
            element("code", record.model_name),
            describe_target(one),
            since(one.created_at, now),
        ]
        for one, record in found
    )
    headings = ["ID", "Owner", "Model", "Base URL", "Model ID", "Benchmark", "Submitted"]
    listed = table(headings, rows, numbers_from=6, caption="Endpoints waiting for approval")
    return element("div", listed, data_testid="awaiting")


def list_awaiting_choices(found: Sequence[tuple[SubmissionRecord, EndpointRecord]]) -> list[tuple[str, str]]:
    """Return (label, id) of each endpoint that awaits approval."""
    return [(f"{one.id} · {one.owner.name} · {record.base_url[:80]}", one.id) for one, record in found]


def describe_target(submission: SubmissionRecord) -> str:
    """Return what a submission is to: benchmark, version and setting."""
    try:
        title = get_benchmark(submission.benchmark, submission.version).title
    except UnknownBenchmarkError:  # one that a release took away: what was sent to it is listed all the same
        title = submission.benchmark
    return f"{title} {submission.version}, {submission.setting}"


def _describe_address(record: EndpointRecord) -> list[object]:
    sounds = "several clips per message" if record.multi_audio else "clips concatenated"
    parts = "" if record.parts is None else f", only {' and '.join(record.parts)}"
    key = "with a key" if record.wants_key else "without a key"
    rest = f", {key}, up to {record.concurrency:,} parallel requests, {sounds}, as {record.audio_form}{parts}."
    return ["Endpoint ", element("code", record.base_url), ", model ", element("code", record.model_name), rest]


def _describe_querying(progress: Mapping[str, Any], *, is_running: bool) -> list[Markup]:
    pace = _describe_pace(progress) if is_running else ""
    given_up = f", {progress['n_abandoned']:,} given up" if progress["n_abandoned"] else ""
    cut = (
        f"; {progress['n_truncated']:,} {_plural(progress['n_truncated'], 'answer')} cut off"
        if progress["n_truncated"]
        else ""
    )
    answered = (
        f"{progress['n_done']:,} of {progress['n_questions']:,} questions answered{given_up}{pace}. "
        f"{progress['n_calls']:,} requests, {progress['tokens_in']:,} tokens in, {progress['tokens_out']:,} out{cut}."
    )
    told = [element("p", answered, data_testid="asking")]
    failures = sorted(progress["failures"].items(), key=lambda one: -one[1])
    if failures:
        words = ", ".join(f"{FAILURE_WORDS.get(kind, kind)} {count:,} ×" for kind, count in failures)
        told.append(element("p", f"Failed requests (retried where possible): {words}.", class_="es-quiet"))
    return told


def _describe_pace(progress: Mapping[str, Any]) -> str:
    per_second, left = progress["per_second"], progress["n_questions"] - progress["n_done"]
    minutes = math.ceil(left / per_second / 60) if per_second else None
    rest = "" if minutes is None or not left else f", about {minutes:,} {_plural(minutes, 'minute')} left"
    return f", {per_second:.1f}/s{rest}"


def _plural(count: int, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"


def _describe_finding(finding: Mapping[str, Any]) -> Markup:
    verdict = _VERDICTS[finding["is_ok"]]
    said = str(finding["detail"])
    shown = said if len(said) <= _MAX_SAID else f"{said[:_MAX_SAID]}…"
    word = element("b", verdict, class_=f"es-finding-{verdict.replace(' ', '-')}")
    return element(
        "li", f"{finding['check']}: ", word, element("span", f" · {shown}" if shown else "", class_="es-quiet")
    )
