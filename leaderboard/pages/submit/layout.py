"""Layout of the Submit tab: how to submit; benchmark and steps; model and form; and the result."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.predictions import ALLOW_MISSING_LABEL
from leaderboard.pages.inputs.page_events import make_file_input
from leaderboard.pages.shell.sign_in_markup import SIGN_IN_SCRIPT, render_account_place
from leaderboard.pages.submit.endpoint_form.layout import EndpointForm, build_endpoint_form
from leaderboard.pages.submit.model_form.layout import ModelForm, build_model_fields
from leaderboard.pages.submit.own_editions.layout import EditionPart, build_edition_part
from leaderboard.pages.submit.own_submissions.layout import OwnPart, build_own_part
from leaderboard.pages.submit.ways.layout import StepParts, build_choice, build_next_headings, build_step_parts
from settings import Settings


@dataclass(frozen=True, slots=True)
class FileForm:
    """Components of the file form.

    Attributes:
        file: The prediction file.
        allow_missing: Whether a missing answer counts as wrong.
        close: Whether the edition that the file answers is closed; hidden for versions without editions.
        check: Button that checks the file.
        send: Button that submits it.
        feedback: Result of check or submission.
    """

    file: Any
    allow_missing: Any
    close: Any
    check: Any
    send: Any
    feedback: Any


@dataclass(frozen=True, slots=True)
class SubmitTab:
    """Components of the tab.

    Attributes:
        account: The current user, and the sign-in form; triggers `submit` after a change.
        benchmark: Selected benchmark version.
        closed: Why a version accepts no submissions.
        choose_open: Button that selects the open version.
        described: Column of model fields; hidden for a closed version.
        ways: Column of both forms; hidden for a closed version.
        steps: Steps of each way.
        headings: Headings of the forms; hidden for a closed version.
        left: Remaining submissions.
        editions: The user's test questions.
        model: Fields of the model.
        publish: Whether to publish the result as soon as it exists.
        file: The file form.
        asked_way: Column of the endpoint form.
        asked: The endpoint form.
        own: The user's submissions.
    """

    account: Any
    benchmark: Any
    closed: Any
    choose_open: Any
    described: Any
    ways: Any
    steps: StepParts
    headings: Any
    left: Any
    editions: EditionPart
    model: ModelForm
    publish: Any
    file: FileForm
    asked_way: Any
    asked: EndpointForm
    own: OwnPart


def build_submit_tab(benchmarks: Sequence[Benchmark], settings: Settings) -> SubmitTab:
    """Build the tab; the settings determine how visitors sign in. Styles show the form of the chosen way."""
    build_choice()
    with gr.Row():
        with gr.Column(min_width=320):
            place = render_account_place(settings)
            account = gr.HTML(place, js_on_load=SIGN_IN_SCRIPT, elem_id="account", apply_default_css=False)
            choices = [(f"{one.title} {one.version}", f"{one.id} {one.version}") for one in benchmarks]
            benchmark = gr.Dropdown(choices, value=choices[0][1], label="Benchmark", elem_id="submit-benchmark")
            closed = gr.HTML("", elem_id="submit-closed", apply_default_css=False)
            choose_open = gr.Button(visible=False, elem_id="submit-choose-open")
            left = gr.HTML("", elem_id="submissions-left", apply_default_css=False)
            editions = build_edition_part(benchmarks[0])
        steps = build_step_parts(benchmarks[0], settings)
    headings = build_next_headings()
    with gr.Row():
        with gr.Column(min_width=320) as described:
            model = build_model_fields()
            publish = gr.Checkbox(
                label="Publish automatically (otherwise private until you publish)", elem_id="submit-publish"
            )
        with gr.Column(min_width=320) as ways:
            with gr.Column(elem_id="submit-file-form"):
                file = _build_file_form(benchmarks[0])
            with gr.Column(elem_id="submit-endpoint-form") as asked_way:
                asked = build_endpoint_form(benchmarks[0])
    shown = (account, benchmark, closed, choose_open, described, ways, steps, headings, left, editions)
    return SubmitTab(*shown, model, publish, file, asked_way, asked, build_own_part())


def _build_file_form(benchmark: Benchmark) -> FileForm:
    file = make_file_input(label="Prediction file", height=140, interactive=True, elem_id="submit-file", buttons=[])
    allow_missing = gr.Checkbox(label=ALLOW_MISSING_LABEL, elem_id="submit-allow-missing")
    close = gr.Checkbox(
        value=True,
        label="Score now and close the edition",
        info=(
            "Applies only to files for your own test questions. If unchecked, a file waits until you close its edition."
        ),
        elem_id="submit-close",
        visible=benchmark.has_editions,
    )
    with gr.Row():
        check = gr.Button("Check", elem_id="submit-check", min_width=120)
        send = gr.Button("Submit", variant="primary", elem_id="submit-send", min_width=120)
    feedback = gr.HTML("", elem_id="submit-feedback", apply_default_css=False)
    return FileForm(file, allow_missing, close, check, send, feedback)
