"""Markup of the Admin tab: the queue, changes by re-scoring, the audit log. Pure: records in, HTML out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from db.admin_records import ReevaluationRecord
from db.audit_records import AuditRecord
from db.model_records import ModelIdentity
from db.records import UserRecord, WorkerRecord
from leaderboard.html_elements import Markup, element, percent, since, table
from submissions.intake.openness import Openness
from submissions.jobs.judge_usage import DAYS_OF_SPEND, JudgeEstimate, JudgeView
from submissions.jobs.worker_names import SEEN_WITHIN
from submissions.model_registry.merges import ModelList
from submissions.operations.maintenance import QueuedSubmission, QueueView
from submissions.rescoring.change_texts import (
    describe_end,
    describe_pending,
    describe_places,
    describe_row,
    find_lead_pair,
    list_signature_lines,
    name_figure,
)


def render_maintainer(user: UserRecord | None, *, is_maintainer: bool) -> Markup:
    """Return whether somebody may see the rest of the tab."""
    if is_maintainer and user is not None:
        return element("p", "Signed in as maintainer ", element("b", user.name), ".", data_testid="admin-name")
    return render_refused(user)


def render_refused(user: UserRecord | None) -> Markup:
    """Return that the tab is for maintainers, and to a visitor who is not signed in where to sign in."""
    words: list[object] = ["The Admin tab is for maintainers only."]
    if user is None:
        link = element("a", "Sign in on the Submit tab", href="/?tab=submit", data_visit="")
        words = [*words, " ", link, " if you are one."]
    return element("p", *words, class_="es-quiet", data_testid="admin-refused")


def render_queue(view: QueueView, workers: Sequence[WorkerRecord], now: datetime) -> Markup:
    """Return who evaluates, how much waits, and what comes next."""
    seen = ([worker.name, since(worker.started_at, now), _describe_seen(worker, now)] for worker in workers)
    evaluators = table(["Evaluator", "Started", "Last heartbeat"], seen, numbers_from=1, caption="Evaluators")
    if not workers:
        evaluators = element(
            "p", "No evaluator is running, so submissions are not scored. Start one.", class_="es-error"
        )
    totals = ", ".join(f"{n:,} {state}" for state, n in view.totals.items()) or "The queue is empty."
    parts = [evaluators, element("p", totals, data_testid="queue-totals")]
    if view.places:
        rows = (_describe_place(place, now) for place in view.places)
        headings = ["ID", "Owner", "Benchmark", "Model", "Type", "Status", "Ahead", "Attempts", "Progress", "Submitted"]
        parts.append(table(headings, rows, numbers_from=6, caption="Queue"))
    return element("div", *parts)


def render_replica(lag_seconds: float | None) -> Markup:
    """Return how far the replica of the database is behind."""
    if lag_seconds is None:
        text = "Replica: not confirmed since this server started. Changes are refused until it is."
    else:
        text = f"Replica: {lag_seconds:.1f} s behind."
    return element("p", text, data_testid="replica-lag")


def render_absent(openness: Iterable[Openness]) -> Markup:
    """Return which benchmarks lack questions, and how to install them."""
    rows = [
        [f"{one.benchmark.title} {one.benchmark.version}", ", ".join(one.closed_parts), one.benchmark.needs]
        for one in openness
        if one.benchmark.needs is not None and one.closed_parts
    ]
    if not rows:
        return Markup("")
    headings = ["Benchmark", "Parts without questions", "How to install them"]
    return table(headings, rows, numbers_from=3, caption="Questions that are not installed")


def _describe_seen(worker: WorkerRecord, now: datetime) -> Markup:
    seen = since(worker.seen_at, now)
    if now - worker.seen_at <= SEEN_WITHIN:
        return seen
    return element("span", "stopped (last heartbeat ", seen, ")", class_="es-quiet")


def render_judge(view: JudgeView) -> Markup:
    """Return which judge is at work, its budget, what the queue will cost, and what waits for a maintainer."""
    parts = [
        element("p", f"{_describe_budget(view)} Waiting: {view.n_waiting:,}. Held for a maintainer: {view.n_held:,}.")
    ]
    if view.stopped:
        parts.append(_describe_stop(view))
    if view.n_open:
        words = f"Judging the queue takes about {_describe_estimate(view.queue_estimate)}"
        parts.append(element("p", words, data_testid="judge-estimate"))
    if view.judge is not None:
        parts.append(element("p", _describe_sorting(view), data_testid="sorting-estimate"))
    spans = (("today", view.today), (f"last {DAYS_OF_SPEND} days", view.month))
    rows = [[name, spend.calls, spend.prompt_tokens, spend.completion_tokens] for name, spend in spans]
    headings = ["Period", "Calls", "Input tokens", "Output tokens"]
    cost = table(headings, rows, numbers_from=1, caption="Judge usage")
    return element("div", *parts, cost, data_testid="judge")


def _describe_budget(view: JudgeView) -> str:
    judge = view.judge
    if judge is None:
        return "No judge is configured for open answers."
    words = (
        f"{judge.model} judges open answers; {view.calls_left:,} of {judge.max_calls_per_day:,} calls are left today."
    )
    if view.cost_today is None:
        return words
    limit = "" if judge.max_cost_per_day is None else f" of {judge.max_cost_per_day:,.2f}"
    return f"{words} Spent today: {view.cost_today:,.2f}{limit} at the configured prices."


def _describe_stop(view: JudgeView) -> Markup:
    n_waiting = view.n_waiting + len(view.stopped)
    waits = "1 submission is waiting." if n_waiting == 1 else f"{n_waiting:,} submissions are waiting."
    words = (
        f"Judging is stopped. {view.stop_reason or ''} {waits} Check the judge's address, model and log, then release "
    )
    return element(
        "p", words, element("code", view.stopped[0]), " to resume.", class_="es-error", data_testid="judge-stopped"
    )


def _describe_estimate(estimate: JudgeEstimate) -> str:
    spend = estimate.spend
    cost = "" if estimate.cost is None else f", cost {estimate.cost:,.2f}"
    basis = f"as in the last {DAYS_OF_SPEND} days" if estimate.is_measured else "assumed, no calls yet"
    tokens = f"{spend.prompt_tokens:,} input and {spend.completion_tokens:,} output tokens"
    return f"{spend.calls:,} calls ({tokens}, {basis}{cost})."


def _describe_sorting(view: JudgeView) -> str:
    judge = view.judge
    limit = f"up to {view.sorting_limit:,} wrong answers per submission"
    calls = f"up to {_describe_estimate(view.sorting_estimate)} Retries after server errors are not included."
    if judge is None or not judge.sort_errors:
        would = f"Sorting {limit} would take {calls}" if view.n_unsorted else "No submissions to sort."
        return f"Error sorting is off (EARSHOT_JUDGE_SORT_ERRORS). {would}"
    if judge.is_sorting_stopped:
        return (
            "Error sorting is stopped: too many consecutive replies of the judge had no verdict. It resumes after a "
            "day, or when you restart the evaluator."
        )
    return f"Error sorting reads {limit} and takes {calls}"


def _describe_place(place: QueuedSubmission, now: datetime) -> list[object]:
    one, entry = place.entry.submission, place.entry
    return [
        element("code", one.id),
        one.owner.name,
        f"{one.benchmark} {one.version}, {one.setting}",
        one.model.name,
        "endpoint" if one.source == "verified" else "file",
        "held" if one.lane == "held" else one.state,
        place.position,
        one.attempts,
        None if entry.progress is None else f"{percent(entry.progress)} %",
        since(one.created_at, now),
    ]


def list_reevaluation_choices(found: Sequence[ReevaluationRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each re-evaluation."""
    return [(f"{one.id} · {_kind(one)} · {one.scope.name} · {one.state}", str(one.id)) for one in found]


