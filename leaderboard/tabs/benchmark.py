"""The tab of a benchmark: the board, then the charts that the benchmark declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.charts import Chart, LineChart, MapChart
from leaderboard.board_shell import BOARD_SCRIPT, render_board
from leaderboard.markup import element


@dataclass(frozen=True, slots=True)
class ChartParts:
    """Components of one chart.

    Attributes:
        plots: One for each panel.
        note: What is said above it.
        table: The same as a table.
    """

    plots: tuple[Any, ...]
    note: Any
    table: Any


@dataclass(frozen=True, slots=True)
class BenchmarkTab:
    """Components of the tab.

    Attributes:
        board: The table's shell; it triggers `submit` when a new revision has been drawn.
        several: Which rows the charts of several systems show; None where there are no such charts.
        one: Which row the charts of one system show; None where there are no such charts.
        charts: Chart id → its components.
    """

    board: Any
    several: Any = None
    one: Any = None
    charts: Mapping[str, ChartParts] = field(default_factory=dict)


def build_benchmark_tab(versions: Sequence[Benchmark]) -> BenchmarkTab:
    """Lay the tab out; the charts are those of the version that counts."""
    benchmark = versions[0]
    board = gr.HTML(
        render_board(tuple(versions)), js_on_load=BOARD_SCRIPT, apply_default_css=False, elem_id=f"board-{benchmark.id}"
    )
    if not benchmark.charts:
        return BenchmarkTab(board)
    comparing = [chart for chart in benchmark.charts if not isinstance(chart, MapChart)]
    maps = [chart for chart in benchmark.charts if isinstance(chart, MapChart)]
    several = one = None
    charts: dict[str, ChartParts] = {}
    with gr.Column(elem_classes="es-charts", elem_id=f"charts-{benchmark.id}"):
        if comparing:
            several = gr.Dropdown(
                [], label="Models, up to eight", multiselect=True, max_choices=8, elem_id=f"chart-models-{benchmark.id}"
            )
            charts |= {chart.id: _build_chart(benchmark, chart) for chart in comparing}
        if maps:
            one = gr.Dropdown([], label="Model of the map", elem_id=f"chart-model-{benchmark.id}")
            charts |= {chart.id: _build_chart(benchmark, chart) for chart in maps}
    return BenchmarkTab(board, several, one, charts)


def _build_chart(benchmark: Benchmark, chart: Chart) -> ChartParts:
    name = f"{benchmark.id}-{chart.id}"
    gr.HTML(element("h3", chart.title), apply_default_css=False)
    note = gr.HTML("", elem_id=f"note-{name}", elem_classes="es-quiet", apply_default_css=False)
    panels = chart.panels if isinstance(chart, LineChart) else (chart,)
    with gr.Row():
        plots = tuple(
            gr.Plot(show_label=False, container=False, elem_id=f"chart-{name}-{at}", min_width=300, buttons=[])
            for at in range(len(panels))
        )
    gr.HTML(element("p", chart.reading, class_="es-quiet"), apply_default_css=False)
    with gr.Accordion("Show as table", open=False, elem_id=f"as-table-{name}"):
        as_table = gr.HTML("", apply_default_css=False, elem_id=f"table-{name}")
    return ChartParts(plots, note, as_table)
