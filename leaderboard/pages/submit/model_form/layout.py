"""Layout of the fields that describe a model, for files and endpoints."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.submit.model_form.markup import NAMING_SCRIPT

KINDS = ["LALM", "OLM", "cascaded", "listener", "other"]
NOT_SAID = "unknown"
WEIGHTS = ["open", "closed", NOT_SAID]


@dataclass(frozen=True, slots=True)
class ModelForm:
    """Components that describe a model.

    Attributes:
        name: Name of the model.
        naming: Known models with a similar name, and the displayed name.
        filled: Id of the model that filled empty fields.
        described: Organisation, kind, size and weights, which a known name fills.
        url: Link to paper, code or weights.
        hub_id: Id of the repository on the Hub.
        fill: Button that fills empty fields from the Hub.
        hub_notice: Which fields were filled, or why none were.
        hub_filled: The repository that filled them, as JSON.
    """

    name: Any
    naming: Any
    filled: Any
    described: tuple[Any, Any, Any, Any]
    url: Any
    hub_id: Any
    fill: Any
    hub_notice: Any
    hub_filled: Any

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Inputs, in the order of the handler's parameters."""
        return (self.name, *self.described, self.url, self.hub_id, self.hub_filled)


def build_model_fields() -> ModelForm:
    """Build the fields."""
    with gr.Row(equal_height=True):
        hub_id = gr.Textbox(
            label="Hugging Face model ID", placeholder="org/model-name", max_length=200, max_lines=1, elem_id="hub-id"
        )
        fill = gr.Button("Fill from the Hub", elem_id="hub-fill", min_width=140)
    hub_notice = gr.HTML("", elem_id="hub-notice", apply_default_css=False)
    hub_filled = gr.Textbox("", visible=False)
    name = gr.Textbox(label="Model (required)", max_length=120, max_lines=1, elem_id="model-name")
    naming = gr.HTML("", js_on_load=NAMING_SCRIPT, elem_id="model-naming", apply_default_css=False)
    filled = gr.Textbox("", visible=False)
    with gr.Row():
        organisation = gr.Textbox(label="Organisation", max_length=120, elem_id="model-organisation", min_width=140)
        kind = gr.Dropdown(KINDS, value=None, label="Kind", elem_id="model-kind", min_width=140)
    with gr.Row():
        size = gr.Textbox(label="Size (billions of parameters)", max_length=12, elem_id="model-size", min_width=140)
        weights = gr.Dropdown(WEIGHTS, value=NOT_SAID, label="Weights", elem_id="model-weights", min_width=140)
    url = gr.Textbox(label="Link to paper, code or weights", max_length=500, elem_id="model-url")
    described = (organisation, kind, size, weights)
    return ModelForm(name, naming, filled, described, url, hub_id, fill, hub_notice, hub_filled)
