"""Layout of the endpoint form on the Submit tab, with its field for a key."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.submit.endpoint_form.markup import AUDIO_FORM_CHOICES, list_part_choices, render_endpoint_help
from submissions.endpoints.endpoint_service import DEFAULT_CONCURRENCY
from submissions.endpoints.querying.query_records import MAX_CONCURRENCY
from submissions.endpoints.vault import LONGEST_KEY


@dataclass(frozen=True, slots=True)
class EndpointForm:
    """Components of the form; its setting is that of the commands, and the fields of the model are those of a file.

    Attributes:
        help: What will happen.
        parts: Parts of the benchmark.
        base_url: Address of the server.
        model_name: The model's name there.
        key: API key; cleared after submission.
        concurrency: Maximum number of concurrent calls.
        audio_form: Form of clips in requests.
        multi_audio: Whether the model accepts several clips.
        allow_missing: Whether unanswered questions count as wrong.
        send: Button that registers the endpoint.
        feedback: Result.
    """

    help: Any
    parts: Any
    base_url: Any
    model_name: Any
    key: Any
    concurrency: Any
    audio_form: Any
    multi_audio: Any
    allow_missing: Any
    send: Any
    feedback: Any

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Inputs after the setting, in the order of the handler's parameters."""
        address = (self.base_url, self.model_name, self.key, self.concurrency)
        return (self.parts, *address, self.audio_form, self.multi_audio, self.allow_missing)


def build_endpoint_form(benchmark: Benchmark) -> EndpointForm:
    """Build the form."""
    said = gr.HTML(render_endpoint_help(benchmark), elem_id="asked-help", apply_default_css=False)
    choices = list_part_choices(benchmark, benchmark.endpoint_settings[0])
    asked = [part for _, part in choices]
    parts = take_as_sent(gr.CheckboxGroup(choices, value=asked, label="Parts to evaluate", elem_id="asked-parts"))
    plain = gr.InputHTMLAttributes(autocapitalize="none", autocorrect="off", spellcheck=False)
    base_url = gr.Textbox(
        label="API base URL (required, without /chat/completions)",
        placeholder="https://models.example.com/v1",
        max_length=500,
        max_lines=1,
        html_attributes=plain,
        elem_id="asked-base-url",
    )
    model_name = gr.Textbox(
        label="Model ID sent to the API (required)",
        max_length=200,
        max_lines=1,
        html_attributes=plain,
        elem_id="asked-model-name",
    )
    with gr.Row():
        key = build_key_field("API key (if required)", "asked-key")
        concurrency = gr.Textbox(
            str(DEFAULT_CONCURRENCY),
            label=f"Parallel requests (1–{MAX_CONCURRENCY})",
            max_length=4,
            elem_id="asked-concurrency",
            min_width=140,
        )
    audio_form = gr.Dropdown(
        AUDIO_FORM_CHOICES,
        value=AUDIO_FORM_CHOICES[0][1],
        label="Audio format in the request",
        elem_id="asked-audio-form",
    )
    multi_audio = gr.Checkbox(
        value=True,
        label="Model accepts several audio clips per message (otherwise we join them with 2 s of silence)",
        elem_id="asked-multi-audio",
    )
    allow_missing = gr.Checkbox(label="Count unanswered questions as wrong", elem_id="asked-allow-missing")
    send = gr.Button("Request evaluation", variant="primary", elem_id="asked-send")
    feedback = gr.HTML("", elem_id="asked-feedback", apply_default_css=False)
    address = (base_url, model_name, key, concurrency)
    return EndpointForm(said, parts, *address, audio_form, multi_audio, allow_missing, send, feedback)


def build_key_field(label: str, name: str, *, visible: bool = True) -> Any:
    """Return a field for a key, which is never displayed; assets/page.js adds attributes that Gradio lacks."""
    return gr.Textbox(
        label=label,
        type="password",
        max_length=LONGEST_KEY,
        html_attributes=gr.InputHTMLAttributes(spellcheck=False),
        elem_id=name,
        min_width=140,
        visible=visible,
    )
