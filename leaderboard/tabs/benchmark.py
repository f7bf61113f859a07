"""The tab of a benchmark: the board, then its charts."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from leaderboard.board_shell import BOARD_SCRIPT, render_board

_READING = {
    "snr": "How to read it: the further right, the more noise. A line on the dashed one is guessing.",
    "true_false": "How to read it: top right is perfect. On the dashed line a model says “true” just as often about "
    "false statements as about true ones: it does not hear the difference.",
    "directions": "How to read it: rows are where the sound starts, columns where it ends; you face north. "
    "A pale cell is at chance; pale left–right or front–back pairs are the classic confusions.",
}


@dataclass(frozen=True, slots=True)
class BenchmarkTab:
    """Components of the tab.

    Attributes:
        board: The table's shell; it triggers `submit` when a new revision has been drawn.
        lines: Which rows the charts of several models show.
        snr: Variant → chart.
        snr_table: The same as a table.
        true_false: TPR against TNR.
        true_false_table: The same as a table.
        chosen: Which row the direction map shows.
        directions: The direction map.
        directions_note: Its confusion rates, or why it is empty.
        directions_table: The same as a table.
    """

    board: Any
    lines: Any
    snr: dict[str, Any]
    snr_table: Any
    true_false: Any
    true_false_table: Any
    chosen: Any
    directions: Any
    directions_note: Any
    directions_table: Any


def build_benchmark_tab(benchmark: Benchmark, variants: tuple[str, ...]) -> BenchmarkTab:
    """Lay the tab out."""
    board = gr.HTML(render_board(benchmark), js_on_load=BOARD_SCRIPT, apply_default_css=False, elem_id="board")
    with gr.Column(elem_classes="es-charts", elem_id="charts"):
        gr.HTML("<h3>Accuracy against noise</h3>", apply_default_css=False)
        lines = gr.Dropdown([], label="Models, up to eight", multiselect=True, max_choices=8, elem_id="chart-models")
        with gr.Row():
            snr = {name: _plot(f"chart-snr-{name}", 300) for name in variants}
        snr_table = _explain("snr")
        with gr.Row():
            with gr.Column(min_width=320):
                gr.HTML("<h3>True and false statements, clean clips</h3>", apply_default_css=False)
                true_false = _plot("chart-true-false")
                true_false_table = _explain("true_false")
            with gr.Column(min_width=320):
                gr.HTML("<h3>Accuracy by direction</h3>", apply_default_css=False)
                chosen = gr.Dropdown([], label="Model", elem_id="chart-model")
                directions_note = gr.HTML(
                    "", elem_id="directions-note", elem_classes="es-quiet", apply_default_css=False
                )
                directions = _plot("chart-directions")
                directions_table = _explain("directions")
    return BenchmarkTab(
        board,
        lines,
        snr,
        snr_table,
        true_false,
        true_false_table,
        chosen,
        directions,
        directions_note,
        directions_table,
    )


def _plot(elem_id: str, min_width: int = 160) -> Any:
    return gr.Plot(show_label=False, container=False, elem_id=elem_id, min_width=min_width, buttons=[])


def _explain(name: str) -> Any:
    gr.HTML(f'<p class="es-quiet">{_READING[name]}</p>', apply_default_css=False)
    with gr.Accordion("Show as table", open=False, elem_id=f"as-table-{name}"):
        return gr.HTML("", apply_default_css=False, elem_id=f"table-{name}")
