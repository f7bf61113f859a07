"""The Submit tab: what is submitted to and which model; then a file, or an endpoint; and what became of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.predictions import ALLOW_MISSING_LABEL
from leaderboard.pages.inputs.page_events import make_file_input, take_as_sent
from leaderboard.pages.shell.sign_in_markup import SIGN_IN_SCRIPT, render_account_place
from leaderboard.pages.submit.endpoint_form.layout import EndpointForm, build_endpoint_form
from leaderboard.pages.submit.markup import render_file_help
from leaderboard.pages.submit.model_form.layout import ModelForm, build_model_fields
from leaderboard.pages.submit.own_submissions.layout import OwnPart, build_own_part
from settings import Settings


@dataclass(frozen=True, slots=True)
class FileForm:
    """Components of the form for a file.

    Attributes:
        help: What the file of the chosen benchmark is.
        setting: Condition under which its answers were made.
        file: The prediction file.
        allow_missing: Whether a missing answer counts as wrong.
        check: Button: check the file.
        send: Button: submit it.
        feedback: What was found in the file.
    """

    help: Any
    setting: Any
    file: Any
    allow_missing: Any
    check: Any
    send: Any
    feedback: Any


@dataclass(frozen=True, slots=True)
class SubmitTab:
    """Components of the tab.

    Attributes:
        account: Who is signed in, and the form; triggers `submit` when that changed.
        benchmark: What is submitted to.
        closed: Why a version takes no submissions.
        choose_open: Button: choose the version that does.
        described: Column with the fields about the model; hidden for a closed version.
        ways: Column with the two forms; hidden for a closed version.
        left: How many submissions the visitor has left for it.
        model: What is said of the model.
        publish: Whether the result is shown as soon as there is one.
        file: The form for a file of answers.
        asked_way: Tab with the form for a model that is asked.
        asked: The form for a model that is asked by us.
        own: What became of one's submissions.
    """

    account: Any
    benchmark: Any
    closed: Any
    choose_open: Any
    described: Any
    ways: Any
    left: Any
    model: ModelForm
    publish: Any
    file: FileForm
    asked_way: Any
    asked: EndpointForm
    own: OwnPart


def build_submit_tab(benchmarks: Sequence[Benchmark], settings: Settings) -> SubmitTab:
    """Lay the tab out; the settings say how visitors sign in."""
    with gr.Row():
        with gr.Column(min_width=320):
            place = render_account_place(settings)
            account = gr.HTML(place, js_on_load=SIGN_IN_SCRIPT, elem_id="account", apply_default_css=False)
            choices = [(f"{one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
            benchmark = gr.Dropdown(choices, value=choices[0][1], label="Benchmark", elem_id="submit-benchmark")
            closed = gr.HTML("", elem_id="submit-closed", apply_default_css=False)
            choose_open = gr.Button(visible=False, elem_id="submit-choose-open")
            left = gr.HTML("", elem_id="submissions-left", apply_default_css=False)
            with gr.Column() as described:
                model = build_model_fields()
                publish = gr.Checkbox(
                    label="Publish automatically (otherwise private until you publish)", elem_id="submit-publish"
                )
        with gr.Column(min_width=320) as ways, gr.Tabs(elem_id="submit-way"):
            with gr.Tab("Upload predictions", id="file"):
                file = _build_file_form(benchmarks[0])
            with gr.Tab("Evaluate an endpoint", id="asked") as asked_way:
                asked = build_endpoint_form(benchmarks[0])
    shown = (account, benchmark, closed, choose_open, described, ways, left)
    return SubmitTab(*shown, model, publish, file, asked_way, asked, build_own_part())


def _build_file_form(benchmark: Benchmark) -> FileForm:
    file_help = gr.HTML(render_file_help(benchmark), elem_id="submit-help", apply_default_css=False)
    setting = take_as_sent(
        gr.Dropdown(list(benchmark.settings), value=benchmark.settings[0], label="Setting", elem_id="setting")
    )
    file = make_file_input(label="Prediction file", height=140, interactive=True, elem_id="submit-file", buttons=[])
    allow_missing = gr.Checkbox(label=ALLOW_MISSING_LABEL, elem_id="submit-allow-missing")
    with gr.Row():
        check = gr.Button("Check", elem_id="submit-check", min_width=120)
        send = gr.Button("Submit", variant="primary", elem_id="submit-send", min_width=120)
    feedback = gr.HTML("", elem_id="submit-feedback", apply_default_css=False)
    return FileForm(file_help, setting, file, allow_missing, check, send, feedback)
