"""Markup of the Submit tab: help, problems of a file, status. Pure: records in, HTML out."""

from collections.abc import Sequence
from datetime import datetime

from db.records import ScoreRecord, SubmissionRecord
from evaluation.benchmarks import Benchmark, Column, get_benchmark
from evaluation.packs import explain_runs
from evaluation.predictions import Parsing, Problem, Validation
from leaderboard.html_elements import Markup, element, link_definitions, percent, since, table, text
from leaderboard.pages.shared.error_type_markup import render_error_types
from leaderboard.pages.shared.hub_markup import render_hub_model, render_proposal
from leaderboard.pages.submit.endpoint_form.markup import describe_target, render_endpoint
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

_LABEL_CHARACTERS = 40
_UNFINISHED = frozenset({"received", "queued", "running", "awaiting-judge", "awaiting-approval"})


def render_closed(openness: Openness) -> Markup:
    """Return why a version takes no submissions; nothing for an open version."""
    return Markup("") if openness.is_open else element("p", openness.notice, role="note", data_testid="submit-closed")


def render_file_help(benchmark: Benchmark, notice: str | None = None) -> Markup:
    """Return what the file is, in two lines, and where the questions are; `notice` says which parts are closed."""
    href = f"/api/v1/benchmarks/{benchmark.id}/pack?split=test&version={benchmark.version}"
    pack = element("a", f"Download the {benchmark.title} question pack", href=href, data_testid="submit-pack")
    first = element("p", pack, ", run your model on each question, and write one JSON object per line:")
    second = element("p", element("code", benchmark.example_line))
    third = element(
        "p",
        element("code", "response"),
        " is your model's raw output; we extract the answer. ",
        explain_runs(benchmark),
        " A JSON list, a JSON object (ID → response) or CSV works too, also gzipped or zipped."
        " Checking is free and needs no account.",
        class_="es-quiet",
    )
    joined = (
        element("p", f"For {setting}, name all models of the pipeline: “Captioner{between}Text model”.")
        for setting, between in benchmark.joined_settings.items()
    )
    closed = element("p", notice, class_="es-quiet", data_testid="submit-parts") if notice else ""
    return element("div", first, second, third, *joined, closed)


def render_left(quota: Quota, benchmark: Benchmark) -> Markup:
    """Return how many submissions somebody has left."""
    title = f"{benchmark.title} {benchmark.version}"
    words = f"No submission limit for {title}."
    if quota.allowances:
        obstacle = quota.obstacle
        renewed_at = obstacle.renewed_at if obstacle else None
        again = f" Next slot: {renewed_at.day} {renewed_at:%B %Y}, 00:00 UTC." if renewed_at else ""
        words = f"Submissions to {title}: {quota.describe()}.{again} Checks and failures on our side do not count."
    return element("p", words, class_="es-quiet", data_testid="left")


def render_refusal(message: str) -> Markup:
    """Return why something was not done."""
    return element("p", message, class_="es-error", role="alert", data_testid="refusal")


def render_validation(validation: Validation) -> Markup:
    """Return the verdict on a file."""
    if not validation.ok:
        return render_problems(validation.problems, sum(validation.totals.values()))
    parsing = validation.parsing
    parsed = parsing.parsed if parsing else None
    words = describe_valid(validation.predictions, validation.expected, validation.missing, parsed)
    valid = element("p", words, role="status", data_testid="file-ok")
    if parsing is not None:
        return element("div", valid, _render_unreadable(parsing)) if parsing.unreadable else valid
    note = element("p", validation.unparsed, class_="es-quiet", data_testid="unparsed") if validation.unparsed else ""
    return element("div", valid, note)


def _render_unreadable(parsing: Parsing) -> Markup:
    """Return how many answers cannot be read, as a warning where they are many, and the first ones."""
    counts = (parsing.unreadable, parsing.parsed + parsing.unreadable)
    look = "es-warning" if is_warned(*counts) else "es-quiet"
    words = element(
        "p", describe_unreadable(*counts, parsing.reasons), class_=look, role="status", data_testid="unreadable"
    )
    rows = ([one.line, one.run, one.id, one.response, one.reason] for one in parsing.examples)
    headings = ["Line", "Run", "ID", "Response", "Reason"]
    return Markup(words + table(headings, rows, numbers_from=len(headings), caption="Unreadable answers"))


