"""Options of event bindings, as Gradio sends them to the browser."""

import gradio as gr
import pytest

from leaderboard.pages.shared.bindings import BUSY, LATEST, QUIET
from tests.support.pages.visitor import closing_loops


@pytest.mark.parametrize(("options", "shown_on"), [(QUIET, []), (LATEST, []), (BUSY, None)])
def test_hidden_progress_updates_no_component(options: dict[str, object], shown_on: list[int] | None) -> None:
    with closing_loops(), gr.Blocks(analytics_enabled=False) as page:
        page.load(lambda: "", None, gr.HTML(), **options)
    (event,) = page.config["dependencies"]
    # None stands for every output.
    assert event["show_progress_on"] == shown_on
