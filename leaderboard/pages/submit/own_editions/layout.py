"""Layout of Test questions: a list with its buttons, whose script calls the API."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.pages.submit.own_editions.markup import render_introduction, render_notice_place

_SCRIPT = f'{import_script("editions.js")}.then((page) => page.watchEditions(element, () => trigger("submit")));'


@dataclass(frozen=True, slots=True)
class EditionPart:
    """Components for signed-in users.

    Attributes:
        questions: Limits and editions of the user; triggers `submit` after a change.
        clock: Timer that updates them while a pack is rendered.
    """

    questions: Any
    clock: Any

    @property
    def shown(self) -> list[Any]:
        """Outputs that are updated together."""
        return [self.questions, self.clock]


def build_edition_part(benchmark: Benchmark) -> EditionPart:
    """Build the section, as visitors see it for the benchmark that is chosen at first."""
    shown = render_introduction() if benchmark.has_editions else ""
    questions = gr.HTML(shown, js_on_load=_SCRIPT, elem_id="own-editions", apply_default_css=False)
    # Separate from the list, which is drawn again while the user reads the error.
    gr.HTML(render_notice_place(), elem_id="editions-notice", apply_default_css=False)
    return EditionPart(questions, gr.Timer(2.0, active=False))
