"""The Submit tab: pack, file, model, check, send, and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.naming_markup import NAMING_SCRIPT
from leaderboard.page_events import make_file_input
from leaderboard.submission_markup import SIGN_IN_SCRIPT, render_file_help

KINDS = ["LALM", "OLM", "cascaded", "listener", "other"]
NOT_SAID = "not said"
WEIGHTS = ["open", "closed", NOT_SAID]


@dataclass(frozen=True, slots=True)
class SubmitTab:
    """Components of the tab.

    Attributes:
        account: Who is signed in, and the form; triggers `submit` when that changed.
        file: The prediction file.
        fields: What is sent with the file, in the order in which handlers take it.
        check: Button: check the file.
        send: Button: submit it.
        feedback: What was found in the file.
        chosen: Which of one's submissions is shown.
        publish: Button: publish it.
        withdraw: Button: withdraw it.
        notice: Why neither was done.
        status: Where it stands.
        mine: All of one's submissions.
        clock: Asks where a submission stands while one moves.
        own: Column that is shown to those who are signed in.
        help: What the file of the chosen benchmark is.
        left: How many submissions the visitor has left for it.
        naming: Known models that the name may mean, and what it is shown as.
        filled: Id of the model from which empty fields were filled.
    """

    account: Any
    file: Any
    fields: tuple[Any, ...]
    check: Any
    send: Any
    feedback: Any
    chosen: Any
    publish: Any
    withdraw: Any
    notice: Any
    status: Any
    mine: Any
    clock: Any
    own: Any
    help: Any
    left: Any
    naming: Any
    filled: Any


def build_submit_tab(benchmarks: Sequence[Benchmark]) -> SubmitTab:
    """Lay the tab out."""
    with gr.Row():
        with gr.Column(min_width=320):
            choices = [(f"{one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
            benchmark = gr.Dropdown(choices, value=choices[0][1], label="Benchmark", elem_id="submit-benchmark")
            file_help = gr.HTML(render_file_help(benchmarks[0]), elem_id="submit-help", apply_default_css=False)
            file = make_file_input(
                label="Prediction file", height=120, interactive=True, elem_id="submit-file", buttons=[]
            )
            allow_missing = gr.Checkbox(label="Score missing answers as wrong", elem_id="submit-allow-missing")
            check = gr.Button("Check", elem_id="submit-check")
            feedback = gr.HTML("", elem_id="submit-feedback", apply_default_css=False)
        with gr.Column(min_width=320):
            account = gr.HTML("", js_on_load=SIGN_IN_SCRIPT, elem_id="account", apply_default_css=False)
            fields, naming, filled = _build_model_fields(benchmarks[0])
            left = gr.HTML("", elem_id="submissions-left", apply_default_css=False)
            send = gr.Button("Submit", variant="primary", elem_id="submit-send")
    with gr.Column(visible=False, elem_id="my-submissions") as own:
        gr.HTML("<h3>My submissions</h3>", apply_default_css=False)
        mine = gr.HTML("", elem_id="mine", apply_default_css=False)
        with gr.Row(equal_height=True):
            chosen = gr.Dropdown([], label="Submission", elem_id="chosen-submission", scale=3)
            publish = gr.Button("Publish", elem_id="publish", interactive=False)
            withdraw = gr.Button("Withdraw", elem_id="withdraw", interactive=False)
        notice = gr.HTML("", elem_id="submission-notice", apply_default_css=False)
        status = gr.HTML("", elem_id="submission-status", apply_default_css=False)
    clock = gr.Timer(2.0, active=False)
    return SubmitTab(
        account,
        file,
        (benchmark, allow_missing, *fields),
        check,
        send,
        feedback,
        chosen,
        publish,
        withdraw,
        notice,
        status,
        mine,
        clock,
        own,
        file_help,
        left,
        naming,
        filled,
    )


def _build_model_fields(benchmark: Benchmark) -> tuple[tuple[Any, ...], Any, Any]:
    """Return the fields that are sent, the place for what is known of a name, and what was filled from there."""
    setting = gr.Dropdown(list(benchmark.settings), value=benchmark.settings[0], label="Setting", elem_id="setting")
    name = gr.Textbox(label="Model (required)", max_length=120, max_lines=1, elem_id="model-name")
    naming = gr.HTML("", js_on_load=NAMING_SCRIPT, elem_id="model-naming", apply_default_css=False)
    filled = gr.Textbox("", visible=False)
    with gr.Row():
        organisation = gr.Textbox(label="Organisation", max_length=120, elem_id="model-organisation", min_width=140)
        kind = gr.Dropdown(KINDS, value=None, label="Kind", elem_id="model-kind", min_width=140)
    with gr.Row():
        size = gr.Textbox(label="Size, billions of parameters", max_length=12, elem_id="model-size", min_width=140)
        weights = gr.Dropdown(WEIGHTS, value=NOT_SAID, label="Weights", elem_id="model-weights", min_width=140)
    url = gr.Textbox(label="Link to paper, code or weights", max_length=500, elem_id="model-url")
    publish = gr.Checkbox(label="Publish when scored; otherwise only you see the result", elem_id="submit-publish")
    return (setting, name, organisation, kind, size, weights, url, publish), naming, filled
