"""Layout of a benchmark tab: the board, then the benchmark's charts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from evaluation.benchmarks import Benchmark
from evaluation.benchmarks.chart_specs import Chart, DotChart, MapChart, PointChart, count_panels
from leaderboard.charts.chart_reading import MAX_LINES
from leaderboard.pages.board.markup import BOARD_SCRIPT, render_board
from leaderboard.pages.inputs.page_events import take_as_sent
from leaderboard.pages.shared.notes import render_heading, render_note, render_place

_PLOT: dict[str, Any] = {"show_label": False, "container": False, "min_width": 300, "buttons": [], "visible": False}


@dataclass(frozen=True, slots=True)
class ChartParts:
    """Components of one chart.

    Attributes:
        plots: One per panel.
        note: Text above the chart.
        reading: How to read it.
        fold: Accordion with the table.
        table: The same data as a table.
    """

    plots: tuple[Any, ...]
    note: Any
    reading: Any
    fold: Any
    table: Any

    @property
    def all(self) -> tuple[Any, ...]:
        """All components that are redrawn."""
        return (*self.plots, self.note, self.reading, self.fold, self.table)


@dataclass(frozen=True, slots=True)
class BenchmarkTab:
    """Components of the tab.

    Attributes:
        board: Shell of the table; it triggers `submit` when a new revision has been drawn.
        several: Selected rows of charts with several systems; None if there are no such charts.
        one: Selected row of charts with one system; None if there are no such charts.
        charts: Chart id → its components.
    """

    board: Any
    several: Any = None
    one: Any = None
    charts: Mapping[str, ChartParts] = field(default_factory=dict)


def build_benchmark_tab(versions: Sequence[Benchmark]) -> BenchmarkTab:
    """Build the tab; its charts are those of the current version."""
    benchmark = versions[0]
    shell = render_place(render_board(tuple(versions)))
    board = gr.HTML(shell, js_on_load=BOARD_SCRIPT, apply_default_css=False, elem_id=f"board-{benchmark.id}")
    if not benchmark.charts:
        return BenchmarkTab(board)
    comparing = [chart for chart in benchmark.charts if not isinstance(chart, MapChart)]
    maps = [chart for chart in benchmark.charts if isinstance(chart, MapChart)]
    several = one = None
    charts: dict[str, ChartParts] = {}
    with gr.Column(elem_classes="es-charts", elem_id=f"charts-{benchmark.id}"):
        if comparing:
            several = take_as_sent(
                gr.Dropdown(
                    [],
                    label=f"Models in the charts (up to {MAX_LINES})",
                    multiselect=True,
                    max_choices=MAX_LINES,
                    elem_id=f"chart-models-{benchmark.id}",
                )
            )
            charts |= {chart.id: _build_chart(benchmark, chart) for chart in comparing}
        if maps:
            name = f"chart-model-{benchmark.id}"
            one = take_as_sent(
                gr.Dropdown([], label="Model shown in the heatmap", elem_classes="es-map-model", elem_id=name)
            )
            charts |= {chart.id: _build_chart(benchmark, chart) for chart in maps}
    return BenchmarkTab(board, several, one, charts)


def _find_shape(chart: Chart) -> str:
    """Return the layout of a chart's panels: squares and maps keep their shape, other panels fill the width."""
    if isinstance(chart, PointChart):
        return "square"
    if count_panels(chart) == 1:
        return "map" if isinstance(chart, MapChart) else "wide"
    return "dots" if isinstance(chart, DotChart) else "many"


def _build_chart(benchmark: Benchmark, chart: Chart) -> ChartParts:
    name = f"{benchmark.id}-{chart.id}"
    gr.HTML(render_heading(chart.title), apply_default_css=False)
    note = gr.HTML(
        render_note("Loading chart…"), elem_id=f"note-{name}", elem_classes="es-quiet", apply_default_css=False
    )
    with gr.Row(elem_classes=["es-panels", f"es-panels-{_find_shape(chart)}"]):
        plots = tuple(
            # Hidden until drawn: Gradio's placeholder means nothing, and misleads screen readers.
            gr.Plot(**_PLOT, elem_id=f"chart-{name}-{at}")
            for at in range(count_panels(chart))
        )
    reading = gr.HTML(render_note(chart.reading), apply_default_css=False)
    with gr.Accordion("Show as table", open=False, elem_id=f"as-table-{name}") as fold:
        as_table = gr.HTML("", apply_default_css=False, elem_id=f"table-{name}")
    return ChartParts(plots, note, reading, fold, as_table)
