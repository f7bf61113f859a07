"""My submissions: all of them, and what is done with one."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading
from leaderboard.pages.submit.endpoint_form.layout import build_key_field


@dataclass(frozen=True, slots=True)
class OwnPart:
    """Components for those who are signed in.

    Attributes:
        column: Holds all of them.
        mine: All of one's submissions.
        chosen: Which of them is shown.
        publish: Button: publish it.
        withdraw: Button: withdraw it.
        key: Key of its endpoint, which was forgotten when it failed.
        retry: Button: try it again.
        notice: Why nothing was done.
        status: Where it stands.
        clock: Asks where a submission stands while one moves.
    """

    column: Any
    mine: Any
    chosen: Any
    publish: Any
    withdraw: Any
    key: Any
    retry: Any
    notice: Any
    status: Any
    clock: Any

    @property
    def shown(self) -> list[Any]:
        """What is brought up to date together."""
        acts = [self.publish, self.withdraw, self.key, self.retry]
        return [self.column, self.mine, self.chosen, *acts, self.status, self.clock]


def build_own_part() -> OwnPart:
    """Lay it out."""
    with gr.Column(visible=False, elem_id="my-submissions") as column:
        gr.HTML(render_heading("My submissions"), apply_default_css=False)
        mine = gr.HTML("", elem_id="mine", apply_default_css=False)
        with gr.Row(equal_height=True):
            chosen = take_as_sent(gr.Dropdown([], label="Submission", elem_id="chosen-submission", scale=3))
            publish = gr.Button("Publish", elem_id="publish", interactive=False)
            withdraw = gr.Button("Withdraw", elem_id="withdraw", interactive=False)
        with gr.Row(equal_height=True):
            key = build_key_field("API key (to retry)", "retry-key", visible=False)
            retry = gr.Button("Retry", elem_id="retry", visible=False)
        notice = gr.HTML("", elem_id="submission-notice", apply_default_css=False)
        status = gr.HTML("", elem_id="submission-status", apply_default_css=False)
    clock = gr.Timer(2.0, active=False)
    return OwnPart(column, mine, chosen, publish, withdraw, key, retry, notice, status, clock)
