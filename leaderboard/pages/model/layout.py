"""Layout of the Model tab: search, model page, and radar."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.assets import import_script
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading

# The address selects the model; the component's `submit` event tells Python about changes.
_SCRIPT = f"""
{import_script("page.js")}.then((page) => page.followAddress("model", () => trigger("submit")));
{import_script("model.js")}.then((model) => model.watch(element));
"""


@dataclass(frozen=True, slots=True)
class ModelTab:
    """Components of the tab.

    Attributes:
        search: Part of a name.
        found: Matching models.
        page: Page of the model in the address; it triggers `submit` when the address changes.
        part: Contains the radar.
        chosen: Row of the radar.
        plot: The radar.
        note: How to read it.
        table: The same data as a table.
    """

    search: Any
    found: Any
    page: Any
    part: Any
    chosen: Any
    plot: Any
    note: Any
    table: Any

    @property
    def radar(self) -> list[Any]:
        """Outputs that are updated together."""
        return [self.plot, self.note, self.table]


def build_model_tab() -> ModelTab:
    """Build the tab."""
    search = gr.Textbox(
        label="Find a model", placeholder="Part of a name", max_length=120, max_lines=1, elem_id="model-search"
    )
    found = gr.HTML("", elem_id="models-found", apply_default_css=False)
    page = gr.HTML("", js_on_load=_SCRIPT, elem_id="model-page", apply_default_css=False)
    with gr.Column(visible=False, elem_id="model-radar") as part:
        gr.HTML(render_heading("Compared with humans and chance"), apply_default_css=False)
        chosen = take_as_sent(gr.Dropdown([], label="Row", elem_id="radar-row"))
        plot = gr.Plot(show_label=False, container=False, elem_id="radar-plot", buttons=[])
        note = gr.HTML("", elem_id="radar-note", elem_classes="es-quiet", apply_default_css=False)
        with gr.Accordion("Show as table", open=False, elem_id="radar-as-table"):
            table = gr.HTML("", elem_id="radar-table", apply_default_css=False)
    return ModelTab(search, found, page, part, chosen, plot, note, table)
