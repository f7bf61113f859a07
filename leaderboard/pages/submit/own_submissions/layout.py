"""Layout of My submissions: the list, and actions on one."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.inputs.page_events import make_file_input, take_as_sent
from leaderboard.pages.shared.notes import render_heading
from leaderboard.pages.submit.endpoint_form.layout import build_key_field
from leaderboard.pages.submit.markup import render_practice_help


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
        practice: Column of the practice answers; hidden where none can be attached.
        practice_file: Their file.
        attach: Button that attaches it.
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
    practice: Any
    practice_file: Any
    attach: Any
    notice: Any
    status: Any
    clock: Any

    @property
    def shown(self) -> list[Any]:
        """Outputs that are updated together."""
        acts = [self.publish, self.withdraw, self.key, self.retry]
        return [self.column, self.mine, self.chosen, *acts, self.practice, self.status, self.clock]


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
        with gr.Column(visible=False, elem_id="practice-answers") as practice:
            gr.HTML(render_practice_help(), apply_default_css=False)
            label = "Answers to the practice questions"
            practice_file = make_file_input(
                label=label, height=110, interactive=True, elem_id="practice-file", buttons=[]
            )
            attach = gr.Button("Attach practice answers", elem_id="practice-attach")
    clock = gr.Timer(2.0, active=False)
    acts = (publish, withdraw, key, retry, practice, practice_file, attach)
    return OwnPart(column, mine, chosen, *acts, notice, status, clock)
