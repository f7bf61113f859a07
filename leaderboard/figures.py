"""Plotly figures of the charts that benchmarks declare. Pure: entries in, figures out.

Backgrounds are clear and texts take their colour from `assets/theme.css`, so that one figure serves light and dark.
"""

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean
from typing import Any, NamedTuple

import plotly.graph_objects as go

from evaluation.benchmarks.charts import LineChart, MapChart, Panel, PointChart
from leaderboard.views import Entry

# Mid tones that stay apart for colour-blind eyes, on white and on dark; amber, orange, red and grey have a meaning.
_COLOURS = ("#2f7fd1", "#0f9d7a", "#b65fc4", "#7a6ff0", "#3aa0b8", "#8a8f1f", "#c05a8a", "#5b7fa6")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon")
_HUMAN_COLOUR = "#d97706"
_CHANCE_COLOUR = "#7b8794"
_DIRECT_LABELS_AT_MOST = 4
_NAME_CHARACTERS = 18
_LABEL_GAP = 5.5
_HEAT = [[0.0, "rgba(18, 165, 148, 0.03)"], [1.0, "rgba(18, 165, 148, 0.62)"]]


class _Style(NamedTuple):
    colour: str
    symbol: str


def draw_lines(chart: LineChart, panel: Panel, entries: Sequence[Entry], chance: Mapping[str, float]) -> go.Figure:
    """Draw one panel of a line chart, a line for each entry, and chance as a dashed one."""
    figure = go.Figure()
    labels = []
    for entry, style in zip(entries, _styles(entries), strict=True):
        values = [entry.percent(key) for key in panel.figures]
        if any(value is not None for value in values):
            figure.add_trace(_line(entry, chart.labels, values, style))
            labels.append((next(value for value in reversed(values) if value is not None), entry, style))
    is_direct = len(entries) <= _DIRECT_LABELS_AT_MOST
    if is_direct:
        _label_lines(figure, labels)
    level = _chance_percent(panel.figures, chance)
    drawn = [entry.percent(key) for entry in entries for key in panel.figures]
    lowest = min([value for value in drawn if value is not None] + ([] if level is None else [level]), default=0.0)
    _dress(figure, panel.title, height=300 if is_direct else 400, right=140 if is_direct else 16)
    figure.update_layout(showlegend=not is_direct, legend={"orientation": "h", "y": -0.3, "x": 0})
    figure.update_xaxes(title=chart.x_title, range=[-0.2, len(chart.labels) - 0.8], fixedrange=True, type="category")
    figure.update_yaxes(range=[max(-1, min(30, 5 * (lowest // 5) - 5)), 101], dtick=10, fixedrange=True)
    if level is not None:
        _add_chance(figure, level)
    return figure


def draw_points(chart: PointChart, entries: Sequence[Entry]) -> go.Figure:
    """Draw two figures against each other, a point for each entry that has both."""
    figure = go.Figure()
    is_direct = len(entries) <= _DIRECT_LABELS_AT_MOST
    points = []
    for entry, style in zip(entries, _styles(entries), strict=True):
        across, up = entry.percent(chart.x), entry.percent(chart.y)
        if across is not None and up is not None:
            figure.add_trace(_point(chart, entry, (across, up), style))
            points.append(((across, up), entry))
    if is_direct:
        _label_points(figure, points)
    if chart.guide is not None:
        _add_guide(figure, *chart.guide)
    _dress(figure, "", height=420, right=16)
    figure.update_layout(showlegend=not is_direct, legend={"orientation": "h", "y": -0.22, "x": 0})
    figure.update_xaxes(title=f"{chart.x_title}, %", range=[-2, 102], dtick=25, fixedrange=True)
    figure.update_yaxes(title=f"{chart.y_title}, %", range=[-2, 102], dtick=25, fixedrange=True)
    return figure


def draw_map(chart: MapChart, entry: Entry, chance: Mapping[str, float]) -> go.Figure:
    """Draw a figure for each row and column of a map; the scale begins at chance."""
    heatmap = go.Heatmap(
        x=list(chart.columns),
        y=list(chart.rows),
        z=[[entry.percent(key) for key in cells] for cells in chart.cells],
        zmin=_chance_percent(chart.figures, chance) or 0.0,
        zmax=100,
        colorscale=_HEAT,
        showscale=False,
        xgap=1,
        ygap=1,
        texttemplate="%{z:.0f}",
        textfont={"size": 12},
        hoverongaps=False,
        hovertemplate=f"{chart.row_title} %{{y}} {chart.column_title} %{{x}}: %{{z:.1f}} %<extra></extra>",
    )
    figure = go.Figure(heatmap)
    _dress(figure, "", height=420, right=16)
    figure.update_layout(margin={"l": 80, "t": 56, "b": 8})
    figure.update_xaxes(title=chart.column_title, side="top", showgrid=False, fixedrange=True, type="category")
    figure.update_yaxes(title=chart.row_title, autorange="reversed", showgrid=False, fixedrange=True, type="category")
    return figure


def _chance_percent(keys: Sequence[str], chance: Mapping[str, float]) -> float | None:
    known = [chance[key] for key in keys if key in chance]
    return 100 * fmean(known) if known else None


def _styles(entries: Sequence[Entry]) -> list[_Style]:
    """Give each entry its own colour and symbol; people keep theirs everywhere."""
    return [
        _Style(_HUMAN_COLOUR if entry.source == "human" else _COLOURS[at % len(_COLOURS)], _SYMBOLS[at % len(_SYMBOLS)])
        for at, entry in enumerate(entries)
    ]


def _line(entry: Entry, labels: Sequence[str], values: Sequence[float | None], style: _Style) -> go.Scatter:
    return go.Scatter(
        x=list(labels),
        y=list(values),
        name=_safe(entry.model, 2 * _NAME_CHARACTERS),
        mode="lines+markers",
        line={"color": style.colour, "width": 2},
        marker={"symbol": style.symbol, "size": 8},
        hovertemplate="%{x}: %{y:.1f} %",
    )


def _point(chart: PointChart, entry: Entry, point: tuple[float, float], style: _Style) -> go.Scatter:
    return go.Scatter(
        x=[point[0]],
        y=[point[1]],
        name=_safe(entry.model, 2 * _NAME_CHARACTERS),
        mode="markers",
        marker={"symbol": style.symbol, "size": 12, "color": style.colour},
        hovertemplate=f"{chart.x_title} %{{x:.1f}}, {chart.y_title} %{{y:.1f}}",
    )


def _label_lines(figure: go.Figure, labels: Sequence[tuple[float, Entry, _Style]]) -> None:
    """Write names beside the lines' ends, pushed apart until none lies on another."""
    below = -_LABEL_GAP
    for value, entry, style in sorted(labels, key=lambda label: label[0]):
        below = max(value, below + _LABEL_GAP)
        figure.add_annotation(
            x=1,
            xref="paper",
            y=below,
            text=_swatch(style) + _safe(entry.model, _NAME_CHARACTERS),
            showarrow=False,
            xanchor="left",
            xshift=4,
            font={"size": 12},
        )


def _label_points(figure: go.Figure, points: Sequence[tuple[tuple[float, float], Entry]]) -> None:
    below = -_LABEL_GAP
    for (across, up), entry in sorted(points, key=lambda point: point[0][1]):
        below = max(up, below + _LABEL_GAP)
        on_left = across > 60
        figure.add_annotation(
            x=across,
            y=below,
            text=_safe(entry.model, 2 * _NAME_CHARACTERS),
            showarrow=False,
            xanchor="right" if on_left else "left",
            xshift=-10 if on_left else 10,
            font={"size": 12},
        )


def _swatch(style: _Style) -> str:
    mark = {"circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲"}.get(style.symbol, "●")
    return f'<span style="color:{style.colour}">{mark}</span> '


def _add_guide(figure: go.Figure, ends: tuple[float, float, float, float], words: str) -> None:
    x0, y0, x1, y1 = (100 * end for end in ends)
    dashed = {"color": _CHANCE_COLOUR, "width": 1.5, "dash": "dash"}
    figure.add_shape(type="line", x0=x0, y0=y0, x1=x1, y1=y1, line=dashed, layer="below")
    below = y1 < y0
    figure.add_annotation(
        x=97, y=7 if below else 93, text=words, showarrow=False, xanchor="right", yanchor="bottom", font_size=12
    )


def _add_chance(figure: go.Figure, level: float) -> None:
    figure.add_hline(y=level, line={"color": _CHANCE_COLOUR, "width": 1.5, "dash": "dash"}, layer="below")
    figure.add_annotation(
        x=0,
        xref="paper",
        y=level,
        text="chance",
        showarrow=False,
        xanchor="left",
        yanchor="top",
        xshift=8,
        font_size=12,
    )


def _dress(figure: go.Figure, title: str, *, height: int, right: int) -> None:
    """Take away what carries no meaning."""
    axis: dict[str, Any] = {"zeroline": False, "showline": False, "ticks": "", "gridwidth": 1}
    figure.update_layout(
        template="none",
        title={"text": title, "font": {"size": 14}, "x": 0, "xanchor": "left", "pad": {"l": 4}},
        height=height,
        margin={"l": 48, "r": right, "t": 40 if title else 16, "b": 48},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"size": 12},
        hoverlabel={"bgcolor": "#1f2a3d"},
        dragmode=False,
    )
    figure.update_xaxes(**axis)
    figure.update_yaxes(**axis)


def _safe(name: str, limit: int) -> str:
    """Return a stranger's text for a chart, where plotly would read tags and links in it."""
    return escape(name if len(name) <= limit else f"{name[: limit - 1]}…", quote=False)
