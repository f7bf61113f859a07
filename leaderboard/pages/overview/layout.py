"""Layout of the Overview tab: a placeholder for its script, which gets everything from the API."""

from collections.abc import Sequence

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.pages.overview.markup import render_overview, render_place
from leaderboard.pages.shell.opening import UNCOVER

_SCRIPT = f"{import_script('overview.js')}.then((overview) => overview.mount(element)).catch({UNCOVER});"


def build_overview_tab(benchmarks: Sequence[Sequence[Benchmark]]) -> None:
    """Build the tab with all benchmarks and versions; none of its events reaches Python."""
    gr.HTML(render_place(render_overview(benchmarks)), js_on_load=_SCRIPT, apply_default_css=False, elem_id="overview")
