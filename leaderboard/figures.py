"""The charts of AudioMotionBench. Pure: entries in, plotly figures out.

Backgrounds are clear and texts take their colour from `assets/theme.css`, so that one figure serves light and dark.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import plotly.graph_objects as go

from leaderboard.views import COMPASS, CONDITIONS, VARIANTS, Entry, direction_grid, snr_values, true_false

CHANCE_PERCENT = 100 * 5 / 12
# Mid tones that stay apart for colour-blind eyes, on white and on dark; amber, orange, red and grey have a meaning.
_COLOURS = ("#2f7fd1", "#0f9d7a", "#b65fc4", "#7a6ff0", "#3aa0b8", "#8a8f1f", "#c05a8a", "#5b7fa6")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon")
_HUMAN_COLOUR = "#d97706"
_CHANCE_COLOUR = "#7b8794"
_DIRECT_LABELS_AT_MOST = 4
_NAME_CHARACTERS = 18
_LABEL_GAP = 5.5
_HEAT = [[0.0, "rgba(18, 165, 148, 0.03)"], [1.0, "rgba(18, 165, 148, 0.62)"]]
_ARROWS = dict(zip(COMPASS, "↑↗→↘↓↙←↖", strict=True))


class _Style(NamedTuple):
    colour: str
    symbol: str


def draw_snr(entries: Sequence[Entry], variant: str) -> go.Figure:
    """Draw accuracy against signal-to-noise ratio for one variant, a line for each entry."""
    figure = go.Figure()
    labels = []
    for entry, style in zip(entries, _styles(entries), strict=True):
        values = snr_values(entry, variant)
        if any(value is not None for value in values):
            figure.add_trace(_line(entry, values, style))
            labels.append((next(value for value in reversed(values) if value is not None), entry, style))
    is_direct = len(entries) <= _DIRECT_LABELS_AT_MOST
    if is_direct:
        _label_lines(figure, labels)
    lowest = min([CHANCE_PERCENT, *(value for value, _, _ in labels), *_all_values(entries, variant)])
    _dress(figure, VARIANTS[variant], height=300 if is_direct else 400, right=140 if is_direct else 16)
    figure.update_layout(showlegend=not is_direct, legend={"orientation": "h", "y": -0.3, "x": 0})
    figure.update_xaxes(title="dB SNR", range=[-0.2, len(CONDITIONS) - 0.8], fixedrange=True, type="category")
    figure.update_yaxes(range=[min(30, 5 * (lowest // 5) - 5), 101], dtick=10, fixedrange=True)
    _add_chance(figure)
    return figure


def draw_true_false(entries: Sequence[Entry]) -> go.Figure:
    """Draw TPR against TNR, a point for each entry."""
    figure = go.Figure()
    is_direct = len(entries) <= _DIRECT_LABELS_AT_MOST
    points = []
    for entry, style in zip(entries, _styles(entries), strict=True):
        point = true_false(entry)
        if point is not None:
            figure.add_trace(_point(entry, point, style))
            points.append((point, entry))
    if is_direct:
        _label_points(figure, points)
    diagonal = {"color": _CHANCE_COLOUR, "width": 1.5, "dash": "dash"}
    figure.add_shape(type="line", x0=0, y0=100, x1=100, y1=0, line=diagonal, layer="below")
    figure.add_annotation(x=97, y=7, text="guessing", showarrow=False, xanchor="right", yanchor="bottom", font_size=12)
    _dress(figure, "", height=420, right=16)
    figure.update_layout(showlegend=not is_direct, legend={"orientation": "h", "y": -0.22, "x": 0})
    figure.update_xaxes(title="TNR: right about false statements, %", range=[-2, 102], dtick=25, fixedrange=True)
    figure.update_yaxes(title="TPR: right about true statements, %", range=[-2, 102], dtick=25, fixedrange=True)
    return figure


def draw_directions(entry: Entry) -> go.Figure:
    """Draw the accuracy of each of the 56 directions as a grid, from × to."""
    grid = direction_grid(entry)
    names = [f"{_ARROWS[name]} {name}" for name in COMPASS]
    heatmap = go.Heatmap(
        x=names,
        y=names,
        z=grid,
        zmin=CHANCE_PERCENT,
        zmax=100,
        colorscale=_HEAT,
        showscale=False,
        xgap=1,
        ygap=1,
        texttemplate="%{z:.0f}",
        textfont={"size": 12},
        hoverongaps=False,
        hovertemplate="from %{y} to %{x}: %{z:.1f} %<extra></extra>",
    )
    figure = go.Figure(heatmap)
    _dress(figure, "", height=420, right=16)
    figure.update_layout(margin={"l": 80, "t": 56, "b": 8})
    figure.update_xaxes(title="to", side="top", showgrid=False, fixedrange=True, type="category")
    figure.update_yaxes(title="from", autorange="reversed", showgrid=False, fixedrange=True, type="category")
    return figure


def _styles(entries: Sequence[Entry]) -> list[_Style]:
    """Give each entry its own colour and symbol; people keep theirs everywhere."""
    return [
        _Style(_HUMAN_COLOUR if entry.source == "human" else _COLOURS[at % len(_COLOURS)], _SYMBOLS[at % len(_SYMBOLS)])
        for at, entry in enumerate(entries)
    ]


def _line(entry: Entry, values: Sequence[float | None], style: _Style) -> go.Scatter:
    return go.Scatter(
        x=list(CONDITIONS.values()),
        y=list(values),
        name=_safe(entry.model, 2 * _NAME_CHARACTERS),
        mode="lines+markers",
        line={"color": style.colour, "width": 2},
        marker={"symbol": style.symbol, "size": 8},
        hovertemplate="%{y:.1f} % at %{x}",
    )


def _point(entry: Entry, point: tuple[float, float], style: _Style) -> go.Scatter:
    tpr, tnr = point
    return go.Scatter(
        x=[tnr],
        y=[tpr],
        name=_safe(entry.model, 2 * _NAME_CHARACTERS),
        mode="markers",
        marker={"symbol": style.symbol, "size": 12, "color": style.colour},
        hovertemplate="TNR %{x:.1f}, TPR %{y:.1f}",
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
    for (tpr, tnr), entry in sorted(points, key=lambda point: point[0]):
        below = max(tpr, below + _LABEL_GAP)
        on_left = tnr > 60
        figure.add_annotation(
            x=tnr,
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


def _add_chance(figure: go.Figure) -> None:
    figure.add_hline(y=CHANCE_PERCENT, line={"color": _CHANCE_COLOUR, "width": 1.5, "dash": "dash"}, layer="below")
    figure.add_annotation(
        x=0,
        xref="paper",
        y=CHANCE_PERCENT,
        text="chance",
        showarrow=False,
        xanchor="left",
        yanchor="top",
        xshift=8,
        font_size=12,
    )


def _all_values(entries: Sequence[Entry], variant: str) -> list[float]:
    return [value for entry in entries for value in snr_values(entry, variant) if value is not None]


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
