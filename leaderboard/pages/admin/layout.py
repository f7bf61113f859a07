"""Layout of the Admin tab: queue, single submissions, re-scoring, models, published rows, audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.pages.admin.row_editor.layout import RowsPart, build_rows_part
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading, render_loading

ONE_SUBMISSION = "the submission above"


@dataclass(frozen=True, slots=True)
class ApprovalPart:
    """Endpoints that await approval: list, selection, reason, a button for each action, and result."""

    listed: Any
    chosen: Any
    reason: Any
    approve: Any
    reject: Any
    notice: Any


@dataclass(frozen=True, slots=True)
class SubmissionPart:
    """Actions on a submission: id, reason, a button for each action, result, and status."""

    id: Any
    reason: Any
    look: Any
    retry: Any
    hide: Any
    restore: Any
    release: Any
    reject: Any
    notice: Any
    status: Any


@dataclass(frozen=True, slots=True)
class RescoringPart:
    """Re-scoring: scope, reason, buttons for dry run and run, recent re-evaluations, and the selected result."""

    scope: Any
    reason: Any
    dry_run: Any
    start_rescoring: Any
    notice: Any
    listed: Any
    chosen: Any
    result: Any


@dataclass(frozen=True, slots=True)
class ModelsPart:
    """Models: search, matches, selected model, merge target, reason, and result."""

    query: Any
    found: Any
    id: Any
    target: Any
    reason: Any
    join: Any
    split: Any
    notice: Any


@dataclass(frozen=True, slots=True)
class ListenersPart:
    """Listeners: groups, selection, reason, a button for each action, and result."""

    listed: Any
    chosen: Any
    reason: Any
    show: Any
    hide: Any
    notice: Any


@dataclass(frozen=True, slots=True)
class CompetitionPart:
    """Competition mode: versions in it, selection, reason, a button for each action, and result."""

    listed: Any
    chosen: Any
    reason: Any
    start: Any
    end: Any
    notice: Any


@dataclass(frozen=True, slots=True)
class Door:
    """Components that show the current user: masthead, refusals, all tabs, and the Admin tab."""

    masthead: Any
    notice: Any
    tabs: Any
    tab: Any


@dataclass(frozen=True, slots=True)
class AdminTab:
    """Components of the tab.

    Attributes:
        who: Message for users who are not maintainers.
        own: Column for maintainers.
        queue: Evaluators, the judge and its cost, queued and running submissions.
        approval: Endpoints that await approval.
        submission: Actions on a submission.
        rescoring: Re-scoring.
        models: Merges of models.
        rows: Reported and human rows from files.
        listeners: Listener groups.
        competition: Competition mode of versions.
        audit: Recent entries of the audit log.
        clock: Timer that updates all of this.
    """

    who: Any
    own: Any
    queue: Any
    approval: ApprovalPart
    submission: SubmissionPart
    rescoring: RescoringPart
    models: ModelsPart
    rows: RowsPart
    listeners: ListenersPart
    competition: CompetitionPart
    audit: Any
    clock: Any


def build_admin_tab(benchmarks: Sequence[Benchmark]) -> AdminTab:
    """Build the tab."""
    who = gr.HTML(render_loading(), elem_id="admin-who", apply_default_css=False)
    with gr.Column(visible=False, elem_id="admin-own") as own:
        _heading("Queue")
        queue = _html("admin-queue")
        approval = _build_approval()
        submission = _build_submission()
        rescoring = _build_rescoring(benchmarks)
        models = _build_models()
        rows = build_rows_part()
        listeners = _build_listeners(benchmarks)
        competition = _build_competition(benchmarks)
        _heading("Audit log")
        audit = _html("admin-audit")
    clock = gr.Timer(3.0, active=False)
    return AdminTab(
        who, own, queue, approval, submission, rescoring, models, rows, listeners, competition, audit, clock
    )


def _build_approval() -> ApprovalPart:
    _heading("Endpoints waiting for approval")
    listed = _html("admin-awaiting")
    with gr.Row():
        chosen = take_as_sent(
            gr.Dropdown([], value=None, label="Endpoint", elem_id="admin-endpoint", scale=2, min_width=300)
        )
        reason = _reason("approval")
    with gr.Row():
        approve, reject = _button("Approve endpoint"), _button("Reject endpoint")
    return ApprovalPart(listed, chosen, reason, approve, reject, _html("admin-approval-notice"))


def _build_submission() -> SubmissionPart:
    _heading("Moderate a submission")
    with gr.Row():
        one = gr.Textbox(label="Submission ID", max_length=40, elem_id="admin-submission", min_width=240)
        reason = _reason("submission")
    with gr.Row():
        look, retry, hide, restore, release, reject = (
            _button(word) for word in ("Look", "Retry", "Hide", "Restore", "Release", "Reject")
        )
    told = _html("admin-notice"), _html("admin-status")
    return SubmissionPart(one, reason, look, retry, hide, restore, release, reject, *told)


def _build_rescoring(benchmarks: Sequence[Benchmark]) -> RescoringPart:
    _heading("Re-score")
    scopes = [(f"All of {one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
    with gr.Row():
        scope = gr.Dropdown(
            [*scopes, ONE_SUBMISSION], value=scopes[0][1], label="Scope", elem_id="admin-scope", min_width=240
        )
        reason = _reason("anew")
    with gr.Row():
        dry_run, start_rescoring = _button("Preview changes", "what-would-change"), _button("Apply", "score-anew")
    notice, listed = _html("admin-asked"), _html("admin-reevaluations")
    chosen = take_as_sent(gr.Dropdown([], label="Result of", elem_id="admin-chosen"))
    return RescoringPart(scope, reason, dry_run, start_rescoring, notice, listed, chosen, _html("admin-result"))


def _build_models() -> ModelsPart:
    _heading("Models")
    query = gr.Textbox(label="Search for a model", max_length=120, elem_id="admin-models-query")
    found = _html("admin-models")
    with gr.Row():
        one = gr.Textbox(label="Model ID", max_length=40, elem_id="admin-model")
        target = gr.Textbox(label="Merge into model ID", max_length=40, elem_id="admin-model-target")
        reason = _reason("model")
    with gr.Row():
        join, split = _button("Merge", "join"), _button("Split")
    return ModelsPart(query, found, one, target, reason, join, split, _html("admin-models-notice"))


def _build_listeners(benchmarks: Sequence[Benchmark]) -> ListenersPart:
    _heading("Listeners")
    listed = _html("admin-listeners")
    heard = [
        (f"{one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks if "practice" in one.splits
    ]
    with gr.Row():
        chosen = gr.Dropdown(heard, value=heard[0][1], label="Listeners of", elem_id="admin-group", min_width=240)
        reason = _reason("listeners")
    with gr.Row():
        show, hide = _button("Show listeners"), _button("Hide listeners")
    return ListenersPart(listed, chosen, reason, show, hide, _html("admin-listeners-notice"))


def _build_competition(benchmarks: Sequence[Benchmark]) -> CompetitionPart:
    _heading("Competition mode")
    listed = _html("admin-competitions")
    versions = [(f"{one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
    with gr.Row():
        chosen = gr.Dropdown(
            versions, value=versions[0][1], label="Benchmark", elem_id="admin-competition", min_width=240
        )
        reason = _reason("competition")
    with gr.Row():
        start, end = _button("Start competition mode"), _button("End competition mode")
    return CompetitionPart(listed, chosen, reason, start, end, _html("admin-competition-notice"))


def _html(name: str) -> Any:
    return gr.HTML("", elem_id=name, apply_default_css=False)


def _heading(words: str) -> None:
    gr.HTML(render_heading(words), apply_default_css=False)


def _reason(name: str) -> Any:
    return gr.Textbox(
        label="Reason (shown in the history)", max_length=500, elem_id=f"admin-{name}-reason", scale=2, min_width=300
    )


def _button(words: str, name: str = "") -> Any:
    """Return a button; its element id is built from its name or, by default, from its text."""
    name = name or words.lower().replace(" ", "-")
    return gr.Button(words, elem_id=f"admin-{name}", min_width=120)
