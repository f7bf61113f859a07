"""Markup of the Admin tab: queue, re-evaluation results, audit log. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from db.admin_records import ReevaluationRecord
from db.audit_records import AuditRecord
from db.records import UserRecord
from db.worker_records import WorkerRecord
from leaderboard.pages.shared.board_names import name_board
from leaderboard.pages.shell.sign_in_markup import render_signed_in
from leaderboard.rendering.formatting import write_percent
from leaderboard.rendering.templating import Markup, render_macro, render_template
from submissions.intake.openness import Openness
from submissions.jobs.judge_usage import DAYS_OF_SPEND, JudgeEstimate, JudgeView
from submissions.model_registry.merges import ModelList
from submissions.operations.maintenance import QueueView
from submissions.rescoring.change_texts import (
    describe_end,
    describe_pending,
    describe_places,
    describe_row,
    find_lead_pair,
    list_signature_lines,
    name_score,
)

_NOTES = "pages/admin/notes.html"


class ShownChange(NamedTuple):
    """A row of the result of a re-evaluation, as its template takes it."""

    submission: str
    model: str
    setting: str | None
    scores: str
    rank: str
    n_changed: str | None


def render_maintainer(user: UserRecord | None, *, is_maintainer: bool) -> Markup:
    """Return the maintainer's name, or that the tab is for maintainers only."""
    if user is None or not is_maintainer:
        return render_refused(user)
    return render_signed_in(user, "admin-name", "maintainer")


def render_refused(user: UserRecord | None) -> Markup:
    """Return a message that the tab is for maintainers, with a sign-in link for visitors."""
    return render_macro(_NOTES, "refused", user)


def render_overview(*parts: Markup) -> Markup:
    """Return the queue, section by section."""
    return render_macro(_NOTES, "overview", parts)


def render_queue(view: QueueView, workers: Sequence[WorkerRecord], now: datetime) -> Markup:
    """Return the evaluators, the length of the queue, and what comes next."""
    submissions = [place.entry.submission for place in view.places]
    boards = [name_board(one.benchmark, one.version, one.setting) for one in submissions]
    return render_template(
        "pages/admin/queue.html",
        workers=[(worker, not worker.is_active(now)) for worker in workers],
        totals=", ".join(f"{n:,} {state}" for state, n in view.totals.items()),
        places=list(zip(view.places, boards, strict=True)),
        now=now,
    )


def render_replica(lag_seconds: float | None) -> Markup:
    """Return the lag of the database replica."""
    return render_macro(_NOTES, "replica", lag_seconds)


def render_absent(openness: Iterable[Openness]) -> Markup:
    """Return which benchmarks lack questions, and how to install them."""
    absent = [one for one in openness if one.benchmark.needs is not None and one.closed_parts]
    return render_template("pages/admin/absent.html", absent=absent) if absent else Markup("")


def render_judge(view: JudgeView) -> Markup:
    """Return the current judge, its budget, the estimated cost of the queue, and what waits for a maintainer."""
    return render_template(
        "pages/admin/judge.html",
        view=view,
        budget=_describe_budget(view),
        n_stopped=view.n_waiting + len(view.stopped),
        estimate=_describe_estimate(view.queue_estimate) if view.n_open else "",
        sorting=_describe_sorting(view) if view.judge is not None else "",
        usage=(("today", view.today), (f"last {DAYS_OF_SPEND} days", view.month)),
    )


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


def list_reevaluation_choices(found: Sequence[ReevaluationRecord]) -> list[tuple[str, str]]:
    """Return (label, id) of each re-evaluation."""
    return [(f"{one.id} · {_kind(one)} · {one.scope.name} · {one.state}", str(one.id)) for one in found]


def _kind(one: ReevaluationRecord) -> str:
    return "preview" if one.dry_run else "applied"


def render_reevaluations(found: Sequence[ReevaluationRecord], now: datetime) -> Markup:
    """Return the last re-evaluations."""
    return render_template("pages/admin/reevaluations.html", reevaluations=found, now=now)


def render_result(one: ReevaluationRecord | None) -> Markup:
    """Return old and new scores and ranks of a re-evaluation."""
    if one is None:
        return Markup("")
    result = one.result
    return render_template(
        "pages/admin/reevaluation.html",
        reevaluation=one,
        summary="" if result is None else describe_end(one.id, result, dry_run=one.dry_run),
        headline="" if result is None else result["headline"].replace("|", " "),
        changes=[] if result is None else _list_changes(result),
        signatures=[] if result is None else list_signature_lines(result),
    )


def _list_changes(result: Mapping[str, Any]) -> list[ShownChange]:
    changes = []
    for row in result["rows"]:
        lead, pair = find_lead_pair(result, row)
        scores = describe_row(row) or f"{lead}{write_percent(pair['old'])} → {write_percent(pair['new'])}"
        differ = "; ".join(filter(None, (f"{row['n_changed']:,} of {row['n_figures']:,}", describe_pending(row))))
        rank = describe_places(row["rank"])
        changes.append(ShownChange(row["submission"], row["model"], row["setting"], scores, rank, differ))
    for other in result["others"]:
        scores = f"{name_score(result, other)}not re-scored"
        rank = describe_places(other["rank"])
        changes.append(ShownChange(other["submission"], other["model"], None, scores, rank, None))
    return changes


def render_models(found: ModelList) -> Markup:
    """Return models with their likely duplicates."""
    return render_template("pages/admin/models.html", entries=found.entries, has_more=bool(found.next_after))


def render_audit(entries: Sequence[AuditRecord]) -> Markup:
    """Return recent entries of the audit log, newest first."""
    return render_template("pages/admin/audit.html", entries=[(entry, _describe_details(entry)) for entry in entries])


def _describe_details(entry: AuditRecord) -> str:
    return "; ".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in entry.details.items()
    )
