"""The Admin tab: the queue, one submission, scoring anew, the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark

ONE_SUBMISSION = "the submission above"


@dataclass(frozen=True, slots=True)
class AdminTab:
    """Components of the tab.

    Attributes:
        who: What everybody else reads.
        own: Column that is shown to maintainers.
        queue: Evaluators, and what waits and runs.
        submission: Id of the submission that is meant.
        reason: Why something is done to it, or scored anew.
        look: Button: show it.
        retry: Button: queue it again.
        hide: Button: take it off its board.
        restore: Button: put it back.
        notice: What became of that.
        status: Where it stands, with its events.
        scope: What is to be scored anew.
        dry_run: Button: tell what would change.
        score_anew: Button: do it.
        asked: What became of that wish.
        reevaluations: The last ones.
        chosen: Which of them is shown.
        result: Its result.
        audit: The end of the audit log.
        clock: Keeps all of this fresh.
    """

    who: Any
    own: Any
    queue: Any
    submission: Any
    reason: Any
    look: Any
    retry: Any
    hide: Any
    restore: Any
    notice: Any
    status: Any
    scope: Any
    dry_run: Any
    score_anew: Any
    asked: Any
    reevaluations: Any
    chosen: Any
    result: Any
    audit: Any
    clock: Any


def build_admin_tab(benchmarks: Sequence[Benchmark]) -> AdminTab:
    """Lay the tab out."""
    who = _html("admin-who")
    with gr.Column(visible=False, elem_id="admin-own") as own:
        _heading("Queue")
        queue = _html("admin-queue")
        _heading("One submission")
        with gr.Row():
            submission = gr.Textbox(label="Its id", max_length=40, elem_id="admin-submission")
            reason = gr.Textbox(label="Reason; it is kept and shown", max_length=500, elem_id="admin-reason", scale=2)
        with gr.Row():
            look, retry, hide, restore = (_button(word) for word in ("Look", "Retry", "Hide", "Restore"))
        notice, status = _html("admin-notice"), _html("admin-status")
        _heading("Scoring anew")
        scopes = [(f"All of {one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
        scope = gr.Dropdown([*scopes, ONE_SUBMISSION], value=scopes[0][1], label="What", elem_id="admin-scope")
        with gr.Row():
            dry_run, score_anew = _button("What would change"), _button("Score anew")
        asked, reevaluations = _html("admin-asked"), _html("admin-reevaluations")
        chosen = gr.Dropdown([], label="Result of", elem_id="admin-chosen")
        result = _html("admin-result")
        _heading("Audit log")
        audit = _html("admin-audit")
    clock = gr.Timer(3.0, active=False)
    return AdminTab(
        who,
        own,
        queue,
        submission,
        reason,
        look,
        retry,
        hide,
        restore,
        notice,
        status,
        scope,
        dry_run,
        score_anew,
        asked,
        reevaluations,
        chosen,
        result,
        audit,
        clock,
    )


def _html(name: str) -> Any:
    return gr.HTML("", elem_id=name, apply_default_css=False)


def _heading(words: str) -> None:
    gr.HTML(f"<h3>{words}</h3>", apply_default_css=False)


def _button(words: str) -> Any:
    return gr.Button(words, elem_id=f"admin-{words.lower().replace(' ', '-')}", min_width=120)