def render_problems(problems: Sequence[Problem], total: int) -> Markup:
    """Return the problems of a file, each with line, kind and what to do; `total` counts all faults they stand for."""
    words = describe_rejected(len(problems), total)
    rows = ([problem.line, element("code", problem.code), problem.id, _explain(problem)] for problem in problems)
    headings = ["Line", "Code", "ID", "Problem and fix"]
    found = table(headings, rows, numbers_from=4, caption="Problems in the file")
    return element("div", element("p", words, class_="es-error", role="alert"), found, data_testid="problems")


def _explain(problem: Problem) -> Markup:
    ids = [detail.id for detail in problem.details if detail.id is not None]
    more = list_more_ids(problem.code, problem.message, ids)
    fold = element("details", element("summary", f"First {len(ids)} IDs"), more) if more else ""
    return Markup(text(problem.message) + fold)


def render_status(status: Status, now: datetime) -> Markup:
    """Return where one submission stands."""
    submission = status.submission
    state = element("span", submission.state, class_=f"es-state es-state-{submission.state}", data_testid="state")
    title = element("p", element("b", submission.model.name), ", ", submission.id, ": ", state, ". ", _wait(status))
    parts = [title, _progress(status)]
    if status.endpoint is not None:
        parts.append(render_endpoint(status.endpoint, submission.state))
    if status.shown_as is not None:
        words = f"Shown on the boards as {status.shown_as.name} (same model)."
        parts.append(element("p", words, class_="es-quiet", data_testid="shown-as"))
    parts.append(render_hub_model(submission.model.hub, submission.hub_pull_request))
    if submission.state == "scored" and submission.visibility == "public" and submission.hub_pull_request is None:
        parts.append(render_proposal(submission.id, submission.model.hub))
    if submission.visibility == "hidden":
        parts.append(element("p", _describe_hiding(status), class_="es-error", data_testid="hidden"))
    # Why it waits for the judge is said above.
    if submission.reason and (submission.state != "awaiting-judge" or submission.lane == "held"):
        parts.append(element("p", submission.reason, class_="es-error"))
    if status.scores:
        parts.append(_result(status))
    events = ([since(event.at, now), event.actor, event.text] for event in status.events)
    parts.append(table(["When", "Who", "Event"], events, numbers_from=3, caption="Events"))
    return element("div", *parts, data_testid="status", data_state=submission.state)


def render_mine(submissions: Sequence[SubmissionRecord], now: datetime, *, has_older: bool = False) -> Markup:
    """Return somebody's submissions, newest first.

    Args:
        submissions: Those that are shown.
        now: When it is shown.
        has_older: Whether there are more than these.
    """
    if not submissions:
        return element("p", "No submissions yet.", class_="es-quiet")
    rows = (
        [
            one.id,
            one.model.name,
            describe_target(one),
            "endpoint" if one.source == "verified" else "file",
            element("span", one.state, class_=f"es-state es-state-{one.state}"),
            one.visibility if one.has_scores else None,
            since(one.created_at, now),
        ]
        for one in submissions
    )
    headings = ["ID", "Model", "Benchmark", "Type", "Status", "Visibility", "Submitted"]
    shown = table(headings, rows, numbers_from=7, caption="My submissions")
    if not has_older:
        return shown
    # No link: a browser would show the bare JSON.
    request = element("code", "GET /api/v1/submissions?mine=true&limit=100")
    newest = f"These are your newest {len(submissions)} submissions. The API lists all of them in pages: "
    return Markup(shown + element("p", newest, request, class_="es-quiet"))


def is_moving(submissions: Sequence[SubmissionRecord]) -> bool:
    """Tell whether any submission is still on its way."""
    return any(one.state in _UNFINISHED for one in submissions)


def can_publish(submission: SubmissionRecord | None) -> bool:
    """Tell whether publishing would change anything."""
    return submission is not None and submission.visibility == "private" and submission.state != "withdrawn"


def can_retry(submission: SubmissionRecord | None) -> bool:
    """Tell whether it failed in a way in which trying again may help."""
    return submission is not None and submission.state == "failed" and bool(submission.retryable)


