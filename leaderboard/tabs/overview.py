"""The Overview tab: a place for its script, which reads everything from the API."""

import gradio as gr

from leaderboard.assets import STATIC_PATH
from leaderboard.markup import element
from leaderboard.opening import UNCOVER

_SCRIPT = f'import("{STATIC_PATH}/overview.js").then((overview) => overview.mount(element)).catch({UNCOVER});'


def build_overview_tab() -> None:
    """Lay the tab out; no event of it reaches Python."""
    place = element("div", element("p", "Loading the overview…", class_="es-quiet"), data_overview="")
    gr.HTML(place, js_on_load=_SCRIPT, apply_default_css=False, elem_id="overview")
