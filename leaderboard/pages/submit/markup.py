"""Markup of the Submit tab: help, problems of a file, status. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from db.practice_records import PracticeRecord
from db.records import ScoreRecord, SubmissionRecord
from evaluation.benchmarks import Benchmark, Column, get_benchmark
from evaluation.packs import explain_runs
from evaluation.predictions import Problem, Validation
from leaderboard.pages.shared.board_names import name_board
from leaderboard.pages.shared.error_type_markup import render_error_types
from leaderboard.pages.shared.hub_markup import render_hub_model, render_proposal
from leaderboard.pages.submit.endpoint_form.markup import render_endpoint
from leaderboard.rendering.formatting import write_percent
from leaderboard.rendering.templating import Markup, render_macro, render_template
from submissions.intake.openness import Openness
from submissions.intake.submission_limits import Quota
from submissions.intake.validation_texts import (
    describe_rejected,
    describe_unreadable,
    describe_valid,
    is_warned,
    list_more_ids,
)
from submissions.operations.maintenance import HIDING
from submissions.statuses import Status

_NOTES = "pages/submit/notes.html"
_VALIDATION = "pages/submit/validation.html"
_LABEL_CHARACTERS = 40
_PRACTICE_STATES = {
    "queued": "Practice answers are queued for scoring.",
    "scored": "Practice answers are scored.",
    "failed": "Practice answers could not be scored.",
}
_UNFINISHED = frozenset({"received", "queued", "running", "awaiting-judge", "awaiting-approval", "awaiting-close"})


class ScoreList(NamedTuple):
    """Scores with their columns; a single run has no standard deviation over seeds."""

    rows: list[tuple[Column, ScoreRecord]]
    has_seeds: bool


class SubmissionResult(NamedTuple):
    """Result of a submission, as its template takes it.

    Attributes:
        headline: The leading score in words.
        parts: Scores of whole parts.
        error_types: Shares of error types, a line for each part.
        scores: All scores.
    """

    headline: str
    parts: ScoreList
    error_types: list[Markup]
    scores: ScoreList


def render_closed(openness: Openness) -> Markup:
    """Return why a version accepts no submissions; empty for an open version."""
    return Markup("") if openness.is_open else render_macro(_NOTES, "closed", openness.notice)


def render_file_help(benchmark: Benchmark, notice: str | None = None, *, has_shared_split: bool) -> Markup:
    """Return the file format in two lines, and where the questions are.

    Args:
        benchmark: Benchmark version.
        notice: Which parts are closed; None if none are.
        has_shared_split: Whether everybody answers the same test split; otherwise users request their own.
    """
    return render_template(
        "pages/submit/file_help.html",
        benchmark=benchmark,
        runs=explain_runs(benchmark),
        notice=notice,
        has_shared_split=has_shared_split,
    )


def render_left(quota: Quota, benchmark: Benchmark) -> Markup:
    """Return a user's remaining submissions."""
    renewed_at = quota.obstacle.renewed_at if quota.allowances and quota.obstacle else None
    renewed_on = f"{renewed_at.day} {renewed_at:%B %Y}" if renewed_at else ""
    return render_macro(_NOTES, "left", benchmark, quota.describe() if quota.allowances else "", renewed_on)


def render_refusal(message: str) -> Markup:
    """Return why an action failed."""
    return render_macro(_NOTES, "refusal", message)


def render_received(submission: SubmissionRecord) -> Markup:
    """Return that a file was accepted, and when it is scored."""
    return render_macro(_NOTES, "received", submission)


def render_registered(submission_id: str) -> Markup:
    """Return that an endpoint was registered."""
    return render_macro(_NOTES, "registered", submission_id)


def render_practice_help() -> Markup:
    """Return what practice answers are for."""
    return render_macro(_NOTES, "practice_help")


def render_validation(validation: Validation) -> Markup:
    """Return the result of a file check."""
    if not validation.ok:
        return render_problems(validation.problems, sum(validation.totals.values()))
    parsing = validation.parsing
    parsed = parsing.parsed if parsing else None
    words = describe_valid(validation.predictions, validation.expected, validation.missing, parsed)
    if parsing is None:
        return render_macro(_VALIDATION, "unparsed", words, validation.unparsed)
    if not parsing.unreadable:
        return render_macro(_VALIDATION, "valid", words)
    counts = (parsing.unreadable, parsing.parsed + parsing.unreadable)
    reason = describe_unreadable(*counts, parsing.reasons)
    return render_macro(_VALIDATION, "unreadable", words, reason, is_warned(*counts), parsing.examples)


def render_problems(problems: Sequence[Problem], total: int) -> Markup:
    """Return the problems of a file, each with line, kind and fix; `total` counts all errors they group."""
    rows = [(problem, *_list_more_ids(problem)) for problem in problems]
    return render_macro(_VALIDATION, "problems", describe_rejected(len(problems), total), rows)


def _list_more_ids(problem: Problem) -> tuple[int, str]:
    """Return the number of ids that a problem concerns, and those that its message omits."""
    ids = [detail.id for detail in problem.details if detail.id is not None]
    return len(ids), list_more_ids(problem.code, problem.message, ids)


