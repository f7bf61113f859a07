"""Layout of the Listen tab: practice questions for humans."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from leaderboard.pages.listen.markup import LISTEN_SCRIPT, render_listen


@dataclass(frozen=True, slots=True)
class ListenTab:
    """Components of the tab: one, whose script gets everything from the REST API."""

    shell: Any


def build_listen_tab() -> ListenTab:
    """Build the tab."""
    return ListenTab(gr.HTML(render_listen(), js_on_load=LISTEN_SCRIPT, apply_default_css=False, elem_id="listen"))