def list_choices(submissions: Sequence[SubmissionRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each submission."""
    return [(f"{one.id} · {one.model.name[:_LABEL_CHARACTERS]} · {one.state}", one.id) for one in submissions]


def _wait(status: Status) -> str:
    if status.submission.state == "running" and status.endpoint is not None and not status.outlook.is_stalled:
        return "Querying the endpoint."  # the progress line below says how long it takes
    if not status.submission.has_scores:
        return status.outlook.text
    waits = f"{status.outlook.text} " if status.submission.is_open_pending else ""
    if status.submission.visibility == "hidden":
        return waits.rstrip()
    public = status.submission.visibility == "public"
    seen = "Published on the board." if public else "Visible to you and the maintainers only, until you publish it."
    return waits + seen


def _describe_hiding(status: Status) -> str:
    """Return why a hidden submission is hidden; every hiding is an event with its reason."""
    reasons = [event.text.removeprefix(HIDING) for event in status.events if event.text.startswith(f"{HIDING}: ")]
    reason = reasons[-1] if reasons else ""
    end = "" if reason.endswith((".", "!", "?")) else "."
    return f"Hidden by a maintainer{reason}{end} Only a maintainer can restore it."


def _progress(status: Status) -> Markup:
    if status.position is None and status.progress is None:
        return Markup("")
    share = round(100 * (status.progress or 0.0))
    bar = element("span", style=f"width: {share}%")
    return element(
        "div",
        bar,
        class_="es-progress",
        role="progressbar",
        aria_label="Evaluation progress" if status.endpoint else "Scoring progress",
        aria_valuenow=share,
        aria_valuemin=0,
        aria_valuemax=100,
        data_testid="progress",
    )


def _result(status: Status) -> Markup:
    href = f"/api/v1/submissions/{status.submission.id}"
    link = element("a", "All scores as JSON", href=href, target="_blank", rel="noopener")
    lead = status.lead
    if lead is None:
        words = "This benchmark is no longer available. "
        return element("div", element("p", words, link), data_testid="result")
    benchmark = get_benchmark(status.submission.benchmark, status.submission.version)
    found = {f"{score.slice}|{score.metric}": score for score in status.scores if score.value is not None}
    known = [(column, found[column.key]) for column in benchmark.columns if column.key in found]
    one, chance = found.get(lead.key), benchmark.chance.get(lead.key)
    beside = f" (chance {percent(chance)})" if chance is not None else ""
    words = f"{lead.title} {percent(one.value)} %{beside}." if one else ""
    whole_parts = [(column, score) for column, score in known if "/" not in column.slice]
    scores = _list_figures(benchmark, whole_parts, "Result")
    whole = element(
        "details",
        element("summary", f"All {len(known):,} scores"),
        _list_figures(benchmark, known, "All scores"),
        data_testid="all-figures",
    )
    return element(
        "div",
        element("p", element("b", words), " ", link, " · ", link_definitions()),
        scores,
        *_sorted(status),
        whole,
        data_testid="result",
    )


def _list_figures(benchmark: Benchmark, known: Sequence[tuple[Column, ScoreRecord]], caption: str) -> Markup:
    # A single run has no standard deviation.
    has_seeds = any(score.std is not None for _, score in known)
    deviation = ["± over seeds"] if has_seeds else []
    rows = (
        [
            _name(benchmark, column),
            percent(score.value),
            *([percent(score.std)] if has_seeds else []),
            f"{score.n or 0:,}",
        ]
        for column, score in known
    )
    return table(["Score", "%", *deviation, "Items"], rows, caption=caption)


def _name(benchmark: Benchmark, column: Column) -> Markup:
    return element("span", column.full_title, title=benchmark.define(column))


def _sorted(status: Status) -> list[Markup]:
    """Return the error types of the wrong answers that were sorted, part by part; nothing where none were."""
    benchmark = get_benchmark(status.submission.benchmark, status.submission.version)
    known = {f"{one.slice}|{one.metric}": one for one in status.scores}
    return render_error_types(benchmark, known, {key: one.note or "" for key, one in known.items()})
