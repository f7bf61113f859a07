"""Layout of My submissions: the list, and actions on one."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading
from leaderboard.pages.submit.endpoint_form.layout import build_key_field


@dataclass(frozen=True, slots=True)
class OwnPart:
    """Components for signed-in users.

    Attributes:
        column: Contains all of them.
        mine: The user's submissions.
        chosen: Displayed submission.
        publish: Button that publishes it.
        withdraw: Button that withdraws it.
        key: Key of its endpoint, which was deleted when it failed.
        retry: Button that retries it.
        notice: Why an action failed.
        status: Status of the submission.
        clock: Timer that updates the status while one is unfinished.
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
        """Outputs that are updated together."""
        acts = [self.publish, self.withdraw, self.key, self.retry]
        return [self.column, self.mine, self.chosen, *acts, self.status, self.clock]


def build_own_part() -> OwnPart:
    """Build the section."""
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