def render_status(status: Status, now: datetime) -> Markup:
    """Return the status of a submission."""
    submission = status.submission
    is_public_score = submission.state == "scored" and submission.visibility == "public"
    can_propose = is_public_score and submission.hub_pull_request is None
    # The first line says why it waits for the judge.
    is_reason_shown = submission.state != "awaiting-judge" or submission.lane == "held"
    has_result = bool(status.scores) and status.lead is not None
    benchmark = get_benchmark(submission.benchmark, submission.version) if has_result else None
    return render_template(
        "pages/submit/status.html",
        status=status,
        now=now,
        outlook=_describe_outlook(status),
        share=_find_progress(status),
        endpoint="" if status.endpoint is None else render_endpoint(status.endpoint, submission.state),
        hub=render_hub_model(submission.model.hub, submission.hub_pull_request),
        proposal=render_proposal(submission.id, submission.model.hub) if can_propose else "",
        hiding=_describe_hiding(status),
        reason=submission.reason if is_reason_shown else "",
        benchmark=benchmark,
        result=None if benchmark is None else _make_result(status, benchmark),
        practice=_describe_practice(status.practice),
    )


def render_mine(submissions: Sequence[SubmissionRecord], now: datetime, *, has_older: bool = False) -> Markup:
    """Return a user's submissions, newest first.

    Args:
        submissions: Submissions to show.
        now: Current time.
        has_older: Whether there are more.
    """
    rows = [(one, name_board(one.benchmark, one.version, one.setting)) for one in submissions]
    return render_template("pages/submit/mine.html", rows=rows, now=now, has_older=has_older)


def is_moving(submissions: Sequence[SubmissionRecord]) -> bool:
    """Tell whether any submission is unfinished."""
    return any(one.state in _UNFINISHED for one in submissions)


def can_publish(submission: SubmissionRecord | None) -> bool:
    """Tell whether the submission can be published."""
    return submission is not None and submission.visibility == "private" and submission.state != "withdrawn"


def can_retry(submission: SubmissionRecord | None) -> bool:
    """Tell whether it failed in a way that a retry may fix."""
    return submission is not None and submission.state == "failed" and bool(submission.retryable)


def list_choices(submissions: Sequence[SubmissionRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each submission."""
    return [(f"{one.id} · {one.model.name[:_LABEL_CHARACTERS]} · {one.state}", one.id) for one in submissions]


def _describe_outlook(status: Status) -> str:
    if status.submission.state == "running" and status.endpoint is not None and not status.outlook.is_stalled:
        return "Querying the endpoint."  # the progress line below shows the remaining time
    if not status.submission.has_scores:
        return status.outlook.text
    waits = f"{status.outlook.text} " if status.submission.is_open_pending else ""
    if status.submission.visibility == "hidden":
        return waits.rstrip()
    public = status.submission.visibility == "public"
    seen = "Published on the board." if public else "Visible to you and the maintainers only, until you publish it."
    return waits + seen


def _describe_practice(practice: PracticeRecord | None) -> str:
    """Return the state and score of practice answers, and the gap to the test score; empty without any."""
    if practice is None:
        return ""
    result, why = practice.result, f" {practice.explanation}" if practice.explanation else ""
    if result is None or result.value is None:
        return f"{_PRACTICE_STATES[practice.state]}{why}"
    error = "" if result.standard_error is None else f" ± {write_percent(result.standard_error)}"
    score = f"Practice {write_percent(result.value)}{error} %"
    if result.gap is None:
        return f"{score}.{why or ' The gap is computed once the test score exists.'}"
    has_ends = result.low is not None and result.high is not None
    ends = f" (95 % CI {write_percent(result.low)} to {write_percent(result.high)})" if has_ends else ""
    return f"{score}. Practice − test: {write_percent(result.gap)} points{ends}.{why}"


def _describe_hiding(status: Status) -> str:
    """Return why a hidden submission is hidden; every hiding is an event with its reason."""
    reasons = [event.text.removeprefix(HIDING) for event in status.events if event.text.startswith(f"{HIDING}: ")]
    reason = reasons[-1] if reasons else ""
    return reason + ("" if reason.endswith((".", "!", "?")) else ".")


def _find_progress(status: Status) -> int | None:
    """Return the progress in percent; None without a progress bar."""
    if status.position is None and status.progress is None:
        return None
    return round(100 * (status.progress or 0.0))


def _make_result(status: Status, benchmark: Benchmark) -> SubmissionResult:
    keyed = {score.key: score for score in status.scores}
    scores = {key: score for key, score in keyed.items() if score.value is not None}
    known = [(column, scores[column.key]) for column in benchmark.columns if column.key in scores]
    return SubmissionResult(
        headline=_describe_headline(status, benchmark, scores),
        parts=_list_scores([(column, score) for column, score in known if "/" not in column.slice]),
        error_types=render_error_types(benchmark, keyed, {key: score.note or "" for key, score in keyed.items()}),
        scores=_list_scores(known),
    )


def _describe_headline(status: Status, benchmark: Benchmark, scores: Mapping[str, ScoreRecord]) -> str:
    lead = status.lead
    score = scores.get(lead.key) if lead is not None else None
    if lead is None or score is None:
        return ""
    chance = benchmark.chance.get(lead.key)
    beside = f" (chance {write_percent(chance)})" if chance is not None else ""
    return f"{lead.title} {write_percent(score.value)} %{beside}."


def _list_scores(rows: list[tuple[Column, ScoreRecord]]) -> ScoreList:
    return ScoreList(rows, has_seeds=any(score.std is not None for _, score in rows))
