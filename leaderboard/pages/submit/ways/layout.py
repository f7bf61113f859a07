"""Layout of the choice of a way to submit, and of the steps of each way."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.http.origin import USUAL_ORIGIN
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.submit.markup import render_file_help
from leaderboard.pages.submit.ways.markup import (
    render_next_headings,
    render_run_steps,
    render_tool_steps,
    render_ways,
)
from settings import Settings

_CHOOSE = f"{import_script('submit.js')}.then((page) => page.watchWays(element));"
_COPY = f"{import_script('citing.js')}.then((page) => page.watchCopies(element));"


@dataclass(frozen=True, slots=True)
class StepParts:
    """Components next to the benchmark; styles show those of the chosen way.

    Attributes:
        column: All of them; hidden for a closed version.
        help: File format of the selected benchmark.
        setting: Setting of a file or a task.
        asked_setting: Setting of commands and endpoints, which may be fewer.
        run: Commands that ask a model behind an API.
        tool: Commands that write tasks for evaluation tools, and how their logs are submitted.
    """

    column: Any
    help: Any
    setting: Any
    asked_setting: Any
    run: Any
    tool: Any


def build_choice() -> None:
    """Build the choice, which its script keeps in the address."""
    gr.HTML(render_ways(), js_on_load=_CHOOSE, elem_id="submit-how", apply_default_css=False)


def build_step_parts(benchmark: Benchmark, settings: Settings) -> StepParts:
    """Build the steps of every way. The address in commands becomes that of the visitor when the page is sent."""
    with gr.Column(min_width=320, elem_id="submit-steps") as column:
        file_help = gr.HTML(describe_file_at_load(benchmark, settings), elem_id="submit-help", apply_default_css=False)
        setting = _build_setting(benchmark.settings, "setting")
        asked_setting = _build_setting(benchmark.endpoint_settings, "asked-setting")
        is_local = settings.auth == "local"
        commands = render_run_steps(benchmark, benchmark.endpoint_settings[0], USUAL_ORIGIN, has_local_sign_in=is_local)
        tasks = render_tool_steps(benchmark, benchmark.settings[0], USUAL_ORIGIN, has_local_sign_in=is_local)
        run = gr.HTML(commands, js_on_load=_COPY, elem_id="run-steps", apply_default_css=False)
        tool = gr.HTML(tasks, js_on_load=_COPY, elem_id="tool-steps", apply_default_css=False)
    return StepParts(column, file_help, setting, asked_setting, run, tool)


def build_next_headings() -> Any:
    """Build the headings of the forms that follow the steps."""
    return gr.HTML(render_next_headings(can_submit=True), elem_id="submit-next", apply_default_css=False)


def describe_file_at_load(benchmark: Benchmark, settings: Settings) -> str:
    """Return the help of a prediction file without the database. The first event knows what is installed."""
    return render_file_help(benchmark, has_shared_split=settings.accepts_shared_splits or not benchmark.has_editions)


def _build_setting(names: tuple[str, ...], name: str) -> Any:
    return take_as_sent(gr.Dropdown(list(names), value=names[0], label="Setting", elem_id=name))
