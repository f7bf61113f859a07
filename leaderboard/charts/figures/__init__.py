"""Plotly figures of the charts that benchmarks declare. Pure: entries in, figures out."""

import plotly.graph_objects as go

from evaluation.benchmarks.chart_specs import (
    Chart,
    DotChart,
    GridChart,
    LineChart,
    MapChart,
    PointChart,
    SettingsChart,
    ShareChart,
)
from leaderboard.charts.chart_data import ChartData
from leaderboard.charts.figures.dots import draw_dots
from leaderboard.charts.figures.grids import draw_grid, draw_map
from leaderboard.charts.figures.lines import draw_lines, find_height
from leaderboard.charts.figures.points import draw_points
from leaderboard.charts.figures.settings import draw_settings
from leaderboard.charts.figures.shares import draw_shares


def draw_chart(chart: Chart, scene: ChartData) -> list[go.Figure | None]:
    """Return the figure of each panel of a chart; None for a panel without data."""
    match chart:
        case LineChart():
            return [draw_lines(panel, scene, find_height(chart.panels)) for panel in chart.panels]
        case PointChart():
            return [draw_points(chart, pair, scene) for pair in chart.pairs]
        case DotChart():
            return [draw_dots(chart, panel, scene) for panel in chart.panels]
        case SettingsChart():
            return [draw_settings(chart, panel, scene) for panel in chart.panels]
        case ShareChart():
            return [draw_shares(chart, scene)]
        case GridChart():
            return [draw_grid(chart, scene)]
        case MapChart():
            return [draw_map(chart, scene)]


__all__ = ["draw_chart"]
