"""Layout of the Compare tab: two selected rows of a board, side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.assets import import_script
from leaderboard.pages.compare.markup import list_boards, render_legend
from leaderboard.pages.shared.notes import render_heading

# The address says what is compared; the component's `submit` event tells Python about changes.
_SCRIPT = f"""
{import_script("page.js")}.then((page) => page.followAddress("compare", () => trigger("submit")));
element.addEventListener("click", (event) => event.target.closest("[data-again]") && trigger("submit"));
"""

_SORTING = f"{import_script('sorting.js')}.then((sorting) => sorting.watch(element));"


@dataclass(frozen=True, slots=True)
class CompareTab:
    """Components of the tab.

    Attributes:
        board: The board.
        a: A row of the board, or a submission id.
        b: The other one.
        swap: Button that swaps the two.
        result: Result; it triggers `submit` when the address changes.
        part: Contains chart and table.
        plot: Chart of the differences.
        table: The same data as a table.
        asked: Address of the pending comparison.
        clock: Timer that polls while it is pending.
    """

    board: Any
    a: Any
    b: Any
    swap: Any
    result: Any
    part: Any
    plot: Any
    table: Any
    asked: Any
    clock: Any

    @property
    def chosen(self) -> list[Any]:
        """Inputs that select the comparison."""
        return [self.board, self.a, self.b]

    @property
    def shown(self) -> list[Any]:
        """Outputs that are updated together."""
        return [self.result, self.part, self.plot, self.table, self.clock]


def build_compare_tab(benchmarks: Sequence[Benchmark]) -> CompareTab:
    """Build the tab."""
    with gr.Row(equal_height=False, elem_id="compare-choices"):
        board = gr.Dropdown(list_boards(benchmarks), label="Board", elem_id="compare-board", min_width=220)
        a = _build_choice("Model A (row or submission ID)", "compare-a")
        swap = gr.Button("⇄ Swap", elem_id="compare-swap", min_width=104, scale=0)
        b = _build_choice("Model B (row or submission ID)", "compare-b")
    result = gr.HTML("", js_on_load=_SCRIPT, elem_id="compare-result", apply_default_css=False)
    with gr.Column(visible=False, elem_id="compare-figures") as part:
        gr.HTML(render_heading("All scores"), apply_default_css=False)
        plot = gr.Plot(show_label=False, container=False, elem_id="compare-plot", buttons=[])
        gr.HTML(render_legend(), apply_default_css=False)
        with gr.Accordion("Show as table", open=False, elem_id="compare-as-table"):
            table = gr.HTML("", js_on_load=_SORTING, elem_id="compare-table", apply_default_css=False)
    asked = gr.Textbox("", visible=False)
    return CompareTab(board, a, b, swap, result, part, plot, table, asked, gr.Timer(1.0, active=False))


def _build_choice(label: str, name: str) -> Any:
    return gr.Dropdown([], label=label, allow_custom_value=True, elem_id=name, min_width=220)