def render_reevaluations(found: Sequence[ReevaluationRecord], now: datetime) -> Markup:
    """Return the last re-evaluations."""
    if not found:
        return element("p", "No re-scoring yet. Preview the changes first.", class_="es-quiet")
    rows = (
        [
            one.id,
            _kind(one),
            one.scope.name,
            one.state,
            f"{one.n_done:,} of {one.n_rows:,}",
            one.requested_by,
            one.reason,
            since(one.created_at, now),
        ]
        for one in found
    )
    headings = ["ID", "Type", "Scope", "Status", "Progress", "Requested by", "Reason", "Requested"]
    return table(headings, rows, numbers_from=8, caption="Re-evaluations")


def _kind(one: ReevaluationRecord) -> str:
    return "preview" if one.dry_run else "applied"


def render_result(one: ReevaluationRecord | None) -> Markup:
    """Return old beside new figures and places of a re-evaluation."""
    if one is None:
        return Markup("")
    if one.result is None:
        return element("p", one.explanation or f"It is {one.state}.", data_testid="reevaluation-result")
    result = one.result
    words = describe_end(one.id, result, dry_run=one.dry_run)
    headings = [
        "Submission",
        "Model",
        "Setting",
        f"{result['headline'].replace('|', ' ')} %",
        "Rank",
        "Scores changed",
    ]
    changed = table(headings, _list_changes(result), numbers_from=3, caption="Changes")
    signatures = element("ul", *(element("li", line) for line in list_signature_lines(result)))
    return element("div", element("p", words), changed, signatures, data_testid="reevaluation-result")


