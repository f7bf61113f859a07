"""Contents of the steps of each way to submit, for a benchmark version and a setting."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.http.origin import USUAL_ORIGIN, find_origin
from leaderboard.pages.submit.ways.layout import StepParts
from leaderboard.pages.submit.ways.markup import render_run_steps, render_tool_steps
from leaderboard.rendering.templating import Markup
from leaderboard.services import Services
from submissions.errors import NotReadyError

Update = dict[Any, Any]


def show_steps(services: Services, parts: StepParts, benchmark: Benchmark, request: gr.Request) -> Update:
    """Return the steps of every way for the default setting of a version."""
    return {
        **show_run_steps(services, parts, benchmark, benchmark.endpoint_settings[0], request),
        **show_tool_steps(services, parts, benchmark, benchmark.settings[0], request),
    }


def show_run_steps(
    services: Services, parts: StepParts, benchmark: Benchmark, setting: str, request: gr.Request
) -> Update:
    """Return the commands that ask a model in a setting."""
    return {parts.run: _render_steps(render_run_steps, services, benchmark, setting, request)}


def show_tool_steps(
    services: Services, parts: StepParts, benchmark: Benchmark, setting: str, request: gr.Request
) -> Update:
    """Return the commands that write tasks for evaluation tools in a setting."""
    return {parts.tool: _render_steps(render_tool_steps, services, benchmark, setting, request)}


def _render_steps(
    render: Callable[..., Markup], services: Services, benchmark: Benchmark, setting: str, request: gr.Request
) -> Markup:
    """Return steps with the address of this server."""
    try:
        held = services.catalogues.list_parts(benchmark)
    except NotReadyError:
        held = None
    url = find_origin(request.request.scope) or USUAL_ORIGIN
    return render(benchmark, setting, url, held, has_local_sign_in=services.settings.auth == "local")