def _list_changes(result: Mapping[str, Any]) -> Iterable[list[object]]:
    for row in result["rows"]:
        lead, pair = find_lead_pair(result, row)
        figures = describe_row(row) or f"{lead}{percent(pair['old'])} → {percent(pair['new'])}"
        differ = "; ".join(filter(None, (f"{row['n_changed']:,} of {row['n_figures']:,}", describe_pending(row))))
        yield [
            element("code", row["submission"]),
            row["model"],
            row["setting"],
            figures,
            describe_places(row["rank"]),
            differ,
        ]
    for other in result["others"]:
        name = element("code", other["submission"])
        kept = f"{name_figure(result, other)}not re-scored"
        yield [name, other["model"], None, kept, describe_places(other["rank"]), None]


def render_models(found: ModelList) -> Markup:
    """Return models, and what else may be the same one."""
    if not found.entries:
        return element("p", "No model matches.", class_="es-quiet")
    rows = (
        [
            element("code", one.model.public_id),
            one.model.name,
            one.shown_as.name if one.shown_as else None,
            _list_names(one.aliases),
            _list_names(one.likely_duplicates),
            f"{one.n_public:,} of {one.n_submissions:,}",
        ]
        for one in found.entries
    )
    headings = ["ID", "Model", "Shown as", "Merged names", "Likely duplicates", "Public submissions"]
    more = (
        element("p", "Only the first models are listed. Search for a part of the name.", class_="es-quiet")
        if found.next_after
        else ""
    )
    return element("div", table(headings, rows, numbers_from=5, caption="Models"), more, data_testid="admin-models")


def _list_names(models: Iterable[ModelIdentity]) -> str | None:
    return ", ".join(f"{one.name} ({one.public_id})" for one in models) or None


def render_audit(entries: Sequence[AuditRecord]) -> Markup:
    """Return the end of the audit log, newest first."""
    rows = (
        [
            one.number,
            _moment(one.at),
            one.actor,
            one.action,
            one.subject,
            _details(one),
            element("code", one.digest[:12]),
        ]
        for one in entries
    )
    words = element(
        "p",
        "Each digest covers its entry and the one before; ",
        element("code", "python -m db check"),
        " verifies the whole log. ",
        element("a", "Complete log as JSON", href="/api/v1/admin/audit?limit=500", target="_blank", rel="noopener"),
        class_="es-quiet",
    )
    headings = ["Number", "Time", "User", "Action", "Subject", "Details", "Digest"]
    return element("div", words, table(headings, rows, numbers_from=7, caption="Audit log"), data_testid="audit-log")


def _moment(at: str) -> Markup:
    return element("time", f"{at[:19].replace('T', ' ')} UTC", datetime=at, title=at)


def _details(entry: AuditRecord) -> str:
    return "; ".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in entry.details.items()
    )
